"""An import makes nothing public that was not public where it came from: venues and organizers included."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL, NOW, World
from tests.features.importing.conftest import administrator, events_by_title, exported, import_into

from kalends.features.exporting import csv_export, ics_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.records.record import ImportSource
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.features.importing.sources.ics import IcsFile
from kalends.features.importing.sources.kalends_json import KalendsJson

Save = Callable[[str, str | bytes], Path]
WINDOW = NOW - timedelta(days=30), NOW + timedelta(days=700)
LEAKS = ("Clinic", "Dr. Ada", "ada@clinic.example", "9 Quiet Lane")


def public_texts(world: World) -> str:
    """What anybody reads of venues and organizers."""
    pages = [world.get(f"/{plural}?per_page=50").text for plural in ("venues", "organizers", "events")]
    return "\n".join([*pages, world.client.get("/sitemap.xml").text])


def entry(uid: str, more: str = "") -> str:
    return (
        f"BEGIN:VEVENT\nUID:{uid}\nDTSTART:20270105T190000\nSUMMARY:{uid}\nLOCATION:Clinic\\, 9 Quiet Lane\n"
        f"ORGANIZER;CN=Dr. Ada:mailto:ada@clinic.example\n{more}END:VEVENT\n"
    )


def calendar(*entries: str) -> str:
    return f"BEGIN:VCALENDAR\n{''.join(entries)}END:VCALENDAR\n"


@pytest.mark.parametrize("klass", ["PRIVATE", "CONFIDENTIAL", "private"])
def test_a_private_entry_keeps_its_clinic(world: World, save: Save, klass: str) -> None:
    private = entry("checkup", f"CLASS:{klass}\n")
    import_into(world, IcsFile(save("a.ics", calendar(private)), "UTC", *WINDOW))
    assert events_by_title(world)["checkup"]["venue"]["venue"] == "Clinic"
    assert [leak for leak in LEAKS if leak in public_texts(world)] == []


def test_a_public_entry_of_the_same_place_makes_it_public(world: World, save: Save) -> None:
    both = calendar(entry("checkup", "CLASS:PRIVATE\n"), entry("open day"))
    import_into(world, IcsFile(save("a.ics", both), "UTC", *WINDOW))
    assert world.get("/venues").json()["venues"][0]["venue"] == "Clinic"


@pytest.mark.parametrize("order", [1, -1])
def test_a_public_entry_that_tells_less_of_the_place_does_not_tell_the_rest(
    world: World, save: Save, order: int
) -> None:
    both = [entry("checkup", "CLASS:PRIVATE\n"), entry("open day").replace("\\, 9 Quiet Lane", "")]
    import_into(world, IcsFile(save("a.ics", calendar(*both[::order])), "UTC", *WINDOW))
    shown = public_texts(world)
    assert "Clinic" in shown
    assert "Quiet Lane" not in shown


@pytest.mark.parametrize("times", [1, 2])
def test_a_private_entry_tells_nothing_more_of_a_public_place_even_if_the_source_wins(
    world: World, save: Save, times: int
) -> None:
    world.make("venues", venue="Clinic")
    world.make("organizers", organizer="Dr. Ada")
    path = save("a.ics", calendar(entry("checkup", "CLASS:PRIVATE\n")))
    for _ in range(times):
        import_into(world, IcsFile(path, "UTC", *WINDOW), options=ImportOptions(theirs=True))
    assert [leak for leak in LEAKS[2:] if leak in public_texts(world)] == []
    assert events_by_title(world)["checkup"]["venue"]["venue"] == "Clinic"
    public = save("a.ics", calendar(entry("checkup", "CLASS:PRIVATE\n"), entry("open day")))
    import_into(world, IcsFile(public, "UTC", *WINDOW), options=ImportOptions(theirs=True))
    assert "9 Quiet Lane" in public_texts(world)


def test_a_private_row_of_a_table_keeps_its_place(world: World, save: Save) -> None:
    table = "Subject,Start Date,Private,Location\nVisit,2027-01-01,TRUE,Clinic\nOpen,2027-01-02,FALSE,Hall\n"
    import_into(world, CsvTable(save("t.csv", table), "UTC"))
    assert [venue["venue"] for venue in world.get("/venues").json()["venues"]] == ["Hall"]


def as_csv(world: World) -> bytes:
    return b"".join(csv_export.write(ExportSelection(world.calendar, administrator(world), {}), None))


def as_ics(world: World) -> bytes:
    return b"".join(ics_export.write(ExportSelection(world.calendar, administrator(world), {}), BASE_URL))


FORMS: dict[str, tuple[Callable[[World], bytes], Callable[[Path], ImportSource]]] = {
    "csv": (as_csv, lambda path: CsvTable(path, "UTC")),
    "ics": (as_ics, lambda path: IcsFile(path, "UTC", *WINDOW)),
    "json": (exported, KalendsJson),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", ["draft", "private", "pending", "trash"])
def test_what_is_hidden_stays_so_in_a_copy(world: World, make_other: Any, save: Save, form: str, status: str) -> None:
    venue = world.make("venues", venue="Clinic", address="9 Quiet Lane")["id"]
    organizer = world.make("organizers", organizer="Dr. Ada", email="ada@clinic.example")["id"]
    hall = world.make("venues", venue="Hall")["id"]
    world.make("events", title="Open day", venue=venue, organizer=organizer)
    world.make("events", title="Two places", venue=[hall, venue], organizer=organizer)
    for path in (f"/venues/{venue}", f"/organizers/{organizer}"):
        if status == "trash":
            world.delete(path)
        else:
            world.put(path, json={"status": status})
    export, source = FORMS[form]
    copy = make_other()
    document = export(world)
    import_into(copy, source(save(f"copy.{form}", document)))
    assert events_by_title(copy).keys() == {"Open day", "Two places"}
    assert [leak for leak in LEAKS if leak in public_texts(copy)] == []
    assert "Hall" in public_texts(copy)
    if status != "trash":
        found = copy.get(f"/venues?status={status}", "administrator").json()["venues"]
        assert [venue["venue"] for venue in found] == ["Clinic"]


@pytest.mark.parametrize("form", FORMS)
def test_what_waits_for_its_event_waits_in_a_copy_too(world: World, make_other: Any, save: Save, form: str) -> None:
    world.make("events", title="Visit", status="draft", venue={"venue": "Clinic"}, organizer={"organizer": "Dr. Ada"})
    export, source = FORMS[form]
    copy = make_other()
    import_into(copy, source(save(f"copy.{form}", export(world))))
    assert [leak for leak in LEAKS if leak in public_texts(copy)] == []
    copy.put(f"/events/{events_by_title(copy)['Visit']['id']}", json={"status": "publish"})
    assert copy.get("/venues").json()["venues"][0]["venue"] == "Clinic"
    assert copy.get("/organizers").json()["organizers"][0]["organizer"] == "Dr. Ada"
