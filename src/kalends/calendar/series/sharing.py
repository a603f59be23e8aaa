"""Gives what all dates of a series have in common to very many of them, some in each transaction, so that no other
writer waits long.

The first transaction changes the template and the date through which the change was made, and adds a task that says
which fields the other dates are still to take over. They follow in further transactions, before the client is
answered; what a kill leaves, or of very many dates the rest, is done as work for later. Any number of processes may
do it: each looks again under the writers' lock, and a date that has a field for itself keeps it. Whatever else
changes the whole series meanwhile takes over what is left in its own transaction (`SeriesEdit.load`).
"""

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import accumulate

import msgspec

from kalends.calendar.access import ANONYMOUS, may_edit, require
from kalends.calendar.background.kinds import Done, Kind, Run
from kalends.calendar.series import fields, following, occurrences
from kalends.calendar.storing import batches
from kalends.calendar.transactions import PAUSE, Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.languages import N_
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import event_batches, series, tasks
from kalends.store.rows.event_batches import Change
from kalends.store.rows.records import Event, Series
from kalends.values import dates
from kalends.values.custom_fields import PREFIX

TASK = "series-dates"
TOGETHER = 3  # times the dates of a step: so many are changed in one transaction
PATIENCE = timedelta(seconds=30)  # until another process goes on with it
# Of these, dates that differ for a moment decide nothing: not where they are, nor what later ones get.
IN_STEPS = frozenset(fields.SHARED) - fields.PLACING - following.FOLLOWED

Targets = Mapping[str, Sequence[int]]

log = logging.getLogger("kalends")


class Left(msgspec.Struct, frozen=True):
    """What dates are still to take over from the template: columns or custom fields, and kinds of links; and who
    changed it."""

    names: list[str]
    kinds: list[str]
    user: int

    def take_over(self, event: Event, template: Event, kept: set[str] | None = None) -> None:
        """`kept`: what else a date keeps besides its own."""
        for name in self.names:
            if name not in event.own_fields and name not in (kept or ()):
                fields.put(event, name, fields.value_of(template, name))


def work_for_later(transactions: Transactions) -> Kind:
    """Goes on with changes that a process has not finished."""

    def run(run: Run) -> Done:
        steps = Steps(transactions, int(run.task.key))
        while steps.next():
            run.pause()
        return Done()

    return Kind(TASK, N_("Dates of series"), run)


def is_long(work: UnitOfWork, before: Event, event: Event, names: set[str]) -> bool:
    """Whether a change of these fields of all dates is made in steps. What an import changes is one transaction: it
    notes what it is to undo."""
    if not all(name in IN_STEPS or name.startswith(PREFIX) for name in names):
        return False
    together = TOGETHER * min(occurrences.at_once(before), occurrences.at_once(event))
    return work.session.series_before is None and series.count(work.session, event.series or 0) > together


def begin(work: UnitOfWork, before: Event, event: Event, names: set[str], targets: Targets) -> None:
    """Changes the template and one date, and leaves the others to `finish`."""
    found = series.find(work.session, event.series or 0)
    if found is None:
        raise LookupError(event.series)
    _require_rights(work, found)
    old = msgspec.structs.replace(found.template.event)
    share(found, event, names, targets)
    _bound_text(work, found, old)
    series.update(work.session, found)
    event.own_fields = [name for name in event.own_fields if name not in {*names, *targets}]
    batches.update(work, [Change(before, event, targets)])
    left, user = pending(work.session, found.id), work.caller.user
    left = Left(
        sorted({*(left.names if left else ()), *names}), sorted({*(left.kinds if left else ()), *targets}), user
    )
    due = dates.text(work.now + PATIENCE)
    tasks.add(work.session, TASK, str(found.id), due, msgspec.json.encode(left).decode())
    work.unfinished.add(found.id)


def share(found: Series, event: Event, names: set[str], targets: Targets) -> None:
    """Gives the template these fields and links of a date."""
    found.template.links |= {kind: list(ids) for kind, ids in targets.items()}
    for name in names:
        fields.put(found.template.event, name, fields.value_of(event, name))


def pending(session: Session, id: int) -> Left | None:
    """What the dates of a series are still to take over."""
    task = tasks.find(session, TASK, str(id))
    return None if task is None else msgspec.json.decode(task.payload, type=Left)


def forget(session: Session, id: int) -> None:
    """After the dates have taken everything over."""
    tasks.remove(session, TASK, str(id))


def links_left(work: UnitOfWork, found: Series, events: Sequence[Event], kinds: Sequence[str]) -> dict[int, Targets]:
    """The links that dates are to have and do not have yet, by id."""
    if not kinds or not events:
        return {}
    wanted = occurrences.links_of_template(work, found)
    known = event_batches.links_of_all(work.session, [event.id for event in events])
    missing: dict[int, Targets] = {}
    for event in events:
        given = event_batches.given_targets(known[event.id])
        taken = {kind: wanted.get(kind, []) for kind in kinds if kind not in event.own_fields}
        if differing := {kind: ids for kind, ids in taken.items() if given[kind] != ids}:
            missing[event.id] = differing
    return missing


def finish(transactions: Transactions, id: int) -> bool:
    """Changes the other dates before the client hears of it; of very many, the rest is left to the background, and so
    is what fails. False: there was nothing to change."""
    steps = Steps(transactions, id)
    try:
        while steps.visited < occurrences.MOST and steps.next():
            time.sleep(PAUSE)
    except StoreUnavailable as error:
        log.warning("the other dates of the series %d are changed later: %s", id, error)
        return True
    return steps.visited > 0


class Steps:
    """A walk over the dates of a series by their numbers, which no other change moves."""

    def __init__(self, transactions: Transactions, id: int) -> None:
        self.visited = 0
        self._transactions = transactions
        self._id = id
        self._last = 0  # the number of the last date
        self._asked = 0

    def next(self) -> bool:
        """Changes the next dates in a transaction of their own; whether there is more to do."""
        with self._transactions.store.write() as session:
            task = tasks.find(session, TASK, str(self._id))
            found = series.find(session, self._id)
            if task is None or found is None:
                forget(session, self._id)
                return False
            if task.asked != self._asked:  # it is about something else as well: from the beginning
                self._asked, self._last = task.asked, 0
            left = msgspec.json.decode(task.payload, type=Left)
            settings = self._transactions.site_settings.read(session)
            session.actor, session.keeps_history = left.user, settings.history_days > 0
            work = UnitOfWork(session, ANONYMOUS, self._transactions.clock(), settings)
            events = self._some(session, found)
            if not events:
                forget(session, self._id)
                return False
            _change(work, found, events, left)
        self._last = events[-1].id
        self.visited += len(events)
        return True

    def _some(self, session: Session, found: Series) -> list[Event]:
        """The next dates, as many as are quickly changed: the index of words loses one text and gets another."""
        template = found.template.event
        events = series.next_events(session, self._id, self._last, occurrences.at_once(template))
        texts = accumulate(occurrences.text_of(event) + occurrences.text_of(template) for event in events)
        quick = [size for size in texts if size <= occurrences.TEXT_AT_ONCE]
        return events[: max(1, len(quick))]


def _change(work: UnitOfWork, found: Series, events: Sequence[Event], left: Left) -> None:
    linked = links_left(work, found, events, left.kinds)
    changes = []
    for event in events:
        before = msgspec.structs.replace(event)
        left.take_over(event, found.template.event)
        if event != before or event.id in linked:
            changes.append(Change(before, event, linked.get(event.id, {})))
    batches.update(work, changes)


def _require_rights(work: UnitOfWork, found: Series) -> None:
    """To every date, and to what the template will add to them."""
    template = found.template.event
    require(may_edit(work.caller, template), work.caller)
    for author, status in series.owners(work.session, found.id):
        require(may_edit(work.caller, msgspec.structs.replace(template, author=author, status=status)), work.caller)


def _bound_text(work: UnitOfWork, found: Series, old: Event) -> None:
    """Refuses to give much more text to many dates."""
    growth = occurrences.text_of(found.template.event) - occurrences.text_of(old)
    count = series.count(work.session, found.id)
    if growth * count > occurrences.MOST_TEXT:
        sentence = N_("is too long for an event with {dates} dates.")
        Problems({"description": FieldError(OUT_OF_BOUNDS, sentence, dates=count)}).raise_any()
