"""Possible duplicates: pairs of events that may be one, what editors answer, and how an answer is taken back.

An answer is remembered for ever. *The same*: one event stays and follows both, as the import's merge does it: what
the other one told differently is locked, what only that one told is taken over with the next read; the other one goes
to the trash. How public the one that stays is never changes by that alone (publishing.py), and of what somebody had
hidden nothing is taken over. *Two events*: what waited for the answer is published. Rights are asked here.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import (
    Caller,
    UnitOfWork,
    may_edit,
    may_edit_others,
    may_publish,
    require,
    require_to_read,
)
from kalends.calendar.editing.trash import TrashChoice, restore_from_trash
from kalends.calendar.service import Calendar
from kalends.contract.errors import NOT_IN_ENUM, ApiError, FieldError, Problems
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PENDING, TRASH
from kalends.features.sources.duplicates import joining, publishing
from kalends.features.sources.duplicates import rows as pairs
from kalends.features.sources.duplicates.joining import BeforeJoining
from kalends.features.sources.duplicates.publishing import Publication, Was
from kalends.features.sources.duplicates.rows import JOINED, OPEN, SAME, STATES, TWO, Pair
from kalends.features.sources.errors import ANSWERED, DRAFT_STAYS, NO_DUPLICATE, PUBLISHES
from kalends.languages import N_
from kalends.store.query.editable_records import Trashed
from kalends.store.rows import posts, series
from kalends.store.rows.records import Event

NOT_ONE = N_("is none of the two events.")
MOST_ALIKE = 200  # pairs of one series that one answer is for


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


def answer(work: UnitOfWork, id: int, state: str, keep: int = 0, publish: str = "") -> Question:
    """Answers a pair, and those of the same series. `keep`: the event that stays, if it is not the one that is chosen
    by itself. `publish`: the version of what becomes public, as it was shown to who says so."""
    require(may_edit_others(work.caller), work.caller)
    asked = find(work, id)
    _check(asked, state)
    if keep and keep not in [event.id for event in asked.events]:
        raise Problems({"keep": FieldError(NOT_IN_ENUM, NOT_ONE)}).error()
    others = [one for one in _alike(work, asked) if len(one.events) == 2]
    _check_rights(work, [asked, *others])
    opened = _open(work, asked, others, keep, publish) if state == SAME else []
    for other in others:
        _answer(work, other, state, 0, is_also_asked=True)
    changed = _answer(work, asked, state, keep)  # the last one: what waits for several answers has them then
    changed.opened = opened
    changed.together = [one.pair.id for one in others]
    written = msgspec.json.encode(changed).decode()
    pairs.put(work.session, _answered(work, asked.pair, state)._replace(before=written))
    return find(work, id)


def publications(work: UnitOfWork, asked: Question) -> dict[int, Publication]:
    """What becomes public if two events are the same, by the one that stays."""
    require_to_read(may_edit_others(work.caller), work.caller)
    if asked.pair.state != OPEN or len(asked.events) != 2:
        return {}
    others = _alike(work, asked)
    return {event.id: _publication(work, asked, others, event.id) for event in asked.events if can_stay(asked, event)}


def published_as_two(work: UnitOfWork, asked: Question) -> Event | None:
    """What becomes public if they are two events."""
    pair = asked.pair
    if not pair.held:
        return None
    together = {pair.id, *(one.pair.id for one in _alike(work, asked))}
    of_held = pairs.of_events(work.session, [pair.held])
    if any(one.held == pair.held and one.state == OPEN and one.id not in together for one in of_held):
        return None
    event = posts.find(work.session, EVENT.name, pair.held)
    return event if isinstance(event, Event) and event.status == PENDING else None


def take_back(calendar: Calendar, caller: Caller, id: int) -> Question:
    """Lets a pair wait again, with everything as it was before the answer."""
    require(may_edit_others(caller) and may_publish(caller), caller)
    with calendar.together():
        trashed = calendar.write(caller, _reopen, id)
        if trashed:
            restore_from_trash(calendar, caller, [TrashChoice(one) for one in trashed])
    return calendar.read_latest(caller, find, id)


def chosen(asked: Question, keep: int = 0) -> Event:
    """The event that stays: the one that somebody says, if it can; else one of a series, what is more public, what
    comes from no source, the older one."""
    said = [event for event in asked.events if event.id == keep and can_stay(asked, event)]
    return min(
        said or asked.events,
        key=lambda event: (event.series is None, -publishing.openness(event), bool(event.source), event.id),
    )


def can_stay(asked: Question, event: Event) -> bool:
    """A single event never replaces a series."""
    return event.series is not None or all(one.series is None for one in asked.events)


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


def _answer(
    work: UnitOfWork, asked: Question, state: str, keep: int, *, is_also_asked: bool = False
) -> BeforeJoining:
    if not asked.pair.other:
        changed = joining.part(work, asked.pair)
    elif state == SAME:
        stays, removed = _sides(asked, keep)
        changed = joining.join(work, stays, removed)
    else:
        changed = joining.publish_held(work, published_as_two(work, asked))
    if is_also_asked:
        written = msgspec.json.encode(changed).decode()
        pairs.put(work.session, _answered(work, asked.pair, state)._replace(before=written))
    return changed


def _sides(asked: Question, keep: int) -> tuple[Event, Event]:
    """The event that stays, and the other one."""
    stays = chosen(asked, keep)
    return stays, next(event for event in asked.events if event.id != stays.id)


def _check_rights(work: UnitOfWork, asked: Sequence[Question]) -> None:
    """An answer changes both events, with all dates of a series."""
    for one in asked:
        for event in one.events:
            dates = [event] if event.series is None else [event, *series.events(work.session, event.series)]
            require(all(may_edit(work.caller, each) for each in dates), work.caller)


def _publication(work: UnitOfWork, asked: Question, others: Sequence[Question], keep: int) -> Publication:
    sides = [_sides(asked, keep), *(_sides(other, 0) for other in others)]
    return publishing.together(publishing.publication(work, *both) for both in sides)


def _open(work: UnitOfWork, asked: Question, others: Sequence[Question], keep: int, publish: str) -> list[Was]:
    """Publishes what has to be, if that is what was shown and confirmed."""
    found = _publication(work, asked, others, keep) if asked.pair.other else Publication()
    if not found.steps:
        return []
    if found.is_refused:
        raise ApiError(DRAFT_STAYS)
    require(may_publish(work.caller), work.caller)
    if publish != found.version:
        shown = {"dates": len(found.dates), "text": found.text, "version": found.version}
        raise ApiError(PUBLISHES, {"publishes": shown})
    return publishing.publish(work, found)


def _reopen(work: UnitOfWork, id: int) -> list[Trashed]:
    """Undoes an answer but for what went to the trash, which is returned."""
    asked = find(work, id)
    if asked.pair.state not in (SAME, TWO) or not asked.pair.before:
        raise ApiError(ANSWERED)
    _check_rights(work, [asked])
    trashed = list[Trashed]()
    changed = msgspec.json.decode(asked.pair.before, type=BeforeJoining)
    for pair in (asked.pair, *filter(None, (pairs.find(work.session, one) for one in changed.together))):
        if pair.before:
            trashed += joining.undo(work, pair, msgspec.json.decode(pair.before, type=BeforeJoining))
    return trashed
