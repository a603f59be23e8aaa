"""Sessions: signing in with a browser. The cookie is a random secret, of which the store has a digest.

The token against forged requests is derived from the secret, so every page of a session carries the same one and
nothing has to be stored for it.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from kalends.calendar.access import Caller
from kalends.calendar.accounts.users import caller_of
from kalends.calendar.transactions import Transactions
from kalends.store.engine.store import Session
from kalends.store.rows import sessions, site
from kalends.store.rows.records import Session as Row
from kalends.store.rows.records import User
from kalends.values import dates

SHORT, LONG = timedelta(hours=12), timedelta(days=30)
LONGEST_AGENT = 200
FIRST_START = "first_start"  # the key of a site into which nobody has signed in
SECRET_LENGTH = 43  # of 32 bytes in base64


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A valid session, its user, and the secrets of its browser."""

    id: int
    user: User
    secret: str
    expires_utc: str

    @property
    def caller(self) -> Caller:
        return caller_of(self.user)

    @property
    def token(self) -> str:
        """What forms and scripts of the pages send with every change."""
        return _derived(self.secret, "token")

    def is_long(self, now: datetime) -> bool:
        """Whether it lasts longer than a day's work, as people choose who stay signed in."""
        return self.expires_utc > dates.text(now + SHORT)

    def has_token(self, sent: str) -> bool:
        return hmac.compare_digest(self.token.encode(), sent.encode("utf-8", "surrogatepass"))

    def sign(self, text: str) -> str:
        """A signature that only this session can make."""
        return _derived(self.secret, text)


def begin(session: Session, user: User, now: datetime, *, stay: bool, agent: str) -> SignedIn:
    """Signs a user in. Always with a new secret, so that one that was planted in the browser is worth nothing."""
    sessions.forget_expired(session, dates.text(now))
    site.forget(session, FIRST_START)
    secret = secrets.token_urlsafe(32)
    at = dates.text(now)
    row = Row(
        user=user.id,
        digest=_digest(secret),
        agent=agent[:LONGEST_AGENT],
        created_utc=at,
        expires_utc=dates.text(now + (LONG if stay else SHORT)),
        used_utc=at,
    )
    sessions.insert(session, row)
    return SignedIn(row.id, user, secret, row.expires_utc)


def find(transactions: Transactions, secret: str) -> SignedIn | None:
    """The session of a cookie, while it is valid."""
    now = transactions.clock()
    if len(secret) != SECRET_LENGTH or not secret.isascii():
        return None
    with transactions.store.read() as session:
        found = sessions.find_with_user(session, _digest(secret))
    if found is None:
        return None
    row, user = found
    if row.expires_utc <= dates.text(now) or user.disabled:
        return None
    transactions.uses.note_session(row.id, row.used_utc, now)
    return SignedIn(row.id, user, secret, row.expires_utc)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _derived(secret: str, purpose: str) -> str:
    return hmac.new(secret.encode(), purpose.encode("utf-8", "surrogatepass"), "sha256").hexdigest()
