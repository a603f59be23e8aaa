"""The rule of a series in the history of its dates: what a change of it says, and the way back to an earlier one."""

from collections.abc import Mapping, Sequence
from typing import Any

from kalends.calendar.access import UnitOfWork
from kalends.calendar.series import new_occurrences, single_dates
from kalends.contract.statuses import TRASH
from kalends.languages import N_, translate
from kalends.present import conventions
from kalends.present.recurrence_words import SEVERAL_DATES, in_words
from kalends.site import times
from kalends.store.rows import history, series
from kalends.store.rows.history import Version
from kalends.store.rows.records import Series
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence, RecurrenceError, walk
from kalends.values.recurrence.parsing import local_times

RULE = "recurrence"
NEVER = N_("Does not repeat")
MOST_NAMED = 12  # days that a change has skipped or added

Rule = Mapping[str, Any]  # as a version of it is kept (`history.rule_of`)


def versions(
    work: UnitOfWork, found: Series, most: int, before: int | None, author: int | None
) -> list[tuple[Version, bool]]:
    """What changes of the rule of a series have replaced, newest first, and whether that can come back."""
    kept = history.versions(work.session, history.SERIES, found.id, most, before=before, author=author)
    now, last = history.rule_of(found), _next_part(work, found)
    filled = [version._replace(following=version.following or now) for version in kept]
    return [(version, _usable(found, version.data, last) is not None) for version in filled]


def as_of(work: UnitOfWork, id: int, rev: int) -> Rule:
    """The rule that a series had after a change; empty for one that is deleted."""
    if (later := history.earliest(work.session, history.SERIES, id, rev + 1)) is not None:
        return later[1]
    found = series.find(work.session, id)
    return {} if found is None else history.rule_of(found)


def restore(work: UnitOfWork, found: Series, version: Version) -> bool:
    """Gives a series the rule that it had before a change, with the dates that were skipped and added then; whether
    that was possible."""
    rule = _usable(found, version.data, _next_part(work, found))
    if rule is None:
        return False
    single_dates.set_rule(work, found, rule)
    return True


def differences(before: Rule | None, after: Rule | None, language: str) -> list[tuple[str, str, str]]:
    """What a change of the rule says: a label, before and after."""
    rows = [(translate(N_("Repeats"), language), _words(before, language), _words(after, language))]
    if before and after:
        for label, part in ((N_("Skipped dates"), "exceptions"), (N_("Added dates"), "dates")):
            was, now = (_days(rule, part) for rule in (before, after))
            gone, new = ([day for day in one if day not in other] for one, other in ((was, now), (now, was)))
            rows.append((translate(label, language), _named(gone, language), _named(new, language)))
    return [row for row in rows if row[1] != row[2]]


def _usable(found: Series, rule: Rule, next_part: str) -> Recurrence | None:
    """An earlier rule at the times that the series has now; None where it cannot be, or would have dates that a later
    part of the course has."""
    template = found.template.event
    first, was = dates.from_text(template.start_local), dates.from_text(rule["start_local"])
    wanted = recurrence.from_text(rule["recurrence"])
    try:
        if first != was:
            wanted = recurrence.shifted(wanted, was, rule["timezone"], first - was)
        new_occurrences.check_rule(wanted, template)
        if next_part and next(walk(wanted, first, template.timezone, dates.from_text(next_part)), None) is not None:
            return None
    except (RecurrenceError, OverflowError):
        return None
    return None if template.status == TRASH else wanted


def _next_part(work: UnitOfWork, found: Series) -> str:
    """When the next part of a course begins that was split."""
    here = found.template.event.start_local
    course = series.find_many(work.session, series.of_course(work.session, found.id)).values()
    starts = [one.template.event.start_local for one in course if one.status != TRASH]
    return min((start for start in starts if start > here), default="")


def _words(rule: Rule | None, language: str) -> str:
    if rule is None:
        return translate(NEVER, language)
    if not rule:
        return translate(SEVERAL_DATES, language)
    first, parsed = dates.from_text(rule["start_local"]), recurrence.from_text(rule["recurrence"])
    if parsed.rule is not None:  # further and skipped dates are told by themselves
        parsed = Recurrence(parsed.rule, (), ())
    return in_words(parsed, first, rule["timezone"], language, region=conventions.current().region)


def _days(rule: Rule, part: str) -> list[str]:
    first = dates.from_text(rule["start_local"])
    found = getattr(recurrence.from_text(rule["recurrence"]), part)
    return [dates.text(start)[:10] for start in local_times(found, first, rule["timezone"])]


def _named(days: Sequence[str], language: str) -> str:
    named = [times.short_date(times.day_of(day), language) for day in days[:MOST_NAMED]]
    return "; ".join([*named, *(["…"] if len(days) > MOST_NAMED else [])])
