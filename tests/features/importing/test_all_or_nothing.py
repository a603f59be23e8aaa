"""A record that is refused leaves nothing behind: no series, no venue, no term, no user."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOW, World
from tests.features.importing.conftest import actions, events_by_title, exported, import_into
from tests.pictures import png

from kalends.calendar.access import UnitOfWork
from kalends.calendar.images import image_store
from kalends.calendar.images.processing import read_picture
from kalends.calendar.series import filling, operations
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.features.importing.applying import images
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson

Save = Callable[[str, str | bytes], Path]
WINDOW = NOW - timedelta(days=30), NOW + timedelta(days=60)
TABLES = ("event", "series", "venue", "organizer", "category", "tag", "import_record", "journal")
DATES = {"start_date": "2027-01-01 10:00:00", "end_date": "2027-01-01 11:00:00"}


def rows(world: World) -> dict[str, int]:
    with world.calendar.store.read() as session:
        return {table: int(session.value(f"SELECT count(*) FROM {table}")) for table in TABLES}


def refuse_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """Series are refused after everything of them was written."""
    create = operations._create_series

    def refused(*given: Any) -> None:
        create(*given)
        Problems({"recurrence": FieldError(OUT_OF_BOUNDS, "is refused.")}).raise_any()

    monkeypatch.setattr(operations, "_create_series", refused)


ENTRY = (
    "BEGIN:VEVENT\nUID:{uid}\nDTSTART:20270105T190000\nSUMMARY:{uid}\nLOCATION:Clinic\nCATEGORIES:Health\n"
    "ORGANIZER;CN=Ada Example:mailto:ada@example.org\n{more}END:VEVENT\n"
)


@pytest.mark.both_stores
def test_a_refused_series_leaves_nothing_and_the_next_event_brings_what_it_named(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_series(monkeypatch)
    weekly = ENTRY.format(uid="weekly", more="RRULE:FREQ=WEEKLY;COUNT=3\n")
    before = rows(world)
    alone = save("a.ics", f"BEGIN:VCALENDAR\n{weekly}END:VCALENDAR\n")
    assert actions(import_into(world, IcsFile(alone, "UTC", *WINDOW))) == {"skipped": 1}
    assert rows(world) == before
    both = save("b.ics", f"BEGIN:VCALENDAR\n{weekly}{ENTRY.format(uid='single', more='')}END:VCALENDAR\n")
    assert actions(import_into(world, IcsFile(both, "UTC", *WINDOW))) == {"skipped": 1, "created": 4}
    event = events_by_title(world)["single"]
    assert (event["venue"]["venue"], event["categories"][0]["name"]) == ("Clinic", "Health")
    assert event["organizer"][0]["organizer"] == "Ada Example"
    assert rows(world)["series"] == 0


def test_a_refused_row_of_a_table_brings_no_venue(world: World, save: Save) -> None:
    before = rows(world)
    table = (
        "Event Name,Start Date,Venue Name,Organizer Name,Event Category,Event Tags\n,2027-01-01,Hall,Ann,Music,x\n"
    )
    assert actions(import_into(world, CsvTable(save("t.csv", table), "UTC"))) == {"skipped": 1}
    assert rows(world) == before


def test_a_user_that_came_with_a_refused_record_is_none(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_series(monkeypatch)
    event = {"kind": "event", "title": "Hers", "author": "zoe", **DATES}
    records = [event | {"id": "x/1", "recurrence": "FREQ=WEEKLY;COUNT=3"}]
    document = {"format": "kalends", "version": 1, "records": records}
    import_into(world, KalendsJson(save("a.json", json.dumps(document))), options=ImportOptions(create_users=True))
    assert "zoe" not in [user["name"] for user in world.get("/users", "administrator").json()["users"]]


def test_a_long_series_is_there_once_and_goes_on(make_other: Any, save: Save) -> None:
    source, target = make_other(), make_other(recurrence_months="48")
    source.make("events", title="Daily", recurrence="FREQ=DAILY")
    path = save("daily.json", exported(source))
    assert actions(import_into(target, KalendsJson(path))) == {"created": 732}
    filling.fill_all(target.calendar)
    with target.calendar.store.read() as session:
        starts = session.column("SELECT start_local FROM event WHERE status <> 'trash'")
        assert session.value("SELECT count(*) FROM series") == 1
    assert len(starts) == len(set(starts)) == 1000


def test_a_picture_that_is_deleted_before_the_write_is_tried_again(
    world: World, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was known by its address when the images to fetch were looked for."""
    url = "https://images.example.org/poster.png"
    world.pictures[url] = read_picture(png())
    image = world.make("events", title="Here", image=url)["image"]
    table = save("t.csv", f"Event Name,Start Date,Featured Image\nShown,2027-01-01,{url}\n")
    insert = images.insert

    def too_late(work: UnitOfWork, *given: Any) -> None:
        image_store.delete(work, image["id"])
        insert(work, *given)

    monkeypatch.setattr(images, "insert", too_late)
    [told] = import_into(world, CsvTable(table, "UTC")).remarkable
    reason = "it was deleted a moment ago; import again to have it"
    assert (told.action, told.details) == ("created", [f"left out: image {url}: {reason}"])
    assert events_by_title(world)["Shown"]["image"] is False
    monkeypatch.undo()
    import_into(world, CsvTable(table, "UTC"))
    assert events_by_title(world)["Shown"]["image"]["width"] == image["width"]
