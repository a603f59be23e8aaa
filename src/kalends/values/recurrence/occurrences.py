"""The occurrences of a recurrence, on the local clock of its zone, with a bound on the work whatever the rule says.

Starts are what the rule says on the local clock: 02:30 stays 02:30 on the day whose clocks skip it, so it can serve
as the occurrence's identity. `zones.settle` gives the time at which the event then begins.
"""

import heapq
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from dateutil.rrule import rrule, weekday  # type: ignore[import-untyped]

from kalends.languages import N_
from kalends.values import zones
from kalends.values.recurrence.errors import RecurrenceError, TooManyOccurrences
from kalends.values.recurrence.parsing import Recurrence, local_time, local_times
from kalends.values.recurrence.rules import DAYS_OF_PERIODS, Rule

LONGEST_SPAN: Final = 100  # years from the first event to the last that a rule with an end may give
ENDLESS_SPAN: Final = 300  # years up to which a rule without an end is computed: from 1900 on well beyond today
CYCLE: Final = 400  # years, after which dates fall on the same weekdays
LAST_YEAR: Final = 9999
EVER: Final = datetime.min
DATEUTIL_FREQUENCIES: Final = {"YEARLY": 0, "MONTHLY": 1, "WEEKLY": 2, "DAILY": 3}


def occurrences(
    recurrence: Recurrence, first_start: datetime, zone: str, until_local: datetime | None, most: int
) -> list[datetime]:
    """Every local start up to `until_local` (inclusive), the first event's own always among them.

    Raises RecurrenceError if the recurrence does not fit the first event, TooManyOccurrences for more than `most`.
    """
    check(recurrence, first_start, zone, most)
    found: list[datetime] = []
    for start in walk(recurrence, first_start, zone):
        if until_local is not None and start > until_local and found:
            break
        if len(found) == most:
            raise too_many(most)
        found.append(start)
    return found


def check(recurrence: Recurrence, first_start: datetime, zone: str, most: int) -> None:
    """Whether the recurrence fits the first event. Raises RecurrenceError."""
    rule = recurrence.rule
    dates = local_times(recurrence.dates, first_start, zone)
    if dates and dates[0] < first_start:
        raise RecurrenceError("dates", N_("{part} cannot be before the start of the first event."))
    if first_start in local_times(recurrence.exceptions, first_start, zone):
        raise RecurrenceError("exceptions", N_("{part} cannot have the start of the first event itself."))
    if rule is None:
        return
    if rule.count is not None and rule.count > most:
        raise too_many(most)
    if rule.until is not None and not _is_before_until(rule, first_start, zone):
        raise RecurrenceError("UNTIL", N_("{part} is before the start of the event."))
    if not recurrence.dates and next(rule_starts(rule, first_start, zone), None) is None:
        raise RecurrenceError("rule", N_("{part} gives no dates."))


def too_many(most: int) -> TooManyOccurrences:
    return TooManyOccurrences("rule", N_("{part} gives more than {maximum} dates."), maximum=most)


def walk(recurrence: Recurrence, first_start: datetime, zone: str, since: datetime = EVER) -> Iterator[datetime]:
    """Local starts in order, each once, from `since` on: without an end the earlier ones are not computed. Without an
    end it goes on to ENDLESS_SPAN years. A rule with an end that is further away than LONGEST_SPAN years raises
    RecurrenceError there."""
    rule = recurrence.rule
    by_rule = iter(()) if rule is None else counted_starts(rule, first_start, zone, since)
    dates = local_times(recurrence.dates, first_start, zone)
    excluded = frozenset(local_times(recurrence.exceptions, first_start, zone)) - {first_start}
    last = None
    for start in heapq.merge((first_start,), by_rule, dates):
        if start != last and start >= since and start not in excluded:
            yield start
        last = start


def rule_starts(rule: Rule, first_start: datetime, zone: str, since: datetime = EVER) -> Iterator[datetime]:
    """What the rule alone gives from the first start and from `since` on, up to UNTIL, but without COUNT."""
    horizon = first_start.year + (ENDLESS_SPAN if rule.is_endless else LONGEST_SPAN)
    # How far COUNT reaches is only seen from the beginning.
    for start in _unbounded(rule, first_start, since if rule.count is None else EVER):
        if rule.until is not None and not _is_before_until(rule, start, zone):
            return
        if start.year > horizon:
            if rule.until is not None:
                raise _too_far("UNTIL")
            return
        if start >= since:
            yield start


def counted_starts(rule: Rule, first_start: datetime, zone: str, since: datetime = EVER) -> Iterator[datetime]:
    """The rule's starts, of which there are COUNT together with the first event's own; without COUNT those from
    `since` on."""
    counted = 1
    for start in rule_starts(rule, first_start, zone, since if rule.count is None else EVER):
        counted += start != first_start
        if rule.count is not None and counted > rule.count:
            return
        yield start
    if rule.count is not None and counted < rule.count:
        raise _too_far("COUNT")


def _too_far(part: str) -> RecurrenceError:
    return RecurrenceError(part, N_("{part} reaches further than {years} years."), years=LONGEST_SPAN)


def _is_before_until(rule: Rule, start: datetime, zone: str) -> bool:
    """Whether a start is not after UNTIL: on the clock that it was written for, and a day alone to its end."""
    until = rule.until
    if not isinstance(until, datetime):
        return until is None or start.date() <= until
    if until.tzinfo is None:
        return start <= until
    return zones.to_utc(start, zone) <= until.astimezone(UTC).replace(tzinfo=None)


def last_day(rule: Rule, first_start: datetime, zone: str) -> date | None:
    """The day up to which a rule with UNTIL gives its dates: that of UNTIL, unless the rule would have a date on it
    after that time."""
    until = rule.until
    if not isinstance(until, datetime):
        return until
    local = local_time(until, first_start, zone)
    if rule.has_times or local.time() >= first_start.time():
        return local.date()
    day = datetime.combine(local.date(), time.min)
    missed = next(rule_starts(replace(rule, until=None), first_start, zone, since=day), None)
    return local.date() if missed is None or missed.date() > local.date() else local.date() - timedelta(days=1)


def explicit(rule: Rule, first_start: datetime) -> Rule:
    """The rule with the day that it takes from the first event."""
    if rule.days or rule.month_days or rule.year_days:
        return rule
    if rule.weeks or rule.frequency == "WEEKLY":
        return replace(rule, days=((0, first_start.weekday()),))
    if rule.frequency == "MONTHLY":
        return replace(rule, month_days=(first_start.day,))
    if rule.frequency == "YEARLY":
        return replace(rule, months=rule.months or (first_start.month,), month_days=(first_start.day,))
    return rule


def _unbounded(rule: Rule, first_start: datetime, since: datetime) -> Iterator[datetime]:
    """dateutil's dates of the rule without its end, beginning not long before `since`.

    dateutil looks for the next match up to the year 9999, which takes many seconds for a rule that never matches.
    The calendar repeats every 400 years, so the rule is computed in the last years before that and moved back.
    """
    years_left = LAST_YEAR - ENDLESS_SPAN - first_start.year
    shift = max(0, years_left // CYCLE * CYCLE)
    # RFC 5545 takes what the rule does not say from the first event; dateutil would take it from where it begins,
    # and of a week all of its days.
    rule = explicit(rule, first_start)
    try:
        begin = _period_before(rule, first_start, since)
        for start in _dateutil_rule(rule, begin.replace(year=begin.year + shift)):
            yield start.replace(year=start.year - shift)
    except (ValueError, OverflowError):  # dateutil's own end of time: a week that reaches into the year 10000
        return


def _period_before(rule: Rule, first_start: datetime, since: datetime) -> datetime:
    """When a day, week, month or year of the rule begins that is before the one of `since`, at the time of the first
    start: begun there, the rule gives the same from `since` on."""
    if rule.frequency in ("DAILY", "WEEKLY"):
        days = DAYS_OF_PERIODS[rule.frequency] * rule.interval
        passed = (since - first_start).days // days
        return first_start + timedelta(days=max(0, passed - 1) * days)
    months = rule.interval * (12 if rule.frequency == "YEARLY" else 1)
    passed = ((since.year - first_start.year) * 12 + since.month - first_start.month) // months
    if passed <= 1:
        return first_start
    years, month = divmod(first_start.month - 1 + (passed - 1) * months, 12)
    return first_start.replace(year=first_start.year + years, month=month + 1, day=1)


def _dateutil_rule(rule: Rule, begin: datetime) -> rrule:
    parts: dict[str, Any] = {
        "bymonth": rule.months,
        "byweekno": rule.weeks,
        "byyearday": rule.year_days,
        "bymonthday": rule.month_days,
        "byweekday": [weekday(day, which or None) for which, day in rule.days],
        "byhour": rule.hours,
        "byminute": rule.minutes,
        "bysecond": rule.seconds,
        "bysetpos": rule.positions,
    }
    return rrule(
        DATEUTIL_FREQUENCIES[rule.frequency],
        dtstart=begin,
        interval=rule.interval,
        wkst=rule.week_start,
        **{name: values for name, values in parts.items() if values},
    )
