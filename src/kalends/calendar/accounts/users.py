"""Users and their credentials: passwords, application passwords and tokens."""

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kalends.calendar.access import Caller
from kalends.calendar.posts import referring
from kalends.contract.roles import ROLE_WORDS, Role
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import journal, sessions, users
from kalends.store.rows.records import Token, User
from kalends.user_error import UserError
from kalends.values import dates

TOKEN_PREFIX = "kal_"  # noqa: S105  (tells scanners for leaked secrets what it is)
BEARER, APPLICATION = "bearer", "application"
SHORTEST_PASSWORD = 8
LONGEST_NAME, LONGEST_PASSWORD = 60, 1000
USER_NAME = re.compile(r"[\w.@+-](?:[\w.@+ -]{0,58}[\w.@+-])?")

_hasher = PasswordHasher()


class BadUser(UserError, ValueError):
    """An invalid user or token; the message is one line for the person who sent it."""

    def __init__(self, message: str, field: str = "", **arguments: object) -> None:
        super().__init__(message.format(**arguments))
        self.message = message
        self.field = field  # of a form
        self.arguments = arguments


def add_user(session: Session, name: str, role: str, password: str, now: datetime) -> User:
    check_name(name)
    check_role(role)
    check_password(password)
    if users.find_user_by_name(session, name) is not None:
        raise BadUser(N_("there is a user {name} already"), field="name", name=name)
    user = User(name=name, role=role, password=hashed(password), created_utc=dates.text(now))
    users.insert_user(session, user)
    journal.record(session, "user", user.id, journal.CREATE, public=False, at=dates.text(now))
    return user


def change_user(
    session: Session,
    user: User,
    now: datetime,
    *,
    name: str | None = None,
    role: str | None = None,
    password: str | None = None,
    disabled: bool | None = None,
    language: str | None = None,
    precondition: Callable[[User], None] | None = None,
) -> User:
    """Changes the given fields of a user. Takes effect with the next request, in every process. `precondition` is
    called with the user as it was."""
    if precondition is not None:
        precondition(user)
    if name is not None and name != user.name:
        check_name(name)
        known = users.find_user_by_name(session, name)
        if known is not None and known.id != user.id:
            raise BadUser(N_("there is a user {name} already"), field="name", name=name)
        user.name = name
    if role is not None and role != user.role:
        check_role(role)
        _refuse_without_administrator(session, user)
        user.role = role
    if password is not None:
        check_password(password)
        user.password = hashed(password)
        sessions.end_all(session, user.id)
    if disabled is not None and disabled != user.disabled:
        if disabled:
            _refuse_without_administrator(session, user)
            sessions.end_all(session, user.id)
        user.disabled = disabled
    if language is not None:
        user.language = language
    users.update_user(session, user)
    journal.record(session, "user", user.id, journal.UPDATE, public=False, at=dates.text(now))
    return user


@dataclass(frozen=True, slots=True)
class Remaining:
    """The credentials of a user that a new password does not invalidate."""

    tokens: int
    application_passwords: int


def remaining_credentials(session: Session, user: User, now: datetime) -> Remaining:
    found = users.tokens_of(session, user.id)
    purposes = [token.purpose for token in found if is_valid(token, token.purpose, now)]
    return Remaining(purposes.count(BEARER), purposes.count(APPLICATION))


def remove_user(session: Session, user: User, successor: User | None, now: datetime) -> int:
    """Removes a user, whose records get the successor as their author. Returns how many there were."""
    _refuse_without_administrator(session, user)
    if successor is not None and successor.id == user.id:
        raise BadUser(N_("the records cannot go to the user who is removed"))
    owned, public = users.count_owned(session, user.id), users.owns_public(session, user.id)
    if owned and successor is None:
        raise BadUser(N_("{name} has {count} records; choose who takes them over"), name=user.name, count=owned)
    if successor is not None:
        referring.hand_over(session, user.id, successor.id)
    users.delete_user(session, user.id)
    journal.record(session, "user", user.id, journal.DELETE, public=public, at=dates.text(now))
    return owned


def hand_over(session: Session, user: User, successor: User, now: datetime) -> int:
    """Makes another user the author of all records of this one. Returns how many there were."""
    if successor.id == user.id:
        raise BadUser(N_("the records are theirs already"), field="successor")
    owned, public = users.count_owned(session, user.id), users.owns_public(session, user.id)
    referring.hand_over(session, user.id, successor.id)
    journal.record(session, "user", user.id, journal.UPDATE, public=public, at=dates.text(now))
    return owned


def revoke_token(session: Session, token: Token, now: datetime) -> None:
    users.delete_token(session, token.id)
    journal.record(session, "token", token.id, journal.DELETE, public=False, at=dates.text(now))


def _refuse_without_administrator(session: Session, user: User) -> None:
    """The last administrator can neither be removed nor lose the role: no user could restore it."""
    is_administrator = user.role == Role.ADMINISTRATOR.word
    if is_administrator and not user.disabled and users.count_active(session, user.role) == 1:
        raise BadUser(N_("{name} is the only administrator"), name=user.name)


def add_token(
    session: Session,
    user: User,
    label: str,
    now: datetime,
    *,
    purpose: str = BEARER,
    read_only: bool = False,
    expires: datetime | None = None,
) -> tuple[str, Token]:
    """A new token: its clear text, which is not stored, and its record."""
    if not label.strip() or len(label) > 100 or not label.isprintable():
        raise BadUser(N_("a token needs a name of 1 to 100 printable characters"))
    secret = secrets.token_urlsafe(24)
    clear = TOKEN_PREFIX + secret if purpose == BEARER else secret
    token = Token(
        user=user.id,
        name=label.strip(),
        digest=token_digest(clear),
        purpose=purpose,
        read_only=read_only,
        created_utc=dates.text(now),
        expires_utc=None if expires is None else dates.text(expires),
    )
    users.insert_token(session, token)
    journal.record(session, "token", token.id, journal.CREATE, public=False, at=dates.text(now))
    return clear, token


def check_name(name: str) -> None:
    if USER_NAME.fullmatch(name) is None:
        raise BadUser(
            N_("a user name has 1 to 60 letters, digits or . _ @ + - and no space at its ends"), field="name"
        )


def check_role(role: str) -> None:
    if role not in ROLE_WORDS:
        raise BadUser(N_("{role} is not a role; the roles are {roles}"), role=repr(role), roles=", ".join(ROLE_WORDS))


def check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD or len(password) > LONGEST_PASSWORD:
        raise BadUser(N_("a password has at least {minimum} characters"), field="password", minimum=SHORTEST_PASSWORD)


def token_digest(clear: str) -> bytes:
    """Tokens are random, so a plain hash is enough."""
    return hashlib.sha256(clear.encode("utf-8", "surrogatepass")).digest()


def caller_of(user: User, *, read_only: bool = False) -> Caller:
    return Caller(user.id, user.name, Role[user.role.upper()], read_only)


def has_password(stored: str, password: str) -> bool:
    """Whether a password is that of a stored hash."""
    try:
        return _hasher.verify(stored, password.encode("utf-8", "surrogatepass"))
    except (VerificationError, InvalidHashError):
        return False


def hashed(password: str) -> str:
    return _hasher.hash(password)


def is_valid(token: Token, purpose: str, now: datetime) -> bool:
    return token.purpose == purpose and (token.expires_utc is None or token.expires_utc > dates.text(now))
