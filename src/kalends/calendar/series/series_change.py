"""What a change of a series writes to its dates: all in the transaction of the change, or the rest of it in parts.

A change is computed of the whole series in memory (edit.py, changing.py), so it is refused before anything is
written. What does not fit into its transaction follows in further ones, before the client is answered (long_work.py).
Whatever else changes the series or one of its dates, meanwhile or after a kill, first writes what is left (`settle`).
"""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts import posts
from kalends.calendar.series import following, new_occurrences, shared_fields
from kalends.calendar.storing import batches, rendering
from kalends.contract.kinds import EVENT
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import events as stored_events
from kalends.store.rows import fragments, history, redirects, series
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.events import EventChange, Targets
from kalends.store.rows.records import DEFINED, Event, Series, defined_in, put, value_of

BY_THE_WAY = frozenset({"rev", "modified_utc", DEFINED})


class SeriesChange(msgspec.Struct):
    """What dates are still to have. What they have in common is that of the template, which other changes keep right
    meanwhile: a venue that is merged, a picture that is deleted."""

    series: int
    names: list[str]  # columns and defined fields of the template, for dates that have none of their own
    kinds: list[str]  # its links, likewise
    dates: dict[int, dict[str, Any]]  # the columns that each date is to have besides
    removed: list[int]  # dates that are deleted for good, in this order

    def apply(self, event: Event, template: Event) -> None:
        """Gives a date what it is to have."""
        values = self.dates.pop(event.id)
        # An event that becomes a single one has nothing of its own any more, but keeps it.
        own = event.own_fields if "series" in values else values.get("own_fields", event.own_fields)
        for name in self.names:
            if name not in own:
                put(event, name, value_of(template, name))
        for column, value in values.items():
            setattr(event, column, value)


def store(
    work: UnitOfWork, found: Series, changes: Sequence[EventChange], asked: Collection[int], until: Deadline
) -> None:
    """Stores changed dates of a series: as many as fit into this transaction, and those of `asked` in any case."""
    done = 0
    for some in until.slices(changes, _texts):
        batches.update(work, some)
        done += len(some)
    rest = [one for one in changes[done:] if one.after.id not in asked]
    batches.update(work, [one for one in changes[done:] if one.after.id in asked])
    if rest:
        _leave(work, found, [one.after.id for one in rest], _rest_of(found, rest))


def _leave(work: UnitOfWork, found: Series, dates: Sequence[int], rest: SeriesChange) -> None:
    """Leaves the rest of a change to further transactions. The series may be a new one, split off another."""
    if found.id:
        series.update(work.session, found)
    else:
        batches.insert_series(work, found)
    series.move(work.session, dates, found.id)
    rest.series = found.id
    long_work.ask(work, CHANGE, rest)


def _texts(changes: Sequence[EventChange]) -> list[int]:
    return [new_occurrences.text_of(one.after) for one in changes]


def _rest_of(found: Series, changes: Sequence[EventChange]) -> SeriesChange:
    rest, names, kinds = SeriesChange(0, [], [], {}, []), set[str](), set[str]()
    for before, after, linked in changes:
        differing = [
            name
            for name in Event.__struct_fields__
            if name not in BY_THE_WAY and getattr(before, name) != getattr(after, name)
        ]
        taken = {
            name
            for name in (*differing, *defined_in(before, after))
            if name in shared_fields.SHARED or name not in differing
            if value_of(after, name) == value_of(found.template.event, name)
        }
        rest.dates[after.id] = {
            name: getattr(after, name)
            for name in differing
            if name not in taken and (name != "series" or after.series is None)
        }
        names |= taken
        kinds |= linked.keys()
    rest.names, rest.kinds = sorted(names), sorted(kinds)
    return rest


def delete(work: UnitOfWork, found: Series, events: Sequence[Event], until: Deadline) -> bool:
    """Deletes all dates of a series for good, and then the series; whether that fits into this transaction. The first
    date is the last to go, since it is the parent of the others."""
    going = sorted(events, key=lambda event: event.post_parent == 0)
    done = 0
    for some in until.slices(going):
        for event in some:
            posts.delete_for_good(work, EVENT, event)
        done += len(some)
    rest = [event.id for event in going[done:]]
    if not rest:
        remove(work, found)
        return True
    _leave(work, found, rest, SeriesChange(0, [], [], {}, rest))
    return False


def is_pending(session: Session, id: int) -> bool:
    """Whether dates of a series are still to be changed."""
    return long_work.pending(session, CHANGE, str(id)) is not None


def settle(work: UnitOfWork, id: int, date: int = 0) -> bool:
    """Before something else changes a series, or one date of it: what is left to be done; whether there was."""
    change = long_work.pending(work.session, CHANGE, str(id))
    if change is None:
        return False
    found = series.find(work.session, id)
    if not date or found is None or change.removed:
        long_work.whole(work, CHANGE, change)
    elif date in change.dates:
        _write(work, found, change, [date])
        long_work.note(work, CHANGE, change)
    return True


def remove(work: UnitOfWork, found: Series) -> None:
    """Deletes a series that has no events any more, unless it was never stored."""
    if found.id:
        series.delete(work.session, found.id)
        history.forget(work.session, history.SERIES, found.id, work.now_text)
        fragments.delete(work.session, found.id)
        redirects.forget(work.session, redirects.SERIES, found.id)


def _part(work: UnitOfWork, change: SeriesChange, until: Deadline) -> bool:
    found = series.find(work.session, change.series)
    if found is None:
        return False
    for some in until.slices([*change.dates], partial(stored_events.texts_of, work.session)):
        _write(work, found, change, some)
    for ids in until.slices([*change.removed]):
        for event in _events(work, change, ids):
            posts.delete_for_good(work, EVENT, event)
        del change.removed[: len(ids)]
    return bool(change.dates or change.removed)


def _write(work: UnitOfWork, found: Series, change: SeriesChange, ids: Sequence[int]) -> None:
    events = _events(work, change, ids)
    before = [msgspec.structs.replace(event) for event in events]
    for event in events:
        change.apply(event, found.template.event)
    for id in ids:
        change.dates.pop(id, None)  # it is deleted
    linked = _missing_links(work, found, events, change.kinds)
    batches.update(
        work, [EventChange(was, now, linked.get(now.id, {})) for was, now in zip(before, events, strict=True)]
    )


def _events(work: UnitOfWork, change: SeriesChange, ids: Sequence[int]) -> list[Event]:
    known = stored_posts.find_many(work.session, EVENT.name, ids)
    found = [event for id in ids if isinstance(event := known.get(id), Event)]
    return [event for event in found if event.series == change.series]


def _missing_links(
    work: UnitOfWork, found: Series, events: Sequence[Event], kinds: Sequence[str]
) -> dict[int, Targets]:
    """The links that dates are to have and do not have yet, by id."""
    if not kinds or not events:
        return {}
    wanted = new_occurrences.links_of_template(work, found)
    known = stored_events.links_of_all(work.session, [event.id for event in events])
    missing: dict[int, Targets] = {}
    for event in events:
        given = stored_events.ordered_targets(known[event.id])
        taken = {kind: wanted.get(kind, []) for kind in kinds if kind not in event.own_fields}
        if differing := {kind: ids for kind, ids in taken.items() if given[kind] != ids}:
            missing[event.id] = differing
    return missing


def _end(work: UnitOfWork, change: SeriesChange) -> None:
    found = series.find(work.session, change.series)
    if found is None:
        return
    if not series.count(work.session, found.id):
        remove(work, found)
        return
    following.follow_stored(work, found)
    rendering.render_series(work.session, work.settings, found)


CHANGE = LongWork("series-dates", N_("Change the dates of series"), SeriesChange, _part, _end)
