"""Links for one use: to join as a new user, or to set a password. Each works once, and until it expires."""

import secrets
from datetime import datetime, timedelta

from kalends.calendar.accounts import users
from kalends.calendar.accounts.users import token_digest
from kalends.store.engine.store import Session
from kalends.store.rows import journal
from kalends.store.rows import one_time_links as rows
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import OneTimeLink, User
from kalends.values import dates

JOIN, PASSWORD = "join", "password"
LIFETIME = timedelta(days=7)
LONGEST_NOTE = 100
LONGEST_KEY = 100


def invite(session: Session, role: str, note: str, author: int, now: datetime) -> str:
    """A link by which somebody becomes a user with this role; its secret."""
    users.check_role(role)
    return _make(session, now, purpose=JOIN, role=role, note=note[:LONGEST_NOTE], author=author)


def reset(session: Session, user: User, author: int | None, now: datetime) -> str:
    """A link by which a user sets a new password; its secret. Earlier ones end."""
    rows.delete_of_user(session, user.id)
    return _make(session, now, purpose=PASSWORD, user=user.id, note=user.name, author=author)


def find(session: Session, key: str, now: datetime) -> OneTimeLink | None:
    if not key.isascii() or len(key) > LONGEST_KEY:
        return None
    return rows.find(session, token_digest(key), dates.text(now))


def accept(session: Session, link: OneTimeLink, name: str, password: str, now: datetime) -> User | None:
    """Uses a link up: the user who joined or has a new password; None if that user is gone or disabled."""
    user: User | None
    if link.purpose == JOIN:
        user = users.add_user(session, name, link.role, password, now)
    else:
        user = stored_users.find_user(session, link.user or 0)
        if user is None or user.disabled:
            return None
        users.change_user(session, user, now, password=password)
    rows.delete(session, link.id)
    return user


def withdraw(session: Session, id: int, now: datetime) -> None:
    rows.delete(session, id)
    journal.record(session, "link", id, journal.DELETE, public=False, at=dates.text(now))


def _make(
    session: Session,
    now: datetime,
    *,
    purpose: str,
    user: int | None = None,
    role: str = "",
    note: str = "",
    author: int | None,
) -> str:
    rows.forget_expired(session, dates.text(now))
    key = secrets.token_urlsafe(24)
    link = OneTimeLink(
        digest=token_digest(key),
        purpose=purpose,
        user=user,
        role=role,
        note=note,
        author=author,
        created_utc=dates.text(now),
        expires_utc=dates.text(now + LIFETIME),
    )
    rows.insert(session, link)
    journal.record(session, "link", link.id, journal.CREATE, public=False, at=dates.text(now))
    return key
