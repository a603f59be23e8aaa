"""A recurrence that gives certain occurrences of a series and no others: what a feed says of those that it shows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice, takewhile
from typing import Final

from kalends.values.recurrence.edits import split_at
from kalends.values.recurrence.errors import RecurrenceError
from kalends.values.recurrence.occurrences import counted_starts, explicit, rule_starts, walk
from kalends.values.recurrence.parsing import Recurrence, local_times
from kalends.values.recurrence.rules import Rule

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
    rule = rest.rule and _told(rest.rule, start, zone)
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


def _told(rule: Rule, start: datetime, zone: str) -> Rule:
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
