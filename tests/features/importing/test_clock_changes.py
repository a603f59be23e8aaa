"""Events on the days when the clocks change keep their length: written, repeated, imported and exported."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import BASE_URL, NOW, World
from tests.features.importing.conftest import events_by_title, import_into

from kalends.features.importing.applying.images import ImageFailed
from kalends.features.importing.sources.ics import IcsFile

ZONE = "Europe/Berlin"
SPRING, AUTUMN = "2027-03-28", "2027-10-31"


def clock(event: dict[str, Any]) -> tuple[str, ...]:
    """Start and end on the clock, and in UTC."""
    return tuple(event[key][11:16] for key in ("start_date", "end_date", "utc_start_date", "utc_end_date"))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("02:30", "03:30", ("03:30", "04:30", "01:30", "02:30")),
        ("02:45", "03:15", ("03:45", "04:15", "01:45", "02:15")),
        ("02:15", "02:45", ("03:15", "03:45", "01:15", "01:45")),
        ("01:30", "02:30", ("01:30", "03:30", "00:30", "01:30")),
        # An end that comes after the start stays where it was written, and so does an event without length.
        ("02:30", "05:00", ("03:30", "05:00", "01:30", "03:00")),
        ("02:30", "02:30", ("03:30", "03:30", "01:30", "01:30")),
    ],
)
def test_a_start_that_is_skipped(world: World, start: str, end: str, expected: tuple[str, ...]) -> None:
    sent = {"start_date": f"{SPRING} {start}", "end_date": f"{SPRING} {end}", "timezone": ZONE}
    event = world.make("events", title="Night", **sent)
    assert clock(event) == expected
    back = {"start_date": event["start_date"], "end_date": event["end_date"]}
    assert clock(world.post(f"/events/{event['id']}", json=back).json()) == expected


def test_an_end_before_a_skipped_start_is_refused(world: World) -> None:
    sent = {"start_date": f"{SPRING} 02:30", "end_date": f"{SPRING} 01:30", "timezone": ZONE}
    assert world.post("/events", json={"title": "Night"} | sent).status_code == 400


def dates_of(world: World, made: dict[str, Any]) -> list[tuple[str, ...]]:
    found = world.get("/events", params={"series": made["series"], "start_date": "2027-01-01"}).json()["events"]
    return [clock(event) for event in found]


def test_the_dates_of_a_series(world: World) -> None:
    sent = {"start_date": "2027-03-27 02:30", "end_date": "2027-03-27 03:30", "timezone": ZONE}
    made = world.make("events", title="Night", recurrence="FREQ=DAILY;COUNT=3", **sent)
    skipped = ("03:30", "04:30", "01:30", "02:30")
    assert dates_of(world, made) == [
        ("02:30", "03:30", "01:30", "02:30"),
        skipped,
        ("02:30", "03:30", "00:30", "01:30"),
    ]
    feed = world.get(f"{BASE_URL}/events.ics").text
    assert f"DTSTART;TZID={ZONE}:20270328T033000" in feed
    assert f"DTEND;TZID={ZONE}:20270328T043000" in feed


def test_a_series_that_begins_over_the_repeated_hour(world: World) -> None:
    sent = {"start_date": "2027-10-31T02:30:00+02:00", "end_date": "2027-10-31T02:15:00+01:00", "timezone": ZONE}
    made = world.make("events", title="Night", recurrence="FREQ=DAILY;COUNT=2", **sent)
    expected = [("02:30", "02:15", "00:30", "01:15"), ("02:30", "03:15", "01:30", "02:15")]
    assert dates_of(world, made) == expected
    assert world.post(f"/events/{made['id']}?scope=all", json={"title": "Renamed"}).status_code == 200
    assert dates_of(world, made) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DTSTART:20271031T003000Z", "DTEND:20271031T011500Z"], ("02:30", "02:15", "00:30", "01:15")),
        ([f"DTSTART;TZID={ZONE}:20271031T023000", "DURATION:PT45M"], ("02:30", "02:15", "00:30", "01:15")),
        ([f"DTSTART;TZID={ZONE}:20271030T120000", "DURATION:P1D"], ("12:00", "12:00", "10:00", "11:00")),
        ([f"DTSTART;TZID={ZONE}:20271030T120000", "DURATION:P1DT1H"], ("12:00", "13:00", "10:00", "12:00")),
        ([f"DTSTART;TZID={ZONE}:20271030T120000", "DURATION:PT24H"], ("12:00", "11:00", "10:00", "10:00")),
        ([f"DTSTART;TZID={ZONE}:20270328T023000", "DURATION:PT45M"], ("03:30", "04:15", "01:30", "02:15")),
        (
            [f"DTSTART;TZID={ZONE}:20270328T024500", f"DTEND;TZID={ZONE}:20270328T031500"],
            ("03:45", "04:15", "01:45", "02:15"),
        ),
    ],
)
def test_calendar_files(
    make_world: Any, save: Callable[[str, str | bytes], Path], lines: list[str], expected: tuple[str, ...]
) -> None:
    world = make_world(timezone=ZONE)
    head, tail = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:one", "SUMMARY:Night"], ["END:VEVENT", "END:VCALENDAR"]
    path = save("night.ics", "\r\n".join([*head, *lines, *tail, ""]))

    def no_images(url: str) -> Any:
        raise ImageFailed("not in this test")

    import_into(world, IcsFile(path, ZONE, NOW, NOW + timedelta(days=400)), fetch=no_images)
    assert clock(events_by_title(world)["Night"]) == expected
