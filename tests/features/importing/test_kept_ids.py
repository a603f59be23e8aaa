"""Imported records keep the numbers that they had; a number names one thing for ever, so others get the next ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import World
from tests.features.importing.conftest import actions, events_by_title, import_into
from tests.pictures import png

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import Report
from kalends.features.importing.sources.kalends_json import KalendsJson

Save = Callable[[str, str | bytes], Path]
Json = dict[str, Any]

pytestmark = pytest.mark.both_stores

TIMES = {"start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 12:00:00"}


def event(id: str, title: str, **more: Any) -> Json:
    return {"kind": "event", "id": id, "title": title, "status": "publish", **TIMES, **more}


def bring(world: World, save: Save, *records: Json, keep_ids: bool = True) -> Report:
    path = save("calendar.json", json.dumps({"format": "kalends", "version": 1, "records": records}))
    return import_into(world, KalendsJson(path), options=ImportOptions(keep_ids=keep_ids))


def ids(world: World) -> dict[str, int]:
    return {title: found["id"] for title, found in events_by_title(world).items()}


def test_records_of_two_sources_with_the_same_ids_all_come(world: World, save: Save) -> None:
    towns = [event(f"{town}/{number}", f"{town} {number}") for town in ("a", "b") for number in range(7, 47)]
    assert actions(bring(world, save, *towns)) == {"created": 80}
    found = ids(world)
    assert [found[f"a {number}"] for number in range(7, 47)] == list(range(7, 47))
    assert sorted(found[f"b {number}"] for number in range(7, 47)) == list(range(47, 87))
    assert world.make("events", title="Later")["id"] == 87
    # Each is known by where it comes from, whatever its number is here.
    towns[-1]["title"] = "b changed"
    assert actions(bring(world, save, *towns)) == {"unchanged": 79, "updated": 1}
    assert ids(world)["b changed"] == found["b 46"]


def test_an_id_that_another_was_given_in_the_same_step_is_taken(world: World, save: Save) -> None:
    bring(world, save, event("a/5", "a 5"), event("b/5", "b 5"), event("a/6", "a 6"), event("a/7", "a 7"))
    assert ids(world) == {"a 5": 5, "b 5": 6, "a 6": 7, "a 7": 8}


def test_numbers_that_were_passed_over_are_given_to_who_asks_for_them(world: World, save: Save) -> None:
    bring(world, save, event("a/90", "a 90"))
    made = world.make("events", title="Here")["id"]
    wanted = [40, 1, 89, 41, 39, 90, made]
    bring(world, save, *(event(f"b/{id}", f"b {id}") for id in wanted))
    found = ids(world)
    assert [found[f"b {id}"] for id in wanted] == [40, 1, 89, 41, 39, 92, 93]


def test_numbers_are_shared_by_kinds_and_stay_with_what_was_deleted(world: World, save: Save) -> None:
    trashed = world.make("events", title="Trashed")["id"]
    world.delete(f"/events/{trashed}")
    gone = world.make("events", title="Gone")["id"]
    world.delete(f"/events/{gone}?force=true")
    first = world.make("events", title="Weekly", recurrence="FREQ=WEEKLY;COUNT=2")["id"]
    last = max(ids(world).values())
    world.delete(f"/events/{first}?force=true&scope=all")
    picture = world.upload(png())["id"]
    world.delete(f"/media/{picture}")
    venue, organizer = world.make("venues", venue="Hall")["id"], world.make("organizers", organizer="Club")["id"]
    assert organizer > venue > picture > last >= first > gone > trashed
    taken = range(1, organizer + 1)
    bring(world, save, *(event(f"a/{id}", f"a {id}") for id in taken))
    found = [ids(world)[f"a {id}"] for id in taken]
    assert found == list(range(organizer + 1, 2 * organizer + 1))
    # Nor does a venue get the number of an event, and a category that of a tag.
    tag, category = world.make("tags", name="Tag")["id"], world.make("categories", name="Gone")["id"]
    world.delete(f"/categories/{category}")
    report = bring(
        world,
        save,
        {"kind": "category", "id": f"a/{tag}", "name": "One"},
        {"kind": "tag", "id": f"a/{category}", "name": "Two"},
        {"kind": "tag", "id": "a/500", "name": "Three"},
        {"kind": "category", "id": "a/400", "name": "Four"},
        {"kind": "category", "id": "b/400", "name": "Five"},
        {"kind": "venue", "id": f"a/{found[0]}", "venue": "Barn"},
        {"kind": "venue", "id": "a/900", "venue": "Mill"},
        {"kind": "organizer", "id": "a/900", "organizer": "Choir"},
        event("b/900", "b 900"),
    )
    assert report.is_complete, report.remarkable
    terms = {
        one["name"]: one["id"]
        for plural in ("categories", "tags")
        for one in world.get(f"/{plural}?hide_empty=false").json()[plural]
    }
    assert (terms["Three"], terms["Four"], terms["Five"]) == (500, 400, 501)
    assert not {terms["One"], terms["Two"]} & {tag, category}
    places = {one["venue"]: one["id"] for one in world.get("/venues").json()["venues"]}
    [choir] = (one["id"] for one in world.get("/organizers").json()["organizers"] if one["organizer"] == "Choir")
    assert (places["Mill"], choir, ids(world)["b 900"]) == (900, 901, 902)
    assert places["Barn"] not in found


def test_what_is_taken_back_and_brought_again_gets_other_numbers(world: World, save: Save) -> None:
    records = [event("a/30", "a 30"), event("a/20", "a 20")]
    bring(world, save, *records)
    for id in (20, 30):
        world.delete(f"/events/{id}?force=true")
    assert actions(bring(world, save, event("b/30", "b 30"), event("b/25", "b 25"))) == {"created": 2}
    assert ids(world) == {"b 30": 31, "b 25": 25}
