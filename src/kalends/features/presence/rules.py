"""Who is editing an event: noted when the editor is opened, and again and again by its script while it is open.

Opening it is a read, which writes nothing: it is collected, and stored beside the requests. Each note ends by itself.
The dates of a series count as one event, since a change of one of them may be a change of all.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts import posts
from kalends.contract.kinds import EVENT
from kalends.features.presence import rows
from kalends.store.engine.store import Session
from kalends.store.rows.records import Event
from kalends.values import dates

SAID_AGAIN = timedelta(seconds=30)  # by the script
COUNTS = 3 * SAID_AGAIN
WITHOUT_SCRIPT = timedelta(minutes=10)  # from opening the editor


@dataclass(frozen=True)
class EditorOpened:
    """The note that somebody has opened an editor, to be stored when there is time for it."""

    user: int

    def __call__(self, session: Session, record: int, at: str) -> None:
        until = dates.text(dates.from_text(at) + WITHOUT_SCRIPT)
        if self.user not in rows.people(session, record, at, until):  # its script may have been quicker
            rows.note(session, record, self.user, until)


def others(work: UnitOfWork, id: int) -> tuple[int, list[int]]:
    """The record that is edited with an event, and who else edits it."""
    record = _record(work, id)
    return record, _others(work, record)


def note(work: UnitOfWork, id: int, *, is_open: bool) -> list[int]:
    """Notes that the caller is still editing an event, or has left it; who else edits it."""
    record = _record(work, id)
    rows.forget_ended(work.session, work.now_text, _latest(work.now))
    if is_open:
        rows.note(work.session, record, work.caller.user, dates.text(work.now + COUNTS))
    else:
        rows.forget(work.session, record, work.caller.user)
    return _others(work, record)


def _record(work: UnitOfWork, id: int) -> int:
    event = cast(Event, posts.writable(work, EVENT, id))
    return event.series or event.id


def _others(work: UnitOfWork, record: int) -> list[int]:
    found = rows.people(work.session, record, work.now_text, _latest(work.now))
    return [user for user in found if user != work.caller.user]


def _latest(now: datetime) -> str:
    return dates.text(now + WITHOUT_SCRIPT)
