"""Every accepted form of date."""

from datetime import datetime

import pytest
from tests.values.reading_dates import LORD_HOWE, NEW_YORK, NOW, PARIS, local, utc

from kalends.values import dates, zones


@pytest.mark.parametrize(("written", "expected"), [
    ("2027-03-10", "2027-03-10 00:00:00"),
    ("2028-02-29", "2028-02-29 00:00:00"),
    ("1900-01-01", "1900-01-01 00:00:00"),
    ("March 10, 2027", "2027-03-10 00:00:00"),
    ("Mar 10 2027", "2027-03-10 00:00:00"),
    ("may 1,2027", "2027-05-01 00:00:00"),
    ("Sept 9 2027", "2027-09-09 00:00:00"),
    ("10 March 2027", "2027-03-10 00:00:00"),
    ("Wed, 10 March 2027", "2027-03-10 00:00:00"),
    ("Wednesday March 10, 2027", "2027-03-10 00:00:00"),
    ("thurs, 11 mar 2027", "2027-03-11 00:00:00"),
    ("03/10/2027", "2027-03-10 00:00:00"),
    ("3/9/2027", "2027-03-09 00:00:00"),
    ("12/31/2027", "2027-12-31 00:00:00"),
    ("2027-3-9", "2027-03-09 00:00:00"),
    ("2027/03/10", "2027-03-10 00:00:00"),
    ("2027/3/9", "2027-03-09 00:00:00"),
    ("10.03.2027", "2027-03-10 00:00:00"),
    ("9.3.2027", "2027-03-09 00:00:00"),
    ("10-03-2027", "2027-03-10 00:00:00"),
    ("03/10/27", "2027-03-10 00:00:00"),
    ("12/31/69", "2069-12-31 00:00:00"),
    ("12/31/70", "1970-12-31 00:00:00"),
    ("20270310", "2027-03-10 00:00:00"),
    (20270310, "2027-03-10 00:00:00"),
])  # fmt: skip
def test_a_day_alone_is_its_midnight_and_has_no_time(written: str, expected: str) -> None:
    assert local(written) == expected
    assert not dates.read(written).has_time


@pytest.mark.parametrize(("written", "expected"), [
    ("2027-03-10 09:00", "2027-03-10 09:00:00"),
    ("2027-03-10 09:00:07", "2027-03-10 09:00:07"),
    ("2027-03-10T09:00", "2027-03-10 09:00:00"),
    ("2027-03-10t09:00:07", "2027-03-10 09:00:07"),
    ("2027-03-10T09:00:07.999999999", "2027-03-10 09:00:07"),
    ("2027-03-10 09:00:07,5", "2027-03-10 09:00:07"),
    ("2027-03-10 00:00:00", "2027-03-10 00:00:00"),
    ("2027-03-10 23:59:59", "2027-03-10 23:59:59"),
    ("\t 2027-03-10  09:00 \n", "2027-03-10 09:00:00"),
    ("March 10, 2027 9am", "2027-03-10 09:00:00"),
    ("MARCH 10, 2027 9 AM", "2027-03-10 09:00:00"),
    ("10 March 2027 09:00", "2027-03-10 09:00:00"),
    ("10 Mar 2027 9:30 pm", "2027-03-10 21:30:00"),
    ("10 Mar 2027 9:30:15pm", "2027-03-10 21:30:15"),
    ("Wed, 10 Mar 2027 09:00:07", "2027-03-10 09:00:07"),
    ("10 March 2027 12am", "2027-03-10 00:00:00"),
    ("10 March 2027 12:30am", "2027-03-10 00:30:00"),
    ("10 March 2027 12pm", "2027-03-10 12:00:00"),
    ("10 March 2027 12:30 pm", "2027-03-10 12:30:00"),
    ("10 March 2027 noon", "2027-03-10 12:00:00"),
    ("10 March 2027 midnight", "2027-03-10 00:00:00"),
    ("03/10/2027 18:30", "2027-03-10 18:30:00"),
    ("03/10/2027 6:30pm", "2027-03-10 18:30:00"),
    ("2026/11/15T14:45", "2026-11-15 14:45:00"),
    ("2027-3-9 7:05", "2027-03-09 07:05:00"),
    ("2027-03-10 7pm", "2027-03-10 19:00:00"),
    ("2027-03-10T7pm", "2027-03-10 19:00:00"),
    ("2027-03-10 at 7:30 pm", "2027-03-10 19:30:00"),
    ("2027-03-10 7:30\u202fPM", "2027-03-10 19:30:00"),
    ("2027-03-10 noon", "2027-03-10 12:00:00"),
    ("2027-03-10 midnight", "2027-03-10 00:00:00"),
    ("10.03.2027 19:00", "2027-03-10 19:00:00"),
    ("10-03-2027 at 19:00:05", "2027-03-10 19:00:05"),
    ("03/10/27 9am", "2027-03-10 09:00:00"),
    ("20270310T190005", "2027-03-10 19:00:05"),
    ("20270310 19:00", "2027-03-10 19:00:00"),
    ("10 March 2027 at 9am", "2027-03-10 09:00:00"),
    ("March 10, 2027 at noon", "2027-03-10 12:00:00"),
])  # fmt: skip
def test_a_time_without_an_offset_is_what_the_clock_of_the_zone_shows(written: str, expected: str) -> None:
    assert local(written) == expected
    assert local(written, "Asia/Tokyo") == expected
    assert dates.read(written).has_time


@pytest.mark.parametrize(("written", "expected"), [
    ("2027-03-10T09:00:00Z", "2027-03-10 09:00:00"),
    ("2027-03-10t09:00z", "2027-03-10 09:00:00"),
    ("2027-03-10 09:00:00 Z", "2027-03-10 09:00:00"),
    ("2027-03-10T09:00:00.123Z", "2027-03-10 09:00:00"),
    ("2027-03-10T09:00:00+02:00", "2027-03-10 07:00:00"),
    ("2027-03-10T09:00:00+0200", "2027-03-10 07:00:00"),
    ("2027-03-10T09:00:00+02", "2027-03-10 07:00:00"),
    ("2027-03-10 09:00 +02:00", "2027-03-10 07:00:00"),
    ("2027-03-10T09:00:00-05:00", "2027-03-10 14:00:00"),
    ("2027-03-10T09:00:00-03:30", "2027-03-10 12:30:00"),
    ("2027-03-10T09:00:00-00:00", "2027-03-10 09:00:00"),
    ("2027-03-10T09:00:00+14:00", "2027-03-09 19:00:00"),
    ("2027-03-10T09:00:00-14:00", "2027-03-10 23:00:00"),
    ("20270310T090000Z", "2027-03-10 09:00:00"),
    ("2027/03/10 09:00+02:00", "2027-03-10 07:00:00"),
    ("Wed, 10 Mar 2027 09:00:00 +0200", "2027-03-10 07:00:00"),
    ("Wed, 10 Mar 2027 09:00:00 GMT", "2027-03-10 09:00:00"),
    ("10 Mar 2027 09:00 EST", "2027-03-10 14:00:00"),
    ("Wed, 10 Mar 2027 09:00:00 +0000 (UTC)", "2027-03-10 09:00:00"),
])  # fmt: skip
def test_a_time_with_an_offset_is_that_instant_in_every_zone(written: str, expected: str) -> None:
    assert utc(written) == utc(written, "Asia/Tokyo") == local(written, "UTC") == expected
    assert dates.read(written).has_time


@pytest.mark.parametrize("blank", ["2027-03-10T09:00:00 02:00", "2027-03-10 09:00:00 0200", "2027-03-10T09:00 02"])
def test_a_plus_that_a_query_string_turned_into_a_blank_is_still_one(blank: str) -> None:
    assert utc(blank) == "2027-03-10 07:00:00"


def test_the_offset_counts_not_the_digits_before_it() -> None:
    assert local("2027-03-10T09:00:00+02:00") == "2027-03-10 02:00:00"


@pytest.mark.parametrize(("written", "expected"), [
    ("0", "1970-01-01 00:00:00"),
    ("2027", "1970-01-01 00:33:47"),
    ("@20270310", "1970-08-23 14:38:30"),
    ("1804669200", "2027-03-10 09:00:00"),
    ("@1804669200", "2027-03-10 09:00:00"),
    (" 1804669200 ", "2027-03-10 09:00:00"),
    ("1804669200999", "2027-03-10 09:00:00"),
    ("@1804669200999", "2027-03-10 09:00:00"),
    ("@-86400", "1969-12-31 00:00:00"),
    ("@-2208988800", "1900-01-01 00:00:00"),
    ("253402300799", "9999-12-31 23:59:59"),
    (1804669200, "2027-03-10 09:00:00"),
    (1804669200999, "2027-03-10 09:00:00"),
    (0, "1970-01-01 00:00:00"),
    (1804669200.0, "2027-03-10 09:00:00"),
])  # fmt: skip
def test_digits_are_a_timestamp_and_thirteen_are_milliseconds(written: str | float, expected: str) -> None:
    assert local(written, "UTC") == utc(written, "UTC") == expected
    assert dates.read(written).has_time


@pytest.mark.parametrize(("written", "expected", "has_time"), [
    ("now", "2026-11-14 14:37:22", True),
    ("NOW", "2026-11-14 14:37:22", True),
    ("now 9am", "2026-11-14 09:00:00", True),
    ("today", "2026-11-14 00:00:00", False),
    ("Today 18:30", "2026-11-14 18:30:00", True),
    ("tomorrow", "2026-11-15 00:00:00", False),
    ("tomorrow 9am", "2026-11-15 09:00:00", True),
    ("tomorrow 9 am", "2026-11-15 09:00:00", True),
    ("tomorrow noon", "2026-11-15 12:00:00", True),
    ("tomorrow midnight", "2026-11-15 00:00:00", True),
    ("yesterday", "2026-11-13 00:00:00", False),
    ("yesterday 09:00:05", "2026-11-13 09:00:05", True),
    ("+1 day", "2026-11-15 14:37:22", True),
    ("+10 days", "2026-11-24 14:37:22", True),
    ("-3 days", "2026-11-11 14:37:22", True),
    ("3 days ago", "2026-11-11 14:37:22", True),
    ("1 day ago", "2026-11-13 14:37:22", True),
    ("2 weeks ago", "2026-10-31 14:37:22", True),
    ("saturday", "2026-11-14 00:00:00", False),
    ("friday", "2026-11-20 00:00:00", False),
    ("Fri 8pm", "2026-11-20 20:00:00", True),
    ("saturday at noon", "2026-11-14 12:00:00", True),
    ("next monday 9am", "2026-11-16 09:00:00", True),
    ("tomorrow at noon", "2026-11-15 12:00:00", True),
    ("first day of next month", "2026-12-01 00:00:00", False),
    ("last day of next month", "2026-12-31 00:00:00", False),
    ("last day of last month 8pm", "2026-10-31 20:00:00", True),
    ("first day of this month", "2026-11-01 00:00:00", False),
    ("+0 days", "2026-11-14 14:37:22", True),
    ("+2 weeks", "2026-11-28 14:37:22", True),
    ("+3 months", "2027-02-14 14:37:22", True),
    ("-11 months", "2025-12-14 14:37:22", True),
    ("+2 Years", "2028-11-14 14:37:22", True),
    ("+2 hours", "2026-11-14 16:37:22", True),
    ("-90 minutes", "2026-11-14 13:07:22", True),
    (" 3 days", "2026-11-17 14:37:22", True),
    ("next monday", "2026-11-16 00:00:00", False),
    ("next saturday", "2026-11-21 00:00:00", False),
    ("next sunday", "2026-11-15 00:00:00", False),
    ("last Friday", "2026-11-13 00:00:00", False),
    ("last saturday", "2026-11-07 00:00:00", False),
    ("last sunday", "2026-11-08 00:00:00", False),
    ("next week", "2026-11-21 14:37:22", True),
    ("last week", "2026-11-07 14:37:22", True),
    ("next month", "2026-12-14 14:37:22", True),
    ("last month", "2026-10-14 14:37:22", True),
    ("next year", "2027-11-14 14:37:22", True),
    ("last year", "2025-11-14 14:37:22", True),
])  # fmt: skip
def test_relative_words_count_from_now_in_the_zone(written: str, expected: str, has_time: bool) -> None:
    assert local(written) == expected
    assert dates.read(written).has_time is has_time


def test_today_is_the_day_of_the_zone() -> None:
    assert local("today", "Asia/Tokyo") == "2026-11-15 00:00:00"
    assert utc("today", "Asia/Tokyo") == "2026-11-14 15:00:00"
    assert local("next sunday", "Asia/Tokyo") == "2026-11-22 00:00:00"


@pytest.mark.parametrize(("now", "written", "expected"), [
    ("2027-01-31 12:00:00", "next month", "2027-02-28 12:00:00"),
    ("2028-01-31 12:00:00", "+1 month", "2028-02-29 12:00:00"),
    ("2027-03-31 12:00:00", "last month", "2027-02-28 12:00:00"),
    ("2028-02-29 12:00:00", "next year", "2029-02-28 12:00:00"),
    ("2027-12-15 12:00:00", "+1 month", "2028-01-15 12:00:00"),
])  # fmt: skip
def test_a_month_without_the_day_gives_its_last(now: str, written: str, expected: str) -> None:
    assert local(written, "UTC", dates.from_text(now)) == expected


@pytest.mark.parametrize(("zone", "written", "local_text", "utc_text"), [
    (NEW_YORK, "2027-03-14 02:30:00", "2027-03-14 03:30:00", "2027-03-14 07:30:00"),
    (NEW_YORK, "March 14, 2027 2:30am", "2027-03-14 03:30:00", "2027-03-14 07:30:00"),
    (NEW_YORK, "2027-11-07 01:30:00", "2027-11-07 01:30:00", "2027-11-07 05:30:00"),
    (NEW_YORK, "2027-11-07T01:30:00-05:00", "2027-11-07 01:30:00", "2027-11-07 06:30:00"),
    (PARIS, "2027-03-28 02:30", "2027-03-28 03:30:00", "2027-03-28 01:30:00"),
    (PARIS, "2027-10-31 02:30", "2027-10-31 02:30:00", "2027-10-31 00:30:00"),
    (PARIS, "2027-10-31T01:30:00Z", "2027-10-31 02:30:00", "2027-10-31 01:30:00"),
    (LORD_HOWE, "2027-10-03 02:15", "2027-10-03 02:45:00", "2027-10-02 15:45:00"),
    (LORD_HOWE, "2027-04-04 01:45", "2027-04-04 01:45:00", "2027-04-03 14:45:00"),
    ("America/Havana", "2024-03-10", "2024-03-10 01:00:00", "2024-03-10 05:00:00"),
    ("UTC+2", "2027-08-10 09:00", "2027-08-10 09:00:00", "2027-08-10 07:00:00"),
    ("UTC-3:30", "2027-08-10 09:00", "2027-08-10 09:00:00", "2027-08-10 12:30:00"),
])  # fmt: skip
def test_around_a_change_of_the_clocks(zone: str, written: str, local_text: str, utc_text: str) -> None:
    assert local(written, zone) == local_text
    assert utc(written, zone) == utc_text


def test_relative_words_around_a_change_of_the_clocks() -> None:
    before_spring = datetime(2027, 3, 13, 7, 30)  # 02:30 in New York, a time that the next day skips
    assert local("+1 day", now=before_spring) == "2027-03-14 03:30:00"
    assert local("+24 hours", now=before_spring) == "2027-03-14 03:30:00"
    assert local("+23 hours", now=before_spring) == "2027-03-14 01:30:00"
    second_pass = datetime(2027, 11, 7, 6, 30)  # 01:30 in New York, for the second time
    assert utc("now", now=second_pass) == utc("+0 days", now=second_pass) == "2027-11-07 06:30:00"
    assert utc("-1 hour", now=second_pass) == "2027-11-07 05:30:00"
    assert utc("today 1:30am", now=second_pass) == "2027-11-07 05:30:00"


def test_equal_dates_are_equal_moments() -> None:
    assert dates.read("10 March 2027 9am") == dates.read("2027-03-10 09:00")
    assert dates.read("2027-03-10T09:00Z") == dates.read("1804669200")
    assert dates.read("2027-03-10") != dates.read("2027-03-10 00:00")


def test_an_unknown_zone_is_not_a_matter_of_the_date() -> None:
    with pytest.raises(zones.UnknownZone):
        dates.read("2027-03-10").local("Mars/Olympus", NOW)


@pytest.mark.parametrize(("moment", "expected"), [
    (datetime(2027, 3, 10, 9), "2027-03-10 09:00:00"),
    (datetime(2027, 3, 10, 9, 0, 7, 999999), "2027-03-10 09:00:07"),
    (datetime(1, 2, 3), "0001-02-03 00:00:00"),
    (datetime.max, "9999-12-31 23:59:59"),
])  # fmt: skip
def test_text_has_one_form(moment: datetime, expected: str) -> None:
    assert dates.text(moment) == expected
    assert dates.from_text(expected) == moment.replace(microsecond=0)
