"""Feeds read by two parsers that share no code: the same events at the same instants, whoever subscribes."""

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any

import icalendar
import pytest
import vobject
from dateutil.tz import tzical
from hypothesis import given
from hypothesis import strategies as st
from icalendar import vText
from icalendar.parser import Contentlines
from tests.conftest import BASE_URL, NS

from kalends.present import ical_zones
from kalends.present.ical_entries import folded, line, text
from kalends.values import zones

# The instants at which clocks change in 2027, in UTC: first forward or back, then the other way.
CHANGES = {
    "Europe/Berlin": (datetime(2027, 3, 28, 1), datetime(2027, 10, 31, 1)),
    "America/New_York": (datetime(2027, 3, 14, 7), datetime(2027, 11, 7, 6)),
    "Australia/Lord_Howe": (datetime(2027, 4, 3, 15), datetime(2027, 10, 2, 15, 30)),
}
STEADY = {"Asia/Kathmandu": datetime(2027, 6, 1, 1), "America/Argentina/Buenos_Aires": datetime(2027, 6, 1, 1)}
FEED = f"{NS}/events.ics?starts_after=2000-01-01"
TEXT = "Zwölf, drei; \\ und “vier” ☂ 日本語のとても長い説明 " * 12

Times = dict[str, tuple[date, date]]


def by_icalendar(data: bytes) -> Times:
    entries = icalendar.Calendar.from_ical(data).walk("VEVENT")
    return {str(one["summary"]): (in_utc(one["dtstart"].dt), in_utc(one["dtend"].dt)) for one in entries}


def by_vobject(data: bytes) -> Times:
    calendar = vobject.readOne(data.decode())
    return {one.summary.value: (in_utc(one.dtstart.value), in_utc(one.dtend.value)) for one in calendar.vevent_list}


def in_utc(when: date) -> date:
    return when.astimezone(UTC).replace(tzinfo=None) if isinstance(when, datetime) else when


def instants(change: datetime) -> Iterator[datetime]:
    """A week around a change of the clocks, and every quarter of an hour close to it."""
    yield from (change + timedelta(hours=hours) for hours in range(-84, 85, 12))
    yield from (change + timedelta(minutes=minutes) for minutes in range(-120, 121, 15) if minutes)


@pytest.mark.parametrize("zone", [*CHANGES, *STEADY])
def test_every_instant_of_the_weeks_in_which_clocks_change(world: Any, zone: str) -> None:
    expected: Times = {}
    for change in CHANGES.get(zone, (STEADY.get(zone),)):
        for start in instants(change):
            end = start + timedelta(minutes=45)
            sent = {"start_date": f"{start.isoformat()}Z", "end_date": f"{end.isoformat()}Z"}
            made = world.make("events", title=start.isoformat(), timezone=zone, **sent)
            assert made["timezone"] == zone
            expected[start.isoformat()] = start, end
    data = world.get(FEED).content
    assert by_icalendar(data) == expected
    assert by_vobject(data) == expected
    assert f"TZID:{zone}".encode() in data


@pytest.mark.parametrize("name", ["Europe/Dublin", "Africa/Casablanca", "Africa/El_Aaiun", "Africa/Windhoek"])
def test_daylight_saving_is_never_negative(name: str) -> None:
    for year in (1990, 2010, 2027):
        zone = icalendar.Calendar.from_ical(ical_zones.component(name, year))
        for part in zone.subcomponents:
            before, after = part["TZOFFSETFROM"].td, part["TZOFFSETTO"].td
            assert before == after or (part.name == "DAYLIGHT") == (after > before), (year, part.to_ical())
            assert part.name == {"IST": "DAYLIGHT", "GMT": "STANDARD"}.get(str(part["TZNAME"]), part.name)


def test_a_described_zone_has_the_clock_of_the_zone() -> None:
    chance = random.Random(20271031)
    for name in (
        *CHANGES,
        "Europe/Dublin",
        "Africa/Windhoek",
        "Africa/Casablanca",
        "Africa/Cairo",
        "Asia/Jerusalem",
        *chance.sample(zones.names(), 12),
    ):
        zone, first_year = zones.zone(name), chance.randint(1975, 2030)
        described = tzical(StringIO(ical_zones.component(name, first_year).decode())).get()
        for _ in range(30):
            local = datetime(first_year, 1, 1) + timedelta(minutes=chance.randrange((2050 - first_year) * 525_600))
            offset = local.replace(tzinfo=zone).utcoffset()
            if offset == local.replace(tzinfo=zone, fold=1).utcoffset():
                assert local.replace(tzinfo=described).utcoffset() == offset, (name, first_year, local)


def test_days_are_days_in_every_zone(world: Any) -> None:
    expected: Times = {}
    for zone in ("Europe/Berlin", "Pacific/Apia", "America/Los_Angeles", "UTC+5:45"):
        days = {"start_date": "2027-03-27", "end_date": "2027-03-28"}
        world.make("events", title=zone, all_day=True, timezone=zone, **days)
        expected[zone] = date(2027, 3, 27), date(2027, 3, 29)
    data = world.get(FEED).content
    assert by_icalendar(data) == expected
    assert by_vobject(data) == expected
    assert b"TZID" not in data


def test_offsets_and_times_far_away_are_told_in_utc(world: Any) -> None:
    expected: Times = {}
    for zone, year in (("UTC-3:30", 2027), ("Europe/Berlin", 2090), ("Europe/Berlin", 1950), ("UTC", 2027)):
        start = datetime(year, 7, 1, 12)
        sent = {"start_date": f"{start.isoformat()}Z", "end_date": f"{start.isoformat()}Z"}
        world.make("events", title=f"{zone} {year}", timezone=zone, **sent)
        expected[f"{zone} {year}"] = start, start
    data = world.get(f"{BASE_URL}/events.ics").content
    assert by_icalendar(data) == by_vobject(data) == expected


def test_long_and_awkward_texts_come_back_whole_from_short_lines(world: Any) -> None:
    title, description = "Ä, b; c \\n “d” 🎻" + " lang" * 30, f"<p>{TEXT}</p><p>{TEXT}</p>"
    world.make("events", title=title, description=description, categories=["a, b"], venue={"venue": "x; y, z"})
    data = world.get(FEED).content
    lines = data.split(b"\r\n")
    assert max(len(line) for line in lines) <= 75
    assert b"\n" not in b"".join(lines)
    [one] = icalendar.Calendar.from_ical(data).walk("VEVENT")
    other = vobject.readOne(data.decode()).vevent
    assert one["summary"] == other.summary.value == title
    assert one["location"] == other.location.value == "x; y, z"
    assert one["description"] == other.description.value
    assert TEXT.strip() in one["description"]
    assert [str(word) for word in one["categories"].cats] == other.categories.value == ["a, b"]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_no_text_breaks_a_line(value: str) -> None:
    written = folded(line("SUMMARY", text(value), x=value))
    assert written.endswith(b"\r\n")
    assert all(0 < len(part) <= 75 for part in written[:-2].split(b"\r\n"))
    assert all(part.startswith(b" ") for part in written[:-2].split(b"\r\n")[1:])
    assert written.decode()
    [(name, _, back)] = [
        one.parts() for one in Contentlines.from_ical(folded(line("SUMMARY", text(value))).decode()) if one
    ]
    allowed = "".join(c for c in value.replace("\r\n", "\n") if c in "\n\t" or not (c < " " or c == "\x7f"))
    assert (name, vText.from_ical(back)) == ("SUMMARY", allowed)


def test_an_entry_keeps_its_uid_and_grows_with_every_change(world: Any) -> None:
    made = world.make("events", title="Before", venue={"venue": "Hall"})

    def entry() -> tuple[str, int, datetime, datetime]:
        data = world.get(FEED).content
        [one] = icalendar.Calendar.from_ical(data).walk("VEVENT")
        other = vobject.readOne(data.decode()).vevent
        assert (one["uid"], str(one["sequence"])) == (other.uid.value, other.sequence.value)
        assert one["last-modified"].dt == other.last_modified.value
        return str(one["uid"]), int(one["sequence"]), one["last-modified"].dt, one["dtstamp"].dt

    found = [entry()]
    for change in ({"title": "After"}, {"start_date": "2027-03-09"}, {"venue": []}, {"slug": "new"}):
        world.clock.move(minutes=1)
        assert world.put(f"/events/{made['id']}", json=change).status_code == 200
        found.append(entry())
    world.clock.move(minutes=1)
    world.delete(f"/events/{made['id']}")
    found.append(entry())
    assert len({uid for uid, *_ in found}) == 1
    for part in (1, 2, 3):
        values = [one[part] for one in found]
        assert values == sorted(set(values))
