"""The next dates of an event that is to repeat, before it is saved."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time
from itertools import islice
from typing import NamedTuple

from kalends.calendar.series import new_occurrences
from kalends.contract.errors import WRONG_FORMAT, FieldError
from kalends.contract.types.recurrences import RecurrenceType, field_error
from kalends.languages import N_
from kalends.present import conventions
from kalends.present.recurrence_words import in_words
from kalends.site import times
from kalends.site.forms.event_form import Sent, sent_by
from kalends.site.forms.repeats_form import (
    MONTHLY_DAY,
    MONTHLY_LAST,
    MONTHLY_WEEKDAY,
    Repeats,
    controls_in,
    is_last_weekday,
    recurrence_of,
    rule_of,
)
from kalends.values import dates, recurrence, zones
from kalends.values.recurrence import Recurrence, RecurrenceError

SHOWN = 10


class RepeatsPreview(NamedTuple):
    """The rule in words, its next dates, each as the form sends it and as it is read, and what the choices of a month
    come to for this start, by preset."""

    words: str = ""
    dates: Sequence[tuple[str, str]] = ()
    choices: Mapping[str, str] = {}


def preview(typed: Mapping[str, Sequence[str]], site_zone: str, language: str) -> RepeatsPreview:
    """Raises FieldError."""
    sent, controls = sent_by(typed), controls_in(typed)
    start, choices = str(sent["start_date"]), month_choices(str(sent["start_date"])[:10], language)
    read = RecurrenceType().read(recurrence_of(controls, start[:10]))
    if not isinstance(read, Recurrence):
        return RepeatsPreview(choices=choices)
    zone = _zone(sent, site_zone)
    try:
        first = datetime.fromisoformat(start)
        read, first = _begun_later(read, first, zone)
    except ValueError:
        raise FieldError(WRONG_FORMAT, N_("needs the date of the event.")) from None
    try:
        recurrence.check(read, first, zone, new_occurrences.MOST)
        starts = list(islice(recurrence.walk(read, first, zone), SHOWN))
    except RecurrenceError as error:
        raise field_error(error) from None
    words = in_words(read, first, zone, language, region=conventions.current().region)
    days = [start.date() for start in starts]
    # A date is skipped by its day, whatever its time will be; one of several on a day by its time, too.
    values = [dates.text(start)[: 10 if days.count(start.date()) == 1 else None] for start in starts]
    return RepeatsPreview(words, [*zip(values, (times.day(day, language) for day in days), strict=True)], choices)


def begun_later(sent: Mapping[str, object], site_zone: str) -> Sent:
    """What is sent instead of an event whose first date is skipped: it begins with the first that takes place."""
    try:
        read = RecurrenceType().read(sent.get("recurrence"))
        first, end = (datetime.fromisoformat(str(sent[name])) for name in ("start_date", "end_date"))
        if not isinstance(read, Recurrence):
            return {}
        rule, start = _begun_later(read, first, _zone(sent, site_zone))
        if start == first:
            return {}
        moved = {"start_date": dates.text(start), "end_date": dates.text(end + (start - first))}
    except (FieldError, OverflowError, ValueError):
        return {}  # it is refused when it is stored
    return {"recurrence": rule.to_json(), **moved}


def _begun_later(rule: Recurrence, first: datetime, zone: str) -> tuple[Recurrence, datetime]:
    """A recurrence and the first of its dates that is not skipped. Where no other is left, they stay as they are."""
    local = rule.localized(first, zone)
    if first not in local.exceptions:
        return rule, first
    others = replace(local, exceptions=tuple(when for when in local.exceptions if when != first))
    try:
        start = next((start for start in recurrence.walk(others, first, zone) if start > first), None)
        return (rule, first) if start is None else (recurrence.split_at(others, first, zone, start)[1], start)
    except RecurrenceError:
        return rule, first


def _zone(sent: Mapping[str, object], site_zone: str) -> str:
    return zones.known_zone(str(sent.get("timezone") or "")) or site_zone


def month_choices(start_day: str, language: str) -> dict[str, str]:
    """The choices of a month for a start: which weekday it is, that and the last where it is both, and which day."""
    day = dates.day_in(start_day)
    if day is None:
        return {}
    presets = [MONTHLY_WEEKDAY, *([MONTHLY_LAST] if is_last_weekday(day) else []), MONTHLY_DAY]
    rules = {preset: recurrence.parse(rule_of(Repeats(preset), start_day)) for preset in presets}
    start, region = datetime.combine(day, time()), conventions.current().region
    words = {preset: in_words(rule, start, "UTC", language, region=region) for preset, rule in rules.items()}
    if words.get(MONTHLY_LAST) == words[MONTHLY_WEEKDAY]:  # a fifth one is the last
        del words[MONTHLY_LAST]
    return words
