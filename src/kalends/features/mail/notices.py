"""Who hears of changed events: their followers, authors, those who review, and who sent them by the public form.

It is looked up once at the end of each transaction, so that every way to change an event counts: the interface, the
admin, imports, the clock, and the steps of a long change. To those who work on the calendar a series is one event;
who follows one date of it hears of this date.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import cast

from kalends.calendar import letters
from kalends.calendar.access import SERVICE, Caller, UnitOfWork, caller_of, may_edit, may_review, visibility_of
from kalends.calendar.background.task_kinds import Done, Outcome, Run, TaskKind
from kalends.calendar.letters import LetterKind
from kalends.calendar.transactions import Transactions
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PUBLISH, TRASH
from kalends.features.mail import facts, outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import news
from kalends.features.mail.following import rows as follows
from kalends.features.mail.following import rules as following
from kalends.features.mail.letters import to_accounts, to_visitors
from kalends.features.mail.settings import MailSettings
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import links, posts, reviews, tasks, users
from kalends.store.rows.records import Event, User
from kalends.values import dates, mail_addresses

REVIEW_TASK = "review-mail"
BETWEEN = timedelta(hours=1)  # two lists of what waits for review
MOST_LISTED = 20
MOST_CHECKED = 500  # events that wait, for one list
MOST_ASKED_PER_DAY = 5  # messages to one address that sent events by the public form
# What people need not hear of.
UNREPORTED = (
    "modified_utc",
    "rev",
    "own_fields",
    "series",
    "original_start",
    "post_parent",
    "search_row",
    "trashed_from",
)

ABOUT_DECISIONS = (
    *(to_accounts.event_published, to_accounts.event_returned),
    *(to_visitors.submission_published, to_visitors.submission_returned),
)

Changes = list[tuple[Event | None, Event]]


def is_set_up(settings: Settings) -> bool:
    """Whether there is a server to send mail with. Every write asks this, so it calls nothing."""
    return isinstance(settings, MailSettings) and settings.mail_server is not None


def changed(work: UnitOfWork, *, is_part: bool) -> None:
    """Puts messages about what this transaction has changed into it. `is_part`: it goes on with a change of a series
    of which those who work on the calendar heard when it began."""
    if not letters.is_on(work.settings):
        return
    news.note_changes(work, {before.id for before, _ in work.changed_events if before is not None})
    has_lists = follows.has_lists(work.session)
    if is_part and not has_lists:
        return
    changes = _first_and_last(work)
    if has_lists:
        shown = [
            (after.id, after.rev, facts.is_listed(after))
            for before, after in changes
            if facts.is_listed(before) != facts.is_listed(after)
        ]
        follows.announce(work.session, shown)
    unheard = _recall(work, {after.id for before, after in changes if before and _waits_again(before, after)})
    if not is_part:
        _notify_people(work, _each_series_once(changes), unheard)


def _notify_people(work: UnitOfWork, changes: Changes, unheard: Collection[int]) -> None:
    """`unheard`: events that wait again after a decision of which nobody heard."""
    people = {user.id: user for user in users.all_users(work.session)} if changes else {}
    waiting, new, returned = list[Event](), list[Event](), list[Event]()
    by_author: dict[tuple[int, LetterKind], Changes] = {}
    for before, after in changes:
        if after.status == PENDING and (before is None or before.status != PENDING):
            waiting.append(after)
            new += [after] if before is None else []
        letter = _for_author(before, after)
        if letter is to_accounts.event_returned:
            returned.append(after)
        elif letter and after.author != work.caller.user and after.author in people and after.id not in unheard:
            by_author.setdefault((after.author, letter), []).append((before, after))
        if letter is to_accounts.event_published:
            _notify_sender(work, after)
    _ask_senders(work, new)
    _notify_of_return(work, returned, people)
    if waiting:
        notify_reviewers(work, waiting, people.values())
    for (author, letter), events in by_author.items():
        _notify_author(work, people[author], letter, events)


def _waits_again(before: Event, after: Event) -> bool:
    return after.status == PENDING != before.status


def _recall(work: UnitOfWork, events: Collection[int]) -> set[int]:
    """Takes back what was written about decisions on events that wait for review again, as far as it was not sent
    yet; the events of which there was something."""
    found = set[int]()
    for message in mail.unsent(work.session, [letter.name for letter in ABOUT_DECISIONS]) if events else ():
        entries = message.facts.get("entries", ())
        left = [entry for entry in entries if entry["key"] not in events]
        found |= {entry["key"] for entry in entries} & {*events}
        if left and len(left) < len(entries):
            mail.set_facts(work.session, message.id, {**message.facts, "entries": left})
        elif message.event in events or (entries and not left):
            mail.delete(work.session, message.id)
    return found


def _first_and_last(work: UnitOfWork) -> Changes:
    """Each event as it was before the transaction and is after it. What it was in between is told to nobody; a part
    of the transaction may have been undone, as an import does with a record that is refused."""
    first: dict[int, Event | None] = {}
    for before, after in work.changed_events:
        if (event := after or before) is not None:
            first.setdefault(event.id, before)
    stored = posts.find_many(work.session, EVENT.name, first)
    return [(before, cast(Event, stored[id])) for id, before in first.items() if id in stored]


def _each_series_once(changes: Changes) -> Changes:
    """Of a series the first date that was changed in each way."""
    found: dict[object, tuple[Event | None, Event]] = {}
    for before, after in changes:
        letter = _for_author(before, after)
        key = after.id if after.series is None else (after.series, letter and letter.name, after.status)
        found.setdefault(key, (before, after))
    return list(found.values())


def _for_author(before: Event | None, after: Event) -> LetterKind | None:
    """What an author hears of a change by somebody else."""
    if before is None:
        return None
    if after.status == PUBLISH != before.status:
        return to_accounts.event_published if before.status in (PENDING, DRAFT, FUTURE) else None
    if after.status in (DRAFT, TRASH) and before.status == PENDING:
        return to_accounts.event_returned
    is_same = all(
        getattr(before, name) == getattr(after, name) for name in Event.__struct_fields__ if name not in UNREPORTED
    )
    return None if is_same else to_accounts.event_changed


def _notify_author(work: UnitOfWork, author: User, letter: LetterKind, changes: Changes) -> None:
    caller = caller_of(author)
    changes = [(before, after) for before, after in changes if visibility_of(caller).can_read(after)]
    if not outbox.wants(author, letter) or not changes:
        return
    names, entries = facts.venue_names(work.session, [after for _, after in changes]), list[Facts]()
    for before, after in changes[:MOST_LISTED]:
        entry: Facts = {"key": after.id, "event": facts.event_facts(after, names.get(after.id, ""))}
        if letter is to_accounts.event_changed and before is not None:
            entry["event"]["path"] = _openable(caller, after)
            entry |= {"before": facts.event_facts(before, names.get(after.id, "")), "name": work.caller.name}
            entry["details"] = _details(before, after)
        entries.append(entry)
    content: Facts = {"entries": entries, "more": len(changes) - len(entries)}
    outbox.put(work, letter, author.email, author.language, content, user=author.id)


def _openable(caller: Caller, event: Event) -> str:
    """Where somebody can look at an event: the editor is for those who may change it."""
    if may_edit(caller, event):
        return facts.editor_of(event)
    return facts.page_of(event) if facts.is_public(event) else "/admin/events"


def _details(before: Event, after: Event) -> list[str]:
    """What else has changed, as fields of events are called."""
    differing = {name for name in Event.__struct_fields__ if getattr(before, name) != getattr(after, name)}
    shown = {"name", *facts.SEEN, "event_status", "start_utc", "end_utc", *UNREPORTED} - {"status"}
    return [field.label for field in EVENT.fields if field.stored in differing - shown]


def _notify_of_return(work: UnitOfWork, returned: Sequence[Event], people: Mapping[int, User]) -> None:
    """Of what was sent back with a note its author hears, or who sent it by the public form; without one nobody."""
    notes = reviews.notes_of(work.session, [event.id for event in returned])
    for event in returned:
        note = notes.get(event.id)
        if note is None or (note.author, note.at) != (work.caller.user, work.now_text):  # an earlier one
            continue
        content: Facts = {
            "key": event.id,
            "event": facts.event_facts(event),
            "note": note.text,
            "is_declined": event.status == TRASH,
            "name": work.caller.name,
        }
        author, letter = people.get(event.author), to_accounts.event_returned
        if author is not None and author.id != work.caller.user and outbox.wants(author, letter):
            content["event"]["path"] = "/admin/trash" if event.status == TRASH else facts.editor_of(event)
            outbox.put(work, letter, author.email, author.language, {"entries": [content]}, user=author.id)
        sender = reviews.senders(work.session, [event.id]).get(event.id)
        if sender is not None and sender.confirmed_utc:
            outbox.put(work, to_visitors.submission_returned, sender.email, sender.language, content, event=event.id)


def _ask_senders(work: UnitOfWork, new: Sequence[Event]) -> None:
    """Asks who sent an event by the public form to confirm the address; not more often than some times a day."""
    letter = to_visitors.submission_received
    for event, sender in reviews.senders(work.session, [event.id for event in new]).items():
        try:
            address = mail_addresses.checked(sender.email)
        except mail_addresses.NotAnAddress:
            continue
        if not outbox.is_enough(work, letter, address, MOST_ASKED_PER_DAY):
            path = f"{following.CONFIRM_PATH}?key={following.key_of(work.session, following.SUBMISSION, event)}"
            outbox.put(work, letter, address, sender.language, {"path": path}, event=event)


def _notify_sender(work: UnitOfWork, event: Event) -> None:
    sender = reviews.senders(work.session, [event.id]).get(event.id)
    if sender is None or not sender.confirmed_utc:
        return
    names = facts.venue_names(work.session, [event])
    content = {"event": facts.event_facts(event, names.get(event.id, ""))}
    outbox.put(work, to_visitors.submission_published, sender.email, sender.language, content, event=event.id)


def notify_reviewers(work: UnitOfWork, pending: list[Event], people: Iterable[User]) -> None:
    """At once the first time; who had a list within the last hour gets the next one an hour after it."""
    letter = to_accounts.review_waiting
    for user in people:
        caller = caller_of(user)
        if not outbox.wants(user, letter) or not may_review(caller) or user.id == work.caller.user:
            continue
        readable = [event for event in pending if visibility_of(caller).can_read(event)]
        last = min(mail.last_of(work.session, letter.name, user.id), work.now_text)  # a clock was ahead
        if last and last > dates.text(work.now - BETWEEN):
            _list_later(work, user, last, min(event.rev for event in pending))
        elif readable:
            put_list(work, user, readable, len(readable))


def _list_later(work: UnitOfWork, user: User, last: str, rev: int) -> None:
    """What waits since this change is told an hour after the last list, unless a list with more is due already."""
    found = tasks.find(work.session, REVIEW_TASK, str(user.id))
    if found is None or found.holder:
        due = dates.text(dates.from_text(last) + BETWEEN)
        tasks.add(work.session, REVIEW_TASK, str(user.id), due, str(rev))


def put_list(work: UnitOfWork, user: User, events: list[Event], total: int) -> None:
    names = facts.venue_names(work.session, events)
    shown = [facts.event_facts(event, names.get(event.id, ""), facts.editor_of(event)) for event in events]
    entries = [{"event": event} for event in shown[:MOST_LISTED]]
    content = {"entries": entries, "more": total - len(entries)}
    outbox.put(work, to_accounts.review_waiting, user.email, user.language, content, user=user.id)


def review_lists(transactions: Transactions) -> TaskKind:
    """The work of sending such lists, for the table of background work."""

    def run(run: Run) -> Outcome:
        def also(session: Session) -> None:
            settings = transactions.site_settings.read(session)
            send_list(
                UnitOfWork(session, SERVICE, transactions.clock(), settings),
                int(run.task.key),
                int(run.task.payload or 0),
            )

        return Done(also=also)

    return TaskKind(REVIEW_TASK, N_("Tell reviewers what is waiting"), run, longest=BETWEEN.total_seconds())


def send_list(work: UnitOfWork, id: int, rev: int) -> None:
    """Tells a reviewer, an hour after the last list, what began to wait with a change or after it and still does."""
    user = users.find_user(work.session, id)
    if user is None or not outbox.wants(user, to_accounts.review_waiting) or not letters.is_on(work.settings):
        return
    ids = links.pending_since(work.session, rev, MOST_CHECKED)
    found = [cast(Event, event) for event in posts.find_many(work.session, "event", ids).values()]
    readable, series = [], set[int]()
    for event in found:
        if visibility_of(caller_of(user)).can_read(event) and event.series not in series:
            readable.append(event)
            series |= {event.series} if event.series else set()
    if readable:
        put_list(work, user, readable, len(readable))
