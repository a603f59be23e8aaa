"""The daily and weekly mails of what is new and coming, and reminders of events, as one task that never ends.

A step takes some followers. What they get is read as everybody reads it; the messages, and when the next is due, are
written in one transaction.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.calendar import letters
from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background.task_kinds import Again, Done, Outcome, Run, TaskKind
from kalends.calendar.letters import LetterKind
from kalends.calendar.service import Calendar
from kalends.features.mail import facts, outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import lists, news, rows, rules
from kalends.features.mail.following.lists import FollowedList
from kalends.features.mail.following.rows import Follow
from kalends.features.mail.letters import to_visitors
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import journal, posts
from kalends.store.rows.records import Event
from kalends.values import dates
from kalends.values.dates import furthest

TASK = "digests"
EVERY = 60.0  # seconds between two looks
AT_ONCE = 50  # followers

Lists = dict[tuple[str, str, str, int], FollowedList | None]


class PlannedLetter(NamedTuple):
    """What a follower gets, and when there is something to do next. Without a `letter` nothing is sent; without
    a `next_utc` following ends. `query`: a list as it is called now. `waits`: what is new is told later."""

    follow: Follow
    letter: LetterKind | None
    facts: Facts
    next_utc: str
    query: str = "{}"
    waits: bool = False


def digests(calendar: Calendar) -> TaskKind:
    """The work for the table of background work."""

    def run(run: Run) -> Outcome:
        now = calendar.clock()
        with calendar.store.read() as session:
            settings = calendar.site_settings.read(session)
            work = UnitOfWork(session, SERVICE, now, settings)
            waiting = _due_follows(work) if letters.is_on(settings) else []
            newest, asked = journal.last_rev(session), [follow for follow in waiting if _is_list(follow)]
            new = {rev: lists.new_since(work, rev) for rev in {follow.last_rev for follow in asked}}
        # Many follow the same list. Reading one is a transaction of its own.
        found: Lists = {}
        for follow in asked:
            if _key(follow) not in found:
                ahead = now + rules.PERIODS[follow.rhythm]
                found[_key(follow)] = lists.listed(calendar, follow, new[follow.last_rev], now, ahead, settings)
        with calendar.store.read() as session:
            planned = [_plan(UnitOfWork(session, SERVICE, now, settings), follow, found) for follow in waiting]

        def also(session: Session) -> None:
            _write(UnitOfWork(session, SERVICE, now, settings), planned, newest)
            mail.prune(session, dates.text(now - outbox.RETENTION))
            if asked:
                rows.forget_announced(session)

        return Again(due=now, also=also) if len(waiting) == AT_ONCE else Done(also=also)

    return TaskKind(TASK, N_("Write the regular mails to followers"), run, every=EVERY)


def _due_follows(work: UnitOfWork) -> list[Follow]:
    """Some followers of whom there is something to do. What would be later than can be is now: a clock was ahead."""
    far = {rhythm: dates.text(furthest(work.now, period)) for rhythm, period in rules.PERIODS.items()}
    unconfirmed = dates.text(furthest(work.now, rules.CONFIRMED_WITHIN))
    found = rows.due(work.session, work.now_text, AT_ONCE)
    return found + rows.too_far(work.session, far, unconfirmed, AT_ONCE - len(found))


def _is_list(follow: Follow) -> bool:
    return bool(follow.confirmed_utc) and follow.event is None


def _key(follow: Follow) -> tuple[str, str, str, int]:
    return (follow.query, follow.rhythm, follow.language, follow.last_rev)


def _plan(work: UnitOfWork, follow: Follow, lists: Lists) -> PlannedLetter:
    if not follow.confirmed_utc:
        is_over = follow.next_utc <= work.now_text
        until = "" if is_over else dates.text(work.now + rules.CONFIRMED_WITHIN)
        return PlannedLetter(follow, None, {}, until, follow.query)
    if follow.event is not None:
        return _plan_event(work, follow)
    found = lists[_key(follow)]
    if found is None:
        return PlannedLetter(follow, to_visitors.follow_ended, {"what": follow.what}, "")
    next_utc = min(dates.from_text(follow.next_utc), work.now) + rules.PERIODS[follow.rhythm]
    while next_utc <= work.now:  # after the service was away
        next_utc += rules.PERIODS[follow.rhythm]
    letter = to_visitors.digest if found.facts["events"] else None
    told = found.facts | {"end": rules.end_path(work.session, [follow.id])}
    return PlannedLetter(follow, letter, told, dates.text(next_utc), found.query, not found.is_there)


def _plan_event(work: UnitOfWork, follow: Follow) -> PlannedLetter:
    event = posts.find(work.session, "event", follow.event or 0)
    if not isinstance(event, Event):  # deleted a moment ago
        told = news.news_of(work.session, None, facts.GONE, follow.seen)
        return PlannedLetter(
            follow, to_visitors.event_news if told else None, {"entries": [{**(told or {}), "key": follow.id}]}, ""
        )
    if event.end_utc <= work.now_text:
        return PlannedLetter(follow, None, {}, "")  # over: the address is forgotten
    next_utc = rules.next_of_event(event, work.now)
    # One that was moved to a later day a moment ago is followed anew by the task that tells of it; what was due after
    # the start is the end, not a reminder.
    is_soon = event.start_utc <= dates.text(work.now + max(rules.REMINDERS))
    if not rules.takes_place(event, work.now) or not is_soon or follow.next_utc >= event.start_utc:
        return PlannedLetter(follow, None, {}, next_utc)
    names = facts.venue_names(work.session, [event])
    told = {
        "event": facts.public_facts(event, names.get(event.id, "")),
        "end": rules.end_path(work.session, [follow.id]),
    }
    return PlannedLetter(follow, to_visitors.reminder, told, next_utc)


def _write(work: UnitOfWork, planned: Sequence[PlannedLetter], newest: int) -> None:
    """`newest`: the last change that was looked at."""
    for follow, letter, written, next_utc, query, waits in planned:
        if not next_utc:
            current = rows.find(work.session, follow.id)
            if current is None or current.next_utc != follow.next_utc:
                continue
            if letter is None:
                rules.forget(work.session, follow)
            else:
                rules.end_with(work, follow, letter, written)
        elif rows.go_on(work.session, follow, next_utc, follow.last_rev if waits else newest, query) and letter:
            if letter is to_visitors.reminder:
                mail.forget_unsent(work.session, follow.id, letter.name)  # one that could not be sent until now
            outbox.put(work, letter, follow.address, follow.language, written, follow=follow.id, event=follow.event)
