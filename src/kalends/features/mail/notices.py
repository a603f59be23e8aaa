"""Who hears of changed events: their followers, authors, those who review, and who sent them by the public form.

It is looked up once at the end of each transaction, so that every way to change an event counts: the interface, the
admin, imports, the clock, and the steps of a long change. To those who work on the calendar a series is one event;
who follows one date of it hears of this date.
"""

from collections.abc import Iterable
from datetime import timedelta

from kalends.calendar.access import may_review, visibility_of
from kalends.calendar.accounts.users import caller_of
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PUBLISH
from kalends.features.mail import facts, outbox
from kalends.features.mail import letter_kinds as kinds
from kalends.features.mail import rows as mail
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import news
from kalends.store.rows import posts, reviews, tasks, users
from kalends.store.rows.records import Event, User
from kalends.values import dates

REVIEW_TASK = "review-mail"
BETWEEN = timedelta(hours=1)  # two lists of what waits for review
MOST_LISTED = 20
# What people need not hear of.
UNTOLD = (
    "modified_utc",
    "rev",
    "own_fields",
    "series",
    "original_start",
    "post_parent",
    "search_row",
    "trashed_from",
)

Changes = list[tuple[Event | None, Event | None]]


def tell(work: UnitOfWork, *, is_step: bool = False) -> None:
    """Puts messages about what this transaction has changed into it. `is_step`: it goes on with a change of a series
    of which those who work on the calendar heard when it began."""
    if not work.changed_events or not outbox.is_on(work.settings):
        return
    news.tell(work, {before.id for before, _ in work.changed_events if before is not None})
    changes = [] if is_step else _first_and_last(work.changed_events)
    work.changed_events.clear()
    if not changes:
        return
    # A part of the transaction may have been undone, as an import does with a record that is refused.
    stored = posts.find_many(work.session, EVENT.name, [after.id for _, after in changes if after is not None])
    people = {user.id: user for user in users.all_users(work.session)}
    waiting, by_author = [], dict[tuple[int, str], list[Event]]()
    for before, after in changes:
        if after is None or after.id not in stored or stored[after.id].rev != after.rev:
            continue
        if after.status == PENDING and (before is None or before.status != PENDING):
            waiting.append(after)
        kind = _kind_for_author(before, after)
        if kind and after.author != work.caller.user and after.author in people:
            by_author.setdefault((after.author, kind), []).append(after)
        if kind == kinds.EVENT_PUBLISHED:
            _tell_sender(work, after)
    if waiting:
        tell_reviewers(work, waiting, people.values())
    for (author, kind), events in by_author.items():
        _tell_author(work, people[author], kind, events)


def _first_and_last(changed: Changes) -> Changes:
    """Each event as it was at first and is at last; of a series the first date that was changed."""
    found: dict[int, tuple[Event | None, Event | None]] = {}
    for before, after in changed:
        event = after or before
        assert event is not None
        found[event.id] = (found[event.id][0] if event.id in found else before, after)
    series: dict[tuple[int, str], None] = {}
    kept: Changes = []
    for before, after in found.values():
        event = after or before
        if event is not None and event.series is not None and after is not None:
            key = (event.series, _kind_for_author(before, after) + after.status)
            if key in series:
                continue
            series[key] = None
        kept.append((before, after))
    return kept


def _kind_for_author(before: Event | None, after: Event) -> str:
    """What an author hears of a change by somebody else; empty for nothing."""
    if before is None:
        return ""
    if after.status == PUBLISH != before.status:
        return kinds.EVENT_PUBLISHED if before.status in (PENDING, DRAFT, FUTURE) else ""
    if after.status in (DRAFT, "trash") and before.status == PENDING:
        return ""  # with a note, or not at all: `tell_returned`
    is_same = all(
        getattr(before, name) == getattr(after, name) for name in Event.__struct_fields__ if name not in UNTOLD
    )
    return "" if is_same else kinds.EVENT_CHANGED


def _tell_author(work: UnitOfWork, author: User, kind: str, events: list[Event]) -> None:
    events = [event for event in events if visibility_of(caller_of(author)).can_read(event)]
    if not wants(author, kind) or not events:
        return
    names = facts.venue_names(work.session, events)
    shown = [facts.event_facts(event, names.get(event.id, "")) for event in events[:MOST_LISTED]]
    if kind == kinds.EVENT_CHANGED:
        for one, event in zip(shown, events, strict=False):
            one["path"] = facts.editor_of(event)
    told: Facts = {"events": shown, "total": len(events), "name": work.caller.name}
    outbox.put(work, kind, author.email, author.language, told, user=author.id)


def tell_returned(work: UnitOfWork, event: Event, note: str) -> None:
    """An event was sent back with a note: its author hears of it, or who sent it by the public form."""
    if not outbox.is_on(work.settings):
        return
    told: Facts = {
        "event": facts.event_facts(event),
        "note": note,
        "name": work.caller.name,
        "edit": facts.editor_of(event),
    }
    author = users.find_user(work.session, event.author)
    if author is not None and author.id != work.caller.user and wants(author, kinds.EVENT_RETURNED):
        outbox.put(work, kinds.EVENT_RETURNED, author.email, author.language, told, user=author.id)
    sender = reviews.senders(work.session, [event.id]).get(event.id)
    if sender is not None and sender.confirmed_utc:
        outbox.put(work, kinds.SUBMISSION_RETURNED, sender.email, sender.language, told, event=event.id)


def _tell_sender(work: UnitOfWork, event: Event) -> None:
    sender = reviews.senders(work.session, [event.id]).get(event.id)
    if sender is None or not sender.confirmed_utc:
        return
    names = facts.venue_names(work.session, [event])
    told = {"event": facts.event_facts(event, names.get(event.id, ""))}
    outbox.put(work, kinds.SUBMISSION_PUBLISHED, sender.email, sender.language, told, event=event.id)


def wants(user: User, kind: str) -> bool:
    return bool(user.email) and not user.disabled and kind not in user.mail_off.split()


def tell_reviewers(work: UnitOfWork, waiting: list[Event], people: Iterable[User]) -> None:
    """At once the first time; who had a list within the last hour gets the next one an hour after it."""
    for user in people:
        caller = caller_of(user)
        if not wants(user, kinds.REVIEW_WAITING) or not may_review(caller) or user.id == work.caller.user:
            continue
        readable = [event for event in waiting if visibility_of(caller).can_read(event)]
        last = min(mail.last_of(work.session, kinds.REVIEW_WAITING, user.id), work.now_text)  # a clock was ahead
        if last and last > _text(work, -BETWEEN):
            _list_later(work, user, last, min(event.rev for event in waiting))
        elif readable:
            put_list(work, user, readable, len(readable))


def _list_later(work: UnitOfWork, user: User, last: str, rev: int) -> None:
    """What waits since this change is told an hour after the last list, unless a list with more is due already."""
    found = tasks.find(work.session, REVIEW_TASK, str(user.id))
    if found is None or found.holder:
        tasks.add(work.session, REVIEW_TASK, str(user.id), _after(last), str(rev))


def put_list(work: UnitOfWork, user: User, events: list[Event], total: int) -> None:
    names = facts.venue_names(work.session, events)
    shown = [facts.event_facts(event, names.get(event.id, ""), facts.editor_of(event)) for event in events]
    told = {"events": shown[:MOST_LISTED], "total": total}
    outbox.put(work, kinds.REVIEW_WAITING, user.email, user.language, told, user=user.id)


def _text(work: UnitOfWork, by: timedelta) -> str:
    return dates.text(work.now + by)


def _after(at: str) -> str:
    return dates.text(dates.from_text(at) + BETWEEN)
