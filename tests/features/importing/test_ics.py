"""Calendar files of the common programs become events, series, venues, organizers and categories."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOW, World
from tests.features.importing.calendars import APPLE, GOOGLE, OUTLOOK, crlf
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into
from tests.features.importing.reference_site import ReferenceSite, served

from kalends.features.exporting import ics_export
from kalends.features.exporting.selection import ExportSelection
from kalends.features.importing.applying.images import ImageFailed
from kalends.features.importing.applying.report import Report
from kalends.features.importing.records.record import SourceError
from kalends.features.importing.sources.ics import IcsAddress, IcsFile, is_calendar
from kalends.features.importing.sources.web_client import WebClient

Save = Callable[[str, str | bytes], Path]


def no_images(url: str) -> Any:
    raise ImageFailed("not in this test")


def read(world: World, path: Path, **more: Any) -> Report:
    window = NOW - timedelta(days=30), NOW + timedelta(days=60)
    zone = world.calendar.settings.timezone
    return import_into(world, IcsFile(path, zone, *window), fetch=no_images, **more)


def times(event: dict[str, Any]) -> tuple[str, str, str]:
    return event["start_date"], event["end_date"], event["timezone"]


def test_google(world: World, save: Save) -> None:
    report = read(world, save("town.ics", crlf(GOOGLE)))
    assert report.is_complete, report.remarkable
    assert report.remarks == ["times without a zone are taken as Europe/Berlin"]
    events = world.get("/events?start_date=2027-01-01&per_page=50", "administrator").json()["events"]
    yoga = [event for event in events if event["title"].startswith("Yoga")]
    assert [(event["title"], event["start_date"]) for event in yoga] == [
        ("Yoga", "2027-01-05 19:00:00"),
        ("Yoga, moved to Wednesday", "2027-01-13 20:00:00"),
        ("Yoga", "2027-01-26 19:00:00"),
    ]
    assert len({event["series"] for event in yoga}) == 1
    assert yoga[0]["description"] == (
        "<p>Line one<br>\nLine two, with a comma; and a backslash \\ and a very long line that is folded"
        " in the middle of the word</p>"
    )
    assert (yoga[0]["venue"]["venue"], yoga[0]["venue"]["address"]) == (
        "Community Centre",
        "5 High Street, Springfield",
    )
    found = events_by_title(world)
    assert times(found["In UTC"]) == ("2027-03-01 18:30:00", "2027-03-01 20:00:00", "Europe/Berlin")
    assert found["In UTC"]["status"] == "private"
    assert times(found["Three days"]) == ("2027-05-01 00:00:00", "2027-05-03 23:59:59", "Europe/Berlin")
    assert found["Three days"]["all_day"] is True
    assert "Never mind" not in found


def test_google_again_and_changed(world: World, save: Save) -> None:
    read(world, save("town.ics", crlf(GOOGLE)))
    rev = world.count()
    assert set(actions(read(world, save("town.ics", crlf(GOOGLE))))) == {"unchanged"}
    assert world.count() == rev
    changed = GOOGLE.replace("SUMMARY:Yoga\n", "SUMMARY:Power yoga\n").replace(
        "In UTC\n", "In UTC\nSTATUS:CANCELLED\n"
    )
    report = read(world, save("town.ics", crlf(changed)))
    assert (report.total("updated"), report.total("deleted")) == (1, 1), report.remarkable
    found = events_by_title(world, search="yoga")
    assert set(found) == {"Power yoga", "Yoga, moved to Wednesday"}
    longer = read(world, save("town.ics", crlf(changed.replace("UNTIL=20270131", "UNTIL=20270207"))))
    assert (longer.total("updated"), longer.total("conflict")) == (1, 0), longer.remarkable
    dates = world.get("/events?search=yoga&start_date=2027-01-01").json()["events"]
    assert [event["start_date"][:10] for event in dates] == [
        *("2027-01-05", "2027-01-13", "2027-01-26", "2027-02-02")
    ]
    assert "In UTC" not in events_by_title(world)


def test_from_its_address(world: World) -> None:
    with served(ReferenceSite()) as site:
        pages = {"/town.ics": (200, {"Content-Type": "text/calendar"}, crlf(GOOGLE).decode())}
        missing: Any = (404, {}, "")
        site.answer = lambda path, *_: pages.get(path, missing)  # type: ignore[method-assign]
        client = WebClient(allow_private=True)
        window = NOW, NOW + timedelta(days=60)
        source = IcsAddress(f"{site.url}/town.ics?secret=1", client, "UTC", *window)
        assert import_into(world, source, fetch=no_images).is_complete
        assert "Yoga" in events_by_title(world)
        assert source.name.startswith("127.0.0.1-"), "the address may be a secret"
        with pytest.raises(SourceError, match=r"the calendar at 127\.0\.0\.1 cannot be read: it is not there"):
            IcsAddress(f"{site.url}/other.ics", client, "UTC", *window).prepare()


@pytest.mark.parametrize(
    ("address", "is_file"),
    [
        ("webcal://town.test/x", True),
        ("https://town.test/basic.ics?key=1", True),
        ("https://town.test/events/?ical=1", True),
        ("https://town.test/", False),
        ("https://town.test/ical/", False),
    ],
)
def test_an_address_of_a_calendar_file_is_told_from_one_of_a_site(address: str, is_file: bool) -> None:
    assert is_calendar(address) is is_file


def test_outlook(world: World, save: Save) -> None:
    read(world, save("outlook.ics", crlf(OUTLOOK)))
    found = events_by_title(world)
    meeting = found["Gründungstreffen"]
    assert times(meeting) == ("2027-03-10 09:00:00", "2027-03-10 10:30:00", "Europe/Berlin")
    assert meeting["description"] == "<p>With <b>bold</b> words</p>"
    assert [category["name"] for category in meeting["categories"]] == ["Business", "Town, council"]
    assert (meeting["organizer"][0]["organizer"], meeting["organizer"][0]["email"]) == (
        "Ada Example",
        "ada@example.org",
    )
    assert meeting["date_utc"] == "2026-11-01 09:00:00"
    assert found["By its cities"]["timezone"] == "Europe/Amsterdam"
    assert found["By its offsets"]["timezone"] == "America/New_York"


def test_apple(world: World, save: Save) -> None:
    report = read(world, save("apple.ics", crlf(APPLE)))
    found = events_by_title(world, start_date="2026-10-01", end_date="2027-12-31")
    floating = found["Floating"]
    assert times(floating) == ("2027-04-01 08:00:00", "2027-04-01 09:00:00", "America/New_York")
    assert floating["website"] == "https://example.org/floating"
    assert (floating["venue"]["venue"], floating["venue"]["geo_lat"]) == ("Blue Bottle", 37.795)
    assert found["With a prefix"]["timezone"] == "America/Chicago"
    assert (found["With a prefix"]["venue"], found["With a prefix"]["website"]) == (
        [],
        "https://meet.example.org/room",
    )
    told = {outcome.name: outcome.details for outcome in report.remarkable}
    assert told["Not a date"] == ["DTSTART is not a date: 2027-04-03"]
    assert "poster.png: not in this test" in told["Floating"][0]
    assert report.counts["created", "event"] == 2 + 90 + 1, "an endless rule is a series"
    assert "Every hour" not in told


def test_a_missing_time_zone_is_told(world: World, save: Save) -> None:
    text = APPLE.replace("/freeassociation.sourceforge.net/America/Chicago", "Middle Earth")
    report = read(world, save("apple.ics", text))
    [told] = [outcome.details for outcome in report.remarkable if outcome.name == "With a prefix"]
    assert told == ["the time zone Middle Earth is unknown; America/New_York is assumed"]


@pytest.mark.parametrize(
    ("rule", "hours"),
    [
        ("FREQ=HOURLY;INTERVAL=4;COUNT=4", ["05 19", "05 23", "06 03", "06 07"]),
        ("FREQ=HOURLY;UNTIL=20270105T220000", ["05 19", "05 20", "05 21", "05 22"]),
        ("FREQ=HOURLY;INTERVAL=2;BYHOUR=19,20,21;COUNT=3", ["05 19", "05 21", "06 19"]),
        ("FREQ=HOURLY;INTERVAL=5;COUNT=3", ["05 19"]),
        ("FREQ=HOURLY;INTERVAL=0;COUNT=3", ["05 19"]),
        ("FREQ=HOURLY;INTERVAL=2;BYHOUR=20;COUNT=3", ["05 19"]),
        ("FREQ=MINUTELY;COUNT=3", ["05 19"]),
    ],
)
def test_a_rule_by_hours_has_the_same_on_every_day_or_is_told(
    world: World, save: Save, rule: str, hours: list[str]
) -> None:
    event = f"UID:1\nDTSTART:20270105T190000\nRRULE:{rule}\nSUMMARY:Often"
    report = read(world, save("a.ics", f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{event}\nEND:VEVENT\nEND:VCALENDAR\n"))
    found = world.get("/events?start_date=2027-01-01").json()["events"]
    assert [event["start_date"][8:13] for event in found] == hours
    told = [detail for outcome in report.remarkable for detail in outcome.details]
    assert any("only its first date is imported" in detail for detail in told) is (len(hours) == 1)


@pytest.mark.parametrize("more", ["RRULE:FREQ=MONTHLY;COUNT=2", "EXRULE:FREQ=WEEKLY"])
def test_a_second_rule_is_told(world: World, save: Save, more: str) -> None:
    """A series has one, and its dates alone would be wrong."""
    event = f"UID:1\nDTSTART:20270105T190000Z\nRRULE:FREQ=DAILY;COUNT=8\n{more}\nSUMMARY:Twice"
    report = read(world, save("a.ics", f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{event}\nEND:VEVENT\nEND:VCALENDAR\n"))
    [told] = report.remarkable
    assert told.details == [
        f"its rule is not understood: {more} (a series has one rule); only its first date is imported"
    ]
    assert world.get("/events?start_date=2027-01-01").json()["total"] == 1


def test_events_at_the_end_of_time_do_not_stop_the_rest(world: World, save: Save) -> None:
    text = (
        "BEGIN:VCALENDAR\n"
        "BEGIN:VEVENT\nUID:1\nDTSTART:99991231T235959Z\nDURATION:P9D\nSUMMARY:Nine more days\nEND:VEVENT\n"
        "BEGIN:VEVENT\nUID:2\nDTSTART;VALUE=DATE:99991231\nSUMMARY:The last day\nEND:VEVENT\n"
        "BEGIN:VEVENT\nUID:3\nDTSTART:20270101T100000Z\nSUMMARY:Now\nEND:VEVENT\n"
        "END:VCALENDAR\n"
    )
    report = read(world, save("late.ics", text))
    told = {outcome.name: outcome.details for outcome in report.remarkable}
    assert told == {name: ["it ends after the year 9999"] for name in ("Nine more days", "The last day")}
    assert "Now" in events_by_title(world)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<!DOCTYPE html><html><title>Sign in</title>", "this is a web page, not a calendar; does the address need"),
        (crlf(GOOGLE)[:1500], "the file ends in the middle: END:"),
        ("BEGIN:VCALENDAR".encode("utf-16"), "the file is encoded as UTF-16; save it as UTF-8"),
        (b"title,start\nA,B\n", "line 1 is not of an iCalendar file"),
        (b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n", "line 3 ends VCALENDAR, but VEVENT is open"),
        (b"", "the file is empty"),
    ],
)
def test_what_is_no_calendar_is_told_and_changes_nothing(
    world: World, save: Save, content: bytes, message: str
) -> None:
    before = world.count()
    with pytest.raises(SourceError, match=message):
        read(world, save("bad.ics", content))
    assert world.count() == before


def test_a_very_long_file_is_read_in_little_memory(save: Save) -> None:
    event = "BEGIN:VEVENT\nUID:{0}\nDTSTART:20270101T{1:06}\nSUMMARY:{0}\nX-NOTE:" + "n" * 300 + "\nEND:VEVENT\n"
    body = "".join(event.format(number, number % 20 * 10000) for number in range(3000))
    path = save("long.ics", f"BEGIN:VCALENDAR\n{body}X-LONG:{'x' * 3_000_000}\nEND:VCALENDAR\n")
    source = IcsFile(path, "UTC", datetime(2026, 1, 1), datetime(2028, 1, 1))
    assert source.prepare() == 3000
    assert sum(1 for _ in source.items("")) == 3000


def test_our_own_calendar_file_comes_back(world: World, make_other: Any, save: Save) -> None:
    place = {"venue": "Hall", "address": "1 Main St", "city": "Lyon"}
    event = {"title": "Concert; with signs, and more", "timezone": "Europe/Paris", "categories": ["Music"]}
    world.make("events", venue=place, **event)
    world.make("events", title="Two days", start_date="2027-05-01", end_date="2027-05-02", all_day=True)
    exported = b"".join(
        ics_export.write(ExportSelection(world.calendar, administrator(world), {}), "https://town.test")
    )
    other = make_other()
    assert read(other, save("town.ics", exported)).is_complete
    there, here = events_by_title(world), events_by_title(other)
    assert {title: times(event) for title, event in here.items() if not event["all_day"]} == {
        title: times(event) for title, event in there.items() if not event["all_day"]
    }
    assert here["Two days"]["end_date"] == "2027-05-02 23:59:59"
    concert = here["Concert; with signs, and more"]
    assert (concert["website"], concert["venue"]["address"]) == ("", "1 Main St, Lyon")
    assert [category["name"] for category in concert["categories"]] == ["Music"]
