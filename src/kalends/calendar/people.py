"""People and their credentials: who somebody is, proven by a password or a token."""

import hashlib
import hmac
import re
import secrets
import threading
from collections import OrderedDict
from datetime import datetime

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kalends.calendar.access import ROLE_WORDS, Caller, Role
from kalends.store import journal, people
from kalends.store.records import Token, User
from kalends.store.sqlite import Session
from kalends.values import dates

TOKEN_PREFIX = "kal_"
BEARER, APPLICATION = "bearer", "application"
SHORTEST_PASSWORD = 8
USER_NAME = re.compile(r"[\w.@+-](?:[\w.@+ -]{0,58}[\w.@+-])?")

_hasher = PasswordHasher()


class BadUser(ValueError):
    """A user or token that cannot be made; the message is one line for the person who asked."""


def add_user(session: Session, name: str, role: str, password: str, now: datetime) -> User:
    check_name(name)
    check_role(role)
    check_password(password)
    if people.find_user_by_name(session, name) is not None:
        raise BadUser(f"there is a user {name!r} already")
    user = User(name=name, role=role, password=_hasher.hash(password), created_utc=dates.text(now))
    user.id = people.insert_user(session, user)
    journal.record(session, "user", user.id, journal.CREATE, public=False, at=dates.text(now))
    return user


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
    """A new token and the only sight of it in the clear."""
    if not label.strip() or len(label) > 100 or not label.isprintable():
        raise BadUser("a token needs a name of 1 to 100 printable characters")
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
    token.id = people.insert_token(session, token)
    journal.record(session, "token", token.id, journal.CREATE, public=False, at=dates.text(now))
    return clear, token


def check_name(name: str) -> None:
    if USER_NAME.fullmatch(name) is None:
        raise BadUser("a user name has 1 to 60 letters, digits or . _ @ + - and no space at its ends")


def check_role(role: str) -> None:
    if role not in ROLE_WORDS:
        raise BadUser(f"{role!r} is not a role; the roles are {', '.join(ROLE_WORDS)}")


def check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD or len(password) > 1000:
        raise BadUser(f"a password has at least {SHORTEST_PASSWORD} characters")


def token_digest(clear: str) -> bytes:
    """Tokens are random, so a plain hash is enough."""
    return hashlib.sha256(clear.encode("utf-8", "surrogatepass")).digest()


def caller_of(user: User, *, read_only: bool = False) -> Caller:
    return Caller(user.id, user.name, Role[user.role.upper()], read_only)


class Doorkeeper:
    """Tells who a caller is. A password that was proven once is remembered in memory for as long as the
    stored hash is the same, so that it costs its 50 ms only once."""

    MOST_REMEMBERED = 1000

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._proven: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()
        # What an unknown user's password is compared with, so that the answer takes as long.
        self._nobody = _hasher.hash(secrets.token_hex())

    def by_password(self, session: Session, name: str, password: str, now: datetime) -> Caller | None:
        """The user of this name with this password or application password."""
        user = people.find_user_by_name(session, name)
        if user is not None:
            token = people.find_token(session, token_digest(password.replace(" ", "")))
            if token is not None and token.user == user.id and _is_good(token, APPLICATION, now):
                return caller_of(user, read_only=token.read_only)
        proven = self._matches(user.password if user else self._nobody, password)
        return caller_of(user) if user is not None and proven else None

    def by_token(self, session: Session, clear: str, now: datetime) -> Caller | None:
        token = people.find_token(session, token_digest(clear))
        if token is None or not _is_good(token, BEARER, now):
            return None
        user = people.find_user(session, token.user)
        return None if user is None else caller_of(user, read_only=token.read_only)

    def _matches(self, stored: str, password: str) -> bool:
        encoded = password.encode("utf-8", "surrogatepass")
        mark = hmac.digest(self._key, stored.encode() + b"\0" + encoded, "sha256")
        with self._lock:
            if mark in self._proven:
                self._proven.move_to_end(mark)
                return True
        try:
            _hasher.verify(stored, encoded)
        except (VerificationError, InvalidHashError):
            return False
        with self._lock:
            self._proven[mark] = ""
            if len(self._proven) > self.MOST_REMEMBERED:
                self._proven.popitem(last=False)
        return True


def _is_good(token: Token, purpose: str, now: datetime) -> bool:
    return token.purpose == purpose and (token.expires_utc is None or token.expires_utc > dates.text(now))
