"""When a series takes place, and its occurrences as events that are not stored yet."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice, takewhile

import msgspec

from kalends.calendar.posts.schedule import DAY_END, DAY_START
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.statuses import FUTURE, PUBLISH
from kalends.store.engine.store import Session
from kalends.store.rows import event_batches
from kalends.store.rows.records import Event, Series
from kalends.store.rows.series import COMPLETE
from kalends.values import dates, moments, names, recurrence, zones
from kalends.values.recurrence import Recurrence, TooManyOccurrences

MOST = 1000  # occurrences of a series; of one that is kept filled, those that are not over


def recurrence_of(series: Series) -> Recurrence:
    return recurrence.from_text(series.recurrence)


def is_endless(rule: Recurrence) -> bool:
    return rule.rule is not None and rule.rule.count is None and rule.rule.until is None


def horizon(work: UnitOfWork, first_start: datetime) -> datetime:
    """Up to when a series without an end has its occurrences."""
    # The clock in UTC: a few hours do not count.
    return moments.months_later(max(work.now, first_start), work.settings.recurrence_months)


def starts(rule: Recurrence, template: Event, until: datetime | None, most: int = MOST) -> list[datetime]:
    """The local starts that a rule gives, up to a time. Raises RecurrenceError."""
    first, zone = dates.from_text(template.start_local), template.timezone
    # The first one may have been cancelled since, which a rule cannot say of itself.
    exceptions = rule.localized(first, zone).exceptions
    others = tuple(when for when in exceptions if when != first)
    found = recurrence.occurrences(replace(rule, exceptions=others), first, zone, until, most)
    return found if len(others) == len(exceptions) else found[1:]


def first_starts(rule: Recurrence, template: Event, until: datetime, most: int) -> list[datetime]:
    """The same, but the first ones if there are more than `most`."""
    try:
        return starts(rule, template, until, most)
    except TooManyOccurrences:
        first, zone = dates.from_text(template.start_local), template.timezone
        return list(islice(recurrence.walk(rule, first, zone), most))


def given(rule: Recurrence, template: Event, among: Collection[str]) -> set[str]:
    """Those of some local times at which a rule has an occurrence."""
    if not among:
        return set()
    last, first = max(among), dates.from_text(template.start_local)
    walked: Iterator[str] = map(dates.text, recurrence.walk(rule, first, template.timezone))
    up_to_last: Iterator[str] = takewhile(last.__ge__, walked)
    found = set(among).intersection(up_to_last)
    if first in rule.exceptions:
        found.discard(template.start_local)
    return found


def filled_to(rule: Recurrence, until: datetime | None) -> str:
    """What a series notes after it was filled up to a time."""
    return COMPLETE if until is None or not is_endless(rule) else dates.text(until)


def occurrence(work: UnitOfWork, series: Series, start: datetime) -> Event:
    """A new occurrence, without an id and a slug."""
    event = msgspec.structs.replace(
        series.template.event,
        series=series.id,
        original_start=dates.text(start),
        modified_utc=work.now_text,
        own_fields=[],
    )
    if event.status == FUTURE and event.date_utc <= work.now_text:
        event.status = PUBLISH
    place(event, series.template.event)
    return event


def place(event: Event, template: Event) -> None:
    """Sets the times of an occurrence, except those that are its own: what the local clock shows repeats."""
    nominal = dates.from_text(event.original_start)
    length = dates.from_text(template.end_local) - dates.from_text(template.start_local)
    for which, wanted, edge in (("start", nominal, DAY_START), ("end", nominal + length, DAY_END)):
        if f"{which}_local" in event.own_fields:
            wanted = dates.from_text(getattr(event, f"{which}_local"))
        if event.all_day:
            wanted = datetime.combine(wanted.date(), edge)
        local = zones.settle(wanted, event.timezone)
        setattr(event, f"{which}_local", dates.text(local))
        setattr(event, f"{which}_utc", dates.text(zones.to_utc(local, event.timezone)))


def moved(text: str, by: timedelta) -> str:
    return dates.text(dates.from_text(text) + by)


def name_all(session: Session, events: Sequence[Event], stem: str, others: Sequence[Event] = ()) -> None:
    """Gives occurrences their slugs: `yoga-2026-11-17`, and `yoga-2026-11-17-2` if that is taken, be it by one of
    `others`, which need not be stored yet."""
    wanted = [dated(stem, event.original_start) for event in events]
    taken = event_batches.taken_slugs(session, [names.slug_key(slug) for slug in wanted]) if wanted else set()
    taken.update(names.slug_key(event.slug) for event in others)
    for event, slug in zip(events, wanted, strict=True):
        event.slug = _free(session, slug, taken)
        taken.add(names.slug_key(event.slug))


def dated(stem: str, start: str) -> str:
    """The slug of an occurrence. The stem gives way where the two together are too long."""
    return names.with_ending(stem, f"-{start[:10]}")


def stem_of(slug: str, start: str) -> str:
    """What the slugs of all occurrences begin with, by that of one of them: what it says of the day is left out."""
    return slug.removesuffix(f"-{start[:10]}")


def _free(session: Session, slug: str, taken: Collection[str]) -> str:
    number, found = 1, slug
    while names.slug_key(found) in taken or (
        number > 1 and event_batches.taken_slugs(session, [names.slug_key(found)])
    ):
        number += 1
        found = names.numbered(slug, number)
    return found


def without_exceptions(rule: Recurrence) -> Recurrence:
    return replace(rule, exceptions=())
