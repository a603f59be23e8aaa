"""Tells the followers of an event what changed of what everybody can see, and when it does not take place.

A change only asks for a task of its event. The task makes the messages, some in each transaction, so that nobody who
writes waits for an event that thousands follow. They say how it is when they are made. The row of each follower has
what this one knows (`seen`), written with the message: several changes in a row are told as one, a change that was
taken back is not told, and after a kill nobody hears of one twice or never.
"""

from datetime import timedelta
from functools import partial

import msgspec

from kalends.calendar.access import SERVICE
from kalends.calendar.background.kinds import Again, Done, Kind, Outcome, Run
from kalends.calendar.mail import facts, follows, kinds, outbox
from kalends.calendar.mail.facts import Facts
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import follows as rows
from kalends.store.rows import posts, tasks
from kalends.store.rows.follows import Follow
from kalends.store.rows.records import Event
from kalends.store.rows.tasks import Task

TASK = "event-news"
STEP = 50  # followers of one transaction
WITHOUT_SERVER = timedelta(minutes=10)  # until the next look, while no server is set up

Changes = list[tuple[Event | None, Event | None]]


class Untold(msgspec.Struct, frozen=True):
    """What the task of an event has to know of the past: what followers knew who were told nothing yet, and the event
    as it was when everybody could last see it."""

    known: str
    last: Facts | None = None


def tell(work: UnitOfWork, changes: Changes) -> None:
    """`changes`: events as they were and as they are."""
    if not rows.has_any_of_events(work.session):
        return
    differing: dict[int, Event | None] = {}
    for before, after in changes:
        event = after or before
        if event is not None and facts.seen(before) != facts.seen(after):
            differing[event.id] = before
    for id in rows.followed(work.session, differing):
        _ask(work, id, differing[id])


def _ask(work: UnitOfWork, id: int, before: Event | None) -> None:
    """Asks for the task. Before it has ended, what followers knew at first is still what some of them know."""
    found = tasks.find(work.session, TASK, str(id))
    untold = _untold(found) if found is not None else Untold(facts.seen(before))
    if before is not None and facts.is_public(before):
        untold = msgspec.structs.replace(untold, last=facts.public_facts(before))
    tasks.add(work.session, TASK, str(id), work.now_text, msgspec.json.encode(untold).decode())


def event_news(calendar: Transactions) -> Kind:
    """The work for the table of background work."""

    def run(run: Run) -> Outcome:
        last = 0
        while True:
            with calendar.store.read() as session:
                is_on = outbox.is_on(calendar.site_settings.read(session))
            if not is_on:
                return Again(due=calendar.clock() + WITHOUT_SERVER)
            told = run.write(partial(_tell_some, calendar, run.task, last))
            if len(told) < STEP:
                return Done()
            last = told[-1].id
            run.pause(gives_way=True)

    return Kind(TASK, N_("Following by mail"), run, longest=WITHOUT_SERVER.total_seconds())


def _tell_some(calendar: Transactions, task: Task, last: int, session: Session) -> list[Follow]:
    """Makes the messages to some followers who do not know how the event is now. If it changes between two steps, the
    change has asked for another run, which tells those again who had their message before."""
    work = UnitOfWork(session, SERVICE, calendar.clock(), calendar.site_settings.read(session))
    found = posts.find(session, "event", int(task.key))
    event = found if isinstance(found, Event) else None
    untold, seen = _untold(tasks.find(session, TASK, task.key) or task), facts.seen(event)
    told = _told(session, event, untold)
    some = rows.not_seen(session, int(task.key), seen, last, STEP)
    for follow in some:
        if told is not None and (follow.seen or untold.known) != seen:
            _put(work, follow, told)
        next_utc = follow.next_utc if event is None else follows.next_of_event(event, work.now)
        rows.see(session, follow.id, seen, next_utc)
    return some


def _put(work: UnitOfWork, follow: Follow, told: Facts) -> None:
    told = told | {"end": follows.end_path(work, follow)}
    outbox.put(work, kinds.EVENT_NEWS, follow.address, follow.language, told, follow=follow.id, event=follow.event)


def _told(session: Session, event: Event | None, untold: Untold) -> Facts | None:
    """What a message says. Of an event that not everybody can see, nothing that it has become since."""
    if event is None or not facts.is_public(event):
        return None if untold.last is None else {"event": untold.last, "gone": True}
    venue = facts.venue_names(session, [event]).get(event.id, "")
    return {"event": facts.public_facts(event, venue), "gone": False}


def _untold(task: Task) -> Untold:
    return msgspec.json.decode(task.payload, type=Untold)
