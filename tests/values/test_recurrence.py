"""The rule of a series: what is accepted, what is refused and why, and which dates it gives."""

from datetime import datetime, timedelta

import pytest

from kalends.values import zones
from kalends.values.dates import text
from kalends.values.recurrence import (
    RecurrenceError,
    TooManyOccurrences,
    from_text,
    narrowed_to,
    occurrences,
    parse,
    shifted,
    split_at,
)

BERLIN = "Europe/Berlin"
FIRST = datetime(2026, 11, 17, 19)  # a Tuesday


def starts(
    value: object, first: datetime = FIRST, zone: str = BERLIN, most: int = 1000, until: str = ""
) -> list[str]:
    last = datetime.fromisoformat(until) if until else None
    return [text(start)[:16] for start in occurrences(parse(value), first, zone, last, most)]


def days(value: object, first: str) -> list[str]:
    return [start[:10] for start in starts(value, datetime.fromisoformat(first + " 19:00"))]


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("", "rule"),
        ("hello", "RRULE"),
        ("FREQ", "RRULE"),
        ("FREQ=", "RRULE"),
        ("BYDAY=TU", "FREQ"),
        ("FREQ=FORTNIGHTLY", "FREQ"),
        ("FREQ=HOURLY", "FREQ"),
        ("FREQ=MINUTELY", "FREQ"),
        ("FREQ=SECONDLY;COUNT=3", "FREQ"),
        ("FREQ=DAILY;FREQ=WEEKLY", "FREQ"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20270101", "COUNT"),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY"),
        ("FREQ=WEEKLY;BYDAY=TUESDAY", "BYDAY"),
        ("FREQ=WEEKLY;BYDAY=2TU", "BYDAY"),
        ("FREQ=DAILY;BYDAY=-1TU", "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=0TU", "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=6TU", "BYDAY"),
        ("FREQ=YEARLY;BYDAY=54TU", "BYDAY"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=53TU", "BYDAY"),
        ("FREQ=YEARLY;BYWEEKNO=3;BYDAY=1TU", "BYDAY"),
        ("FREQ=WEEKLY;WKST=1", "WKST"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=-1", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=1.5", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=1000000000", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=" + "9" * 1500, "INTERVAL"),
        ("FREQ=DAILY;COUNT=0", "COUNT"),
        ("FREQ=DAILY;COUNT=٣", "COUNT"),
        ("FREQ=DAILY;UNTIL=soon", "UNTIL"),
        ("FREQ=DAILY;UNTIL=20270230", "UNTIL"),
        ("FREQ=DAILY;UNTIL=00010101", "UNTIL"),
        ("FREQ=DAILY;BYMONTH=13", "BYMONTH"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY"),
        ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO"),
        ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS"),
        ("FREQ=DAILY;BYMONTH=1;BYSETPOS=2", "BYSETPOS"),
        ("FREQ=WEEKLY;BYDAY=MO;BYSETPOS=-8", "BYSETPOS"),
        ("FREQ=YEARLY;BYDAY=MO;BYSETPOS=" + ",".join(map(str, range(1, 33))), "BYSETPOS"),
        ("FREQ=DAILY;BYHOUR=24", "BYHOUR"),
        ("FREQ=DAILY;BYEASTER=0", "BYEASTER"),
        ("FREQ=DAILY;X-COLOR=RED", "X-COLOR"),
        ("FREQ=DAILY;" + "BYDAY=MO;" * 1000, "RRULE"),
        ("FREQ=DAILY\nRRULE:FREQ=WEEKLY", "RRULE"),
        ("DTSTART:20270101T190000\nRRULE:FREQ=DAILY", "DTSTART"),
        ("RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY", "EXRULE"),
        ("FREQ=DAILY\nRDATE:", "RDATE"),
        ("FREQ=DAILY\nRDATE:tomorrow", "RDATE"),
        ("FREQ=DAILY\nRDATE;VALUE=PERIOD:20270101T190000/PT1H", "RDATE"),
        ("FREQ=DAILY\nEXDATE;TZID=Mars/Base:20270101T190000", "EXDATE"),
        ("FREQ=DAILY\nEXDATE:" + ",".join(["20270101"] * 1001), "EXDATE"),
        ("\n".join(["FREQ=DAILY", *["EXDATE:20270101"] * 1001]), "exceptions"),
        ("X" * 60_000, "recurrence"),
        (5, "recurrence"),
        (None, "recurrence"),
        ([], "recurrence"),
        ({}, "rule"),
        ({"rule": 5}, "rule"),
        ({"rule": "FREQ=DAILY", "until": "2027"}, "recurrence"),
        ({"rule": "FREQ=DAILY", "dates": "2027-01-01"}, "dates"),
        ({"rule": "FREQ=DAILY", "dates": ["+3 days"]}, "dates"),
        ({"rule": "FREQ=DAILY", "dates": [True]}, "dates"),
        ({"rule": "FREQ=DAILY", "exceptions": [{}]}, "exceptions"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_part(rule: object, part: str) -> None:
    with pytest.raises(RecurrenceError) as refused:
        parse(rule)
    assert refused.value.part == part
    assert str(refused.value).startswith(part)


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("FREQ=DAILY;UNTIL=20261116", "UNTIL"),
        ("FREQ=DAILY;UNTIL=20261117T185959", "UNTIL"),
        ("FREQ=DAILY;UNTIL=20261117T175959Z", "UNTIL"),
        ("FREQ=WEEKLY;BYDAY=WE;UNTIL=20261117", "rule"),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=WE", "rule"),
        ("FREQ=YEARLY;BYMONTH=2;BYWEEKNO=40", "rule"),
        ("FREQ=DAILY;COUNT=1001", "rule"),
        ("FREQ=DAILY;COUNT=999999999", "rule"),
        ("FREQ=DAILY", "rule"),
        ("FREQ=DAILY;UNTIL=99991231", "rule"),
        (
            "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9",
            "rule",
        ),
        ("FREQ=YEARLY;UNTIL=99991231", "UNTIL"),
        ("FREQ=YEARLY;COUNT=200", "COUNT"),
        ({"dates": ["2026-11-16 19:00"]}, "dates"),
        ({"rule": "FREQ=WEEKLY", "exceptions": ["2026-11-17"]}, "exceptions"),
    ],
)
def test_what_does_not_fit_the_first_event_is_refused_with_the_part(rule: object, part: str) -> None:
    with pytest.raises(RecurrenceError) as refused:
        starts(rule)
    assert refused.value.part == part


def test_too_many_dates_are_told_from_other_problems() -> None:
    with pytest.raises(TooManyOccurrences, match="more than 20 dates"):
        starts("FREQ=DAILY", most=20)
    assert len(starts("FREQ=DAILY;COUNT=20", most=20)) == 20
    assert len(starts("FREQ=DAILY", most=20, until="2026-12-06 19:00")) == 20


# dateutil alone would look for a match up to the year 9999, which takes minutes for some of these.
@pytest.mark.parametrize(
    ("rule", "amount"),
    [
        ("FREQ=DAILY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", 2),
        ("FREQ=DAILY;INTERVAL=9999", 4),
        ("FREQ=WEEKLY;INTERVAL=9999", 1),
        ("FREQ=YEARLY;INTERVAL=9999", 1),
        ("FREQ=YEARLY;BYDAY=MO;BYMONTH=2;BYMONTHDAY=29", 4),
    ],
)
def test_a_rare_rule_ends_after_a_hundred_years(rule: str, amount: int) -> None:
    assert len(starts(rule)) == amount


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;BYSETPOS=7;BYDAY=MO,TU",
        "FREQ=YEARLY;BYSETPOS=366;BYMONTH=1;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10",
        "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;UNTIL=99991231T235959Z",
        "FREQ=DAILY;BYHOUR=" + ",".join(map(str, range(24))) + ";BYMINUTE=" + ",".join(map(str, range(60))),
    ],
)
def test_a_rule_without_dates_or_without_end_is_refused(rule: str) -> None:
    with pytest.raises(RecurrenceError) as refused:
        starts(rule)
    assert refused.value.part == "rule"


@pytest.mark.parametrize(
    "text_", ["FREQ=" * 400, ";" * 2000, "RDATE:" + "," * 40_000, " \n " * 16_000, "BYDAY=" + "MO," * 600]
)
def test_hostile_texts_are_refused(text_: str) -> None:
    with pytest.raises(RecurrenceError):
        parse(text_)


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


@pytest.mark.parametrize(
    ("value", "at", "before", "after"),
    [
        ("FREQ=WEEKLY", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;UNTIL=20261201T185959", "RRULE:FREQ=WEEKLY;BYDAY=TU"),
        ("FREQ=WEEKLY;COUNT=5", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;COUNT=2", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3"),
        ("FREQ=WEEKLY;UNTIL=20270101", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;UNTIL=20261201T185959", "RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20270101"),
        ("FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-11-30 19:00",
         "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1"),
        ("FREQ=WEEKLY;COUNT=3\nRDATE:20261120,20270101\nEXDATE:20261124", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;COUNT=2\nRDATE:20261120T190000\nEXDATE:20261124T190000",
         "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=1\nRDATE:20270101T190000"),
        # From an extra date on: the rule goes on beside it.
        ("FREQ=WEEKLY;COUNT=3\nRDATE:20261120", "2026-11-20 19:00",
         "RRULE:FREQ=WEEKLY;COUNT=1", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3\nRDATE:20261120T190000"),
        ("FREQ=WEEKLY;COUNT=2\nRDATE:20270101,20270102", "2027-01-01 19:00",
         "RRULE:FREQ=WEEKLY;COUNT=2", "RDATE:20270101T190000,20270102T190000"),
    ],
)  # fmt: skip
def test_a_series_is_split_at_an_occurrence(value: str, at: str, before: str, after: str) -> None:
    first_part, second_part = split_at(parse(value), FIRST, BERLIN, datetime.fromisoformat(at))
    assert first_part is not None
    assert first_part.to_text() == before
    assert second_part.to_text() == after


def test_a_split_at_the_first_event_leaves_nothing_before() -> None:
    before, after = split_at(parse("FREQ=WEEKLY;COUNT=5"), FIRST, BERLIN, FIRST)
    assert before is None
    assert after == parse("FREQ=WEEKLY;COUNT=5")


def test_a_split_that_would_change_dates_is_refused() -> None:
    # Every second week, counted from the week of an extra date, would be the other weeks.
    every_second = parse("FREQ=WEEKLY;INTERVAL=2\nRDATE:20261125")
    with pytest.raises(RecurrenceError, match="cannot be continued"):
        split_at(every_second, FIRST, BERLIN, datetime(2026, 11, 25, 19))


@pytest.mark.parametrize(
    ("value", "difference", "moved"),
    [
        ("FREQ=WEEKLY;BYDAY=TU", timedelta(hours=1), "RRULE:FREQ=WEEKLY;BYDAY=TU"),
        ("FREQ=WEEKLY;BYDAY=TU,TH", timedelta(days=1), "RRULE:FREQ=WEEKLY;BYDAY=WE,FR"),
        ("FREQ=WEEKLY", timedelta(days=1), "RRULE:FREQ=WEEKLY"),
        ("FREQ=WEEKLY;BYDAY=TU", timedelta(hours=6), "RRULE:FREQ=WEEKLY;BYDAY=WE"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU", timedelta(days=2), "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;WKST=WE"),
        ("FREQ=DAILY;UNTIL=20261130", timedelta(hours=1), "RRULE:FREQ=DAILY;UNTIL=20261130"),
        ("FREQ=DAILY;UNTIL=20261130", timedelta(days=2), "RRULE:FREQ=DAILY;UNTIL=20261202"),
        ("FREQ=DAILY;UNTIL=20261130T190000", timedelta(hours=1), "RRULE:FREQ=DAILY;UNTIL=20261130T200000"),
        ("FREQ=DAILY;UNTIL=20261130T180000Z", timedelta(hours=1), "RRULE:FREQ=DAILY;UNTIL=20261130T190000Z"),
        ("FREQ=MONTHLY", timedelta(days=3), "RRULE:FREQ=MONTHLY"),
        ("FREQ=MONTHLY;BYMONTHDAY=17", timedelta(days=-3), "RRULE:FREQ=MONTHLY;BYMONTHDAY=14"),
        ("FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=17", timedelta(days=1), "RRULE:FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=18"),
        ("FREQ=MONTHLY;BYDAY=3TU", timedelta(minutes=-90), "RRULE:FREQ=MONTHLY;BYDAY=3TU"),
        ("FREQ=DAILY;BYHOUR=9,19", timedelta(days=1), "RRULE:FREQ=DAILY;BYHOUR=9,19"),
        ("FREQ=WEEKLY;COUNT=3\nRDATE:20261120\nEXDATE:20261124", timedelta(days=1, hours=-1),
         "RRULE:FREQ=WEEKLY;COUNT=3\nRDATE:20261121T180000\nEXDATE:20261125T180000"),
    ],
)  # fmt: skip
def test_a_series_moves_by_a_local_difference(value: str, difference: timedelta, moved: str) -> None:
    assert shifted(parse(value), FIRST, BERLIN, difference).to_text() == moved


@pytest.mark.parametrize(
    ("value", "difference"),
    [
        ("FREQ=MONTHLY;BYDAY=3TU", timedelta(days=1)),
        ("FREQ=MONTHLY", timedelta(days=12)),  # to the 29th, which not every month has
        ("FREQ=MONTHLY;BYMONTHDAY=17", timedelta(days=-17)),
        ("FREQ=DAILY;BYMONTH=11,12", timedelta(days=1)),
        ("FREQ=DAILY;BYHOUR=9,19", timedelta(hours=1)),
    ],
)
def test_a_move_that_the_rule_cannot_say_is_refused(value: str, difference: timedelta) -> None:
    with pytest.raises(RecurrenceError, match="new recurrence"):
        shifted(parse(value), FIRST, BERLIN, difference)


def test_a_count_that_programs_read_in_two_ways_is_told_as_a_date() -> None:
    # The first event is not on a Monday, so some programs would show three Mondays.
    told = parse("FREQ=WEEKLY;BYDAY=MO;COUNT=3\nRDATE:20270901")
    wanted = occurrences(told, FIRST, BERLIN, None, 10)
    assert narrowed_to(told, FIRST, BERLIN, wanted, wanted[-1]) == (
        FIRST,
        parse("FREQ=WEEKLY;BYDAY=MO;UNTIL=20261130T190000\nRDATE:20270901T190000"),
    )
