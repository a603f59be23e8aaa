"""Events that wait for review: published, or sent back with a note."""

from kalends.calendar.access import may_review, require
from kalends.calendar.posts import posts
from kalends.calendar.posts.waiting import take_along
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import EMPTY, OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import DRAFT, PENDING, PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import reviews
from kalends.store.rows.records import Event, Post
from kalends.store.rows.reviews import Note
from kalends.values import markup

LONGEST_NOTE = 2000
DECIDED = N_("This event does not wait for review any more.")


def publish(work: UnitOfWork, id: int) -> Post:
    """Publishes an event, and with it the venues and organizers that came with it."""
    _check(work, id)
    return operations.update(work, EVENT, id, read_update(EVENT.fields, {"status": PUBLISH}))


def send_back(work: UnitOfWork, id: int, text: str) -> Post:
    """Makes an event a draft again, with a note that its author sees."""
    _check(work, id)
    note = markup.plain(text)[:LONGEST_NOTE]
    if not note:
        Problems({"note": FieldError(EMPTY, N_("cannot be blank."))}).raise_any()
    event = operations.update(work, EVENT, id, read_update(EVENT.fields, {"status": DRAFT}))
    reviews.add_note(work.session, Note(id, work.caller.user, work.now_text, note))
    return event


def decline(work: UnitOfWork, id: int) -> Post:
    """Moves an event to the trash, and with it the venues and organizers that came with it."""
    _check(work, id)
    event = operations.update(work, EVENT, id, read_update(EVENT.fields, {"status": TRASH}))
    assert isinstance(event, Event)
    take_along(work, [event])
    return event


def _check(work: UnitOfWork, id: int) -> None:
    """The caller may decide, and nobody else has: the queue may have been open for long."""
    require(may_review(work.caller), work.caller)
    if posts.writable(work, EVENT, id).status != PENDING:
        Problems({"event": FieldError(OUT_OF_BOUNDS, DECIDED)}).raise_any()


def notes(work: UnitOfWork, id: int) -> list[Note]:
    """The notes about an event that the caller can edit."""
    posts.writable(work, EVENT, id)
    return reviews.notes(work.session, id)
