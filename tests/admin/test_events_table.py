"""The table and the month of events in the admin, and what is done to several events at once."""

import html
import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.admin import events

EVENTS = "/admin/events"


def titles(page: str) -> list[str]:
    return [html.unescape(found) for found in re.findall(r'<th scope="row"><a[^>]*><bdi>(.*?)</bdi>', page)]


def make(world: World, title: str, day: int = 10, who: str = "administrator", **more: Any) -> int:
    start = f"2026-12-{day:02} 18:00:00"
    made = world.make("events", who=who, title=title, start_date=start, end_date=start, **more)
    return int(made["id"])


def undo(admin: AdminClient, path: str = EVENTS) -> None:
    """Presses the button of the message that the next page shows."""
    page = admin.get(path).text
    form = re.search(r'<div class="message.*?action="([^"]*)".*?</form>', page, re.DOTALL)
    assert form is not None
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="(previous|back)" value="([^"]*)"', form[0]):
        fields.setdefault(name, []).append(html.unescape(value))
    admin.post(form[1], fields)


def status(world: World, id: int) -> str:
    return str(world.get(f"/events/{id}", who="administrator").json()["status"])


def test_tabs_count_and_filters_find(world: World) -> None:
    category = world.make("categories", name="Music")["id"]
    make(world, "Concert", 10, categories=[category])
    make(world, "Draft", 11, status="draft")
    make(world, "Waiting", 12, status="pending")
    world.make("events", title="Long ago", start_date="2020-01-01 10:00:00", end_date="2020-01-01 11:00:00")
    admin = AdminClient(world, "editor")
    page = admin.get(EVENTS).text
    assert titles(page) == ["Concert", "Draft", "Waiting"]
    assert [int(number) for number in re.findall(r'<span class="count">(\d+)</span>', page)] == [3, 1, 1, 1]
    assert titles(admin.get(f"{EVENTS}?status=draft").text) == ["Draft"]
    assert titles(admin.get(f"{EVENTS}?when=past").text) == ["Long ago"]
    assert titles(admin.get(f"{EVENTS}?search=conc&when=all").text) == ["Concert"]
    assert titles(admin.get(f"{EVENTS}?categories={category}").text) == ["Concert"]
    assert titles(admin.get(f"{EVENTS}?orderby=title&order=desc").text) == ["Waiting", "Draft", "Concert"]


def test_what_a_search_finds_is_counted_up_to_a_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PER_PAGE", 2)
    monkeypatch.setattr(events, "COUNT_TO", 3)
    for day in range(10, 15):
        make(world, f"Yoga {day}", day, status="draft" if day == 12 else "publish")
    admin = AdminClient(world, "editor")
    expected = [("3+", "2+", ["Yoga 10", "Yoga 11"]), ("4+", "2+", ["Yoga 12", "Yoga 13"]), ("5", "3", ["Yoga 14"])]
    for number, (total, pages, found) in enumerate(expected, 1):
        page = admin.get(f"{EVENTS}?search=yoga&orderby=start_date&order=asc&page={number}").text
        assert titles(page) == found
        assert f"Events: {total}<" in page
        assert f"Page {number} of {pages}<" in page
        assert ('rel="next"' in page) is (number < 3)
    assert "Events: 5<" in admin.get(EVENTS).text  # which the tallies know
    assert "Events: 5<" in admin.get(f"{EVENTS}?search=-tango").text  # for which all are read


@pytest.mark.parametrize(
    "query", ["status=nonsense", "categories=9999", "page=99", "venue=x", "when=%00", "author=-1"]
)
def test_an_address_typed_by_hand_is_no_error(world: World, query: str) -> None:
    assert AdminClient(world, "editor").client.get(f"http://calendar.test{EVENTS}?{query}").status_code in (200, 303)


def test_authors_see_their_own_events(world: World) -> None:
    make(world, "Of the author", who="author")
    make(world, "Of another")
    assert titles(AdminClient(world, "author").get(EVENTS).text) == ["Of the author"]
    assert titles(AdminClient(world, "author").get(f"{EVENTS}?author=1").text) == ["Of the author"]


@pytest.mark.parametrize(
    ("action", "field", "value"),
    [
        ("draft", "status", "draft"),
        ("trash", "status", "trash"),
        ("feature", "featured", True),
        ("hide", "hide_from_listings", True),
    ],
)
def test_an_action_on_several_events_is_taken_back(world: World, action: str, field: str, value: object) -> None:
    ids = [make(world, f"Event {number}") for number in range(3)]
    before = [world.get(f"/events/{id}", who="administrator").json()[field] for id in ids]
    admin = AdminClient(world, "editor")
    admin.post(EVENTS, {"action": action, "event": [str(id) for id in ids[:2]], "back": EVENTS})
    after = [world.get(f"/events/{id}", who="administrator").json()[field] for id in ids]
    assert after == [value, value, before[2]]
    undo(admin)
    assert [world.get(f"/events/{id}", who="administrator").json()[field] for id in ids] == before


def test_a_category_and_a_tag_are_added_to_those_that_lack_them(world: World) -> None:
    category = world.make("categories", name="Music")["id"]
    first, second = make(world, "First", categories=[category]), make(world, "Second", tags=["old"])
    admin = AdminClient(world, "editor")
    both = [str(first), str(second)]
    admin.post(EVENTS, {"action": "category", "category": str(category), "event": both})
    assert "Category added: 1." in admin.get(EVENTS).text
    admin.post(EVENTS, {"action": "tag", "tag": "new", "event": both})
    found = world.get(f"/events/{second}").json()
    assert [term["name"] for term in found["categories"]] == ["Music"]
    assert [term["name"] for term in found["tags"]] == ["new", "old"]


def test_actions_follow_the_rights(world: World) -> None:
    other = make(world, "Of another")
    own = make(world, "Own draft", who="contributor", status="draft")
    for who in ("author", "contributor"):
        AdminClient(world, who).post(EVENTS, {"action": "trash", "event": str(other)})
        assert status(world, other) == "publish"
    AdminClient(world, "contributor").post(EVENTS, {"action": "publish", "event": str(own)})
    assert status(world, own) == "pending"


def test_an_undo_that_was_made_up_changes_nothing_else(world: World) -> None:
    own, other = make(world, "Own", who="author"), make(world, "Other")
    forged = f'[{{"author": 1, "title": "Forged", "featured": true}}, [{own}, {other}]]'
    AdminClient(world, "author").post(f"{EVENTS}/undo", {"previous": forged, "back": "https://elsewhere.example/"})
    assert world.get(f"/events/{own}").json()["title"] == "Own"
    assert world.get(f"/events/{other}").json()["featured"] is False
    for forged in ("no JSON", f'[{{"featured": true}}, [{2**63}]]', f'[{{"featured": true}}, [-{2**70}]]'):
        AdminClient(world, "author").post(f"{EVENTS}/undo", {"previous": forged}, status=400)


@pytest.mark.parametrize(
    "back", [f"{EVENTS}/month/../../..", f"{EVENTS}/month.evil", f"{EVENTS}?a\nX-Evil: 1", "//x"]
)
def test_an_action_leads_back_to_the_table_only(world: World, back: str) -> None:
    event = world.make("events", title="Fair")
    response = AdminClient(world, "administrator").post(
        EVENTS, {"action": "trash", "event": str(event["id"]), "back": back}
    )
    assert response.headers["Location"] == EVENTS


def test_an_event_is_moved_to_another_day_and_back(world: World) -> None:
    id = make(world, "Concert", 10)
    admin = AdminClient(world, "editor")
    month = f"{EVENTS}/month?month=2026-12"
    assert "Concert" in admin.get(month).text
    moved = admin.post(f"{EVENTS}/{id}/move", {"day": "2026-12-24", "back": month})
    assert moved.headers["Location"].endswith(month)
    assert world.get(f"/events/{id}").json()["start_date"] == "2026-12-24 18:00:00"
    undo(admin, month)
    assert world.get(f"/events/{id}").json()["start_date"] == "2026-12-10 18:00:00"
    admin.post(f"{EVENTS}/{id}/move", {"day": "no day"}, 400)
    assert world.get(f"/events/{id}").json()["start_date"] == "2026-12-10 18:00:00"


def test_an_undo_leaves_what_somebody_changed_since(world: World) -> None:
    ids = [make(world, "Concert", 10), make(world, "Ball", 11)]
    admin = AdminClient(world, "editor")
    admin.post(EVENTS, {"event": [str(id) for id in ids], "action": "draft"})
    AdminClient(world, "administrator").post(f"{EVENTS}/{ids[0]}/trash")
    undo(admin)
    assert [status(world, id) for id in ids] == ["trash", "publish"]


def test_what_is_gone_is_not_moved_to_the_trash(world: World) -> None:
    id = make(world, "Concert", 10)
    admin = AdminClient(world, "editor")
    admin.post(f"{EVENTS}/{id}/trash")
    assert "is in the trash" in admin.get(EVENTS).text
    world.delete(f"/events/{id}?force=true")
    admin.post(f"{EVENTS}/{id}/trash")
    assert "Nothing was changed." in admin.get(EVENTS).text


def test_the_month_shows_drafts(world: World) -> None:
    make(world, "Plan", status="draft")
    assert "Plan" in AdminClient(world, "editor").get(f"{EVENTS}/month?month=2026-12").text
    assert "Plan" not in AdminClient(world, "author").get(f"{EVENTS}/month?month=2026-12").text


def test_the_day_and_the_hours_do_not_mix_where_text_runs_from_right_to_left(world: World) -> None:
    """On a phone they share a line, in which the year would be pulled into the hours."""
    make(world, "Fair")
    page = AdminClient(world, "editor").get(f"{EVENTS}?lang=ar").text
    isolated = r'<bdi dir="rtl">'  # and the hours run from right to left as everywhere else
    assert re.search(rf'<td class="when">{isolated}[^<]*2026</bdi><br><small class="muted">{isolated}', page)


def test_a_search_that_finds_nothing_upcoming_looks_at_all_dates_and_says_so(world: World) -> None:
    world.make("events", title="Old lantern walk", start_date="2025-11-11 17:00:00", end_date="2025-11-11 18:00:00")
    person, note = AdminClient(world, "editor"), "Nothing upcoming was found, so this shows all dates."
    page = person.get("/admin/events?search=lantern&when=upcoming").text
    assert "Old lantern walk" in page
    assert note in page
    assert re.search(r'<option value="all" selected', page)
    assert note not in person.get("/admin/events?search=nothing-like-it").text
    world.make("events", title="New lantern walk", start_date="2027-11-11 17:00:00", end_date="2027-11-11 18:00:00")
    page = person.get("/admin/events?search=lantern").text
    assert "Old lantern walk" not in page
    assert note not in page
