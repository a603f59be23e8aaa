"""Single dates of a series: which it has and which are skipped, and the way from one to the other.

A date is known by the time that the rule gives it, also where its event was moved. One that was skipped is an
exception of the rule; its event, if there was one, is in the trash.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, cast

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts import posts
from kalends.calendar.series import new_occurrences, operations
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT, VENUE
from kalends.contract.statuses import DRAFT, TRASH
from kalends.store.rows import links, series
from kalends.store.rows.records import Event, Series
from kalends.store.rows.series import DateRow
from kalends.values import dates
from kalends.values.recurrence import Recurrence
from kalends.values.recurrence.parsing import local_times


class SeriesDate(NamedTuple):
    """A date of a series. One that was skipped before it had an event has no id."""

    start: str  # that the rule gives
    id: int = 0
    begins: str = ""  # on the clock of the event; another than `start` where it was moved
    ends_utc: str = ""
    status: str = TRASH
    event_status: str = ""
    name: str = ""
    own_fields: Sequence[str] = ()  # by column, kind or key
    venues: Sequence[int] = ()  # of a date that has others than the series

    @property
    def is_skipped(self) -> bool:
        return self.status == TRASH


def of_event(work: UnitOfWork, id: int) -> Sequence[SeriesDate]:
    """The dates of the series that an event belongs to, in the order of its rule; of a single event there are none.
    Dates that the caller cannot edit are left out, and those that were in an earlier rule."""
    event = cast(Event, posts.writable(work, EVENT, id))
    found = series.find(work.session, event.series) if event.series is not None else None
    if found is None:
        return []
    exceptions = _exceptions(found)
    rows = [
        row
        for row in series.dates(work.session, work.visibility, found.id)
        if row.status != TRASH or found.status == TRASH or row.original_start in exceptions
    ]
    elsewhere = [row.id for row in rows if VENUE.name in row.own_fields]
    venues = links.targets_of_many(work.session, elsewhere, [VENUE.name])[VENUE.name]
    known = [
        SeriesDate(
            *(row.original_start, row.id, row.start_local, row.end_utc, row.status, row.event_status),
            *(row.name, row.own_fields, venues.get(row.id, ())),
        )
        for row in rows
    ]
    taken = series.original_starts(work.session, found.id)
    skipped = [SeriesDate(text, begins=text) for text in exceptions if text not in taken]
    return sorted([*known, *skipped], key=lambda date: (date.start, date.id))


class CoursePart(NamedTuple):
    """Another series of the same course: its dates that the caller can edit."""

    series: Series
    live: Sequence[DateRow]  # at least one
    is_earlier: bool

    @property
    def nearest(self) -> DateRow:
        """The date next to the series that is asked about."""
        return self.live[-1 if self.is_earlier else 0]


def other_parts(work: UnitOfWork, id: int) -> Sequence[CoursePart]:
    """The other series of the course that an event belongs to, in their order."""
    event = cast(Event, posts.writable(work, EVENT, id))
    if event.series is None:
        return []
    course = series.find_many(work.session, series.of_course(work.session, event.series))
    here = course.pop(event.series).template.event.start_local
    parts = []
    for found in sorted(course.values(), key=lambda other: (other.template.event.start_local, other.id)):
        rows = series.dates(work.session, work.visibility, found.id)
        if live := [row for row in rows if row.status != TRASH]:
            parts.append(CoursePart(found, live, found.template.event.start_local < here))
    return parts


def set_date(work: UnitOfWork, id: int, day: datetime, *, takes_place: bool, has_time: bool = True) -> str:
    """Skips a date of the series that an event belongs to, or adds one, or brings one back; the time of it, empty if
    nothing changed. Without `has_time` it is at the time of the series."""
    event = cast(Event, posts.writable(work, EVENT, id))
    found = series.find(work.session, event.series) if event.series is not None else None
    if found is None:
        return ""
    first = dates.from_text(found.template.event.start_local)
    start = day if has_time else datetime.combine(day, first.time())
    known = series.events_at(work.session, found.id, dates.text(start))
    change = _add_date if takes_place else _skip
    return dates.text(start) if change(work, found, start, known) else ""


def set_state(work: UnitOfWork, id: int, date: int, state: str) -> str:
    """Says of a date of the series that an event belongs to that it is cancelled, or as planned; what it was before,
    empty if nothing changed."""
    event, other = (cast(Event, posts.writable(work, EVENT, one)) for one in (id, date))
    if event.series is None or other.series != event.series or other.event_status == state or other.status == TRASH:
        return ""
    was = other.event_status
    _send(work, date, operations.THIS, event_status=state)
    return was


def _add_date(work: UnitOfWork, found: Series, start: datetime, known: Sequence[Event]) -> bool:
    """Whether a date takes place now that did not."""
    if any(event.status != TRASH for event in known):
        return False
    if known:
        template = found.template.event
        _send(work, known[-1].id, operations.THIS, status=DRAFT if template.status == TRASH else template.status)
        return True
    rule, text = new_occurrences.recurrence_of(found), dates.text(start)
    left = [dates.from_text(other) for other in _exceptions(found) if other != text]
    rule = replace(rule, exceptions=tuple(left))
    if not new_occurrences.starts_among(rule, found.template.event, {text}):
        rule = replace(rule, dates=(*rule.dates, start))
    set_rule(work, found, rule)
    return True


def _skip(work: UnitOfWork, found: Series, start: datetime, known: Sequence[Event]) -> bool:
    """Whether a date is skipped now that was not."""
    live = [event for event in known if event.status != TRASH]
    for event in live:
        _send(work, event.id, operations.THIS, status=TRASH)
    if live or known or dates.text(start) in _exceptions(found):
        return bool(live)
    rule = new_occurrences.recurrence_of(found)
    set_rule(work, found, replace(rule, exceptions=(*rule.exceptions, start)))
    return True


def set_rule(work: UnitOfWork, found: Series, rule: Recurrence) -> None:
    """Changes the rule of a series."""
    through = series.first_event(work.session, found.id)
    assert through is not None
    _send(work, through[0], operations.ALL, recurrence=rule.to_json())


def _exceptions(found: Series) -> list[str]:
    """The times of the rule that are skipped."""
    template = found.template.event
    first = dates.from_text(template.start_local)
    skipped = local_times(new_occurrences.recurrence_of(found).exceptions, first, template.timezone)
    return [dates.text(start) for start in skipped]


def _send(work: UnitOfWork, id: int, scope: str, **values: object) -> None:
    operations.update(work, EVENT, id, read_update(EVENT.fields, values), scope)
