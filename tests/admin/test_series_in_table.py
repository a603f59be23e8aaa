"""A series in the table of events: one row that opens, and what is done to it or to some of its dates."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_events_table import EVENTS, titles, undo
from tests.admin.test_series_in_review import WEEKLY, dates_of, make_series, statuses
from tests.conftest import World

from kalends.calendar.series.filling import fill_all
from kalends.values.dates import NO_DATE


def rows(page: str) -> list[str]:
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    return re.findall(r"<tr.*?</tr>", body[1], re.DOTALL) if body else []


def chosen(page: str, *numbers: int) -> dict[str, Any]:
    """What the form sends when these rows are selected: their boxes, and all versions that the page shows."""
    sent: dict[str, Any] = dict(re.findall(r'type="hidden" name="(rev-\d+)" value="(\d+)"', page))
    back = re.search(r'name="back" value="([^"]*)"', page)
    sent["back"] = back[1].replace("&amp;", "&") if back else EVENTS
    for row in [rows(page)[number] for number in numbers]:
        box = re.search(r'type="checkbox" name="(event|series)" value="(\d+)"', row)
        assert box is not None
        sent.setdefault(box[1], []).append(box[2])
    return sent


def apply(admin: AdminClient, action: str, page: str, *numbers: int) -> str:
    """The message of an action on some rows."""
    admin.post(EVENTS, chosen(page, *numbers) | {"action": action})
    return admin.message()


def test_each_series_is_one_row_that_opens(world: World) -> None:
    made = make_series(world)
    world.make("events", title="Fair")
    editor = AdminClient(world, "editor")
    page = editor.get(EVENTS).text
    assert titles(page) == ["Yoga", "Fair"]
    assert "8 dates" in rows(page)[0]
    assert [int(number) for number in re.findall(r'<span class="count">(\d+)</span>', page)] == [2, 1, 0, 1]
    link = re.search(r'href="([^"]*series=\d+[^"]*)"', rows(page)[0])
    assert link is not None
    assert titles(editor.get(link[1].replace("&amp;", "&")).text) == ["Yoga"] * 8
    assert titles(editor.get(f"{EVENTS}?dates=each").text) == ["Yoga"] * 8 + ["Fair"]
    assert titles(editor.get(f"{EVENTS}?series={made['series']}&when=all").text) == ["Yoga"] * 8
    assert titles(editor.get(f"{EVENTS}?when={made['start_date'][:10]}").text) == ["Yoga"]


@pytest.mark.parametrize(
    ("action", "field", "value"),
    [
        ("publish", "status", "publish"),
        ("trash", "status", "trash"),
        ("feature", "featured", True),
        ("hide", "hide_from_listings", True),
    ],
)
def test_an_action_on_the_row_is_about_all_its_dates_and_is_taken_back(
    world: World, action: str, field: str, value: object
) -> None:
    made = make_series(world, status="draft")
    own = dates_of(world, made)[2]["id"]
    world.put(f"/events/{own}", json={"status": "private", "featured": False})
    before = {event["id"]: event[field] for event in dates_of(world, made)}
    editor = AdminClient(world, "editor")
    page = editor.get(EVENTS).text
    editor.post(EVENTS, chosen(page, 0) | {"action": action})
    assert {event[field] for event in dates_of(world, made)} == {value}
    undo(editor)
    assert {event["id"]: event[field] for event in dates_of(world, made)} == before
    assert {event["series"] for event in dates_of(world, made)} == {made["series"]}


def test_a_category_on_the_row_is_added_to_what_each_date_has(world: World) -> None:
    music, dance = (world.make("categories", name=name)["id"] for name in ("Music", "Dance"))
    made = make_series(world, categories=[music])
    world.put(f"/events/{dates_of(world, made)[0]['id']}", json={"categories": []})
    editor = AdminClient(world, "editor")
    sent = chosen(editor.get(EVENTS).text, 0) | {"action": "category", "category": str(dance)}
    editor.post(EVENTS, sent)
    found = [sorted(term["name"] for term in event["categories"]) for event in dates_of(world, made)]
    assert found == [["Dance"]] + [["Dance", "Music"]] * 7
    undo(editor)
    found = [sorted(term["name"] for term in event["categories"]) for event in dates_of(world, made)]
    assert found == [[]] + [["Music"]] * 7


def test_later_dates_are_like_what_was_published_by_the_row(world: World) -> None:
    made = make_series(world, status="draft", recurrence="FREQ=MONTHLY")
    editor = AdminClient(world, "editor")
    apply(editor, "publish", editor.get(f"{EVENTS}?status=draft").text, 0)
    world.clock.move(days=100)
    assert fill_all(world.calendar) > 0
    assert set(statuses(world, made)) == {"publish"}


def test_dates_that_are_over_belong_to_the_row_of_what_is_to_come(world: World) -> None:
    made = make_series(world, status="draft", start_date="2026-11-03 18:00", end_date="2026-11-03 19:00")
    editor = AdminClient(world, "editor")
    page = editor.get(EVENTS).text
    assert "8 dates" in rows(page)[0]
    apply(editor, "publish", page, 0)
    assert statuses(world, made) == ["publish"] * 8


def test_the_row_of_what_is_over_is_not_about_what_is_to_come(world: World) -> None:
    made = make_series(world, status="draft", start_date="2026-11-03 18:00", end_date="2026-11-03 19:00")
    editor = AdminClient(world, "editor")
    page = editor.get(f"{EVENTS}?when=past").text
    assert "2 of 8 dates" in rows(page)[0]
    apply(editor, "trash", page, 0)
    assert statuses(world, made) == ["trash"] * 2 + ["draft"] * 6


def test_the_row_of_some_dates_is_about_those(world: World) -> None:
    made = make_series(world, who="editor", status="publish")
    for event in dates_of(world, made)[2:5]:
        world.put(f"/events/{event['id']}", json={"status": "draft"})
    editor = AdminClient(world, "editor")
    page = editor.get(f"{EVENTS}?status=draft").text
    assert "3 of 8 dates" in rows(page)[0]
    assert "Moved to the trash: 3." in apply(editor, "trash", page, 0)
    assert statuses(world, made) == ["publish"] * 2 + ["trash"] * 3 + ["publish"] * 3


def test_some_dates_of_a_series_stay_in_it(world: World) -> None:
    made = make_series(world, status="draft")
    editor = AdminClient(world, "editor")
    page = editor.get(f"{EVENTS}?series={made['series']}&when=all").text
    assert "Published: 3." in apply(editor, "publish", page, 0, 1, 2)
    assert statuses(world, made) == ["publish"] * 3 + ["draft"] * 5
    assert {event["series"] for event in dates_of(world, made)} == {made["series"]}
    assert {event["recurrence"]["rule"] for event in dates_of(world, made)} == {WEEKLY}


def test_what_was_changed_since_is_left_and_named(world: World) -> None:
    made = make_series(world, status="draft")
    fair, ball = (world.make("events", title=title, status="draft")["id"] for title in ("Fair", "Ball"))
    editor = AdminClient(world, "editor")
    page = editor.get(EVENTS).text
    world.put(f"/events/{fair}", json={"description": "Changed"})
    world.put(f"/events/{dates_of(world, made)[6]['id']}", who="contributor", json={"description": "Changed"})
    message = apply(editor, "publish", page, 0, 1, 2)
    assert "Published: 1." in message
    assert "Changed in the meantime and left as they are: “Fair”, “Yoga”." in message
    assert statuses(world, made) == ["draft"] * 8
    found = [world.get(f"/events/{id}", who="administrator").json()["status"] for id in (fair, ball)]
    assert found == ["draft", "publish"]


def test_dates_of_one_series_do_not_count_as_changed_by_each_other(world: World) -> None:
    made = make_series(world, who="editor", status="publish")
    editor = AdminClient(world, "editor")
    page = editor.get(f"{EVENTS}?series={made['series']}&when=all").text
    assert "Moved to the trash: 3." in apply(editor, "trash", page, 0, 1, 2)
    undo_page = editor.get(EVENTS).text
    assert "3 of" not in undo_page
    assert statuses(world, made) == ["trash"] * 3 + ["publish"] * 5


def test_counts_are_of_what_changed(world: World) -> None:
    undated = world.make("events", title="Some day", status="draft", start_date=NO_DATE, end_date=NO_DATE)["id"]
    later = world.make("events", title="Announced", status="draft", date="2026-12-01 10:00:00")["id"]
    public = world.make("events", title="Public")["id"]
    gone = world.make("events", title="Gone", status="draft")["id"]
    world.delete(f"/events/{gone}?force=true")
    editor = AdminClient(world, "editor")
    ids = [str(id) for id in (undated, later, public, gone)]
    editor.post(EVENTS, {"action": "publish", "event": ids})
    message = editor.message()
    assert "Published" not in message
    assert "Scheduled: 1." in message
    assert "Without a date, so not published: “Some day”." in message
    assert "No change needed: 1." in message
    assert "No longer there: 1." in message


def test_a_contributor_submits_and_does_not_publish(world: World) -> None:
    own = world.make("events", who="contributor", title="Own", status="draft")["id"]
    other = world.make("events", title="Of another")["id"]
    contributor = AdminClient(world, "contributor")
    contributor.post(EVENTS, {"action": "publish", "event": [str(own), str(other)]})
    message = contributor.message()
    assert "Published" not in message
    assert "Submitted for review: 1." in message
    assert "Left as they are, because you cannot change them: 1." in message
    assert "Of another" not in message


def test_a_contributor_trashes_what_is_still_theirs(world: World) -> None:
    made = make_series(world, status="draft")
    world.put(f"/events/{dates_of(world, made)[0]['id']}", json={"status": "publish", "scope": "this"})
    contributor = AdminClient(world, "contributor")
    page = contributor.get(f"{EVENTS}?status=draft").text
    assert "Moved to the trash: 7." in apply(contributor, "trash", page, 0)
    assert statuses(world, made) == ["publish"] + ["trash"] * 7


def test_what_comes_with_it_belongs_to_the_version(world: World) -> None:
    hall = {"venue": "New hall", "address": "Mill Lane 5"}
    single = world.make("events", "contributor", title="Fair", status="pending", venue=hall)
    made = make_series(world, venue=hall | {"venue": "Other hall"})
    editor = AdminClient(world, "editor")
    page = editor.get(f"{EVENTS}?status=pending").text
    for event in (single, made):
        venue = f"/venues/{event['venue']['id']}"
        assert world.put(venue, "contributor", json={"address": "Buy this"}).status_code == 200
    assert "left as they are: “Fair”, “Yoga”" in apply(editor, "publish", page, 0, 1)
    assert world.read("events", single["id"])["status"] == "pending"
    assert statuses(world, made) == ["pending"] * 8
    apply(editor, "publish", editor.get(f"{EVENTS}?status=pending").text, 0, 1)
    assert world.read("events", single["id"])["status"] == "publish"
    assert statuses(world, made) == ["publish"] * 8
