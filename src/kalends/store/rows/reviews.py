"""Notes of editors about events, and senders of events from the public form, as rows."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Ids, Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table
from kalends.values import mail_addresses


class Note(NamedTuple):
    """What an editor wrote to the author of an event, who may be another one by now (`addressee`)."""

    event: int
    author: int
    addressee: int
    at: str
    text: str


class Sender(NamedTuple):
    """Who sent an event by the public form."""

    name: str
    email: str
    at: str
    language: str = ""
    confirmed_utc: str = ""  # when the address was confirmed; empty: it gets no further mail


_NOTES = Table("review_note", Note)
_SENDER = ", ".join(Sender._fields)


def add_note(session: Session, note: Note) -> None:
    _NOTES.insert(session, note, id=tables.next_number(session, "note"))


def remove_note(session: Session, event: int, author: int, at: str) -> None:
    """A note that was written with a decision that is taken back."""
    session.run("DELETE FROM review_note WHERE event = ? AND author = ? AND at = ?", (event, author, at))


def notes(session: Session, event: int) -> list[Note]:
    """Newest first."""
    return _NOTES.all(session, "event = ? ORDER BY id DESC LIMIT 50", (event,))


def notes_of(session: Session, events: Sequence[int]) -> dict[int, Note]:
    """The newest note about each of these events that has one."""
    if not events:
        return {}
    found = _NOTES.all(session, f"event {session.dialect.in_ids} ORDER BY id", [Ids(events)])
    return {note.event: note for note in found}


def add_sender(session: Session, event: int, sender: Sender) -> None:
    session.insert("submission", {"event": event} | sender._asdict())


def senders(session: Session, events: Sequence[int]) -> dict[int, Sender]:
    if not events:
        return {}
    rows = session.all(
        f"SELECT event, {_SENDER} FROM submission WHERE event {session.dialect.in_ids}",
        [Ids(events)],
    )
    return {event: Sender(*sender) for event, *sender in rows}


def confirm_sender(session: Session, event: int, at: str) -> None:
    session.run("UPDATE submission SET confirmed_utc = ? WHERE event = ? AND confirmed_utc = ''", (at, event))


def of_address(session: Session, address: str) -> list[tuple[int, Sender]]:
    """What an address has sent by the public form, by event."""
    rows = session.all(f"SELECT event, {_SENDER} FROM submission WHERE email <> ''")
    key = mail_addresses.key(address)
    return [(event, Sender(*sender)) for event, *sender in rows if _key(sender[1]) == key]


def _key(written: str) -> str:
    try:
        return mail_addresses.key(written)
    except mail_addresses.NotAnAddress:
        return ""


def forget_sender(session: Session, event: int) -> None:
    session.run("UPDATE submission SET name = '', email = '', confirmed_utc = '' WHERE event = ?", (event,))
