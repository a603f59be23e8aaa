"""What waits for review: for people who decide everything, for others their own. A series is one row."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from kalends.calendar.access import may_review
from kalends.calendar.lists import series_rows
from kalends.calendar.lists.series_rows import Row
from kalends.calendar.overview import ALL_TIME
from kalends.calendar.posts import history
from kalends.calendar.posts.waiting import comes_with
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.events import EVENT_FILTERS
from kalends.contract.fields import Reading, read_query
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import PENDING, PUBLISH
from kalends.store.rows import posts, reviews
from kalends.store.rows.records import Event, Post
from kalends.store.rows.reviews import Sender

MOST = 50


class Waiting(NamedTuple):
    """A row of the queue: an event, or the dates of a series that wait."""

    row: Row
    scope: str  # that a decision has
    version: int  # that is shown
    comes_with: Sequence[tuple[Kind, Post]]  # and becomes public, too
    sender: Sender | None  # of the public form
    was_public: bool


class Queue(NamedTuple):
    total: int
    waiting: list[Waiting]


def waiting(work: UnitOfWork, series: int | None = None) -> Queue:
    """What waits, that which was sent first before the others; of one series each date."""
    reading = _reading(work, {} if series is None else {"series": str(series), "orderby": "start_date"})
    page, rows = series_rows.find_rows(work, reading, each_date=series is not None)
    senders = reviews.senders(work.session, [row.event.id for row in rows])
    return Queue(page.total, [_waiting(work, row, senders.get(row.event.id)) for row in rows])


def _waiting(work: UnitOfWork, row: Row, sender: Sender | None) -> Waiting:
    dates = [row.event]
    if row.series is not None:
        ids = [date.id for date in series_rows.dates_of(work, _reading(work), [row.series.id])[row.series.id]]
        dates = [cast(Event, event) for event in posts.find_many(work.session, EVENT.name, ids).values()]
    return Waiting(
        row=row,
        scope=operations.THIS if row.series is None else operations.ALL,
        version=row.rev,
        comes_with=comes_with(work, dates),
        sender=sender,
        was_public=_was_public(work, row.event),
    )


def _was_public(work: UnitOfWork, event: Event) -> bool:
    return work.visibility.can_edit(event) and any(
        PUBLISH in edit.fields.get("status", ()) for edit in history.edits(work, EVENT, event.id).edits
    )


def _reading(work: UnitOfWork, more: dict[str, str] | None = None) -> Reading:
    order = {"orderby": "modified", "order": "asc", "per_page": str(MOST)}
    own = {} if may_review(work.caller) else {"author": str(work.caller.user)}
    return read_query(
        EVENT_FILTERS, {"status": PENDING, "show_hidden": "true", **ALL_TIME, **order, **own, **(more or {})}
    )
