"""Notes of editors about events, and senders of events from the public form, as rows."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Ids, Session
from kalends.store.rows import sequence


class Note(NamedTuple):
    """What an editor wrote to the author of an event."""

    event: int
    author: int
    at: str
    text: str


class Sender(NamedTuple):
    """Who sent an event by the public form."""

    name: str
    email: str
    at: str


def add_note(session: Session, note: Note) -> None:
    session.run(
        "INSERT INTO review_note (id, event, author, at, text) VALUES (?, ?, ?, ?, ?)",
        (sequence.next_number(session, "note"), *note),
    )


def notes(session: Session, event: int) -> list[Note]:
    """Newest first."""
    rows = session.all(
        "SELECT event, author, at, text FROM review_note WHERE event = ? ORDER BY id DESC LIMIT 50", (event,)
    )
    return [Note(*row) for row in rows]


def add_sender(session: Session, event: int, sender: Sender) -> None:
    session.run("INSERT INTO submission (event, name, email, at) VALUES (?, ?, ?, ?)", (event, *sender))


def senders(session: Session, events: Sequence[int]) -> dict[int, Sender]:
    if not events:
        return {}
    rows = session.all(
        f"SELECT event, name, email, at FROM submission WHERE event {session.dialect.in_ids}", [Ids(events)]
    )
    return {event: Sender(name, email, at) for event, name, email, at in rows}
