"""*The same* of two events of which one is not public: joining alone makes nothing public. Whoever decides is shown
what would become public and says so, or nothing changes."""

from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, entry, events, read
from tests.features.sources.test_duplicates import JAZZ, THEN, WHEN, answer, look, other, queue, weekly

pytestmark = pytest.mark.both_stores
__all__ = ["other"]

TITLE, HIDDEN = "Jazz Night at the Hall", "Only for the board: the surprise guest"
MARCH = {"start_date": "2027-03-01", "end_date": "2027-05-01"}
CLOSED = {
    "draft": {"status": "draft"},
    "pending": {"status": "pending"},
    "private": {"status": "private"},
    "future": {"status": "publish", "date": "2030-01-01 10:00"},
    "password": {"status": "publish", "post_password": "sesame"},
    "unlisted": {"status": "publish", "hide_from_listings": True},
}
NEVER = ("draft",)  # what no answer publishes


def hidden(world: World, how: str, **more: Any) -> dict[str, Any]:
    body = {"title": TITLE, "description": HIDDEN, "venue": {"venue": "Town Hall"}} | THEN | CLOSED[how] | more
    made: dict[str, Any] = world.make("events", **body)
    return made


def public_text(world: World) -> str:
    """Everything that an anonymous reader gets of events, one by one too."""
    ids = [one["id"] for one in events(world, status="publish,future,draft,pending,private,trash")]
    said = [world.get("/events", params=MARCH | {"per_page": "50"}).text]
    said += [world.get(f"/events/{id}").text for id in ids]
    return "".join([*said, world.get("/changes").text])


def town_of(world: World, remote: Elsewhere) -> dict[str, Any]:
    """A source with the public event."""
    remote.show(entry("1@town", WHEN, TITLE, **JAZZ))
    source = add(world, remote)
    read(world, source)
    look(world)
    return source


@pytest.mark.parametrize("how", CLOSED)
def test_what_is_public_stays_as_it_is(world: World, remote: Elsewhere, how: str) -> None:
    kept = hidden(world, how)
    town_of(world, remote)
    before = public_text(world)
    (pair,) = queue(world)
    assert pair["stays"] != kept["id"]
    answer(world, pair, "same")
    assert [one["status"] for one in events(world, **MARCH)] == ["publish"]
    after = world.get("/events", params=MARCH).json()["events"]
    assert [(one["title"], HIDDEN in one["description"]) for one in after] == [(TITLE, False)]
    assert HIDDEN not in public_text(world) or HIDDEN in before  # one that is not in lists is read at its address
    answer(world, pair, "open")
    assert world.get(f"/events/{kept['id']}", "administrator").json()["status"] == kept["status"]


@pytest.mark.parametrize("how", CLOSED)
def test_what_is_to_stay_is_published_only_when_that_is_said(world: World, remote: Elsewhere, how: str) -> None:
    kept = hidden(world, how)
    town_of(world, remote)
    (pair,) = queue(world)
    before = [world.get(f"/events/{one['id']}", "administrator").json() for one in pair["events"]]
    for publish in ({}, {"publish": "yes"}):
        refused = answer(world, pair, "same", status=409, keep=kept["id"], **publish)
        assert refused["code"] == ("rest-duplicate-draft" if how in NEVER else "rest-duplicate-publishes")
    assert [world.get(f"/events/{one['id']}", "administrator").json() for one in pair["events"]] == before
    assert len(queue(world)) == 1
    (side,) = (one for one in pair["events"] if one["id"] == kept["id"])
    if how in NEVER:
        assert "publishes" not in side
        return
    assert (side["publishes"]["dates"], side["publishes"]["text"]) == (1, HIDDEN)
    answer(world, pair, "same", keep=kept["id"], publish=side["publishes"]["version"])
    assert HIDDEN in world.get("/events", params=MARCH).text
    answer(world, pair, "open")
    again = [world.get(f"/events/{one['id']}", "administrator").json() for one in pair["events"]]
    names = ("status", "date_utc", "hide_from_listings", "title", "description")
    assert [[one[name] for name in names] for one in again] == [[one[name] for name in names] for one in before]
    assert (world.get(f"/events/{kept['id']}").status_code == 200) == (how == "unlisted")


def test_a_private_series_is_not_published_by_a_public_date(world: World, remote: Elsewhere) -> None:
    made = hidden(world, "private", recurrence="RRULE:FREQ=WEEKLY;COUNT=4")
    town_of(world, remote)
    (pair,) = queue(world)
    refused = answer(world, pair, "same", status=409)
    assert refused["data"]["publishes"]["dates"] == 4
    assert HIDDEN not in public_text(world)
    (side,) = (one for one in pair["events"] if one.get("publishes"))
    world.put(f"/events/{made['id']}", json={"description": f"{HIDDEN}, and more"}, params={"scope": "all"})
    answer(world, pair, "same", status=409, publish=side["publishes"]["version"])  # another text was shown
    assert HIDDEN not in public_text(world)
    (pair,) = queue(world)
    (side,) = (one for one in pair["events"] if one.get("publishes"))
    answer(world, pair, "same", publish=side["publishes"]["version"])
    assert world.get("/events", params=MARCH).json()["total"] == 4
    answer(world, pair, "open")
    assert world.get("/events", params=MARCH).json()["total"] == 1
    assert len(events(world, status="private")) == 4


def test_one_private_date_of_a_public_series(world: World, remote: Elsewhere) -> None:
    made = world.make(
        "events", title=TITLE, venue={"venue": "Town Hall"}, recurrence="RRULE:FREQ=WEEKLY;COUNT=3", **THEN
    )
    world.put(f"/events/{made['id']}", json={"status": "private", "description": HIDDEN}, params={"scope": "this"})
    town_of(world, remote)
    (pair,) = queue(world)
    refused = answer(world, pair, "same", status=409)
    assert refused["data"]["publishes"]["dates"] == 1
    assert HIDDEN not in public_text(world)


def test_a_date_of_its_own_stays_private_in_a_series_that_is_published(world: World, remote: Elsewhere) -> None:
    made = hidden(world, "private", recurrence="RRULE:FREQ=WEEKLY;COUNT=4")
    last = events(world, status="private")[-1]
    world.put(f"/events/{last['id']}", json={"status": "draft", "title": "Not yet"}, params={"scope": "this"})
    town_of(world, remote)
    (pair,) = queue(world)
    (side,) = (one for one in pair["events"] if one.get("publishes"))
    assert (side["id"], side["publishes"]["dates"]) == (made["id"], 3)
    answer(world, pair, "same", publish=side["publishes"]["version"])
    assert "Not yet" not in public_text(world)


def test_two_series_of_which_one_is_private(world: World, remote: Elsewhere) -> None:
    kept = hidden(world, "private", recurrence="RRULE:FREQ=WEEKLY;COUNT=4")
    remote.show(weekly("77", TITLE))
    read(world, add(world, remote))
    look(world)
    (pair,) = queue(world)
    assert pair["stays"] != kept["id"]
    answer(world, pair, "same", status=409, keep=kept["id"])
    answer(world, pair, "same")
    assert HIDDEN not in public_text(world)
    assert world.get("/events", params=MARCH).json()["total"] == 4


def test_nothing_of_a_hidden_record_comes_with_later_reads(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    """The source of what was private and was joined tells more later: the public event stays as it is."""
    remote.show(entry("1@town", WHEN, TITLE, LOCATION="Town Hall"))
    town = add(world, remote)
    read(world, town)
    other.show(entry("2@board", WHEN, TITLE, LOCATION="Town Hall", CLASS="PRIVATE"))
    board = add(world, other)
    read(world, board)
    look(world)
    (pair,) = queue(world)  # it is asked, however sure it is
    answer(world, pair, "same")
    other.show(entry("2@board", WHEN, TITLE, LOCATION="Town Hall", CLASS="PRIVATE", DESCRIPTION=HIDDEN))
    read(world, board)
    assert HIDDEN not in public_text(world)
    other.show(entry("2@board", WHEN, f"{TITLE}!", LOCATION="Town Hall", DESCRIPTION=HIDDEN))
    read(world, board)
    assert HIDDEN not in public_text(world)
    assert len(events(world)) == 1


def test_what_would_wait_for_review_adds_nothing_by_itself(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    remote.show(entry("1@town", WHEN, TITLE, LOCATION="Town Hall"))
    read(world, add(world, remote))
    other.show(entry("2@board", WHEN, TITLE, LOCATION="Town Hall", DESCRIPTION=HIDDEN))
    source = add(world, other, publish="review")
    read(world, source)
    assert [one["title"] for one in events(world, status="publish,pending")] == [TITLE]
    assert HIDDEN not in public_text(world)
    other.show(entry("2@board", WHEN, TITLE, LOCATION="Town Hall", DESCRIPTION=f"{HIDDEN}, again"))
    read(world, source)
    assert HIDDEN not in public_text(world)


def test_what_is_not_in_lists_is_not_joined_by_itself(world: World, remote: Elsewhere) -> None:
    hidden(world, "unlisted")
    town_of(world, remote)
    assert world.get("/events", params=MARCH).json()["total"] == 1
    assert len(queue(world)) == 1


@pytest.mark.parametrize("status", ["private", "draft"])
def test_a_read_never_publishes_what_somebody_hid(
    world: World, remote: Elsewhere, other: Elsewhere, status: str
) -> None:
    """What waited for an answer, and what was joined."""
    town_of(world, remote)
    other.show(entry("2@society", WHEN, "Jazz Night at the Hall – with the Blue Trio", LOCATION="Town Hall"))
    society = add(world, other)
    read(world, society)
    (pair,) = queue(world)
    (held,) = (one["id"] for one in pair["events"] if one["status"] == "pending")
    other.show(entry("2@society", WHEN, "Jazz Night at the Hall – with the Red Trio", LOCATION="Town Hall"))
    read(world, society)
    world.put(f"/events/{held}", json={"status": status})
    other.show(entry("2@society", WHEN, "Jazz Night at the Hall – with the Green Trio", LOCATION="Town Hall"))
    read(world, society)
    assert world.get(f"/events/{held}").status_code in (401, 403, 404)
    answer(world, pair, "same")
    (one,) = events(world)
    world.put(f"/events/{one['id']}", json={"status": status})
    for number in range(2):
        other.show(entry("2@society", WHEN, f"Jazz Night, version {number}", LOCATION="Town Hall"))
        read(world, society)
    assert world.get("/events", params=MARCH).json()["total"] == 0


def test_in_the_admin(world: World, remote: Elsewhere) -> None:
    hidden(world, "private", recurrence="RRULE:FREQ=WEEKLY;COUNT=4")
    town_of(world, remote)
    (pair,) = queue(world)
    editor = AdminClient(world, "editor")
    page = editor.get("/admin/duplicates").text
    assert "This becomes public: 4 dates" in page
    assert HIDDEN in page
    editor.post("/admin/duplicates", {"pair": str(pair["id"]), "answer": "same"})
    assert "This would make public what is not" in editor.get(f"/admin/duplicates/{pair['id']}").text
    assert HIDDEN not in public_text(world)
    (side,) = (one for one in pair["events"] if one.get("publishes"))
    form = {"pair": str(pair["id"]), "answer": "same", "keep": str(side["id"])}
    editor.post("/admin/duplicates", form | {f"publish-{side['id']}": side["publishes"]["version"]})
    assert world.get("/events", params=MARCH).json()["total"] == 4


@pytest.mark.parametrize("atomic", [False, True], ids=["each", "atomic"])
def test_in_a_batch(world: World, remote: Elsewhere, atomic: bool) -> None:
    kept = hidden(world, "private")
    town_of(world, remote)
    (pair,) = queue(world)
    body = {"answer": "same", "keep": kept["id"]}
    items = [
        {"method": "PUT", "path": f"/events/{kept['id']}", "body": {"title": TITLE}},
        {"method": "POST", "path": f"/sources/duplicates/{pair['id']}", "body": body},
    ]
    world.post("/batch", "editor", json={"requests": items, "atomic": atomic})
    assert len(queue(world)) == 1
    assert HIDDEN not in public_text(world)


def test_what_was_published_with_an_answer_and_closed_since_stays_closed(world: World, remote: Elsewhere) -> None:
    kept = hidden(world, "private")
    town_of(world, remote)
    (pair,) = queue(world)
    (side,) = (one for one in pair["events"] if one.get("publishes"))
    answer(world, pair, "same", keep=kept["id"], publish=side["publishes"]["version"])
    world.put(f"/events/{kept['id']}", json={"status": "draft"})
    answer(world, pair, "open")
    assert world.get(f"/events/{kept['id']}", "administrator").json()["status"] == "draft"
    assert HIDDEN not in world.get("/events", params=MARCH).text


def test_who_may_not_publish_joins_nothing(world: World, remote: Elsewhere) -> None:
    hidden(world, "private")
    town_of(world, remote)
    (pair,) = queue(world)
    for who in ("contributor", "author"):
        response = world.post(f"/sources/duplicates/{pair['id']}", who, json={"answer": "same"})
        assert response.status_code == 403
    assert len(queue(world)) == 1
