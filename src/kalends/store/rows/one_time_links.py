"""Links for one use as rows."""

from kalends.store.engine.store import Session
from kalends.store.rows import sequence
from kalends.store.rows.records import OneTimeLink, columns, from_row, to_row

_LINK = ", ".join(f'"{name}"' for name in columns(OneTimeLink))


def insert(session: Session, link: OneTimeLink) -> None:
    """A new link gets the next number."""
    link.id = sequence.next_number(session, "link")
    session.insert("one_time_link", to_row(link))


def find(session: Session, digest: bytes, now: str) -> OneTimeLink | None:
    """The link with this digest, while it is valid."""
    row = session.one(f"SELECT {_LINK} FROM one_time_link WHERE digest = ? AND expires_utc > ?", (digest, now))
    return None if row is None else from_row(OneTimeLink, row)


def valid(session: Session, now: str) -> list[OneTimeLink]:
    rows = session.all(f"SELECT {_LINK} FROM one_time_link WHERE expires_utc > ? ORDER BY id DESC", (now,))
    return [from_row(OneTimeLink, row) for row in rows]


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM one_time_link WHERE id = ?", (id,))


def delete_of_user(session: Session, user: int, purpose: str = "") -> None:
    """All of them, or those for one purpose."""
    session.run("DELETE FROM one_time_link WHERE \"user\" = ? AND ? IN ('', purpose)", (user, purpose))


def forget_expired(session: Session, now: str) -> None:
    session.run("DELETE FROM one_time_link WHERE expires_utc <= ?", (now,))
