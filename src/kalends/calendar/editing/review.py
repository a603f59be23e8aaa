"""Events that wait for review: published, sent back with a note, or declined, as they were shown. A series is decided
as a whole, unless a person chooses one of its dates. In the queue people who decide have everything, others what they
have sent themselves; a series is one row."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from kalends.calendar.access import UnitOfWork, may_review, require
from kalends.calendar.editing.dashboard import ALL_TIME
from kalends.calendar.lists import series_rows
from kalends.calendar.lists.series_rows import EventOrSeries
from kalends.calendar.posts import posts
from kalends.calendar.series import operations
from kalends.calendar.storing.first_publication import (
    UNPUBLISHED,
    comes_with,
    hide_companion,
    restore_companions,
    trash_companions,
    version,
)
from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Reading, read_query, read_update
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.statuses import DRAFT, PENDING, PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import journal, links, reviews, series
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.records import Companion, Event, Post
from kalends.store.rows.reviews import Note, Sender
from kalends.values import markup
from kalends.values.dates import is_undated

LONGEST_NOTE = 2000
MOST_LISTED = 50
DECIDED = N_("This event is no longer waiting for review.")
CHANGED_SINCE = N_("“{name}” was changed in the meantime, so it was left as it is. Please look at it again.")
DECIDED_SINCE = N_("“{name}” was changed in the meantime, so it was left as it is.")
WITHOUT_DATE = N_("“{name}” has no date yet, so it was not published.")


class Decision(NamedTuple):
    """What is decided: an event, with `scope` all every date of its series that waits; and the version that was
    shown, None where none was."""

    id: int
    rev: int | None = None
    scope: str = operations.ALL


class Decided(NamedTuple):
    """Events as they are after a decision: all dates of a series; and what takes it back: the last change, and the
    venues and organizers that became public with them, as kind, id and status before."""

    events: list[Event]
    rev: int
    companions: list[tuple[str, int, str]]


def decide(work: UnitOfWork, asked: Decision, action: str, note: str = "") -> Decided:
    """Publishes an event that waits for review, sends it back with a note, or declines it."""
    companions = list[tuple[str, int, str]]()
    if action == "send_back":
        events = send_back(work, asked, note)
    elif action == "publish":
        with_it = comes_with(work, _if_unchanged(work, asked))
        companions = [(kind.name, record.id, record.status) for kind, record in with_it]
        events = publish(work, asked)
    else:
        events = decline(work, asked, note)
    return Decided(events, journal.last_rev(work.session), companions)


def take_back(work: UnitOfWork, ids: Sequence[int], rev: int, companions: Sequence[tuple[str, int, str]]) -> Event:
    """Lets events wait again that were decided, unless somebody has changed one since (`rev`). The first of them."""
    require(may_review(work.caller), work.caller)
    events = [cast(Event, posts.writable(work, EVENT, id)) for id in ids]
    for event in events:
        if event.rev > rev or event.status == PENDING:
            _refuse(DECIDED_SINCE, event)
    for event in events:
        reviews.remove_note(work.session, event.id, work.caller.user, event.modified_utc)
    found = _set_status(work, events, PENDING)
    restore_companions(work, ids)
    for kind, id, status in companions:
        record = stored_posts.find(work.session, kind, id) if kind in KIND_OF else None
        is_same = isinstance(record, Companion) and record.status == PUBLISH and record.rev <= rev
        if is_same and status in UNPUBLISHED and not links.has_public_event(work.session, kind, id):
            hide_companion(work, kind, cast(Companion, record), status)
    return found[0]


def publish(work: UnitOfWork, asked: Decision) -> list[Event]:
    """Publishes an event, and with it the venues and organizers that came with it."""
    dates = _if_unchanged(work, asked)
    for event in dates:
        if is_undated(event.start_local, event.end_local):
            _refuse(WITHOUT_DATE, event)
    return _set_status(work, dates, PUBLISH)


def send_back(work: UnitOfWork, asked: Decision, text: str) -> list[Event]:
    """Makes an event a draft again, with a note that its author sees."""
    dates = _if_unchanged(work, asked)
    note = markup.plain(text)[:LONGEST_NOTE]
    if not note:
        Problems({"note": FieldError(EMPTY, N_("cannot be blank."))}).raise_any()
    found = _set_status(work, dates, DRAFT)
    _add_notes(work, found, note)
    return found


def decline(work: UnitOfWork, asked: Decision, text: str = "") -> list[Event]:
    """Moves an event to the trash, and with it the venues and organizers that came with it; with a note, who sent it
    hears why."""
    found = _set_status(work, _if_unchanged(work, asked), TRASH)
    trash_companions(work, found)
    if note := markup.plain(text)[:LONGEST_NOTE]:
        _add_notes(work, found, note)
    return found


def _add_notes(work: UnitOfWork, events: Sequence[Event], note: str) -> None:
    for event in events:
        reviews.add_note(work.session, Note(event.id, work.caller.user, event.author, work.now_text, note))


def notes(work: UnitOfWork, id: int) -> list[Note]:
    """The notes about an event that the caller can edit; those to an earlier author only to people who decide."""
    event, decides = posts.writable(work, EVENT, id), may_review(work.caller)
    if event.status == PUBLISH:  # what was asked for was done
        return []
    return [note for note in reviews.notes(work.session, id) if decides or note.addressee == work.caller.user]


def _if_unchanged(work: UnitOfWork, asked: Decision) -> list[Event]:
    """What is decided, if the caller may decide, nobody else has (the queue may have been open for long), and it is
    still what was shown."""
    require(may_review(work.caller), work.caller)
    event = cast(Event, posts.writable(work, EVENT, asked.id))
    rev, dates = event.rev, [event]
    if event.series is not None and asked.scope == operations.ALL:
        found = series.find(work.session, event.series)
        rev, dates = found.rev if found else rev, series.events(work.session, event.series)
    waiting = [date for date in dates if date.status == PENDING]
    if not waiting:
        _refuse(DECIDED, event)
    if asked.rev not in (None, version(work, rev, [date.id for date in waiting])):
        _refuse(CHANGED_SINCE, event)
    return waiting


def _refuse(sentence: str, event: Event) -> None:
    Problems({"event": FieldError(OUT_OF_BOUNDS, sentence, name=event.name)}).raise_any()


def _set_status(work: UnitOfWork, dates: Sequence[Event], status: str) -> list[Event]:
    """The events as they are then."""
    if dates[0].series is not None and len(dates) > 1:
        operations.change_dates(work, dates[0].series, {event.id: {"status": status} for event in dates})
    else:
        operations.update(work, EVENT, dates[0].id, read_update(EVENT.fields, {"status": status}))
    found = stored_posts.find_many(work.session, EVENT.name, [event.id for event in dates])
    return [cast(Event, found[event.id]) for event in dates]


class PendingRow(NamedTuple):
    """A row of the queue: an event, or the dates of a series that wait."""

    row: EventOrSeries
    scope: str  # that a decision has
    version: int  # that is shown
    comes_with: Sequence[tuple[Kind, Post]]  # and becomes public, too
    sender: Sender | None  # of the public form
    note: Note | None  # what was asked for before


class ReviewQueue(NamedTuple):
    total: int
    pending: list[PendingRow]


def queue(work: UnitOfWork, series: int | None = None) -> ReviewQueue:
    """What waits, that which was sent first before the others; of one series each date."""
    reading = _reading(work, {} if series is None else {"series": str(series), "orderby": "start_date"})
    page, rows = series_rows.find_rows(work, reading, each_date=series is not None)
    # Who has got an event from others does not get the address of who sent it.
    senders = reviews.senders(work.session, [row.event.id for row in rows]) if may_review(work.caller) else {}
    notes = reviews.notes_of(work.session, [row.event.id for row in rows])
    pending = [_pending_row(work, row, senders.get(row.event.id), notes.get(row.event.id)) for row in rows]
    return ReviewQueue(page.total, pending)


def _pending_row(work: UnitOfWork, row: EventOrSeries, sender: Sender | None, note: Note | None) -> PendingRow:
    dates = [row.event]
    if row.series is not None:
        ids = [date.id for date in series_rows.dates_of(work, _reading(work), [row.series.id])[row.series.id]]
        dates = [cast(Event, event) for event in stored_posts.find_many(work.session, EVENT.name, ids).values()]
    return PendingRow(
        row=row,
        scope=operations.THIS if row.series is None else operations.ALL,
        version=row.rev,
        comes_with=comes_with(work, dates),
        sender=sender,
        note=note if note and (may_review(work.caller) or note.addressee == work.caller.user) else None,
    )


def count(work: UnitOfWork) -> int:
    """How many rows the queue has."""
    return series_rows.count(work, _reading(work))


def _reading(work: UnitOfWork, more: dict[str, str] | None = None) -> Reading:
    order = {"orderby": "modified", "order": "asc", "per_page": str(MOST_LISTED)}
    own = {} if may_review(work.caller) else {"author": str(work.caller.user)}
    return read_query(
        EVENT_FILTERS, {"status": PENDING, "show_hidden": "true", **ALL_TIME, **order, **own, **(more or {})}
    )
