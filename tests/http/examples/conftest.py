"""Reads the recorded examples, and makes the records that they name with the ids that they had."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import World
from tests.pictures import png
from tests.stores import Snapshot

Records = dict[int, tuple[str, dict[str, Any]]]

FOLDER = Path(__file__).parent
EXAMPLES: list[dict[str, Any]] = [
    example for path in sorted(FOLDER.glob("*.json")) for example in json.loads(path.read_text("utf-8"))
]
# The index and the interface description are not operations on records; they are tested with those routes.
ELSEWHERE = {"index.plain", "doc.plain"}

WHEN = {"start_date": "2027-08-10 09:00:00", "end_date": "2027-08-10 11:00:00"}
SEPTEMBER = {"start_date": "2027-09-10 09:00:00", "end_date": "2027-09-10 11:00:00", "timezone": "Europe/Paris"}
UPDATED = {"description": "Desc", "excerpt": "Exc", "categories": [2], "tags": [9], "venue": 9, "cost": "$10",
           "organizer": [15, 16], "image": 7, "website": "https://w.example.test/", "sticky": True, "featured": True,
           "hide_from_listings": True, "author": "author", **SEPTEMBER}  # fmt: skip
MARCH = {"categories": [6], "start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"}
JUNE = {"categories": [7], "status": "draft", "end_date": "2027-06-03 10:00:00"}

# What is there before every example, by its id.
TERMS: Records = {
    2: ("categories", {"name": "Music", "description": "All <b>music</b>"}),
    3: ("categories", {"name": "Jazz", "parent": 2}), 4: ("categories", {"name": "Food & Drink"}),
    5: ("categories", {"name": "Empty cat"}), 6: ("categories", {"name": "Boundary"}),
    7: ("categories", {"name": "Statuses"}), 8: ("categories", {"name": "Anything"}),
    9: ("tags", {"name": "Free entry", "description": "no ticket"}), 10: ("tags", {"name": "outdoor"}),
}  # fmt: skip
POSTS: Records = {
    9: ("venues", {
        "venue": "Alpha Hall", "description": "A <em>big</em> hall.\n\nSecond paragraph.", "address": "1 Main St",
        "city": "Springfield", "country": "United States", "province": "Quux", "state": "IL", "zip": "62701",
        "phone": "+1 555 0100", "stateprovince": "Illinois", "website": "https://alpha.example.test/hall?a=1&b=2",
        "image": 6, "date": "2026-06-01 20:00:00"}),
    10: ("venues", {"venue": "Beta Room", "date": "2026-06-01 16:00:00"}),
    12: ("venues", {"venue": "Delta", "date": "2026-06-01 18:00:00"}),
    13: ("venues", {"venue": "Epsilon Past", "date": "2026-06-01 15:00", "description": "only hosted past things"}),
    15: ("organizers", {
        "organizer": "Olga Organizer", "description": "Runs things", "phone": "555-0199", "image": 7,
        "website": "https://olga.example.test/", "email": "olga@example.test", "date": "2026-06-01 18:00:00"}),
    16: ("organizers", {"organizer": "Otto", "date": "2026-06-01 14:00:00"}),
    20: ("events", {"title": "Past show", "start_date": "2026-05-01", "end_date": "2026-05-02"}),
    23: ("events", {"title": "Boundary NY", **MARCH}),
    24: ("events", {"title": "Boundary Tokyo", **MARCH, "timezone": "Asia/Tokyo"}),
    25: ("events", {"title": "Boundary multi-day", "categories": [6], "start_date": "2027-03-12 10:00",
                    "end_date": "2027-03-15 12:00"}),
    26: ("events", {"title": "Boundary all day", "categories": [6], "start_date": "2027-03-18",
                    "end_date": "2027-03-19", "all_day": True}),
    27: ("events", {
        "title": "Full concert", "description": "Loud <strong>concert</strong> with trumpet.", "excerpt": "A concert",
        "start_date": "2027-04-05 19:00:00", "end_date": "2027-04-05 22:30:00", "image": 6, "cost": "$10 - $20",
        "website": "https://concert.example.test/", "featured": True, "categories": [2, 3], "tags": [9, 10],
        "venue": 9, "organizer": [15, 16], "date": "2026-01-02 03:04:05"}),
    28: ("events", {
        "title": "Jazz night", "description": "Quiet trumpet evening", "start_date": "2027-04-06 20:00:00",
        "end_date": "2027-04-06 23:00:00", "cost": "15", "categories": [3], "tags": [10], "venue": 10,
        "organizer": 16}),
    38: ("events", {
        "title": "Secret gig", "description": "hidden words", "excerpt": "hidden excerpt", "image": 7, "cost": "5",
        "start_date": "2027-05-03 10:00:00", "end_date": "2027-05-03 11:00:00", "featured": True, "categories": [2],
        "website": "https://secret.example.test/", "tags": [9], "venue": 9, "organizer": 15,
        "post_password": "s3cret"}),
    39: ("events", {"title": "Status draft", "start_date": "2027-06-01 10:00:00", **JUNE}),
    47: ("events", {"title": "Author draft", "start_date": "2027-06-02 10:00:00", "author": "author", **JUNE}),
    48: ("events", {"title": "Contrib event", "start_date": "2027-06-03 10:00:00", "author": "contributor", **JUNE}),
}  # fmt: skip

# What is there before one example only.
BEFORE: dict[str, Records] = {
    "categories.create.duplicate": {125: ("categories", {"name": "Plain term"})},
    "events.update.PATCH.title_only": {88: ("events", {"title": "Upd PATCH", "status": "private"} | UPDATED)},
    "events.trash.delete1": {339: ("events", {"title": "Trash me", "date": "2026-02-03 04:05:06"} | UPDATED)},
    "events.trash.delete2": {339: ("events", {"title": "Trash me", **WHEN})},
    "linked.event_with_drafts.anon": {
        365: ("venues", {"venue": "Draft later", "status": "draft"}),
        366: ("organizers", {"organizer": "Draft later org", "status": "draft"}),
        367: ("events", {"title": "Has draft links", "venue": 365, "organizer": 366, **WHEN}),
    },
    "proto.override.post_delete.param": {386: ("events", {"title": "Override param", **WHEN})},
    "roles.update.events.contrib.own.publish": {563: ("events", {"title": "Own", "author": "contributor", **WHEN})},
    "roles.update_slug.events.contrib.other.publish": {
        579: ("events", {"title": "Foreign", "slug": "rus-events-contrib-other-publish-22", **WHEN})
    },
    "venues.update.POST.name_only": {
        1804: ("venues", {
            "venue": "Upd venues POST", "description": "Desc", "address": "A", "city": "C", "country": "France",
            "province": "P", "state": "S", "zip": "Z", "phone": "111", "website": "https://w.example.test/",
            "author": "author", "status": "draft", "image": 7, "stateprovince": "SP"})
    },
    "venues.delete.second": {1932: ("venues", {"venue": "Deleted"})},
}  # fmt: skip
TRASHED = {"events.trash.delete2": "/events/339", "venues.delete.second": "/venues/1932"}
# The store is empty for the first example of a list.
EMPTY = {"empty.events.anon"}
# Records that the request brings along take the numbers before its own.
FIRST_NEW_ID = {"events.create.venue.obj_new": 1358, "events.create.organizer.list_mixed": 1387}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "example" in metafunc.fixturenames:
        replayed = [example for example in EXAMPLES if example["case"] not in ELSEWHERE]
        metafunc.parametrize("example", replayed, ids=[example["case"] for example in replayed])


@pytest.fixture
def cases() -> set[str]:
    return {example["case"] for example in EXAMPLES}


@pytest.fixture(scope="module")
def recorded(build_world) -> Iterator[tuple[World, Snapshot]]:
    """The calendar that most examples begin with, to come back to."""
    world = build_world()
    fill(world, TERMS, POSTS)
    snapshot = Snapshot(world.calendar.store)
    yield world, snapshot
    snapshot.close()


@pytest.fixture
def stage(recorded, example, make_world) -> Iterator[World]:
    """The world of the recording."""
    case, request = example["case"], example["request"]
    new = example["response"]["json"].get("id") if is_create(request) else None
    shared, snapshot = recorded
    if case in EMPTY:
        world = at_the_time(make_world())
    elif new in TERMS and is_term(request["path"]):
        world = fill(make_world(), {id: row for id, row in TERMS.items() if id < new}, {})
    elif new in POSTS:
        world = fill(make_world(), TERMS, {id: row for id, row in POSTS.items() if id < new})
    else:  # in a service that remembers nothing
        world = World(shared.calendar, shared.clock, shared.tokens, shared.ids, shared.pictures)
    for id, (plural, body) in BEFORE.get(case, {}).items():
        make(world, id, plural, body)
    if case in TRASHED:
        assert world.delete(TRASHED[case]).status_code == 200
    if new:
        next_id(world, request["path"], FIRST_NEW_ID.get(case, new))
    yield world
    snapshot.restore()


def at_the_time(world: World) -> World:
    world.clock.now = world.clock.now.replace(hour=0, minute=41)  # the evening before in New York
    return world


def fill(world: World, terms: Records, posts: Records) -> World:
    at_the_time(world)
    upload(world, 6, "probe.png", 1200, 900)
    upload(world, 7, "small.png", 20, 10)
    for records in (terms, posts):
        for id, (plural, body) in records.items():
            make(world, id, plural, body)
    return world


def is_create(request: dict[str, Any]) -> bool:
    return request["method"] == "POST" and re.fullmatch("{ns}/[a-z]+", request["path"]) is not None


def is_term(path: str) -> bool:
    return path.endswith(("categories", "tags"))


def next_id(world, path: str, id: int) -> None:
    """The next record under this path gets this id."""
    with world.calendar.store.write() as session:
        space = "term" if is_term(path) else "post"
        session.run("UPDATE sequence SET last = ? WHERE name = ?", (id - 1, space))


def make(world, id: int, plural: str, body: dict[str, Any]) -> None:
    next_id(world, plural, id)
    author = {"author": world.ids[body["author"]]} if "author" in body else {}
    assert world.make(plural, **(body | author))["id"] == id


def upload(world, id: int, name: str, width: int, height: int) -> None:
    out = png(width, height, colour="teal")
    next_id(world, "media", id)
    assert world.post("/media", files={"file": (name, out, "image/png")}).json()["id"] == id
