"""Export, import into an empty calendar, export: the same bytes, on both stores."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.lists.random_calendar import RandomCalendar
from tests.conftest import BASE_URL, NOW, World
from tests.features.importing.conftest import actions, administrator, archived, events_by_title, exported, import_into
from tests.pictures import png

from kalends.calendar.images.processing import Picture, read_picture
from kalends.features.exporting import csv_export, ics_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing import run as importing_run
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.records.record import ImportSource
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson
from kalends.present.addresses import Addresses

Save = Callable[[str, bytes], Path]


@pytest.fixture
def full(make_world: Any) -> World:
    """A calendar with a little of everything."""
    world: World = make_world()
    RandomCalendar(world, 3).fill(25)
    image = world.upload(png())["id"]
    venue = world.make("venues", venue="Hall", image=image, geo_lat=45.5, geo_lng=4.25, show_map="no")
    series = world.make("events", title="Festival", start_date="2027-06-01", end_date="2027-06-03", all_day=True)
    world.make(
        "events",
        title="Opening night",
        start_date="2027-06-01 20:00",
        end_date="2027-06-01T23:30:00",
        timezone="Europe/Paris",
        cost=["$10", "$20"],
        image=image,
        venue=venue["id"],
        organizer=[{"organizer": "Zed"}, {"organizer": "Alpha"}],
        categories=["Zebra", "Ant"],
        tags=["z", "a"],
        post_parent=series["id"],
        tickets=[{"name": "Seat", "price": "12.50", "currency": "EUR", "starts": "2027-05-01 10:00"}],
        website="https://example.org/",
        description="<p>Bring a <b>coat</b> &amp; hat</p>",
    )
    world.make("events", title="Twice", start_date="2026-11-01T06:30:00Z", end_date="2026-11-01T07:00:00Z")
    world.make("events", title="Sealed", post_password="sesame", hide_from_listings=True, sticky=True)
    world.make("events", title="Later", date="2027-01-01 10:00:00", featured=True)
    world.make("events", title="Another's draft", status="draft", author=world.ids["author"])
    weekly = {"start_date": "2027-01-05 19:00", "end_date": "2027-01-05 20:00", "timezone": "Europe/Berlin"}
    first = world.make("events", title="Yoga", recurrence="FREQ=WEEKLY;COUNT=5", tags=["a"], **weekly)
    occurrences = world.get(f"/events?series={first['series']}&start_date=2027-01-01").json()["events"]
    world.put(f"/events/{occurrences[1]['id']}", json={"title": "Yoga outside", "tags": []})
    world.put(
        f"/events/{occurrences[2]['id']}", json={"start_date": "2027-01-20 18:00", "end_date": "2027-01-20 19:00"}
    )
    world.delete(f"/events/{occurrences[3]['id']}")
    # One that is moved before the first, and a single event at the time of another one.
    world.put(
        f"/events/{occurrences[4]['id']}", json={"start_date": "2027-01-02 18:00", "end_date": "2027-01-02 19:00"}
    )
    world.make("events", title="Also then", start_date="2027-01-05 19:00", end_date="2027-01-05 20:00")
    choir = world.make("events", title="Choir", recurrence="FREQ=MONTHLY;BYDAY=2TU", **weekly)
    world.put(f"/events/{choir['id']}", json={"title": "Choir, the first time"})
    world.make("events", title="Offset", timezone="UTC+2", start_date="2027-02-01 10:00", end_date="2027-02-01 11:00")
    world.make("events", title="Called off", event_status="cancelled", venue=[venue["id"], {"venue": "Barn"}])
    world.make("events", title="Secret", status="private", excerpt="<p>Only this</p>")
    world.make("events", title="Elsewhere", venue={"venue": "Hall", "address": "9 Far Street", "city": "Paris"})
    mail = {"organizer": "Zed", "email": "zed@other.example"}
    world.make("events", title="Another Zed", organizer=[mail, {"organizer": "Alpha"}], tags=["z"])
    trashed = world.make("events", title="In the trash")
    world.delete(f"/events/{trashed['id']}")
    return world


@pytest.mark.both_stores
def test_an_export_of_an_import_is_the_same(full: World, make_other: Any, save: Save) -> None:
    first, copy = archived(full), make_other()
    source = KalendsJson(save("calendar.zip", first))
    report = import_into(copy, source)
    assert set(actions(report)) == {"created"}, report.remarkable
    assert archived(copy) == first
    store_checks.check(copy.calendar.store)
    rev = copy.count()
    assert set(actions(import_into(copy, source))) == {"unchanged"}
    assert copy.count() == rev
    yoga = copy.get("/events?search=yoga&start_date=2027-01-01").json()["events"]
    assert [event["title"] for event in yoga] == ["Yoga", "Yoga", "Yoga outside", "Yoga"]
    assert len({event["series"] for event in yoga} - {None}) == 1, "a series stays one"
    opened = copy.get("/events/by-slug/sealed?password=sesame")
    assert opened.status_code == 200, "the password still opens the event"


def test_an_image_of_an_archive_is_stored_once(
    full: World, make_other: Any, save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The venue and the event that show it come in different batches."""
    monkeypatch.setattr(importing_run, "BATCH", 5)
    first, copy = archived(full), make_other()
    import_into(copy, KalendsJson(save("calendar.zip", first)))
    assert archived(copy) == first


def pictures(world: World) -> int:
    with world.calendar.store.read() as session:
        return int(session.value("SELECT count(*) FROM media"))


def test_archives_go_around_with_the_same_pictures(full: World, make_other: Any, save: Save) -> None:
    def bring(archive: bytes, to: World, name: str = "calendar.zip", *, theirs: bool = False) -> None:
        import_into(to, KalendsJson(save(name, archive)), options=ImportOptions(theirs=theirs))

    shown = [event for event in events_by_title(full).values() if event["image"]]
    other = full.upload(png(9, 9))["id"]
    copy, third = make_other(), make_other()
    for change in ({}, {"title": "Renamed"}, {"image": other}):
        full.put(f"/events/{shown[0]['id']}", json=change)
        first = archived(full)
        for name in ("calendar.zip", "calendar.zip", "again.zip"):
            bring(first, copy, name)
            assert archived(copy) == first
        bring(first, copy, theirs=True)
        bring(archived(copy), third)
        assert archived(third) == first
        rev = full.count()
        bring(archived(third), full)  # and back to where it began
        assert (archived(full), full.count()) == (first, rev)
    assert (pictures(copy), pictures(third), pictures(full)) == (2, 2, 2)


def test_what_tells_no_pictures_says_nothing_of_them(full: World, make_other: Any, save: Save) -> None:
    """A calendar that does not know its own address, in a form without room for pictures."""
    first, copy, rev = exported(full), make_other(), full.count()
    import_into(copy, KalendsJson(save("calendar.json", first)))
    assert exported(copy) == first
    assert b'"image"' not in first
    report = import_into(full, KalendsJson(save("calendar.json", first)))
    assert (set(actions(report)), full.count()) == ({"unchanged"}, rev), report.remarkable
    table = b"".join(csv_export.write(ExportSelection(full.calendar, administrator(full), {}), None))
    import_into(full, CsvTable(save("calendar.csv", table), "UTC"), options=ImportOptions(theirs=True))
    assert events_by_title(full)["Opening night"]["image"], "a table without the column empties nothing"


def test_an_export_of_an_empty_calendar_is_read(world: World, save: Save) -> None:
    assert actions(import_into(world, KalendsJson(save("calendar.json", exported(world))))) == {}


def as_csv(world: World) -> bytes:
    selection = ExportSelection(world.calendar, administrator(world), {})
    return b"".join(csv_export.write(selection, lambda image: Addresses(BASE_URL, "", "").media(image.file)))


def as_ics(world: World) -> bytes:
    return b"".join(ics_export.write(ExportSelection(world.calendar, administrator(world), {}), BASE_URL))


def table(path: Path) -> ImportSource:
    return CsvTable(path, "UTC")


def calendar_file(path: Path) -> ImportSource:
    return IcsFile(path, "UTC", NOW, NOW + timedelta(days=730))


@pytest.mark.parametrize(("export", "source"), [(as_csv, table), (as_ics, calendar_file)], ids=["csv", "ics"])
def test_other_forms_come_back_as_they_were(
    full: World, make_other: Any, save: Save, export: Callable[[World], bytes], source: Callable[[Path], ImportSource]
) -> None:
    """Byte for byte, though these forms have no room for everything."""
    for venue in full.get("/venues?per_page=50", "administrator").json()["venues"]:
        if venue["venue"] != "Hall":  # two of one name at one event look the same in these forms
            full.put(f"/venues/{venue['id']}", json={"venue": f"{venue['venue']} {venue['id']}"})
    first, copy = export(full), make_other()

    def fetch(url: str) -> Picture:
        return read_picture(full.calendar.files.read(url.removeprefix(f"{BASE_URL}/media/")))

    report = import_into(copy, source(save("calendar", first)), fetch=fetch)
    assert set(actions(report)) <= {"created", "unchanged"}, report.remarkable
    assert export(copy).decode().splitlines() == first.decode().splitlines()
    assert export(copy) == first
    rev = copy.count()
    assert set(actions(import_into(copy, source(save("calendar", first)), fetch=fetch))) == {"unchanged"}
    assert copy.count() == rev
    for title in ("Sealed", "Secret", "Another's draft"):
        assert events_by_title(copy)[title]["status"] in ("private", "draft"), "nothing becomes public"
    rev = full.count()
    own = import_into(full, source(save("calendar", first)), with_images=False)
    assert (own.total("created"), own.total("updated"), full.count()) == (0, 0, rev), own.remarkable


def test_an_export_comes_back_to_its_own_calendar_unchanged(full: World, save: Save) -> None:
    rev, document = full.count(), exported(full)
    report = import_into(full, KalendsJson(save("calendar.json", document)), with_images=False)
    assert (set(actions(report)), full.count()) == ({"unchanged"}, rev), report.as_json()["records"]
