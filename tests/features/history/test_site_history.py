"""The history of the site in words: steps, filters, and the way to the records."""

import html
import re

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.features.history import site_changes

WEEKLY = {"start_date": "2027-03-02 19:00:00", "end_date": "2027-03-02 21:00:00"}


def rows(world: World, query: str = "") -> list[str]:
    """What the rows say: who, and what with which record."""
    page = AdminClient(world, "editor").get(f"/admin/history{query}").text
    found = re.findall(r"<tr><td>(.*?)</tr>", page, re.DOTALL)
    words = [re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]*>", " ", row))).strip() for row in found]
    return [re.sub(r"^.*?[AP]M ", "", row.replace("\u202f", " ").replace(" ,", ",")) for row in words]


@pytest.fixture
def busy(world: World) -> World:
    """Later changes are other steps."""
    world.clock.move(minutes=1)
    return world


@pytest.mark.both_stores
def test_a_change_of_a_series_is_one_row(busy: World) -> None:
    made = busy.make("events", title="Choir", recurrence="FREQ=WEEKLY;COUNT=6", status="draft", **WEEKLY)
    path = f"/events/{made['id']}?scope=all"
    for sent in ({"status": "publish"}, {"title": "Songs"}, {"recurrence": "FREQ=WEEKLY;COUNT=4"}):
        busy.clock.move(minutes=1)
        busy.post(path, "editor", json=sent)
    busy.clock.move(minutes=1)
    busy.delete(path)
    assert rows(busy)[:5] == [
        "administrator Songs (4 dates) moved to the trash Show each",
        "editor Songs (3 dates) changed: Repeats Show each",
        "editor Songs (6 dates) changed: Title Show each",
        "editor Songs (6 dates) published Show each",
        "administrator Songs (6 dates) added Show each",
    ]
    page = AdminClient(busy, "editor").get("/admin/history").text
    each = re.findall(r'href="[^"]*(\?revs=[^"]*)">Show each', page)
    assert len(rows(busy, each[4])) == 6
    assert f'/admin/events/{made["id"]}"' in page


def test_each_row_says_what_was_done_and_leads_there(busy: World) -> None:
    made = busy.make("events", "contributor", title="Fair", status="draft")
    path = f"/events/{made['id']}"
    steps = [
        ({"status": "pending"}, "sent to review"),
        ({"status": "draft"}, "sent back from review"),
        ({"status": "publish"}, "published"),
        ({"event_status": "cancelled"}, "cancelled"),
        ({"event_status": "scheduled", "cost": "5"}, "no longer cancelled, changed: Price"),
        ({"status": "draft"}, "no longer public"),
        ({"status": "trash"}, "moved to the trash"),
        ({"status": "draft"}, "restored from the trash"),
    ]
    for sent, _ in steps:
        busy.clock.move(minutes=1)
        busy.put(path, "editor", json=sent)
    assert rows(busy)[: len(steps)] == [f"editor Fair {said}" for _, said in reversed(steps)]
    busy.delete(f"{path}?force=true")
    assert rows(busy)[0] == "administrator Event deleted for good"


def test_what_was_done_with_several_at_once_is_one_row(busy: World) -> None:
    ids = [busy.make("events", title=f"Fair {number}", status="draft")["id"] for number in range(5)]
    busy.clock.move(minutes=1)
    AdminClient(busy, "editor").post("/admin/events", {"action": "publish", "event": [str(id) for id in ids]})
    assert re.fullmatch(r"editor Fair \d, Fair \d, Fair \d and 2 more published Show each", rows(busy)[0])


@pytest.mark.both_stores
def test_a_merge_is_one_row_and_so_is_its_undo(busy: World) -> None:
    one, two = (busy.make("venues", venue=name)["id"] for name in ("Old Hall", "Town Hall"))
    for _ in range(3):
        busy.make("events", venue=[one])
    busy.clock.move(minutes=1)
    admin = AdminClient(busy, "editor")
    admin.post("/admin/venues/merge", {"id": str(one), "into": str(two)})
    assert rows(busy)[0] == "editor Town Hall “Old Hall” was merged into it, events: 3 Show each"
    admin.post("/admin/venues/merge", {"action": "undo", "id": str(one), "into": str(two)})
    assert rows(busy)[0] == "editor Town Hall “Old Hall” was taken out of it again, events: 3 Show each"


def test_an_earlier_version_that_is_restored_is_told_as_that(busy: World) -> None:
    made = busy.make("events", title="Fair")
    busy.post(f"/events/{made['id']}", json={"title": "Autumn fair"})
    admin = AdminClient(busy, "editor")
    page = admin.get(f"/admin/events/{made['id']}/history").text
    busy.clock.move(minutes=1)
    admin.post(f"/admin/events/{made['id']}/history", {"rev": re.findall(r'name="rev" value="(\d+)"', page)[0]})
    assert rows(busy)[0] == "editor Fair an earlier version was restored, changed: Title"


def test_it_is_narrowed_by_person_kind_and_day(busy: World, monkeypatch: pytest.MonkeyPatch) -> None:
    busy.make("venues", "editor", venue="Hall")
    busy.make("events", "author", title="Fair")
    busy.clock.move(days=2)
    busy.make("events", "editor", title="Ball")
    day = f"{busy.clock.now:%Y-%m-%d}"
    assert rows(busy, f"?day={day}") == ["editor Ball added"]
    assert rows(busy, f"?who={busy.ids['author']}") == ["author Fair added"]
    assert rows(busy, f"?who={busy.ids['editor']}&kind=venue") == ["editor Hall added"]
    assert rows(busy, "?kind=tag") == []
    for query in ("?day=tomorrow", "?who=x&kind=nothing", "?revs=1", "?day=0001-01-01", "?before=x"):
        rows(busy, query)
    monkeypatch.setattr(site_changes, "MOST", 1)
    page = AdminClient(busy, "editor").get("/admin/history?kind=event").text
    following = re.search(r'rel="next" href="[^"]*(\?[^"]*)"', page)
    assert following is not None
    assert rows(busy, html.unescape(following[1])) == ["author Fair added"]
