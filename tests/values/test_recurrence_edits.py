"""Changes of the rule of a series: it is split, moved, and told to other programs."""

from datetime import datetime, timedelta

import pytest
from tests.values.recurrence_dates import BERLIN, FIRST

from kalends.values.recurrence import (
    RecurrenceError,
    last_day,
    narrowed_to,
    occurrences,
    parse,
    shifted,
    split_at,
)


@pytest.mark.parametrize(
    ("value", "at", "before", "after"),
    [
        ("FREQ=WEEKLY", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;UNTIL=20261124T190000", "RRULE:FREQ=WEEKLY;BYDAY=TU"),
        ("FREQ=WEEKLY;COUNT=5", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;COUNT=2", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3"),
        ("FREQ=WEEKLY;UNTIL=20270101", "2026-12-01 19:00",
         "RRULE:FREQ=WEEKLY;UNTIL=20261124T190000", "RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20270101"),
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


def test_a_split_before_the_first_date_of_the_rule_leaves_the_first_event_alone() -> None:
    """The first event need not be on a day of the rule; a rule that gives no date could not be used any more."""
    before, after = split_at(parse("FREQ=WEEKLY;BYDAY=FR"), FIRST, BERLIN, datetime(2026, 11, 20, 19))
    assert before is not None
    assert before.rule is None
    assert after.to_text() == "RRULE:FREQ=WEEKLY;BYDAY=FR"


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


@pytest.mark.parametrize(
    ("rule", "last"),
    [
        ("FREQ=WEEKLY;UNTIL=20261201", "2026-12-01"),
        ("FREQ=WEEKLY;UNTIL=20261201T190000", "2026-12-01"),
        ("FREQ=WEEKLY;UNTIL=20261201T185959", "2026-11-30"),  # as earlier versions have split series
        ("FREQ=WEEKLY;UNTIL=20261201T000000Z", "2026-11-30"),
        ("FREQ=WEEKLY;UNTIL=20261202T000000Z", "2026-12-02"),  # a Wednesday, on which there is nothing to miss
        ("FREQ=WEEKLY;BYHOUR=9,19;UNTIL=20261201T100000", "2026-12-01"),
        ("FREQ=WEEKLY;COUNT=3", "None"),
    ],
)
def test_the_last_day_of_a_rule_is_none_whose_date_it_misses(rule: str, last: str) -> None:
    """What words and forms say: with that day as UNTIL, the rule gives the same dates."""
    told = parse(rule)
    assert told.rule is not None
    found = last_day(told.rule, FIRST, BERLIN)
    assert str(found) == last
    if found is not None and not told.rule.has_times:
        again = parse(rule.partition(";UNTIL")[0] + f";UNTIL={found:%Y%m%d}")
        assert occurrences(again, FIRST, BERLIN, None, 10) == occurrences(told, FIRST, BERLIN, None, 10)
