"""Gives what was changed of all dates of a series to very many of them, some in each transaction, so that no other
writer waits long.

The first transaction changes the template and the date through which the change was made, and adds a task that says
what is left to the other dates (left.py): fields to take over, another status, the way to the trash or back, or the
end. They follow in further transactions, before the client is answered. What a kill leaves is done as work for later;
so is, of very many dates, the rest of a change of fields. Nobody is told that something is hidden, gone or published
before it is. Any number of processes may do it: each looks again under the writers' lock how far it came, and a date
that has a field for itself keeps it. Whatever else changes the whole series meanwhile takes over what is left in its
own transaction (`SeriesEdit.load`).
"""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta

import msgspec

from kalends.calendar.access import SERVICE
from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.calendar.fragments import rendering
from kalends.calendar.posts import posts
from kalends.calendar.series import following, new_occurrences, shared_fields
from kalends.calendar.series.pending_change import TASK, Left, Targets, forget, pending, remove
from kalends.calendar.storing import batches
from kalends.calendar.transactions import PAUSE, Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import event_batches, journal, series, tasks
from kalends.store.rows.event_batches import Change
from kalends.store.rows.records import Event, Series
from kalends.values import dates
from kalends.values.steps import first_within

TOGETHER = 3  # times the dates of a step: so many are changed in one transaction
LONGEST = 0.2  # seconds of a step, after which the next one is shorter
PATIENCE = timedelta(seconds=30)  # until another process goes on with it

log = logging.getLogger("kalends")


def work_for_later(transactions: Transactions) -> Kind:
    """Goes on with changes that a process has not finished."""

    def run(run: Run) -> Done:
        steps = Steps(transactions, int(run.task.key))
        while steps.next():
            run.pause()
        return Done()

    return Kind(TASK, N_("Dates of series"), run, longest=PATIENCE.total_seconds())


def is_long(work: UnitOfWork, id: int, *texts: Event) -> bool:
    """Whether a change of all dates of a series is made in steps. What an import changes is one transaction: it notes
    what it is to undo."""
    together = TOGETHER * min(new_occurrences.at_once(text) for text in texts)
    return work.session.series_before is None and series.count(work.session, id) > together


def share(found: Series, event: Event, names: set[str], targets: Targets) -> None:
    """Gives the template these fields and links of a date."""
    found.template.links |= {kind: list(ids) for kind, ids in targets.items()}
    for name in names:
        shared_fields.put(found.template.event, name, shared_fields.value_of(event, name))


def links_left(work: UnitOfWork, found: Series, events: Sequence[Event], kinds: Sequence[str]) -> dict[int, Targets]:
    """The links that dates are to have and do not have yet, by id."""
    if not kinds or not events:
        return {}
    wanted = new_occurrences.links_of_template(work, found)
    known = event_batches.links_of_all(work.session, [event.id for event in events])
    missing: dict[int, Targets] = {}
    for event in events:
        given = event_batches.given_targets(known[event.id])
        taken = {kind: wanted.get(kind, []) for kind in kinds if kind not in event.own_fields}
        if differing := {kind: ids for kind, ids in taken.items() if given[kind] != ids}:
            missing[event.id] = differing
    return missing


def given_to(found: Series, events: Sequence[Event], left: Left) -> set[str]:
    """The times of these dates that the rule gives, where they decide about what comes back."""
    if not left.restores:
        return set()
    starts = {event.original_start for event in events}
    return new_occurrences.given(new_occurrences.recurrence_of(found), found.template.event, starts)


def finish(transactions: Transactions, id: int) -> "Steps":
    """Changes the other dates before the client hears of it; of very many, the rest of a change of fields is left to
    the background, and so is what fails."""
    steps = Steps(transactions, id)
    try:
        while (steps.visited < new_occurrences.MOST or steps.is_awaited) and steps.next():
            time.sleep(PAUSE)
        steps.may_fill = steps.visited == 0 or steps.is_awaited
    except StoreUnavailable as error:
        log.warning("the other dates of the series %d are changed later: %s", id, error)
    return steps


class Steps:
    """A walk over the dates of a series by their numbers, which no other change moves."""

    def __init__(self, transactions: Transactions, id: int) -> None:
        self.visited = 0
        self.is_awaited = False  # whether the client is answered after the last step
        self.may_fill = False  # whether the series may have new dates to make
        self.own: list[range] = []  # the revisions of the steps
        self._transactions = transactions
        self._id = id
        self._most = new_occurrences.AT_ONCE  # dates of the next step; fewer on a machine that is slow just now

    def next(self) -> bool:
        """Changes the next dates in a transaction of their own; whether there is more to do."""
        with self._transactions.store.write() as session:
            began, first = time.monotonic(), journal.last_rev(session) + 1
            left, found = pending(session, self._id), series.find(session, self._id)
            if left is None or found is None:
                forget(session, self._id)
                return False
            self.is_awaited = self.is_awaited or left.is_awaited
            settings = self._transactions.site_settings.read(session)
            session.actor, session.keeps_history = left.user, settings.history_days > 0
            work = UnitOfWork(session, SERVICE, self._transactions.clock(), settings)
            events = self._some(session, found, left)
            rest: Left | None = left.after_date(events[-1].id) if events else left
            if left.deletes:
                rest = None if _delete(work, found, events) else rest
            elif events:
                _change(work, found, events, left)
            else:
                rest = _end(work, found, left)
            self._transactions.call_hooks(work, is_part=True)
            self.own.append(range(first, journal.last_rev(session) + 1))
            if rest is not None:
                tasks.go_on(session, TASK, str(self._id), rest.encoded())
            took = time.monotonic() - began
        self.visited += len(events)
        self._most = max(1, len(events) // 2) if took > LONGEST else min(new_occurrences.AT_ONCE, 2 * self._most)
        return rest is not None

    def _some(self, session: Session, found: Series, left: Left) -> list[Event]:
        """The next dates, as many as are quickly changed: the index of words loses one text and gets another."""
        template = found.template.event
        most = min(self._most, new_occurrences.at_once(template))
        events = series.next_events(session, self._id, left.after, most)
        sizes = (new_occurrences.text_of(event) + new_occurrences.text_of(template) for event in events)
        return events[: first_within(sizes, new_occurrences.TEXT_AT_ONCE)]


def ask(work: UnitOfWork, id: int, left: Left) -> None:
    """Leaves something to the dates of a series, besides what was left to them before."""
    before = pending(work.session, id)
    left = left if before is None else before.followed_by(left)
    tasks.add(work.session, TASK, str(id), dates.text(work.now + PATIENCE), left.encoded())
    work.unfinished.add(id)


def _change(work: UnitOfWork, found: Series, events: Sequence[Event], left: Left) -> None:
    linked = links_left(work, found, events, left.kinds)
    given = given_to(found, events, left)
    changes = []
    for event in events:
        before = msgspec.structs.replace(event)
        left.take_over(work, event, found.template.event, given)
        if event != before or event.id in linked or left.renews:
            changes.append(Change(before, event, linked.get(event.id, {})))
    batches.update(work, changes)
    if left.is_followed:
        rendering.render_series(work.session, work.settings, found)


def _end(work: UnitOfWork, found: Series, left: Left) -> Left | None:
    """After the last date; what is left even then."""
    first = series.first_event(work.session, found.id, but=left.removes)
    if (left.parent or left.removes) and first is not None and first[0] != left.parent:
        # Another date has become the first meanwhile, or the one that is about to go was.
        return msgspec.structs.replace(left, parent=first[0], after=0)
    forget(work.session, found.id)
    going = {one.id: one for id in left.removes for one in series.next_events(work.session, found.id, id - 1, 1)}
    for event in going.values():
        if event.id in left.removes and event.status == TRASH:
            posts.delete_for_good(work, EVENT, event)
            series.record_change(work.session, found.id, event.rev)
    if left.removes and not series.count(work.session, found.id):
        remove(work, found)
        return None
    if left.is_followed:
        following.follow_stored(work, found)
        rendering.render_series(work.session, work.settings, found)
    return None


def _delete(work: UnitOfWork, found: Series, events: Sequence[Event]) -> bool:
    """Deletes dates for good; after the last one the first of all, which is the parent of the others, and then the
    series. Whether it is gone."""
    going = [event for event in events if event.post_parent]
    if not events:
        going = series.next_events(work.session, found.id, 0, new_occurrences.AT_ONCE)
    for event in going:
        posts.delete_for_good(work, EVENT, event)
    if events or series.count(work.session, found.id):
        return False
    remove(work, found)
    return True
