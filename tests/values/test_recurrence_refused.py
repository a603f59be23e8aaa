"""Rules of series that are refused, and which part of them is wrong."""

import pytest
from tests.values.recurrence_dates import starts

from kalends.values.recurrence import (
    RecurrenceError,
    TooManyOccurrences,
    parse,
)


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
        ("X" * 60_000, "value"),
        (5, "value"),
        (None, "value"),
        ([], "value"),
        ({}, "rule"),
        ({"rule": 5}, "rule"),
        ({"rule": "FREQ=DAILY", "until": "2027"}, "value"),
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
        ("FREQ=DAILY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", 6),
        ("FREQ=DAILY;INTERVAL=9999", 11),
        ("FREQ=WEEKLY;INTERVAL=9999", 2),
        ("FREQ=YEARLY;INTERVAL=9999", 1),
        ("FREQ=YEARLY;BYDAY=MO;BYMONTH=2;BYMONTHDAY=29", 12),
    ],
)
def test_a_rare_rule_without_an_end_is_computed_for_three_hundred_years(rule: str, amount: int) -> None:
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
