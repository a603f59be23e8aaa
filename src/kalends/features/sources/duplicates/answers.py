"""Possible duplicates: pairs of events that may be one, what editors answer, and how an answer is taken back.

An answer is remembered for ever. *The same*: one event stays and follows both, as the import's merge does it: what
the other one told differently is locked, what only that one told is taken over with the next read; the other one goes
to the trash. *Two events*: what waited for the answer is published. Rights are asked here.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_edit_others, require, require_to_read
from kalends.calendar.editing.trash import Listed, restore_from_trash
from kalends.calendar.series import operations
from kalends.calendar.service import Calendar
from kalends.contract.errors import NOT_IN_ENUM, ApiError, FieldError, Problems
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PENDING, PUBLISH, TRASH
from kalends.features.importing import rows as imports
from kalends.features.importing.applying.series import text_of
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.merging import Remembered
from kalends.features.importing.rows import Imported
from kalends.features.sources import rows
from kalends.features.sources.duplicates import rows as pairs
from kalends.features.sources.duplicates.rows import JOINED, OPEN, SAME, STATES, TWO, Pair
from kalends.features.sources.errors import ANSWERED, NO_DUPLICATE
from kalends.languages import N_
from kalends.store.query.editable_records import SERIES, Trashed
from kalends.store.rows import links, posts, series
from kalends.store.rows.records import Event

NOT_ONE = N_("is none of the two events.")
MOST_ALIKE = 200  # pairs of one series that one answer is for


class Before(msgspec.Struct, omit_defaults=True):
    """What an answer has changed."""

    keep: int = 0
    drop: int = 0
    series: int = 0  # that went to the trash as a whole
    records: list[Imported] = []  # as they were
    published: int = 0  # and what its status was
    status: str = PENDING
    together: list[int] = []  # other pairs that this answer was for


class Question(NamedTuple):
    """A pair with its events; of one that is joined, the record of a source in place of the other event."""

    pair: Pair
    events: Sequence[Event]
    origins: Sequence[Sequence[str]]  # of each event, the sources that it comes from
    alike: int = 0  # further pairs that the answer is for


# What editors see and answer


def questions(work: UnitOfWork, state: str, most: int, skip: int = 0) -> tuple[int, list[Question]]:
    """How many pairs there are, and some of them with their events."""
    require_to_read(may_edit_others(work.caller), work.caller)
    found = pairs.of_state(work.session, state, most, skip)
    return pairs.count(work.session, state), [_question(work, pair) for pair in found]


def find(work: UnitOfWork, id: int) -> Question:
    require_to_read(may_edit_others(work.caller), work.caller)
    pair = pairs.find(work.session, id)
    if pair is None:
        raise ApiError(NO_DUPLICATE)
    return _question(work, pair)


def counts(work: UnitOfWork) -> dict[str, int]:
    """How many pairs there are, by state."""
    require_to_read(may_edit_others(work.caller), work.caller)
    return {state: pairs.count(work.session, state) for state in STATES}


def asked_about(work: UnitOfWork, ids: Sequence[int]) -> dict[int, dict[int, str]]:
    """For some events, the open pairs that they are in, each with the name of the other event."""
    require_to_read(may_edit_others(work.caller), work.caller)
    found: dict[int, dict[int, str]] = {}
    for pair in pairs.of_events(work.session, ids):
        if pair.state != OPEN:
            continue
        events = posts.find_many(work.session, EVENT.name, [pair.event, pair.other])
        for id, other in ((pair.event, pair.other), (pair.other, pair.event)):
            if id in ids and other in events and events[other].status != TRASH:
                found.setdefault(id, {})[pair.id] = events[other].name
    return found


def answer(work: UnitOfWork, id: int, state: str, keep: int = 0) -> Question:
    """Answers a pair, and those of the same series. `keep`: the event that stays, if it is not the one that is chosen
    by itself."""
    require(may_edit_others(work.caller), work.caller)
    asked = find(work, id)
    _check(asked, state)
    if keep and keep not in [event.id for event in asked.events]:
        raise Problems({"keep": FieldError(NOT_IN_ENUM, NOT_ONE)}).error()
    others = [one for one in _alike(work, asked) if len(one.events) == 2]
    changed = _answer(work, asked, state, keep)
    for other in others:
        _answer(work, other, state, 0, is_also_asked=True)
    changed.together = [one.pair.id for one in others]
    written = msgspec.json.encode(changed).decode()
    pairs.put(work.session, _answered(work, asked.pair, state)._replace(before=written))
    return find(work, id)


def take_back(calendar: Calendar, caller: Caller, id: int) -> Question:
    """Lets a pair wait again, with everything as it was before the answer."""
    require(may_edit_others(caller), caller)
    with calendar.together():
        trashed = calendar.write(caller, _reopen, id)
        if trashed:
            restore_from_trash(calendar, caller, [Listed(one) for one in trashed])
    return calendar.read_latest(caller, find, id)


def chosen(asked: Question) -> Event:
    """The event that stays if nobody says another: one of a series, then what is public, then the older one."""
    return min(
        asked.events, key=lambda event: (event.series is None, event.status != PUBLISH, bool(event.source), event.id)
    )


def can_undo(asked: Question) -> bool:
    """Whether an answer can be taken back: who answered several at once takes them back so."""
    return asked.pair.state in (SAME, TWO) and bool(asked.pair.before)


def _question(work: UnitOfWork, pair: Pair) -> Question:
    found = posts.find_many(work.session, EVENT.name, [pair.event, pair.other])
    events = [cast(Event, found[id]) for id in (pair.event, pair.other) if id in found]
    records = pairs.records_of(
        work.session, [id for event in events for id in (event.id, event.post_parent if event.series else 0) if id]
    )
    origins = [
        list(dict.fromkeys(one.source for id in (event.id, event.post_parent) for one in records.get(id, ())))
        for event in events
    ]
    asked = Question(pair, events, origins)
    return asked._replace(alike=len(_alike(work, asked))) if pair.state == OPEN else asked


def _alike(work: UnitOfWork, asked: Question) -> list[Question]:
    """Other open pairs of the same series, with events of the same name: they are one question."""
    in_series = [event for event in asked.events if event.series is not None]
    if asked.pair.state != OPEN or len(in_series) != 1 or len(asked.events) != 2:
        return []
    of_series = pairs.dates_of(work.session, in_series[0].series or 0)
    single = next(event for event in asked.events if event.series is None)
    found = list[Question]()
    for pair in pairs.of_events(work.session, of_series):
        if pair.state != OPEN or pair.id == asked.pair.id or len(found) == MOST_ALIKE:
            continue
        known = posts.find_many(work.session, EVENT.name, [pair.event, pair.other])
        events = [cast(Event, known[id]) for id in (pair.event, pair.other) if id in known]
        is_same = any(event.id not in of_series and event.name == single.name for event in events)
        if is_same and all(event.status != TRASH for event in events):
            found.append(Question(pair, events, ()))
    return found


def _check(asked: Question, state: str) -> None:
    pair = asked.pair
    if pair.state not in (OPEN, JOINED) or (pair.state == JOINED and state == SAME):
        raise ApiError(ANSWERED)
    if len(asked.events) < (2 if pair.other else 1) or any(event.status == TRASH for event in asked.events):
        raise ApiError(ANSWERED)


def _answered(work: UnitOfWork, pair: Pair, state: str) -> Pair:
    return pair._replace(state=state, user=work.caller.user, at_utc=work.now_text)


def _answer(work: UnitOfWork, asked: Question, state: str, keep: int, *, is_also_asked: bool = False) -> Before:
    if not asked.pair.other:
        changed = _part(work, asked.pair)
    elif state == SAME:
        stays = chosen(asked)
        is_free = all(event.series is None for event in asked.events) or all(event.series for event in asked.events)
        if is_free and keep:
            stays = next((event for event in asked.events if event.id == keep), stays)
        removed = next(event for event in asked.events if event.id != stays.id)
        changed = _join(work, asked.pair, stays, removed)
    else:
        changed = _publish(work, asked.pair)
    if is_also_asked:
        written = msgspec.json.encode(changed).decode()
        pairs.put(work.session, _answered(work, asked.pair, state)._replace(before=written))
    return changed


# What an answer does


def _join(work: UnitOfWork, pair: Pair, stays: Event, removed: Event) -> Before:
    """One event stays, and is what the sources of both tell."""
    session = work.session
    is_whole = removed.series is not None
    own = [removed.id] if removed.series is None else [one.id for one in series.events(session, removed.series)]
    records = [one for some in pairs.records_of(session, own).values() for one in some]
    changed = Before(stays.id, removed.id, removed.series or 0, records)
    units = {unit for one in records for unit in merging.decode(one.digests)}
    here, there = (_digests(work, event, units) for event in (stays, removed))
    imports.put_many(
        session, [_moved(one, stays.id, here, there) for one in records if one.id == removed.id or is_whole]
    )
    if stays.status != PUBLISH and removed.status == PUBLISH:
        changed.published, changed.status = stays.id, stays.status
        _set_status(work, stays, PUBLISH)
    operations.delete(work, EVENT, removed, force=False, scope=operations.ALL if is_whole else operations.THIS)
    return changed


def _moved(record: Imported, to: int, here: merging.Digests, there: merging.Digests) -> Imported:
    """The record of another event: what that one tells differently is as it is here."""
    memory = {
        unit: Remembered(known.theirs, here.get(unit, "") if here.get(unit) == there.get(unit) else merging.LOCKED)
        for unit, known in merging.decode(record.digests).items()
    }
    return record._replace(id=to, digests=merging.encode(memory) if record.digests else "")


def _digests(work: UnitOfWork, event: Event, units: set[str]) -> merging.Digests:
    return merging.ours(event, units, cast(Mapping[str, Sequence[int]], _links(work, event)), text_of(work, event))


def _links(work: UnitOfWork, event: Event) -> dict[str, list[int]]:
    found = links.all_targets(work.session, event.id)
    return {name: found[kind.name] for name, kind in LINKED_KINDS.items()}


def _part(work: UnitOfWork, pair: Pair) -> Before:
    """What a source's record became by itself is another event: the next read brings it as one."""
    record = imports.find(work.session, pair.origin, EVENT.name, pair.external_id)
    if record is None or record.id != pair.event:
        raise ApiError(ANSWERED)
    imports.forget(work.session, pair.origin, EVENT.name, pair.external_id)
    if (source := rows.of_origin(work.session, pair.origin)) is not None:
        rows.begin_anew(work.session, source.id, work.now_text)
    return Before(records=[record])


def _publish(work: UnitOfWork, pair: Pair) -> Before:
    """Publishes what has waited for this answer, unless it waits for another one."""
    if not pair.held or any(
        one.held == pair.held and one.state == OPEN and one.id != pair.id
        for one in pairs.of_events(work.session, [pair.held])
    ):
        return Before()
    event = posts.find(work.session, EVENT.name, pair.held)
    if not isinstance(event, Event) or event.status != PENDING:
        return Before()
    _set_status(work, event, PUBLISH)
    return Before(published=event.id)


def _set_status(work: UnitOfWork, event: Event, status: str) -> None:
    scope = operations.ALL if event.series is not None else operations.THIS
    operations.update(work, EVENT, event.id, read_update(EVENT.fields, {"status": status}), scope)


def _reopen(work: UnitOfWork, id: int) -> list[Trashed]:
    """Undoes an answer but for what went to the trash, which is returned."""
    asked = find(work, id)
    if asked.pair.state not in (SAME, TWO) or not asked.pair.before:
        raise ApiError(ANSWERED)
    trashed = list[Trashed]()
    changed = msgspec.json.decode(asked.pair.before, type=Before)
    for pair in (asked.pair, *filter(None, (pairs.find(work.session, one) for one in changed.together))):
        if pair.before:
            trashed += _undo(work, pair, msgspec.json.decode(pair.before, type=Before))
    return trashed


def _undo(work: UnitOfWork, pair: Pair, changed: Before) -> list[Trashed]:
    session = work.session
    for record in changed.records:
        now = imports.find(session, record.source, record.kind, record.external_id)
        event = posts.find(session, EVENT.name, now.id) if now is not None else None
        if not pair.other and isinstance(event, Event) and now is not None and now.id != record.id:
            operations.delete(work, EVENT, event, force=False)  # it came back as another event meanwhile
    imports.put_many(session, changed.records)
    event = posts.find(session, EVENT.name, changed.published) if changed.published else None
    if isinstance(event, Event) and event.status == PUBLISH:
        _set_status(work, event, changed.status)
    state = OPEN if pair.other else JOINED
    pairs.put(session, pair._replace(state=state, user=0, at_utc=work.now_text, before=""))
    if changed.series:
        return [Trashed(SERIES, changed.series)]
    return [Trashed(EVENT.name, changed.drop)] if changed.drop else []
