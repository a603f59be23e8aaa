"""Links for one use as rows."""

from kalends.store.engine.store import Session
from kalends.store.rows import tables
from kalends.store.rows.records import OneTimeLink
from kalends.store.rows.tables import Table

_LINKS = Table("one_time_link", OneTimeLink)


def insert(session: Session, link: OneTimeLink) -> None:
    """A new link gets the next number."""
    link.id = tables.next_number(session, "link")
    _LINKS.insert(session, link)


def find(session: Session, digest: bytes, now: str) -> OneTimeLink | None:
    """The link with this digest, while it is valid."""
    return _LINKS.one(session, "digest = ? AND expires_utc > ?", (digest, now))


def valid(session: Session, now: str) -> list[OneTimeLink]:
    return _LINKS.all(session, "expires_utc > ? ORDER BY id DESC", (now,))


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM one_time_link WHERE id = ?", (id,))


def delete_of_user(session: Session, user: int, purpose: str = "") -> None:
    """All of them, or those for one purpose."""
    session.run("DELETE FROM one_time_link WHERE \"user\" = ? AND ? IN ('', purpose)", (user, purpose))


def forget_expired(session: Session, now: str) -> None:
    session.run("DELETE FROM one_time_link WHERE expires_utc <= ?", (now,))
