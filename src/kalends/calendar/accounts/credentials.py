"""Tokens and application passwords for programs, and who a credential that came with a request belongs to."""

import hashlib
import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from kalends import hooks
from kalends.calendar import security, throttling
from kalends.calendar.access import Caller, UnitOfWork, caller_of, may_manage_users, require, require_to_read
from kalends.calendar.accounts import account_rules
from kalends.calendar.accounts.account_rules import LONGEST_NAME, LONGEST_PASSWORD, BadUser
from kalends.calendar.accounts.users import Person, person
from kalends.calendar.admission import HASH, WORKER
from kalends.calendar.throttling import ThrottleKey
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import NO_TOKEN, ApiError
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import journal, users
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import Token, User
from kalends.values import dates
from kalends.values.marks import has_long_run

# Tokens: of oneself, or of others for who manages people.

PREFIX = "kal_"  # tells scanners for leaked secrets what it is
BEARER, APPLICATION = "bearer", "application"


def tokens_of(work: UnitOfWork, one: Person) -> list[Token]:
    user = person(work, one)
    require_to_read(_may_change(work, user), work.caller)
    return users.tokens_of(work.session, user.id)


def add_token(
    work: UnitOfWork,
    one: Person,
    label: str,
    *,
    purpose: str = BEARER,
    read_only: bool = False,
    expires: datetime | None = None,
) -> tuple[str, Token]:
    """A new token: its clear text, which is not stored, and its record."""
    user = person(work, one)
    require(_may_change(work, user), work.caller)
    if purpose not in (BEARER, APPLICATION):
        raise BadUser(N_("Choose one of them."), field="purpose")
    if not label.strip() or len(label) > 100 or not label.isprintable():
        raise BadUser(N_("a token needs a name of 1 to 100 printable characters"))
    secret = secrets.token_urlsafe(24)
    clear = PREFIX + secret if purpose == BEARER else secret
    token = Token(
        user=user.id,
        name=label.strip(),
        digest=digest(clear),
        purpose=purpose,
        read_only=read_only,
        created_utc=work.now_text,
        expires_utc=None if expires is None else dates.text(expires),
    )
    users.insert_token(work.session, token)
    security.record(work, "token_made", user, about=token.name)
    journal.record(work.session, "token", token.id, journal.CREATE, public=False, at=work.now_text)
    return clear, token


def revoke_token(work: UnitOfWork, one: Person, id: int) -> Token:
    user = person(work, one)
    require(_may_change(work, user), work.caller)
    token = users.find_token_of(work.session, user.id, id)
    if token is None:
        raise ApiError(NO_TOKEN)
    users.delete_token(work.session, token.id)
    security.record(work, "token_revoked", user, about=token.name)
    journal.record(work.session, "token", token.id, journal.DELETE, public=False, at=work.now_text)
    return token


@dataclass(frozen=True, slots=True)
class Remaining:
    """The credentials of a user that a new password does not invalidate."""

    tokens: int
    application_passwords: int


def remaining(work: UnitOfWork, one: Person) -> Remaining:
    purposes = [token.purpose for token in tokens_of(work, one) if is_valid(token, token.purpose, work.now)]
    return Remaining(purposes.count(BEARER), purposes.count(APPLICATION))


def is_valid(token: Token, purpose: str, now: datetime) -> bool:
    return token.purpose == purpose and (token.expires_utc is None or token.expires_utc > dates.text(now))


def digest(clear: str) -> bytes:
    """Tokens are random, so a plain hash is enough."""
    return hashlib.sha256(clear.encode("utf-8", "surrogatepass")).digest()


def _may_change(work: UnitOfWork, user: User) -> bool:
    return may_manage_users(work.caller) or user.id == work.caller.user


class Authenticator:
    """Finds the caller of a credential. A verified password is remembered in memory while the stored hash is the
    same, so that its 50 ms are spent only once. Nothing here writes on the way of a request, nor waits for a
    writer."""

    MOST_REMEMBERED = 1000

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._verified: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def _unknown_user_hash(self) -> str:
        """What the password of an unknown user is compared with, so that the response takes as long."""
        return account_rules.hashed(secrets.token_hex())

    def by_password(
        self, calendar: Transactions, name: str, password: str, address: str, *, application: bool = True
    ) -> Caller | None:
        """The user of this name with this password or, where `application` says so, with an application password.
        Wrong ones are throttled, and so is a password that alone is not enough for a program."""
        # No user has such a name: nothing has to be looked up, folded or hashed.
        if len(name) > LONGEST_NAME or len(password) > LONGEST_PASSWORD or has_long_run(name + password):
            return None
        now, throttle_keys = calendar.clock(), throttling.login(name, address)
        with calendar.store.read() as session:
            user = stored_users.find_user_by_name(session, name)
            if user is not None and user.disabled:
                user = None
            is_token = user is not None and application
            token = stored_users.find_token(session, digest(password.replace(" ", ""))) if is_token else None
            is_enough = not (user and application) or not needs_more(session, user, calendar.settings, False)
        if user is not None and token is not None and token.user == user.id and is_valid(token, APPLICATION, now):
            calendar.uses.note_token(token.id, token.used_utc, now)
            return caller_of(user, read_only=token.read_only)
        user = user if is_enough else None
        # Failures with this name from this address block remembered passwords too, or guessing would be unthrottled.
        # Failures from other addresses do not lock out a client that is known here.
        mark = self._mark(user.password if user else "", password, address)
        is_verified = user is not None and self._is_verified(mark)
        _check(calendar, throttle_keys[:1] if is_verified else throttle_keys)
        if user is not None and is_verified:
            return caller_of(user)
        with WORKER.released(HASH):
            _check(calendar, throttle_keys)  # again: those who were waited for count too
            is_right = account_rules.has_password((user and user.password) or self._unknown_user_hash, password)
            if user is None or not user.password or not is_right:
                calendar.throttle.record_failure(throttle_keys, calendar.clock())
                record_refusal(calendar, calendar.clock(), user, address, "password")
                return None
        with calendar.store.read() as session:
            calendar.throttle.record_success(session, throttle_keys, now)
        self._remember(mark)
        return caller_of(user)

    def by_token(self, calendar: Transactions, clear: str) -> Caller | None:
        now = calendar.clock()
        with calendar.store.read_once() as session:
            found = stored_users.find_token_and_user(session, digest(clear))
        if found is None or found[1].disabled or not is_valid(found[0], BEARER, now):
            return None
        token, user = found
        calendar.uses.note_token(token.id, token.used_utc, now)
        return caller_of(user, read_only=token.read_only)

    def _mark(self, stored: str, password: str, address: str) -> bytes:
        """What is remembered of a verified password; the password cannot be derived from it."""
        encoded = "\0".join((stored, address, password)).encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, encoded, "sha256")

    def _is_verified(self, mark: bytes) -> bool:
        with self._lock:
            if mark not in self._verified:
                return False
            self._verified.move_to_end(mark)
            return True

    def _remember(self, mark: bytes) -> None:
        with self._lock:
            self._verified[mark] = None
            if len(self._verified) > self.MOST_REMEMBERED:
                self._verified.popitem(last=False)


def record_refusal(calendar: Transactions, now: datetime, user: User | None, address: str, about: str) -> None:
    """Outside of one: who is refused waits for no writer. A name that nobody has may be a password that was typed in
    the wrong place, so it is left out."""
    id, name = (user.id, user.name) if user else (0, "")
    entry = security.SecurityEntry("refused", dates.text(now), id, name, "", address, "", about)
    for tell in hooks.refused:
        tell(calendar, entry)


def needs_more(session: Session, user: User, settings: Settings, in_browser: bool) -> bool:
    """Whether a right password is not enough for this person."""
    return any(
        is_not_enough(session, user, settings, in_browser=in_browser) for is_not_enough in hooks.after_password
    )


def _check(calendar: Transactions, keys: Sequence[ThrottleKey]) -> None:
    """Refuses those with too many wrong passwords."""
    with calendar.store.read() as session:
        calendar.throttle.raise_if_blocked(session, keys, calendar.clock())
