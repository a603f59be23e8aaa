"""Events that wait for review: published, sent back with a note, or declined, as they were shown. A series is decided
as a whole, unless a person chooses one of its dates. In the queue people who decide have everything, others what they
have sent themselves; a series is one row."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from kalends.calendar.access import UnitOfWork, may_review, require
from kalends.calendar.editing.dashboard import ALL_TIME
from kalends.calendar.lists import series_rows
from kalends.calendar.lists.series_rows import Row
from kalends.calendar.posts import posts
from kalends.calendar.series import operations
from kalends.calendar.storing.first_publication import comes_with, trash_companions, version
from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import Reading, read_query, read_update
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.statuses import DRAFT, PENDING, PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import reviews, series
from kalends.store.rows.records import Event, Post
from kalends.store.rows.reviews import Note, Sender
from kalends.values import markup
from kalends.values.dates import is_undated

LONGEST_NOTE = 2000
MOST_LISTED = 50
DECIDED = N_("This event is no longer waiting for review.")
CHANGED_SINCE = N_("“{name}” was changed in the meantime, so it was left as it is. Please look at it again.")
WITHOUT_DATE = N_("“{name}” has no date yet, so it was not published.")


class Decision(NamedTuple):
    """What is decided: an event, with `scope` all every date of its series that waits; and the version that was
    shown, None where none was."""

    id: int
    rev: int | None = None
    scope: str = operations.ALL


def decide(work: UnitOfWork, asked: Decision, action: str, note: str = "") -> list[Event]:
    """Publishes an event that waits for review, sends it back with a note, or declines it. What it is then: all dates
    of a series."""
    if action == "send_back":
        return send_back(work, asked, note)
    return publish(work, asked) if action == "publish" else decline(work, asked)


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
    for event in found:
        reviews.add_note(work.session, Note(event.id, work.caller.user, event.author, work.now_text, note))
    return found


def decline(work: UnitOfWork, asked: Decision) -> list[Event]:
    """Moves an event to the trash, and with it the venues and organizers that came with it."""
    found = _set_status(work, _if_unchanged(work, asked), TRASH)
    trash_companions(work, found)
    return found


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

    row: Row
    scope: str  # that a decision has
    version: int  # that is shown
    comes_with: Sequence[tuple[Kind, Post]]  # and becomes public, too
    sender: Sender | None  # of the public form


class Queue(NamedTuple):
    total: int
    pending: list[PendingRow]


def queue(work: UnitOfWork, series: int | None = None) -> Queue:
    """What waits, that which was sent first before the others; of one series each date."""
    reading = _reading(work, {} if series is None else {"series": str(series), "orderby": "start_date"})
    page, rows = series_rows.find_rows(work, reading, each_date=series is not None)
    # Who has got an event from others does not get the address of who sent it.
    senders = reviews.senders(work.session, [row.event.id for row in rows]) if may_review(work.caller) else {}
    return Queue(page.total, [_pending_row(work, row, senders.get(row.event.id)) for row in rows])


def _pending_row(work: UnitOfWork, row: Row, sender: Sender | None) -> PendingRow:
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
