"""What can be done with several events at once beside their status: venue, organizer, days, and terms that are
removed, each with undo, for single events and for series."""

import html
import re
from typing import Any

import msgspec
import pytest
from tests import parts
from tests.admin.admin_client import AdminClient
from tests.admin.test_events_table import EVENTS, undo
from tests.admin.test_series_in_table import chosen
from tests.conftest import World

from kalends.admin import events as events_table
from kalends.calendar.access import Caller
from kalends.calendar.editing import bulk
from kalends.calendar.editing.bulk import Previous
from kalends.calendar.posts import merging
from kalends.contract.kinds import KIND_OF
from kalends.contract.roles import Role

FAIR = {"start_date": "2027-01-02 10:00:00", "end_date": "2027-01-02 12:00:00"}
WEEKLY = {"start_date": "2027-01-08 19:00:00", "end_date": "2027-01-08 21:00:00", "recurrence": "FREQ=WEEKLY;COUNT=4"}


def events(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.get("/events", params={"start_date": "2026-12-01", "per_page": "50"}).json()[
        "events"
    ]
    return found


def starts(world: World) -> list[str]:
    return [f"{event['title']} {event['start_date'][5:16]}-{event['end_date'][11:16]}" for event in events(world)]


def shown(world: World, field: str) -> list[list[str]]:
    """The names of the records that each event shows."""
    found = []
    for event in events(world):
        records = event[field] if isinstance(event[field], list) else [event[field]] if event[field] else []
        found.append(sorted(str(one.get("venue") or one.get("organizer") or one["name"]) for one in records))
    return found


def test_venue_organizer_and_terms_of_several_events_and_a_series(world: World) -> None:
    hall, barn = (world.make("venues", venue=name)["id"] for name in ("Hall", "Barn"))
    club = world.make("organizers", organizer="Club")["id"]
    music = world.make("categories", name="Music")["id"]
    usual = {"venue": hall, "categories": [music], "tags": ["Free", "Indoors"], "status": "publish"}
    world.make("events", title="Fair", **FAIR | usual)
    world.make("events", title="Choir", **WEEKLY | usual)
    admin = AdminClient(world, "editor")
    for action, sent, field, before, after in (
        ("venue", {"venue": str(barn)}, "venue", ["Hall"], ["Barn"]),
        ("organizer", {"organizer": str(club)}, "organizer", [], ["Club"]),
        ("uncategory", {"category": str(music)}, "categories", ["Music"], []),
        ("untag", {"tag": "free"}, "tags", ["Free", "Indoors"], ["Indoors"]),
    ):
        page = admin.get(EVENTS).text
        admin.post(EVENTS, chosen(page, 0, 1) | {"action": action} | sent)
        assert shown(world, field) == [after] * 5
        undo(admin)
        assert shown(world, field) == [before] * 5
    refused = admin.post(EVENTS, chosen(admin.get(EVENTS).text, 0) | {"action": "venue", "venue": "999"}, status=400)
    assert "999" in refused.text


def test_events_are_moved_by_days_and_back(world: World) -> None:
    world.make(
        "events", title="Fair", start_date="2027-01-02 10:00:00", end_date="2027-01-02 12:00:00", status="publish"
    )
    first = world.make("events", title="Choir", status="publish", **WEEKLY)
    moved = events(world)[2]["id"]  # a date with a time of its own
    world.put(f"/events/{moved}", json={"start_date": "2027-01-16 18:00:00", "end_date": "2027-01-16 21:00:00"})
    admin, before = AdminClient(world, "editor"), starts(world)
    page = admin.get(EVENTS).text
    admin.post(EVENTS, chosen(page, 0, 1) | {"action": "move", "days": "3"})
    assert starts(world) == [
        "Fair 01-05 10:00-12:00",
        *("Choir 01-11 19:00-21:00", "Choir 01-19 18:00-21:00", "Choir 01-25 19:00-21:00", "Choir 02-01 19:00-21:00"),
    ]
    assert world.read("events", first["id"])["recurrence"]["rule"].startswith("FREQ=WEEKLY")
    undo(admin)
    assert starts(world) == before
    page = admin.get(EVENTS).text
    admin.post(EVENTS, chosen(page, 0) | {"action": "move", "days": "-1"})
    assert starts(world)[0] == "Fair 01-01 10:00-12:00"
    undo(admin)
    assert starts(world) == before
    for wrong in ("0", "", "soon", "99999"):
        refused = admin.post(EVENTS, chosen(page, 0) | {"action": "move", "days": wrong}, status=400)
        assert "Choose events and an action." in refused.text


def test_a_full_page_of_moved_events_can_be_taken_back(world: World) -> None:
    for number in range(25):
        day = f"2027-01-{number + 1:02}"
        world.make("events", title="Fair", start_date=f"{day} 10:00:00", end_date=f"{day} 11:00:00", status="publish")
    admin, before = AdminClient(world, "editor"), starts(world)
    page = admin.get(EVENTS).text
    admin.post(EVENTS, chosen(page, *range(25)) | {"action": "move", "days": "30"})
    assert starts(world)[0] == "Fair 01-31 10:00-11:00"
    undo(admin)
    assert starts(world) == before


@pytest.mark.both_stores
def test_many_events_are_changed_and_taken_back_in_steps_between_which_others_write(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A series that was moved as a whole, dates of it that had times of their own, and single events: what a step has
    changed is not taken for somebody else's change by the next one."""
    world.make("events", title="Course", status="publish", **WEEKLY)
    world.make("events", title="Fair", status="publish", **FAIR)
    own_times = {"start_date": "2027-01-16 09:00:00", "end_date": "2027-01-16 10:00:00"}
    assert world.put(f"/events/{events(world)[2]['id']}", json=own_times).status_code == 200
    admin, before = AdminClient(world, "editor"), starts(world)
    parts.make_small(monkeypatch, 1)
    own, written = world.calendar.writing, []
    monkeypatch.setattr(world.calendar, "writing", lambda *given: written.append(given) or own(*given))
    admin.post(EVENTS, chosen(admin.get(EVENTS).text, 0, 1) | {"action": "move", "days": "30"})
    assert (starts(world) != before, len(written)) == (True, 4)  # the dates of the series in two more
    undo(admin)
    assert starts(world) == before
    assert len(written) > 6


def test_a_day_that_no_event_can_have_refuses_all_however_many_parts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = {"start_date": "9999-12-30 10:00:00", "end_date": "9999-12-30 12:00:00", "status": "publish"}
    world.make("events", title="Fair", status="publish", **FAIR)
    world.make("events", title="Last", **last)
    parts.make_small(monkeypatch, 1)
    admin = AdminClient(world, "editor")
    page, before = admin.get(EVENTS).text, starts(world)
    admin.post(EVENTS, chosen(page, 0, 1) | {"action": "move", "days": "30"}, status=400)
    assert starts(world) == before


def test_what_somebody_else_changed_is_left_whatever_comes_before_it(world: World) -> None:
    """A date in the trash changes the others of its series, which does not hide another change of one of them."""
    world.make("events", title="Choir", status="publish", **WEEKLY)
    first, second, *_ = events(world)
    revs = {}
    with world.calendar.store.read() as session:
        for event in (first, second):
            revs[event["id"]] = session.value("SELECT rev FROM event WHERE id = ?", (event["id"],))
    assert world.put(f"/events/{second['id']}", json={"title": "Rehearsal"}).status_code == 200
    caller = Caller(world.ids["editor"], "editor", Role.EDITOR)
    outcome = bulk.change_events(
        world.calendar, caller, [bulk.Chosen(*one) for one in revs.items()], lambda event, bundle: {"status": "trash"}
    )
    assert (outcome.changed, outcome.skipped) == ({"trash": 1}, {bulk.CHANGED_SINCE: ["Rehearsal"]})


def test_an_undo_names_a_series_once(world: World) -> None:
    """However often it is in what a browser sends: each time would move all its dates."""
    world.make("events", title="Course", status="publish", **WEEKLY)
    event = events(world)[0]
    forged = f"[{{}},[{', '.join([str(event['id'])] * 40)}],999999,{event['series']},1]"
    AdminClient(world, "editor").post(f"{EVENTS}/undo", {"previous": forged})
    assert starts(world)[0].startswith("Course 01-09")


def test_no_undo_takes_back_more_than_so_many_events(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [world.make("events", title="Fair", status="publish", **FAIR)["id"] for _ in range(4)]
    monkeypatch.setattr(bulk, "MOST_BACK", 3)
    named = [f"[{{}},[{id}],999999,0,5]" for id in ids]
    AdminClient(world, "editor").post(f"{EVENTS}/undo", {"previous": named})
    assert sum(start.startswith("Fair 01-07") for start in starts(world)) == 3


def test_an_author_moves_only_own_events(world: World) -> None:
    other = world.make(
        "events", "author", title="Own", start_date="2027-01-02", end_date="2027-01-03", status="publish"
    )
    contributor = AdminClient(world, "contributor")
    contributor.get(EVENTS)
    contributor.post(EVENTS, {"event": str(other["id"]), "action": "move", "days": "3"})
    assert "Left as they are, because you cannot change them: 1." in contributor.message()
    forged = f"[{{}},[{other['id']}],999999,0,5]"
    contributor.post(f"{EVENTS}/undo", {"previous": forged})
    assert world.read("events", other["id"])["start_date"] == other["start_date"]


@pytest.mark.both_stores
def test_all_events_of_a_list_are_selected_at_once_and_taken_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events_table, "AT_ONCE", 4)
    for number in range(28):
        day = f"2027-01-{number + 1:02}"
        title = "Fair" if number else "Ball"
        world.make("events", title=title, start_date=f"{day} 10:00:00", end_date=f"{day} 11:00:00", status="draft")
    world.make("events", title="Fair", recurrence="FREQ=WEEKLY;COUNT=3", status="draft")
    admin = AdminClient(world, "editor")
    page = admin.get(f"{EVENTS}?search=fair").text
    assert "Select all 28" in page
    back = html.unescape(re.search(r'name="back" value="([^"]*)"', page)[1])  # type: ignore[index]
    admin.post(EVENTS, {"action": "publish", "all": "1", "back": back})
    assert admin.message() == "Published: 30."
    drafts = {"status": "draft", "start_date": "2020-01-01"}
    assert [event["title"] for event in world.get("/events", "editor", params=drafts).json()["events"]] == ["Ball"]
    admin.post(EVENTS, {"action": "draft", "all": "1", "back": back})
    undo(admin)
    assert [event["title"] for event in world.get("/events", "editor", params=drafts).json()["events"]] == ["Ball"]


def test_an_author_selects_all_own_events_only(world: World) -> None:
    for who in ("author", "administrator"):
        for _ in range(26):
            world.make("events", who, title="Fair", status="draft")
    admin = AdminClient(world, "author")
    admin.post(EVENTS, {"action": "trash", "all": "1", "back": "/admin/events?when=all"})
    assert admin.message() == "Moved to the trash: 26."


def test_a_page_has_as_many_rows_as_a_person_wants(world: World) -> None:
    for number in range(27):
        world.make("events", title=f"Fair {number}", status="draft")
    admin = AdminClient(world, "editor")
    short, long = (admin.get(f"{EVENTS}?when=all{size}").text for size in ("", "&size=50"))
    assert (short.count('name="event"'), long.count('name="event"')) == (25, 27)
    assert "size=50" in short
    assert admin.get(f"{EVENTS}?when=all&size=99999").text.count('name="event"') == 25


@pytest.mark.parametrize("action", ["venue", "category"])
def test_undo_after_a_merge_links_the_record_that_stays(world: World, action: str) -> None:
    plural, field = ("venues", "venue") if action == "venue" else ("categories", "categories")
    old, new, third = (world.make(plural, **{"venue" if action == "venue" else "name": n})["id"] for n in "ABC")
    event = world.make("events", title="Fair", **{field: [old]})
    previous = [Previous({field: [old]}, [event["id"]], rev=10**6)]
    world.put(f"/events/{event['id']}", json={field: [third]})
    merging.merge_in_parts(world.calendar, world.caller("administrator"), KIND_OF[action], old, new)
    outcome = bulk.undo_changes(world.calendar, world.caller("administrator"), previous)
    assert (outcome.changed["back"], outcome.skipped) == (1, {})
    assert linked(world, event["id"], field) == [new]
    written = world.put(f"/events/{event['id']}", json={field: [old, third]})
    assert written.status_code == 200, written.text
    assert linked(world, event["id"], field) == [new, third], "a client that remembers the old id"


@pytest.mark.both_stores
def test_undo_after_a_deletion_brings_back_what_it_can(world: World) -> None:
    one, two, three = (world.make("categories", name=name)["id"] for name in "ABC")
    event, other = (world.make("events", title=title, categories=[three]) for title in ("Fair", "Ball"))
    previous = [
        Previous({"categories": [one, two], "featured": True}, [event["id"]], rev=10**6),
        Previous({"categories": [one]}, [other["id"]], rev=10**6),
    ]
    world.delete(f"/categories/{one}")
    outcome = bulk.undo_changes(world.calendar, world.caller("administrator"), previous)
    assert (outcome.changed["back"], outcome.skipped) == (1, {"link_gone": ["Fair", "Ball"]})
    assert linked(world, event["id"], "categories") == [two]
    assert world.read("events", event["id"])["featured"] is True
    assert linked(world, other["id"], "categories") == [three]


@pytest.mark.both_stores
def test_undo_names_what_it_leaves(world: World) -> None:
    """A button pressed after somebody renamed one of the events, deleted another, and merged what they showed."""
    hall, barn, mill = (world.make("venues", venue=name)["id"] for name in ("Hall", "Barn", "Mill"))
    ids = {title: world.make("events", title=title, venue=hall, **FAIR)["id"] for title in ("Fair", "Ball", "Gone")}
    series = world.make("events", title="Choir", venue=hall, **WEEKLY)["id"]
    admin = AdminClient(world, "editor")
    page = admin.get(EVENTS).text
    admin.post(EVENTS, chosen(page, 0, 1, 2, 3) | {"action": "venue", "venue": str(barn)})
    world.put(f"/events/{ids['Fair']}", json={"title": "Market"})
    world.put(f"/events/{series}", json={"title": "Orchestra", "scope": "all"})
    world.delete(f"/events/{ids['Gone']}?force=true")
    merging.merge_in_parts(world.calendar, world.caller("administrator"), KIND_OF["venue"], hall, mill)
    undo(admin)
    said = admin.message()
    assert "The change was undone." in said
    assert "Changed in the meantime and left as they are: “Market”, “Orchestra”." in said
    assert "No longer there: 1." in said
    shown_now = {event["title"]: event["venue"]["venue"] for event in events(world)}
    assert shown_now == {"Market": "Barn", "Ball": "Mill", "Orchestra": "Barn"}


@pytest.mark.both_stores
def test_undo_of_a_publication_hides_what_came_with_it(world: World) -> None:
    sent = {"title": "Fair", "venue": {"venue": "New Hall"}, "status": "draft"}
    made = world.make("events", "contributor", **sent)
    venue = made["venue"]["id"]
    chosen = [bulk.Chosen(made["id"])]
    editor = world.caller("administrator")
    for _ in range(2):
        outcome = bulk.change_events(world.calendar, editor, chosen, lambda event, bundle: {"status": "publish"})
        assert world.get(f"/venues/{venue}").status_code == 200
        sent_back = [msgspec.json.decode(msgspec.json.encode(part), type=Previous) for part in outcome.previous]
        assert bulk.undo_changes(world.calendar, editor, sent_back).changed["back"] == 1
        assert world.get(f"/events/{made['id']}").status_code in (403, 404)
        assert world.get(f"/venues/{venue}").status_code in (403, 404)
    outcome = bulk.change_events(world.calendar, editor, chosen, lambda event, bundle: {"status": "publish"})
    world.make("events", title="Other", venue=venue)
    bulk.undo_changes(world.calendar, editor, outcome.previous)
    assert world.get(f"/venues/{venue}").status_code == 200, "another public event shows it"


def linked(world: World, id: int, field: str) -> list[int]:
    found = world.read("events", id)[field]
    return [one["id"] for one in (found if isinstance(found, list) else [found])]
