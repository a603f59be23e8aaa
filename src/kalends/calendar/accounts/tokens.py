"""Credentials for programs: tokens and application passwords, of oneself, or of others for who manages people."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from kalends.calendar.access import may_manage_users, require, require_to_read
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.accounts.users import Person, person
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NO_TOKEN, ApiError
from kalends.languages import N_
from kalends.store.rows import journal, users
from kalends.store.rows.records import Token, User
from kalends.values import dates

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
    journal.record(work.session, "token", token.id, journal.CREATE, public=False, at=work.now_text)
    return clear, token


def revoke_token(work: UnitOfWork, one: Person, id: int) -> Token:
    user = person(work, one)
    require(_may_change(work, user), work.caller)
    token = users.find_token_of(work.session, user.id, id)
    if token is None:
        raise ApiError(NO_TOKEN)
    users.delete_token(work.session, token.id)
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
