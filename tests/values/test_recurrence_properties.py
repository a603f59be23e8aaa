"""Properties of recurrences: their dates are those of dateutil, and splitting or moving a series keeps them."""

from datetime import UTC, datetime, timedelta
from itertools import islice

from dateutil.rrule import rrulestr
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.effort import effort
from tests.values.random_recurrences import MOST, recurrences, rules

from kalends.values import zones
from kalends.values.recurrence import (
    Recurrence,
    RecurrenceError,
    from_text,
    narrowed_to,
    parse,
    shifted,
    split_at,
    walk,
)


def first_dates(recurrence: Recurrence, start: datetime, zone: str) -> list[datetime]:
    try:
        return list(islice(walk(recurrence, start, zone), MOST))
    except RecurrenceError as error:  # COUNT or UNTIL further than a hundred years
        assume(error.part not in ("COUNT", "UNTIL"))
        raise


@given(recurrences())
@settings(max_examples=effort(25, 1000), deadline=None)
def test_dates_are_those_of_dateutil(drawn: tuple[Recurrence, datetime, str]) -> None:
    recurrence, start, zone = drawn
    # dateutil is given the same text with a local UNTIL, and a COUNT without the first event where the rule lacks it.
    rule = recurrence.rule
    assert rule is not None
    plain = ";".join(part for part in str(rule).split(";") if not part.startswith(("COUNT=", "UNTIL=")))
    ruled = []
    horizon = start.replace(year=start.year + 101, month=1, day=1)
    for date in rrulestr(plain, dtstart=start.replace(year=start.year + 7600)):
        date = date.replace(year=date.year - 7600)
        if date >= horizon or len(ruled) > 2 * MOST:
            break
        if isinstance(rule.until, datetime) and rule.until.tzinfo:
            if zones.to_utc(date, zone).replace(tzinfo=UTC) > rule.until:
                break
        elif isinstance(rule.until, datetime):
            if date > rule.until:
                break
        elif rule.until and date.date() > rule.until:
            break
        ruled.append(date)
    if rule.count is not None:
        ruled = sorted({start, *ruled})[: rule.count]
    local = recurrence.localized(start, zone)
    expected = sorted(({start, *ruled, *local.dates} - set(local.exceptions)) | {start})
    found = [date for date in first_dates(recurrence, start, zone) if date < horizon]
    assert found[: MOST // 2] == [date for date in expected if date < horizon][: MOST // 2]


@given(recurrences(), st.integers(0, MOST - 1), st.timedeltas(timedelta(days=-40), timedelta(days=40)))
@settings(max_examples=effort(25, 1000), deadline=None)
def test_from_a_time_on_it_gives_the_same_dates(
    drawn: tuple[Recurrence, datetime, str], position: int, away: timedelta
) -> None:
    recurrence, start, zone = drawn
    listed = first_dates(recurrence, start, zone)
    since = listed[position % len(listed)] + away
    expected = [date for date in listed if date >= since]
    assert list(islice(walk(recurrence, start, zone, since), len(expected))) == expected


@given(recurrences())
@settings(max_examples=effort(12, 500), deadline=None)
def test_both_forms_are_read_back_as_themselves(drawn: tuple[Recurrence, datetime, str]) -> None:
    recurrence, start, zone = drawn
    assert from_text(recurrence.to_text()) == recurrence
    assert parse(recurrence.to_json()) == recurrence
    local = recurrence.localized(start, zone)
    assert local.localized(start, zone) == local
    assert first_dates(local, start, zone) == first_dates(recurrence, start, zone)


@given(recurrences(), st.integers(0, 30))
@settings(max_examples=effort(12, 600), deadline=None)
def test_a_split_keeps_every_date(drawn: tuple[Recurrence, datetime, str], position: int) -> None:
    recurrence, start, zone = drawn
    listed = first_dates(recurrence, start, zone)
    at = listed[position % len(listed)]
    try:
        before, after = split_at(recurrence, start, zone, at)
    except RecurrenceError:
        assert at in recurrence.localized(start, zone).dates  # a date of the rule itself can always be split at
        return
    in_both = (date for date in listed if date.year < start.year + 90)  # a rule without an end ends after a hundred
    listed = list(in_both)
    kept = [] if before is None else list(islice(walk(before, start, zone), 2 * MOST))
    assert kept == [date for date in listed if date < at]
    assert [*kept, *islice(walk(after, at, zone), MOST)][: len(listed)] == listed


@given(recurrences(), st.timedeltas(timedelta(days=-10), timedelta(days=10)))
@settings(max_examples=effort(12, 600), deadline=None)
def test_a_moved_series_moves_every_date(drawn: tuple[Recurrence, datetime, str], by: timedelta) -> None:
    recurrence, start, zone = drawn
    by = timedelta(minutes=by // timedelta(minutes=1))
    try:
        moved = shifted(recurrence, start, zone, by)
    except RecurrenceError:
        assert (start + by).date() != start.date()  # another time on the same day always works
        return
    assert first_dates(moved, start + by, zone) == [date + by for date in first_dates(recurrence, start, zone)]


@given(st.text("FREQ=DAILYWKMONTHBYUR;,:+-0123456789\n ", max_size=300) | rules())
@example("FREQ=YEARLY;BYDAY=-53MO")
@settings(max_examples=effort(40, 2000), deadline=None)
def test_any_text_is_read_or_refused_with_its_part(text: str) -> None:
    try:
        recurrence = parse(text)
    except RecurrenceError as refused:
        message, part = str(refused), refused.part
    else:
        message, part = recurrence.to_text(), parse(recurrence.to_text()).to_text()
    assert part in message


@given(recurrences(), st.data())
@settings(max_examples=effort(12, 600), deadline=None)
def test_a_narrowed_recurrence_gives_what_is_wanted(
    drawn: tuple[Recurrence, datetime, str], data: st.DataObject
) -> None:
    recurrence, start, zone = drawn
    listed = first_dates(recurrence, start, zone)
    horizon = listed[-1]
    wanted = sorted(data.draw(st.sets(st.sampled_from(listed), min_size=1)))
    first, narrowed = narrowed_to(recurrence, start, zone, wanted, horizon)
    # As programs read it: the first start too can be an exception.
    found = [date for date in islice(walk(narrowed, first, zone), 2 * MOST) if date not in narrowed.exceptions]
    assert [date for date in found if date <= horizon] == wanted
    if horizon > wanted[-1]:
        assert found[-1] == wanted[-1]
