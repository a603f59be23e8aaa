"""Tells the followers of an event what changed of what everybody can see, and when it does not take place.

A transaction that changed events only asks for a task of each that somebody follows who knows something else of it.
The task makes the messages, some in each transaction, so that nobody who writes waits for an event that thousands
follow. They say how it is when they are made. The row of each follower has what this one knows (`seen`), written with
the message: however an event or its series was changed, in one transaction or in many, several changes in a row are
told as one, a change that was taken back is not told, and after a kill nobody hears of one twice or never.
"""

from collections.abc import Collection
from datetime import timedelta
from functools import partial

from kalends.calendar import letters
from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background import long_work
from kalends.calendar.background.task_kinds import Again, Done, Outcome, Run, TaskKind
from kalends.calendar.deadline import Deadline
from kalends.calendar.transactions import Transactions
from kalends.contract.kinds import EVENT
from kalends.features.mail import facts, outbox
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import rows, rules
from kalends.features.mail.letters import to_visitors
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import posts, tasks
from kalends.store.rows.records import Event

TASK = "event-news"
READ_AT_ONCE = 1000  # followers
WITHOUT_SERVER = timedelta(minutes=10)  # until the next look, while no server is set up


def note_changes(work: UnitOfWork, changed: Collection[int]) -> None:
    """`changed`: the events that this transaction has changed. Those that nobody follows cost one query together."""
    known = rows.known(work.session, changed) if changed else {}
    if not known:
        return
    found = posts.find_many(work.session, EVENT.name, known)
    seen = facts.seen(work.session, [event for event in found.values() if isinstance(event, Event)])
    for id, texts in known.items():
        if id not in found or texts != {seen.get(id, facts.GONE)}:  # one that was deleted is followed no longer
            tasks.add(work.session, TASK, str(id), work.now_text)


def event_news(calendar: Transactions) -> TaskKind:
    """The work for the table of background work."""

    def run(run: Run) -> Outcome:
        with calendar.store.read() as session:
            is_on = letters.is_on(calendar.site_settings.read(session))
        if not is_on:
            return Again(due=calendar.clock() + WITHOUT_SERVER)
        part = partial(_notify_some, event_id=int(run.task.key), last=[0])
        long_work.run_parts(calendar, SERVICE, part, between=partial(run.pause, low_priority=True))
        return Done()

    return TaskKind(TASK, N_("Tell followers what is new or changed"), run, longest=WITHOUT_SERVER.total_seconds())


def _notify_some(work: UnitOfWork, until: Deadline, event_id: int, last: list[int]) -> bool:
    """Makes the messages to some followers who do not know how the event is now, after the last one. If it changes
    between two parts, the change has asked for another run, which tells those again who had their message before."""
    session = work.session
    found = posts.find(session, EVENT.name, event_id)
    event = found if isinstance(found, Event) else None
    seen = facts.GONE if event is None else facts.seen(session, [event]).get(event.id, facts.GONE)
    followers, done = rows.not_seen(session, event_id, seen if event else "", last[0], READ_AT_ONCE), 0
    told = {known: news_of(session, event, seen, known) for known in {follow.seen for follow in followers}}
    for some in until.slices(followers):
        for follow in some:
            letter, news = to_visitors.event_news, told[follow.seen]
            entries = {"entries": [{**(news or {}), "key": follow.id}]}
            if event is None:  # deleted for good
                if news is None:
                    rules.forget(session, follow)
                else:
                    rules.end_with(work, follow, letter, entries)
                continue
            if news is not None:
                outbox.put(work, letter, follow.address, follow.language, entries, follow=follow.id, event=event.id)
            rows.see(session, follow.id, seen, rules.next_of_event(event, work.now))
        done, last[0] = done + len(some), some[-1].id
    return done < len(followers) or done == READ_AT_ONCE


def news_of(session: Session, event: Event | None, seen: str, known: str) -> Facts | None:
    """What a message says to who knows something else: what was known, and what it is now. Of an event that not
    everybody can see, nothing that it has become since; nothing at all where only a venue was merged into another."""
    before = facts.known(session, known)
    if event is None or seen == facts.GONE:
        return None if before is None else {"before": before, "event": {"title": before["title"]}, "gone": True}
    if before == facts.known(session, seen):
        return None
    told = facts.public_facts(event, facts.venue_names(session, [event]).get(event.id, ""))
    return {"before": before, "event": told, "gone": False}
