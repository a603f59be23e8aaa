"""The rule of a series: how it is written, and which dates it gives."""

from datetime import datetime

import pytest
from tests.values.recurrence_dates import BERLIN, FIRST, days, starts

from kalends.values import zones
from kalends.values.dates import text
from kalends.values.recurrence import (
    from_text,
    occurrences,
    parse,
)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("rrule:freq=weekly;byday=tu", "FREQ=WEEKLY;BYDAY=TU"),
        ("FREQ=WEEKLY; BYDAY=FR,MO,FR ;INTERVAL=1;WKST=MO;", "FREQ=WEEKLY;BYDAY=MO,FR"),
        (
            "WKST=SU;UNTIL=20270630T000000Z;FREQ=DAILY;INTERVAL=02",
            "FREQ=DAILY;INTERVAL=2;WKST=SU;UNTIL=20270630T000000Z",
        ),
        ("COUNT=5;BYDAY=+1MO,-1FR;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR,1MO;COUNT=5"),
        ("FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2;UNTIL=20400101", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20400101"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR"),
    ],
)
def test_each_rule_has_one_text(written: str, canonical: str) -> None:
    assert parse(written).rule_text == canonical
    assert parse({"rule": written}).rule_text == canonical
    assert parse(canonical) == parse(written)


def test_both_forms_say_the_same() -> None:
    as_text = parse("FREQ=WEEKLY;COUNT=3\r\nRDATE:20270101T\r\n 190000,20270102\r\nEXDATE:20261124T180000Z\r\n")
    as_object = parse(
        {
            "rule": "FREQ=WEEKLY;COUNT=3",
            "dates": ["2027-01-01 19:00:00", "2027-01-02"],
            "exceptions": ["2026-11-24T18:00:00Z"],
        }
    )
    assert as_text == as_object
    assert from_text(as_text.to_text()) == as_text
    assert from_text("").to_text() == ""
    assert parse(as_text.to_json()) == as_text
    local = as_text.localized(FIRST, BERLIN)
    assert local.to_json() == {
        "rule": "FREQ=WEEKLY;COUNT=3",
        "dates": ["2027-01-01 19:00:00", "2027-01-02 19:00:00"],
        "exceptions": ["2026-11-24 19:00:00"],
    }
    assert starts(as_text.to_text()) == [
        "2026-11-17 19:00", "2026-12-01 19:00", "2027-01-01 19:00", "2027-01-02 19:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "first", "expected"),
    [
        ("FREQ=MONTHLY;COUNT=4", "2027-01-31", ["2027-01-31", "2027-03-31", "2027-05-31", "2027-07-31"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "2027-01-31", ["2027-01-31", "2027-02-28", "2027-03-31"]),
        ("FREQ=YEARLY;COUNT=3", "2028-02-29", ["2028-02-29", "2032-02-29", "2036-02-29"]),
        ("FREQ=YEARLY;COUNT=2", "2096-02-29", ["2096-02-29", "2104-02-29"]),
        ("FREQ=MONTHLY;BYDAY=2TU;COUNT=3", "2027-01-12", ["2027-01-12", "2027-02-09", "2027-03-09"]),
        ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=3", "2027-01-29", ["2027-01-29", "2027-02-26", "2027-03-26"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3", "2027-01-29",
         ["2027-01-29", "2027-02-26", "2027-03-31"]),
        # The example of RFC 5545 for WKST.
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05",
         ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05",
         ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]),
        ("FREQ=YEARLY;BYWEEKNO=20;COUNT=3", "2027-05-18", ["2027-05-18", "2028-05-16", "2029-05-15"]),
        ("FREQ=YEARLY;BYDAY=53FR;COUNT=2", "2027-01-01", ["2027-01-01", "2027-12-31"]),
        ("FREQ=YEARLY;BYYEARDAY=-1;COUNT=2", "2027-12-31", ["2027-12-31", "2028-12-31"]),
        # The first event counts, also where the rule does not give it.
        ("FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-11-17", ["2026-11-17", "2026-11-23", "2026-11-30"]),
        ("FREQ=WEEKLY;COUNT=1", "2026-11-17", ["2026-11-17"]),
        ("RDATE:20270103,20270101", "2026-11-17", ["2026-11-17", "2027-01-01", "2027-01-03"]),
        ("FREQ=DAILY;COUNT=3\nRDATE:20261118,20270101", "2026-11-17",
         ["2026-11-17", "2026-11-18", "2026-11-19", "2027-01-01"]),
        # An exception counts for COUNT, and wins over an extra date.
        ("FREQ=DAILY;COUNT=3\nRDATE:20270101\nEXDATE:20261118,20270101,20280101", "2026-11-17",
         ["2026-11-17", "2026-11-19"]),
        ("FREQ=YEARLY;INTERVAL=2;COUNT=2", "9950-05-01", ["9950-05-01", "9952-05-01"]),
    ],
)  # fmt: skip
def test_dates_of_a_rule(rule: str, first: str, expected: list[str]) -> None:
    assert days(rule, first) == expected


@pytest.mark.parametrize(
    ("until", "last"),
    [
        ("20261119", "2026-11-19 19:00"),
        ("20261119T190000", "2026-11-19 19:00"),
        ("20261119T185959", "2026-11-18 19:00"),
        ("20261119T180000Z", "2026-11-19 19:00"),
        ("20261119T175959Z", "2026-11-18 19:00"),
    ],
)
def test_until_in_each_of_its_forms(until: str, last: str) -> None:
    assert starts(f"FREQ=DAILY;UNTIL={until}")[-1] == last


def test_until_in_utc_within_the_hour_that_happens_twice() -> None:
    # 02:30 is first at 00:30 UTC; UNTIL is 02:10 of the second round.
    assert starts("FREQ=DAILY;UNTIL=20271031T011000Z", datetime(2027, 10, 29, 2, 30))[-1] == "2027-10-31 02:30"


def test_times_stay_on_the_local_clock_across_both_changes() -> None:
    spring = occurrences(parse("FREQ=DAILY;COUNT=3"), datetime(2027, 3, 27, 2, 30), BERLIN, None, 10)
    assert [text(start) for start in spring] == [f"2027-03-{day} 02:30:00" for day in (27, 28, 29)]
    # What the clocks skip begins as much later as they were put forward.
    assert [text(zones.settle(start, BERLIN))[11:16] for start in spring] == ["02:30", "03:30", "02:30"]
    autumn = occurrences(parse("FREQ=DAILY;COUNT=3"), datetime(2027, 10, 30, 2, 30), BERLIN, None, 10)
    assert [text(zones.to_utc(start, BERLIN))[11:16] for start in autumn] == ["00:30", "00:30", "01:30"]


def test_a_window_ends_the_list_but_the_first_event_stays() -> None:
    assert starts("FREQ=WEEKLY", until="2026-12-01 19:00") == [
        "2026-11-17 19:00",
        "2026-11-24 19:00",
        "2026-12-01 19:00",
    ]
    assert starts("FREQ=WEEKLY", until="2020-01-01") == ["2026-11-17 19:00"]
