"""The words of a custom field come into the search, or leave it, when the field becomes public or is not any more.

Of many events they do so in steps, between which other writers have their turn. The change of the field adds a task,
and the events follow before the client is answered; what a kill leaves is done as work for later. From the change on,
whatever else writes an event does so as the field says now. A field that becomes public is found at more and more
events. One that is not to be public any more is so after the last of its words has left (`CustomField.hiding`):
nobody finds an event by what only editors may read. Any number of processes may do it.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import cast

import msgspec

from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.calendar.series import new_occurrences
from kalends.calendar.transactions import PAUSE, Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.features.custom_fields import rows as custom_fields
from kalends.languages import N_
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import events as stored_events
from kalends.store.rows import journal, posts, tasks
from kalends.store.rows.records import Event
from kalends.store.rows.tasks import Task
from kalends.values import dates
from kalends.values.custom_fields import key_of
from kalends.values.steps import first_within

TASK = "custom-field-words"
AT_ONCE = 25  # events of one transaction, as the index of words takes some milliseconds for each
PATIENCE = timedelta(seconds=30)  # after the last step, until another process goes on with it

log = logging.getLogger("kalends")


def work_for_later(transactions: Transactions) -> Kind:
    """Goes on with what a process has not finished."""

    def run(run: Run) -> Done:
        for _ in _steps(transactions, int(run.task.key)):
            run.pause()
        return Done()

    return Kind(TASK, N_("Custom fields"), run, longest=PATIENCE.total_seconds())


def few(session: Session, number: int) -> list[Event] | None:
    """The events that have a value of a field, if one transaction can write the words of all of them."""
    ids = custom_fields.events_with(session, number, AT_ONCE + 1)
    found = _quick(session, ids[:AT_ONCE])
    return found if len(found) == len(ids) else None


def write_now(session: Session, number: int, events: Sequence[Event]) -> None:
    """Writes the words of all events as the field is now."""
    stored_events.write_texts(session, events)
    tasks.remove(session, TASK, str(number))


def write_later(work: UnitOfWork, number: int) -> None:
    """Leaves them to `finish`, right after this transaction."""
    tasks.add(work.session, TASK, str(number), _later(work.now))


def finish(transactions: Transactions, number: int) -> None:
    """Writes what is left, before the client hears of it; what fails is left to the background."""
    try:
        for _ in _steps(transactions, number):
            time.sleep(PAUSE)
    except StoreUnavailable as error:
        log.warning("the search has the words of the custom field %d later: %s", number, error)


def _steps(transactions: Transactions, number: int) -> Iterator[None]:
    """The transactions, with a break after each. An event that is not in the list when they begin needs none."""
    with transactions.store.read() as session:
        task = tasks.find(session, TASK, str(number))
        left = sorted(custom_fields.events_with(session, number, custom_fields.ALL)) if task else []
    while task is not None:
        with transactions.store.write() as session:
            current = tasks.find(session, TASK, str(number))
            if current is None or current.asked != task.asked:
                return  # it was done, or another change of the field has begun anew
            if not left:
                _end(session, task, dates.text(transactions.clock()))
                return
            some = left[:AT_ONCE]
            events = _quick(session, some)
            if events:
                stored_events.write_texts(session, events)
            tasks.postpone(session, task, _later(transactions.clock()))
        left = [id for id in some if events and id > events[-1].id] + left[AT_ONCE:]
        yield


def _quick(session: Session, ids: Sequence[int]) -> list[Event]:
    """The first of some events, as many as are quickly written: the index loses one text of each and gets another."""
    found = posts.find_many(session, "event", ids)
    events = cast(list[Event], [found[id] for id in sorted(found)])
    sizes = (2 * new_occurrences.text_of(event) for event in events)
    return events[: first_within(sizes, new_occurrences.TEXT_AT_ONCE)]


def _end(session: Session, task: Task, now: str) -> None:
    """All events are written: a field that was to be hidden is so. Searches that are kept are asked for again."""
    tasks.remove(session, TASK, task.key)
    known = custom_fields.read(session)
    field = known.find(key_of(int(task.key)))
    if field is None:
        return
    if field.hiding:
        custom_fields.write(session, known.with_field(msgspec.structs.replace(field, public=False, hiding=False)))
    journal.record(session, custom_fields.KIND, field.number, journal.UPDATE, public=True, at=now)


def _later(now: datetime) -> str:
    return dates.text(now + PATIENCE)
