"""Sessions: signing in with a browser. The cookie is a random secret, of which the store has a digest.

The token against forged requests is derived from the secret, so every page of a session carries the same one and
nothing has to be stored for it.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from kalends.calendar import letters, security
from kalends.calendar.access import (
    ANONYMOUS,
    Caller,
    UnitOfWork,
    caller_of,
    may_manage_users,
    require,
    require_to_read,
)
from kalends.calendar.accounts import one_time_links, users
from kalends.calendar.accounts.credentials import Authenticator, needs_more
from kalends.calendar.site_settings import is_set_up
from kalends.calendar.transactions import Transactions
from kalends.store.rows import sessions, site
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import BrowserSession, User
from kalends.values import dates, mail_addresses, names
from kalends.values.dates import furthest

MOST_SESSIONS = 50  # of one person; a program may sign in for each of its requests
MOST_TOLD_PER_DAY = 10  # about new browsers
BROWSERS_KEPT = timedelta(days=400)
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


class Browser(NamedTuple):
    """Where somebody signs in."""

    address: str  # for throttling
    agent: str
    session: SignedIn | None = None  # which a new one ends
    key: str = ""  # a random text by which this browser is known again


def sign_in(
    calendar: Transactions, authenticator: Authenticator, name: str, password: str, browser: Browser, *, stay: bool
) -> SignedIn | User | None:
    """A session for a name, or an address of mail that nobody else has, and its password; None if they are wrong.
    The person alone, who has no session yet, where the password is not enough.
    Wrong ones are throttled as those of HTTP Basic are, and an application password opens none."""
    if "@" in name and len(name) <= mail_addresses.LONGEST:
        with calendar.store.read() as session:
            found = stored_users.with_name_or_email(session, name)
        named = [user for user in found if names.fold(user.name) == names.fold(name)] or found
        name = named[0].name if len(named) == 1 else name
    caller = authenticator.by_password(calendar, name, password, browser.address, application=False)
    if caller is None:
        return None
    with calendar.writing(caller) as work:
        user = stored_users.find_user(work.session, caller.user)
        if user is None or user.disabled:
            return None
        if needs_more(work.session, user, work.settings, True):
            return user
        return welcome(work, user, browser, stay=stay)


def welcome(work: UnitOfWork, user: User, browser: Browser, *, stay: bool) -> SignedIn:
    """A session for somebody who has shown all that is asked for, and who is told if the browser is a new one."""
    _notify_of_new_browser(work, user, browser)
    return begin(work, user, browser, stay=stay)


def accept_link(
    calendar: Transactions, key: str, name: str, password: str, browser: Browser
) -> tuple[SignedIn | User, bool] | None:
    """Uses a link for one use up, and signs its user in; also whether the site waits to be set up. The person alone
    where a password is not enough; None if the link does not work any more. Raises BadUser."""
    with calendar.writing(ANONYMOUS) as work:
        user = one_time_links.accept(work, key, name, password)
        if user is None:
            return None
        is_new_site = not is_set_up(work.session)
        if needs_more(work.session, user, work.settings, True):
            return user, is_new_site
        return begin(work, user, browser, stay=False), is_new_site


def change_password(
    calendar: Transactions, authenticator: Authenticator, current: str, password: str, browser: Browser
) -> SignedIn | None:
    """A new password of the person who is signed in, and a new session in place of all others; None if the present
    password is wrong. Raises BadUser."""
    assert browser.session is not None
    caller, name = browser.session.caller, browser.session.user.name
    if authenticator.by_password(calendar, name, current, browser.address, application=False) is None:
        return None
    with calendar.writing(caller) as work:
        user = users.set_password(work, users.caller_user(work), password)
        return begin(work, user, browser, stay=browser.session.is_long(work.now))


def begin(work: UnitOfWork, user: User, browser: Browser, *, stay: bool) -> SignedIn:
    """Opens a session for somebody whose credentials were checked. Always with a new secret, so that one that was
    planted in the browser is worth nothing."""
    if browser.session is not None:
        sessions.end(work.session, browser.session.user.id, browser.session.id)
    sessions.forget_expired(work.session, work.now_text, _latest(work.now))
    site.forget(work.session, FIRST_START)
    secret = secrets.token_urlsafe(32)
    row = BrowserSession(
        user=user.id,
        digest=_digest(secret),
        agent=browser.agent[:LONGEST_AGENT],
        address=browser.address,
        created_utc=work.now_text,
        expires_utc=dates.text(work.now + (LONG if stay else SHORT)),
        used_utc=work.now_text,
    )
    sessions.insert(work.session, row)
    sessions.keep_newest(work.session, user.id, MOST_SESSIONS)
    security.record(work, "signed_in", user, address=browser.address, agent=row.agent)
    if browser.key:
        sessions.forget_before(work.session, dates.text(work.now - BROWSERS_KEPT))
        sessions.remember(work.session, user.id, _digest(browser.key), work.now_text)
    return SignedIn(row.id, user, secret, row.expires_utc)


def _notify_of_new_browser(work: UnitOfWork, user: User, browser: Browser) -> None:
    """A message about a browser in which this person has not signed in before."""
    if browser.key and sessions.is_known(work.session, user.id, _digest(browser.key)):
        return
    facts = {"name": user.name, "at": work.now_text, "agent": browser.agent[:LONGEST_AGENT]}
    letters.post(work, "new_browser", user.email, facts, user=user, most_per_day=MOST_TOLD_PER_DAY)


def caller_sessions(work: UnitOfWork) -> list[BrowserSession]:
    """Those of the caller that are valid, the last used first."""
    require_to_read(True, work.caller)
    return sessions.of_user(work.session, work.caller.user, work.now_text, _latest(work.now))


def end_caller_sessions(work: UnitOfWork, ids: Iterable[int]) -> None:
    """Ends some sessions of the caller."""
    require(True, work.caller)
    security.record(work, "sessions_ended")
    for id in ids:
        sessions.end(work.session, work.caller.user, id)


def end_other_sessions(work: UnitOfWork, id: int) -> None:
    """Ends all sessions of the caller except one."""
    require(True, work.caller)
    security.record(work, "sessions_ended")
    sessions.end_all(work.session, work.caller.user, but=id)


def end_all_of(work: UnitOfWork, one: users.Person) -> None:
    """Signs a person out everywhere."""
    require(may_manage_users(work.caller), work.caller)
    user = users.person(work, one)
    sessions.end_all(work.session, user.id)
    security.record(work, "sessions_ended", user)


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
    if not dates.text(now) < row.expires_utc <= _latest(now) or user.disabled:
        return None
    transactions.uses.note_session(row.id, row.used_utc, now)
    return SignedIn(row.id, user, secret, row.expires_utc)


def _latest(now: datetime) -> str:
    """Until when a session can last at most. One that would last longer was begun by a clock that was ahead."""
    return dates.text(furthest(now, LONG))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _derived(secret: str, purpose: str) -> str:
    return hmac.new(secret.encode(), purpose.encode("utf-8", "surrogatepass"), "sha256").hexdigest()
