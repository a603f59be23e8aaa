"""Makes events the occurrences of a series as another calendar has them, whatever series they were of before.

The events come first, each with its own values. What they have in common becomes what the series gives to its later
dates, and its recurrence is made to give exactly the dates that there are.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import TypeVar

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.series import new_occurrences, series_change, shared_fields
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.statuses import trash
from kalends.calendar.storing import batches
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.rows import links, posts, series
from kalends.store.rows.events import EventChange
from kalends.store.rows.records import Event, Series, defined_in, put, value_of
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence
from kalends.values.recurrence.parsing import local_times

COMPARED = (*shared_fields.SHARED, *shared_fields.TIMES, "status", "slug")

T = TypeVar("T")
Starts = Mapping[int, str]  # the start that the rule gives to an event, by its id


def group(work: UnitOfWork, into: int | None, starts: Starts, new_recurrence: Recurrence, course: int = 0) -> int:
    """Gives these events to a series, which is a new one without `into`; its id. `course`: the number of that which
    it is a part of, if it is known to be. Raises RecurrenceError."""
    edit = None if into is None else SeriesEdit.load(work, into)
    known = set() if edit is None else {event.id for event in edit.events}
    release(work, [id for id in starts if id not in known])
    arriving = [event for id in starts if id not in known and (event := _find(work, id)) is not None]
    if edit is None:
        edit = SeriesEdit(work, _new(work, arriving[0], starts, new_recurrence), [], {})
    edit.series.series_of = course or edit.series.series_of
    taken = set(starts.values())
    _release(edit, [event for event in edit.events if event.id not in starts and event.original_start in taken])
    edit.before |= {event.id: msgspec.structs.replace(event) for event in arriving}
    for event in (*edit.events, *arriving):
        event.series, event.original_start = edit.series.id, starts.get(event.id, event.original_start)
    edit.events = sorted((*edit.events, *arriving), key=lambda event: (event.original_start, event.id))
    _trash_unclaimed(edit, starts, new_recurrence)
    settle(edit, new_recurrence)
    return edit.series.id


def settle(edit: SeriesEdit, new_recurrence: Recurrence) -> None:
    """Makes the recurrence give exactly the dates that are there, what most of them have in common what later ones
    get, and the rest their own; stores it. Raises RecurrenceError."""
    edit.require_rights()
    live = [event for event in edit.events if event.status != TRASH]
    if live:
        _set_common(edit, live)
        zone = edit.template.timezone
        start, rule = _fitting(new_recurrence, [dates.from_text(event.original_start) for event in live], zone)
        length = _length(live)
        edit.template.start_local, edit.template.end_local = dates.text(start), dates.text(start + length)
        edit.set_recurrence(rule)
        _set_filled(edit, live)
        _mark_overrides(edit, live)
    edit.save(at_once=True)


def release(work: UnitOfWork, ids: Iterable[int]) -> None:
    """Takes events out of their series; from then on they are single."""
    by_series: dict[int, list[int]] = {}
    for id in ids:
        event = _find(work, id)
        if event is not None and event.series is not None:
            by_series.setdefault(event.series, []).append(id)
    for number, leaving in by_series.items():
        edit = SeriesEdit.load(work, number)
        edit.require_rights()
        _release(edit, [event for event in edit.events if event.id in leaving])
        if edit.events:
            settle(edit, edit.recurrence)
        else:
            series_change.remove(work, edit.series)


def _release(edit: SeriesEdit, leaving: Sequence[Event]) -> None:
    gone = {event.id for event in leaving}
    for event in leaving:
        event.series, event.original_start, event.own_fields, event.post_parent = None, "", [], 0
    batches.update(edit.work, [EventChange(edit.before[event.id], event) for event in leaving])
    edit.events = [event for event in edit.events if event.id not in gone]
    for id in gone:
        del edit.before[id]


def _trash_unclaimed(edit: SeriesEdit, starts: Starts, new_recurrence: Recurrence) -> None:
    """What the series has filled by itself, and the other calendar does not give."""
    first, zone = dates.from_text(edit.template.start_local), edit.template.timezone
    excepted = set(map(dates.text, local_times(new_recurrence.exceptions, first, zone)))
    own = [event for event in edit.events if event.id not in starts and not event.external_id]
    if not own:
        return
    anchor = dates.from_text(min(edit.template.start_local, *starts.values()))
    last = max(event.original_start for event in own)
    walked = recurrence.walk(replace(new_recurrence, exceptions=()), anchor, zone)
    given = set(takewhile(last.__ge__, map(dates.text, islice(walked, 10 * new_occurrences.MOST))))
    for event in own:
        if event.original_start in excepted or event.original_start not in given:
            trash(event)


def _new(work: UnitOfWork, first: Event, starts: Starts, new_recurrence: Recurrence) -> Series:
    stem = new_occurrences.stem_of(first.slug, starts[first.id])
    found = Series(
        author=first.author,
        status=first.status,
        recurrence=new_recurrence.to_text(),
        template=shared_fields.template_of(first, links.all_targets(work.session, first.id), stem),
    )
    batches.insert_series(work, found)
    return found


def _find(work: UnitOfWork, id: int) -> Event | None:
    found = posts.find(work.session, EVENT.name, id)
    return found if isinstance(found, Event) else None


def _set_common(edit: SeriesEdit, live: Sequence[Event]) -> None:
    """What most events have, and of two that are as frequent what the later ones have."""
    targets = links.targets_of_many(edit.work.session, [event.id for event in live])
    latest = [*reversed(live)]
    common = {
        name: _most([(_key(getattr(event, name)), getattr(event, name)) for event in latest]) for name in COMPARED
    }
    common = {name: value for name, value in common.items() if name not in ("slug", *shared_fields.TIMES)}
    template = msgspec.structs.replace(edit.template, **common)
    for key in defined_in(edit.template, *live):
        put(template, key, _most([(value, value) for event in latest for value in [value_of(event, key)]]))
    linked = {
        kind: list(_most([(tuple(found[event.id]), tuple(found[event.id])) for event in latest]))
        for kind, found in targets.items()
    }
    edit.series.template = msgspec.structs.replace(edit.series.template, event=template, links=linked)
    edit.series.status, edit.series.author = template.status, template.author


def _most(values: Sequence[tuple[Hashable, T]]) -> T:
    counted = Counter(key for key, _ in values)
    most = max(counted.values())
    return next(value for key, value in values if counted[key] == most)


def _key(value: object) -> Hashable:
    return msgspec.json.encode(value) if isinstance(value, list | dict) else value


def _length(live: Sequence[Event]) -> timedelta:
    return _most([(length, length) for event in reversed(live) for length in [new_occurrences.length_of(event)]])


def _fitting(new_recurrence: Recurrence, live: Collection[datetime], zone: str) -> tuple[datetime, Recurrence]:
    """The start of the series, and its recurrence with what it gives too much as exceptions and what it does not give
    as dates. A series whose first dates were deleted begins with an exception: its COUNT is counted from there."""
    first = min(live)
    earlier = [when for when in local_times(new_recurrence.exceptions, first, zone) if when < first]
    found = [_from(new_recurrence, start, set(live), zone) for start in (*earlier[:1], first)]
    return min(found, key=lambda one: (len(one[1].dates), len(one[1].exceptions)))


def _from(new_recurrence: Recurrence, start: datetime, live: set[datetime], zone: str) -> tuple[datetime, Recurrence]:
    walked = recurrence.walk(replace(new_recurrence, dates=(), exceptions=()), start, zone)
    if new_occurrences.is_endless(new_recurrence):
        walked = takewhile(max(live).__ge__, walked)
    given = set(islice(walked, 10 * new_occurrences.MOST))
    missing = given.union(local_times(new_recurrence.exceptions, start, zone)) - live
    return start, Recurrence(new_recurrence.rule, tuple(sorted(live - given)), tuple(sorted(missing)))


def _set_filled(edit: SeriesEdit, live: Sequence[Event]) -> None:
    if not new_occurrences.is_endless(edit.recurrence):
        edit.series.filled_to = series.COMPLETE
        return
    reached = edit.series.filled_to if edit.series.filled_to != series.COMPLETE else ""
    edit.series.filled_to = max(live[-1].original_start, reached)


def _mark_overrides(edit: SeriesEdit, live: Sequence[Event]) -> None:
    targets = links.targets_of_many(edit.work.session, [event.id for event in live])
    for event in live:
        expected = new_occurrences.occurrence(edit.work, edit.series, dates.from_text(event.original_start))
        expected.slug = new_occurrences.dated(edit.template.slug, event.original_start)
        event.own_fields = []
        shared_fields.mark_overrides(event, (*COMPARED, *defined_in(event, expected)), expected)
        shared_fields.mark_link_overrides(
            event, {kind: found[event.id] for kind, found in targets.items()}, edit.series.template
        )
