"""Series that are imported again: their rules change at the source, here, or on both sides."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.conftest import NOW, World
from tests.features.importing.conftest import actions, import_into

from kalends.features.importing.applying.context import ImportOptions
from kalends.features.importing.applying.report import Report
from kalends.features.importing.sources.ics import IcsFile

Save = Callable[[str, str | bytes], Path]
HEAD = "BEGIN:VCALENDAR\nX-WR-TIMEZONE:Europe/Berlin\n"
YOGA = (
    "BEGIN:VEVENT\nUID:yoga@x\nDTSTART;TZID=Europe/Berlin:20270105T190000\nDTEND;TZID=Europe/Berlin:20270105T200000\n"
    "RRULE:FREQ=WEEKLY;COUNT=4\nSUMMARY:Yoga\nEND:VEVENT\n"
)
CANCELLED = (
    "BEGIN:VEVENT\nUID:yoga@x\nRECURRENCE-ID;TZID=Europe/Berlin:20270112T190000\n"
    "DTSTART;TZID=Europe/Berlin:20270112T190000\nSTATUS:CANCELLED\nEND:VEVENT\n"
)
LONGER = YOGA.replace("COUNT=4", "COUNT=5")


def read(world: World, save: Save, *events: str, **options: bool) -> Report:
    window = NOW - timedelta(days=30), NOW + timedelta(days=60)
    path = save("yoga.ics", HEAD + "".join(events) + "END:VCALENDAR\n")
    return import_into(world, IcsFile(path, "UTC", *window), options=ImportOptions(**options))


def listed(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.get("/events?start_date=2027-01-01&end_date=2027-12-31").json()["events"]
    return found


def days(world: World) -> list[str]:
    return [event["start_date"][5:10] for event in listed(world)]


def test_a_rule_that_was_changed_here_is_not_overwritten(world: World, save: Save) -> None:
    read(world, save, YOGA)
    first = listed(world)[0]["id"]
    world.put(f"/events/{first}?scope=all", json={"recurrence": "FREQ=WEEKLY;COUNT=2"})
    rev = world.count()
    assert actions(read(world, save, YOGA)) == {"unchanged": 1}, "the source has nothing new"
    [told] = read(world, save, LONGER).remarkable
    assert (told.action, told.details) == (
        "conflict",
        ["Repeats: here RRULE:FREQ=WEEKLY;COUNT=2, there RRULE:FREQ=WEEKLY;COUNT=5"],
    )
    assert (world.count(), days(world)) == (rev, ["01-05", "01-12"])
    read(world, save, LONGER, theirs=True)
    assert days(world) == ["01-05", "01-12", "01-19", "01-26", "02-02"]


def test_the_same_dates_in_other_words_are_no_conflict(world: World, save: Save) -> None:
    read(world, save, YOGA)
    first = listed(world)[0]["id"]
    world.put(f"/events/{first}?scope=all", json={"recurrence": "FREQ=WEEKLY;COUNT=5"})
    same = YOGA.replace("COUNT=4", "UNTIL=20270202T180000Z")
    assert actions(read(world, save, same)) == {"updated": 1}
    assert len(days(world)) == 5


def test_an_occurrence_that_was_cancelled_here_stays_so(world: World, save: Save) -> None:
    read(world, save, YOGA)
    world.delete(f"/events/{listed(world)[0]['id']}")
    renamed = YOGA.replace("SUMMARY:Yoga", "SUMMARY:Power yoga")
    assert actions(read(world, save, renamed)) == {"updated": 1}
    assert [(event["title"], event["start_date"][5:10]) for event in listed(world)] == [
        ("Power yoga", day) for day in ("01-12", "01-19", "01-26")
    ]


def test_an_occurrence_that_was_cancelled_there_is_no_change_of_ours(world: World, save: Save) -> None:
    read(world, save, YOGA, CANCELLED)
    assert days(world) == ["01-05", "01-19", "01-26"]
    rev = world.count()
    assert set(actions(read(world, save, YOGA, CANCELLED))) == {"unchanged"}
    assert world.count() == rev
    report = read(world, save, LONGER, CANCELLED)
    assert report.total("conflict") == 0, report.remarkable
    assert days(world) == ["01-05", "01-19", "01-26", "02-02"]


def test_a_series_that_ends_at_the_source_leaves_one_event(world: World, save: Save) -> None:
    read(world, save, YOGA)
    once = YOGA.replace("RRULE:FREQ=WEEKLY;COUNT=4\n", "")
    assert actions(read(world, save, once)) == {"updated": 1}
    assert [(event["start_date"][5:10], event["series"]) for event in listed(world)] == [("01-05", None)]
    rev = world.count()
    assert actions(read(world, save, once)) == {"unchanged": 1}
    assert world.count() == rev
    assert actions(read(world, save, YOGA)) == {"updated": 1}
    assert days(world) == ["01-05", "01-12", "01-19", "01-26"]
