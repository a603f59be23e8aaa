"""Imports after records were merged here: what names the merged one gets the one that stays."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests import store_checks
from tests.conftest import NOW, World
from tests.features.importing.conftest import actions, administrator, events_by_title, exported, import_into

from kalends.calendar.posts import merging
from kalends.contract.kinds import KIND_OF
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson

Save = Callable[[str, str | bytes], Path]
DATES = {"start_date": "2027-01-01 10:00:00", "end_date": "2027-01-01 11:00:00"}
NAMES = {"venue": "venue", "organizer": "organizer", "category": "name", "tag": "name"}
FIELDS = {"venue": "venue", "organizer": "organizer", "category": "categories", "tag": "tags"}
PLURALS = {"venue": "venues", "organizer": "organizers", "category": "categories", "tag": "tags"}
WINDOW = NOW - timedelta(days=30), NOW + timedelta(days=60)


def merge(world: World, kind: str, old: str, new: str) -> None:
    """Merges a record into another of its kind, both by their names."""
    found = world.get(f"/{PLURALS[kind]}?per_page=50&hide_empty=0", "administrator").json()[PLURALS[kind]]
    ids = {record[NAMES[kind]]: record["id"] for record in found}
    with world.calendar.writing(administrator(world)) as work:
        merging.merge(work, KIND_OF[kind], ids[old], ids[new])


def document(save: Save, *records: dict[str, Any]) -> KalendsJson:
    content = {"format": "kalends", "version": 1, "records": records}
    return KalendsJson(save("town.json", json.dumps(content)))


def record(kind: str, id: int, name: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "id": f"town/{id}", NAMES[kind]: name, **more}


def event(id: int, title: str, **more: Any) -> dict[str, Any]:
    return {"kind": "event", "id": f"town/{id}", "title": title, **DATES, **more}


def shown(world: World, title: str, kind: str) -> list[str]:
    found = events_by_title(world)[title][FIELDS[kind]]
    return [one[NAMES[kind]] for one in (found if isinstance(found, list) else [found])]


@pytest.mark.both_stores
@pytest.mark.parametrize("kind", NAMES)
def test_what_names_the_merged_record_gets_the_one_that_stays(world: World, save: Save, kind: str) -> None:
    old, new, other = record(kind, 1, "Old"), record(kind, 2, "New"), record(kind, 3, "Other")
    linked = {FIELDS[kind]: ["town/1"]}
    first = event(9, "First", **linked)
    import_into(world, document(save, old, new, other, first))
    merge(world, kind, "Old", "New")
    assert shown(world, "First", kind) == ["New"]
    later = [event(10, "Second", **linked), event(9, "First, renamed", **linked)]
    report = import_into(world, document(save, old | {"description": "Changed there"}, new, other, *later))
    assert (report.total("skipped"), report.total("conflict")) == (0, 0), report.remarkable
    assert shown(world, "Second", kind) == shown(world, "First, renamed", kind) == ["New"]
    moved = event(9, "First", **{FIELDS[kind]: ["town/3"]})
    report = import_into(world, document(save, old, new, other, moved))
    assert (report.total("conflict"), shown(world, "First", kind)) == (0, ["Other"]), (
        "a merge is no change of the event"
    )


@pytest.mark.parametrize("kind", NAMES)
def test_so_does_what_has_its_name_or_its_id_only(world: World, save: Save, kind: str) -> None:
    column = {"venue": "Venue Name", "organizer": "Organizer", "category": "Category", "tag": "Tags"}[kind]
    for name in ("Old", "New"):
        world.make(PLURALS[kind], **{NAMES[kind]: name}, source="town", external_id=name)
    merge(world, kind, "Old", "New")
    import_into(world, CsvTable(save("t.csv", f"Title,Start,{column}\nBy name,2027-01-01,Old\n"), "UTC"))
    assert shown(world, "By name", kind) == ["New"]
    if kind in ("venue", "organizer"):  # nothing is left of a term but its name
        by_id = event(1, "By id", **{FIELDS[kind]: ["town/Old"]})
        import_into(world, document(save, by_id))
        assert shown(world, "By id", kind) == ["New"]
    if kind == "venue":
        entry = "BEGIN:VEVENT\nUID:1\nDTSTART:20270105T190000\nSUMMARY:Entry\nLOCATION:Old\nEND:VEVENT\n"
        path = save("a.ics", f"BEGIN:VCALENDAR\n{entry}END:VCALENDAR\n")
        import_into(world, IcsFile(path, "UTC", *WINDOW))
        assert shown(world, "Entry", kind) == ["New"]


def test_an_export_has_the_redirects_and_a_copy_keeps_them(world: World, make_other: Any, save: Save) -> None:
    own = {"venue": {"venue": "Old"}, "organizer": {"organizer": "Old"}, "categories": ["Old"], "tags": ["Old"]}
    made = world.make("events", title="First", **own)
    for kind in NAMES:
        world.make(PLURALS[kind], **{NAMES[kind]: "New"})
        merge(world, kind, "Old", "New")
    renamed = world.make("events", title="Second", slug="was-here")
    world.put(f"/events/{renamed['id']}", json={"slug": "is-here"})
    copy, text = make_other(), exported(world)
    assert actions(import_into(copy, KalendsJson(save("a.json", text)))) == {"created": 6}
    assert exported(copy) == text
    pages = ("/venue/old", "/organizer/old", "/events/category/old", "/events/tag/old", "/event/was-here")
    for path in pages:
        there, here = world.client.get(path), copy.client.get(path)
        assert (here.status_code, here.headers["Location"]) == (there.status_code, there.headers["Location"]), path
    rev = copy.count()
    assert set(actions(import_into(copy, KalendsJson(save("a.json", text))))) == {"unchanged"}
    assert (exported(copy), copy.count()) == (text, rev)
    store_checks.check(copy.calendar.store, copy.calendar.settings)
    # And what still names a merged record by its id there.
    source = json.loads(text)["records"][0]["id"].partition("/")[0]
    venue = made["venue"]["id"]
    named = event(50, "Third") | {"venue": [f"{source}/{venue}"]}
    import_into(copy, document(save, named))
    assert shown(copy, "Third", "venue") == ["New"]
