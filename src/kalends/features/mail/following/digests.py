"""The daily and weekly mails of what is new and coming, and reminders of events, as one task that never ends.

A step takes some followers. What they get is read as everybody reads it; the messages, and when the next is due, are
written in one transaction.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec

from kalends.calendar import letters
from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.background.task_kinds import Again, Done, Kind, Outcome, Run
from kalends.calendar.letters import LetterKind
from kalends.calendar.revisions import SiteSettings
from kalends.contract.errors import ApiError
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds.event_filters import PAGE_FILTERS
from kalends.contract.nested_parameters import nested
from kalends.features.mail import facts, outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import rows, rules
from kalends.features.mail.following.rows import WEEKLY, Follow
from kalends.features.mail.letters import to_visitors
from kalends.languages import N_
from kalends.store.engine.store import Session, Store
from kalends.store.rows import posts
from kalends.store.rows.records import Event
from kalends.values import dates, zones
from kalends.values.dates import furthest

TASK = "digests"
EVERY = 60.0  # seconds between two looks
STEP = 50  # followers
MOST_LISTED = 15

Lists = dict[tuple[str, str, str], Facts]
# Lists events as anonymous readers see them, each with the name of its venue and whether it is masked; and how many.
ListPublic = Callable[[Reading], tuple[Sequence[tuple[Event, str, bool]], int]]


class Calendar(Protocol):
    """What the work needs of a calendar."""

    store: Store
    site_settings: SiteSettings

    @property
    def clock(self) -> Callable[[], datetime]: ...


class Planned(NamedTuple):
    """What a follower gets, and when there is something to do next. Without a `letter` nothing is sent; without
    a `next_utc` following ends."""

    follow: Follow
    letter: LetterKind | None
    facts: Facts
    next_utc: str


def digests(calendar: Calendar, list_public: ListPublic) -> Kind:
    """The work for the table of background work."""

    def run(run: Run) -> Outcome:
        now = calendar.clock()
        with calendar.store.read() as session:
            settings = calendar.site_settings.read(session)
            work = UnitOfWork(session, SERVICE, now, settings)
            waiting = _due_follows(work) if letters.is_on(settings) else []
        # Many follow the same list. Reading one is a transaction of its own.
        lists: Lists = {}
        for follow in waiting:
            if follow.confirmed_utc and follow.event is None and _key(follow) not in lists:
                lists[_key(follow)] = _listed(follow, now, settings.timezone, list_public)
        with calendar.store.read() as session:
            planned = [_plan(UnitOfWork(session, SERVICE, now, settings), follow, lists) for follow in waiting]

        def also(session: Session) -> None:
            _write(UnitOfWork(session, SERVICE, now, settings), planned)
            mail.prune(session, dates.text(now - outbox.KEPT))

        return Again(due=now, also=also) if len(waiting) == STEP else Done(also=also)

    return Kind(TASK, N_("Following by mail"), run, every=EVERY)


def _due_follows(work: UnitOfWork) -> list[Follow]:
    """Some followers of whom there is something to do. What would be later than can be is now: a clock was ahead."""
    far = {rhythm: dates.text(furthest(work.now, period)) for rhythm, period in rules.PERIODS.items()}
    unconfirmed = dates.text(furthest(work.now, rules.CONFIRMED_WITHIN))
    found = rows.due(work.session, work.now_text, STEP)
    found += rows.too_far(work.session, far, unconfirmed, STEP - len(found))
    return [follow._replace(last_utc=min(follow.last_utc, work.now_text)) for follow in found]


def _key(follow: Follow) -> tuple[str, str, str]:
    return (follow.query, follow.rhythm, follow.last_utc)


def _plan(work: UnitOfWork, follow: Follow, lists: Lists) -> Planned:
    if not follow.confirmed_utc:
        is_over = follow.next_utc <= work.now_text
        return Planned(follow, None, {}, "" if is_over else dates.text(work.now + rules.CONFIRMED_WITHIN))
    if follow.event is not None:
        return _plan_event(work, follow)
    found, period = lists[_key(follow)], rules.PERIODS[follow.rhythm]
    next_utc = min(dates.from_text(follow.next_utc), work.now) + period
    while next_utc <= work.now:  # after the service was away
        next_utc += period
    told = found | {"what": follow.what, "path": follow.path, "end": rules.end_path(work, follow)}
    letter = to_visitors.digest if found["new"] or found["coming"] else None
    return Planned(follow, letter, told, dates.text(next_utc))


def _listed(follow: Follow, now: datetime, zone: str, list_public: ListPublic) -> Facts:
    """What is new since the last mail and what takes place until the next one."""
    query = nested(msgspec.json.decode(follow.query, type=dict[str, str]))
    ahead = rules.PERIODS[follow.rhythm]
    local, until = (zones.to_local(moment, zone) for moment in (now, now + ahead))
    size = {"per_page": str(MOST_LISTED)}
    try:
        soon, total = list_public(
            read_query(
                PAGE_FILTERS,
                {**query, "ends_after": dates.text(local), "starts_before": dates.text(until), **size},
            )
        )
        later, _ = list_public(
            read_query(
                PAGE_FILTERS,
                {**query, "starts_after": dates.text(until), "orderby": "date", "order": "desc", **size},
            )
        )
    except ApiError:  # what it named is gone
        soon, later, total = [], [], 0
    # A message is kept and passed on: what is behind a password is not in it, not even its title.
    total -= sum(masked for _, _, masked in soon)
    soon = [one for one in soon if not one[2]]
    new = [one for one in later if one[0].date_utc > follow.last_utc and not one[2]]
    return {
        "rhythm": follow.rhythm if follow.rhythm == WEEKLY else "daily",
        "coming": [facts.public_facts(event, venue) for event, venue, _ in soon],
        "new": [facts.public_facts(event, venue) for event, venue, _ in new],
        "total": total + len(new),
    }


def _plan_event(work: UnitOfWork, follow: Follow) -> Planned:
    event = posts.find(work.session, "event", follow.event or 0)
    if not isinstance(event, Event) or event.end_utc <= work.now_text:
        return Planned(follow, None, {}, "")  # over: the address is forgotten
    next_utc = rules.next_of_event(event, work.now)
    # One that was moved to a later day a moment ago is followed anew by the task that tells of it; what was due after
    # the start is the end, not a reminder.
    is_soon = event.start_utc <= dates.text(work.now + max(rules.REMINDERS))
    if not rules.takes_place(event, work.now) or not is_soon or follow.next_utc >= event.start_utc:
        return Planned(follow, None, {}, next_utc)
    names = facts.venue_names(work.session, [event])
    told = {
        "event": facts.public_facts(event, names.get(event.id, "")),
        "end": rules.end_path(work, follow),
    }
    return Planned(follow, to_visitors.reminder, told, next_utc)


def _write(work: UnitOfWork, planned: Sequence[Planned]) -> None:
    for follow, letter, told, next_utc in planned:
        if not next_utc:
            current = rows.find(work.session, follow.id)
            if current is not None and current.next_utc == follow.next_utc:
                rules.forget(work.session, follow)
        elif rows.go_on(work.session, follow, work.now_text, next_utc) and letter:
            if letter is to_visitors.reminder:
                mail.forget_unsent(work.session, follow.id, letter.name)  # one that could not be sent until now
            outbox.put(work, letter, follow.address, follow.language, told, follow=follow.id, event=follow.event)
