"""Changes to a whole recurrence: cutting it in two at an occurrence, and moving it by a local difference."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from typing import Final

from kalends.languages import N_
from kalends.values import zones
from kalends.values.recurrence.errors import RecurrenceError
from kalends.values.recurrence.occurrences import LONGEST_SPAN, counted_starts, explicit, rule_starts, walk
from kalends.values.recurrence.parsing import MOST_DATES, Recurrence, local_time, local_times
from kalends.values.recurrence.rules import Day, Rule, When

# A recurrence that gives certain occurrences of a series and no others: what a feed says of those that it shows.

MOST: Final = 10_000  # starts that are compared; more than a series has


def narrowed_to(
    recurrence: Recurrence, first_start: datetime, zone: str, wanted: Sequence[datetime], horizon: datetime
) -> tuple[datetime, Recurrence]:
    """The first start and the recurrence for the starts that are wanted, which are in order.

    `horizon` is how far the series has occurrences. A rule without an end goes on without one, if nothing up to there
    is left out at its end.
    """
    start, rest = _from(recurrence, first_start, zone, wanted[0])
    given = {start, *islice(takewhile(lambda at: at <= horizon, walk(rest, start, zone)), MOST)}
    dates = {*local_times(rest.dates, start, zone), *set(wanted).difference(given)}
    exceptions = {*local_times(rest.exceptions, start, zone), *given}.difference(wanted)
    rule = rest.rule and _portable(rest.rule, start, zone)
    if max(given) > (last := wanted[-1]):
        rule = rule and _ended(rule, start, zone, last, horizon)
        dates, exceptions = ({at for at in starts if at <= last} for starts in (dates, exceptions))
    return start, Recurrence(rule, tuple(sorted(dates)), tuple(sorted(exceptions)))


def _from(recurrence: Recurrence, first_start: datetime, zone: str, start: datetime) -> tuple[datetime, Recurrence]:
    """The recurrence from a start on; the whole of it, where it cannot begin there."""
    try:
        _, rest = split_at(recurrence, first_start, zone, start)
    except RecurrenceError:
        return first_start, recurrence.localized(first_start, zone)
    return max(start, first_start), rest


def _portable(rule: Rule, start: datetime, zone: str) -> Rule:
    """The rule as every program reads it: not all take the weekday of a week from the first start, nor do they agree
    whether COUNT counts a first start that the rule does not give."""
    if rule.weeks:
        rule = explicit(rule, start)
    if rule.count is not None and next(rule_starts(rule, start, zone), None) != start:
        rule = replace(rule, count=None, until=max(counted_starts(rule, start, zone), default=start))
    return rule


def _ended(rule: Rule, start: datetime, zone: str, last: datetime, horizon: datetime) -> Rule:
    """The rule without what it would give after a start."""
    given = takewhile(lambda at: at <= horizon, counted_starts(rule, start, zone))
    return replace(rule, count=None, until=last) if any(at > last for at in given) else rule


# How many starts are compared after a change. Rules that differ at all differ within a few years.
COMPARED: Final = 120
A_YEAR: Final = timedelta(days=366)


def split_at(
    recurrence: Recurrence, first_start: datetime, zone: str, at: datetime
) -> tuple[Recurrence | None, Recurrence]:
    """The recurrence before an occurrence, and from it on as a series of its own whose first start is `at`.
    None before the first event. What cannot be continued by a rule becomes a list of dates; without an end there is
    no such list, which raises RecurrenceError. That `at` itself may be an exception is left to the caller: no rule
    says it of its first start."""
    local = recurrence.localized(first_start, zone)
    if at <= first_start:
        return None, local
    local = replace(local, exceptions=tuple(when for when in local.exceptions if when != at))
    before = replace(
        local,
        rule=local.rule and _rule_before(local.rule, first_start, zone, at),
        dates=tuple(when for when in local.dates if when < at),
        exceptions=tuple(when for when in local.exceptions if when < at),
    )
    after = replace(
        local,
        rule=local.rule and _rule_from(local.rule, first_start, zone, at),
        dates=tuple(when for when in local.dates if when >= at),
        exceptions=tuple(when for when in local.exceptions if when > at),
    )
    kept = list(islice(takewhile(lambda start: start < at, walk(local, first_start, zone)), MOST_DATES))
    if list(islice(walk(before, first_start, zone), len(kept) + 1)) != kept and len(kept) < MOST_DATES:
        before = Recurrence(None, tuple(kept[1:]))  # dates beside the rule can make it one too many
    if not _same(walk(local, first_start, zone, since=at), walk(after, at, zone), first_start):
        if local.rule and (local.rule.count is not None or local.rule.until is not None):
            rest = islice((start for start in walk(local, first_start, zone) if start > at), MOST_DATES)
            return before, Recurrence(None, tuple(rest))
        raise RecurrenceError(
            "rule", N_("{part} cannot be continued from a date that it does not give itself; give a new recurrence.")
        )
    return before, after


def _rule_before(rule: Rule, first_start: datetime, zone: str, at: datetime) -> Rule | None:
    """The rule up to an occurrence; None when it gives no date before. The first event need not be one of its own."""
    if not any(start < at for start in islice(rule_starts(rule, first_start, zone), 1)):
        return None
    if rule.count is not None:
        return replace(rule, count=_number_before(rule, first_start, zone, at))
    return replace(rule, until=_last_before(rule, first_start, zone, at))


def _last_before(rule: Rule, first_start: datetime, zone: str, at: datetime) -> datetime:
    """The last start that a rule gives before a time, of which there is one: as the end of the rule it names the day
    after which nothing comes, and that is not yet the day of `at`."""
    for since in (max(first_start, at - A_YEAR), first_start):  # most rules need not be computed from their beginning
        last = max(takewhile(at.__gt__, rule_starts(rule, first_start, zone, since)), default=None)
        if last is not None:
            return last
    return first_start


def _rule_from(rule: Rule, first_start: datetime, zone: str, at: datetime) -> Rule | None:
    """The rule from an occurrence on. What it takes from the first event is written out, since `at` can be an
    extra date on another day. None when the rule has nothing left to give."""
    remaining = rule_starts(rule, first_start, zone, since=at)
    rule = explicit(rule, first_start)
    if rule.count is None:
        return rule if next(remaining, None) is not None else None
    left = rule.count - _number_before(rule, first_start, zone, at)
    if left <= 0:
        return None
    # The first start of a series counts, also if the rule does not give it.
    return replace(rule, count=left if next(remaining, None) == at else left + 1)


def _number_before(rule: Rule, first_start: datetime, zone: str, at: datetime) -> int:
    """How many of a rule's COUNT are used up before a start, the first event's own among them."""
    number = 1
    for start in rule_starts(rule, first_start, zone):
        if start >= at or number == rule.count:
            break
        number += start != first_start
    return number


def shifted(recurrence: Recurrence, first_start: datetime, zone: str, difference: timedelta) -> Recurrence:
    """The recurrence whose every occurrence is that of this one moved by a difference on the local clock.
    Raises RecurrenceError if no rule of the same kind says that: the second Tuesday is not the day before the second
    Wednesday of every month."""
    local = recurrence.localized(first_start, zone)
    moved_start = first_start + difference
    moved = Recurrence(
        local.rule and _moved_rule(local.rule, first_start, zone, difference),
        tuple(_moved(when, difference) for when in local.dates),
        tuple(_moved(when, difference) for when in local.exceptions),
    )
    expected = (start + difference for start in walk(local, first_start, zone))
    if not _same(expected, walk(moved, moved_start, zone), first_start):
        raise RecurrenceError(
            "rule", N_("{part} does not fit the new day for every date; give the new recurrence with it.")
        )
    return moved


def _moved(when: When, difference: timedelta) -> When:
    return when + difference


def _moved_rule(rule: Rule, first_start: datetime, zone: str, difference: timedelta) -> Rule:
    days = ((first_start + difference).date() - first_start.date()).days
    if rule.has_times and difference != timedelta(days=days):
        raise RecurrenceError(
            "rule", N_("{part} names times of day, so they are not moved; give a new recurrence with the new time.")
        )
    return replace(
        rule,
        days=tuple(sorted(_moved_day(day, days) for day in rule.days)),
        month_days=_moved_numbers(rule.month_days, days, 31),
        year_days=_moved_numbers(rule.year_days, days, 366),
        week_start=_moved_week_start(rule, days),
        until=_moved_until(rule.until, first_start, zone, difference, days),
    )


def _moved_week_start(rule: Rule, by: int) -> int:
    """The weeks that INTERVAL skips and that BYSETPOS counts in move along with the days."""
    counts_weeks = rule.frequency == "WEEKLY" and (rule.interval > 1 or rule.positions)
    return (rule.week_start + by) % 7 if counts_weeks else rule.week_start


def _moved_day(day: Day, by: int) -> Day:
    which, weekday = day
    return which, (weekday + by) % 7


def _moved_numbers(numbers: tuple[int, ...], by: int, largest: int) -> tuple[int, ...]:
    """Days of a month or a year moved within it; the comparison afterwards finds those that cannot be."""
    moved = tuple(number + by for number in numbers)
    if any(number * before <= 0 or abs(number) > largest for number, before in zip(moved, numbers, strict=True)):
        raise RecurrenceError(
            "rule", N_("{part} does not fit the new day for every date; give the new recurrence with it.")
        )
    return moved


def _moved_until(
    until: When | None, first_start: datetime, zone: str, difference: timedelta, days: int
) -> When | None:
    if until is None:
        return None
    if not isinstance(until, datetime):
        return until + timedelta(days=days)
    if until.tzinfo is None:
        return until + difference
    local = local_time(until, first_start, zone)
    return zones.to_utc(local + difference, zone).replace(tzinfo=UTC)


def _same(one: Iterator[datetime], other: Iterator[datetime], first_start: datetime) -> bool:
    """Whether two walks agree, as far as both are computed."""
    last_year = first_start.year + LONGEST_SPAN - 1
    one, other = (takewhile(lambda start: start.year < last_year, starts) for starts in (one, other))
    return list(islice(one, COMPARED)) == list(islice(other, COMPARED))
