"""One's own e-mail address: changing it needs the password, and the new one is used when its owner says so there.

A forgotten password goes to that address. So a session that somebody else got hold of must not be enough to set it,
nor may a wrongly typed address become that of the account.
"""

import secrets
from datetime import timedelta
from enum import Enum

import msgspec

from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork, caller_of, require
from kalends.calendar.accounts import account_rules, users
from kalends.calendar.accounts.account_rules import BadUser
from kalends.calendar.accounts.credentials import Authenticator, digest
from kalends.calendar.accounts.forgotten_password import count_request
from kalends.calendar.accounts.one_time_links import LONGEST_KEY
from kalends.calendar.accounts.sessions import Browser
from kalends.calendar.transactions import Transactions
from kalends.languages import N_
from kalends.store.rows import journal
from kalends.store.rows import one_time_links as rows
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import OneTimeLink, User
from kalends.values import dates

ADDRESS = "address"  # the purpose of the link
PATH = "/admin/address"
LIFETIME = timedelta(days=2)
MOST_PER_HOUR = 10  # of one person
MOST_PER_DAY = 3  # to one address


class AddressChange(Enum):
    """What became of a change."""

    NOT_ALLOWED = "not allowed"  # the password is wrong
    SENT = "sent"  # a link, to the new address
    SAVED = "saved"


def ask(
    calendar: Transactions, authenticator: Authenticator, current: str, written: str, browser: Browser
) -> AddressChange:
    """Another address of the person who is signed in. Where no mail is sent, nothing can be confirmed, and removing
    one needs no confirmation. Raises BadUser, and ApiError after too many."""
    assert browser.session is not None
    caller, name = browser.session.caller, browser.session.user.name
    account_rules.checked_email(written)
    if authenticator.by_password(calendar, name, current, browser.address, application=False) is None:
        return AddressChange.NOT_ALLOWED
    with calendar.writing(caller) as work:
        return request_change(work, written)


def request_change(work: UnitOfWork, written: str) -> AddressChange:
    """After the password was checked."""
    require(True, work.caller)
    user, address = users.caller_user(work), account_rules.checked_email(written)
    if not address or address == user.email or not letters.is_on(work.settings):
        users.set_caller_address(work, address)
        return AddressChange.SAVED
    count_request(work.session, f"address {user.id}", work.now, MOST_PER_HOUR)
    rows.delete_of_user(work.session, user.id, purpose=ADDRESS)
    rows.forget_expired(work.session, work.now_text)
    key, until = secrets.token_urlsafe(24), dates.text(work.now + LIFETIME)
    link = OneTimeLink(
        digest=digest(key),
        purpose=ADDRESS,
        user=user.id,
        role="",
        note=user.name,
        author=user.id,
        created_utc=work.now_text,
        expires_utc=until,
        email=address,
    )
    rows.insert(work.session, link)
    journal.record(work.session, "link", link.id, journal.CREATE, public=False, at=work.now_text)
    facts = {"name": user.name, "path": f"{PATH}?key={key}", "until": until}
    is_sent = letters.post(
        work, "address_confirm", address, facts, user=user, most_per_day=MOST_PER_DAY, despite_refusal=True
    )
    if not is_sent:
        raise BadUser(N_("this address has received enough messages today; try again tomorrow"), field="email")
    return AddressChange.SENT


def find(work: UnitOfWork, key: str) -> tuple[User, str] | None:
    """Whose address a link is about, and which one; anybody may ask who has it."""
    if not key.isascii() or len(key) > LONGEST_KEY:
        return None
    link = rows.find(work.session, digest(key), work.now_text)
    if link is None or link.purpose != ADDRESS:
        return None
    user = stored_users.find_user(work.session, link.user or 0)
    return None if user is None or user.disabled else (user, link.email)


def confirm(work: UnitOfWork, key: str) -> str | None:
    """Uses the link up: the address is that of the account now. It opens no session."""
    found = find(work, key)
    if found is None:
        return None
    user, address = found
    users.set_caller_address(msgspec.structs.replace(work, caller=caller_of(user)), address)
    return address
