"""Links for one use: to join as a new user, or to set a password. Each works once, until it expires, and while the
person who made it could do the same without it."""

import secrets
from datetime import timedelta
from typing import NamedTuple

import msgspec

from kalends.calendar import letters, security
from kalends.calendar.access import SERVICE, Caller, UnitOfWork, caller_of, may_manage_users, require, require_to_read
from kalends.calendar.accounts import account_rules, users
from kalends.calendar.accounts.credentials import digest
from kalends.contract.roles import Role
from kalends.store.rows import journal
from kalends.store.rows import one_time_links as rows
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import OneTimeLink, User
from kalends.values import dates
from kalends.values.dates import furthest

JOIN, PASSWORD = "join", "password"
LIFETIMES = {JOIN: timedelta(days=7), PASSWORD: timedelta(days=1)}
LONGEST_NOTE = 100
LONGEST_KEY = 100


class Offer(NamedTuple):
    """What a link offers to whoever has its key."""

    link: OneTimeLink
    author: Caller  # with the rights of now
    user: User | None  # whose password it sets


def invitations(work: UnitOfWork) -> list[OneTimeLink]:
    """Those by which somebody can join now."""
    require_to_read(may_manage_users(work.caller), work.caller)
    found = [link for link in rows.valid(work.session, work.now_text) if link.purpose == JOIN]
    return [link for link in found if _offer(work, link) is not None]


def invite(work: UnitOfWork, role: str, note: str, email: str = "") -> str:
    """A link by which somebody becomes a user with this role; its secret. It is sent to the address, if mail is."""
    require(may_manage_users(work.caller), work.caller)
    account_rules.check_role(role)
    account_rules.check_may_assign(work.caller, role)
    email = account_rules.checked_email(email)
    key = _make(work, purpose=JOIN, role=role, note=note[:LONGEST_NOTE], email=email)
    facts = {"author": work.caller.name, "path": path_of(key), "until": dates.text(work.now + LIFETIMES[JOIN])}
    letters.post(work, "invitation", email, facts)
    return key


def withdraw(work: UnitOfWork, id: int) -> None:
    require(may_manage_users(work.caller), work.caller)
    rows.delete(work.session, id)
    journal.record(work.session, "link", id, journal.DELETE, public=False, at=work.now_text)


def reset(work: UnitOfWork, one: users.Person) -> str:
    """A link by which a user sets a new password; its secret. Earlier ones end."""
    require(may_manage_users(work.caller), work.caller)
    user = users.person(work, one)
    rows.delete_of_user(work.session, user.id)
    return _make(work, purpose=PASSWORD, user=user.id, note=user.name)


def send_reset(work: UnitOfWork, one: users.Person, *, most_per_day: int | None = None) -> User:
    """The same, sent to the address of the user."""
    require(may_manage_users(work.caller), work.caller)
    user = users.person(work, one)

    def facts() -> letters.Facts:
        key = _make(work, purpose=PASSWORD, user=user.id, note=user.name)
        return {"name": user.name, "path": path_of(key), "until": dates.text(work.now + LIFETIMES[PASSWORD])}

    letters.post(work, "password_link", user.email, facts, user=user, most_per_day=most_per_day)
    return user


def path_of(key: str) -> str:
    """Where a link leads, below the root of the site."""
    return f"/admin/link?key={key}"


def find(work: UnitOfWork, key: str) -> Offer | None:
    """What a key is good for; anybody may ask who has one."""
    if not key.isascii() or len(key) > LONGEST_KEY:
        return None
    link = rows.find(work.session, digest(key), work.now_text)
    return None if link is None else _offer(work, link)


def accept(work: UnitOfWork, key: str, name: str, password: str) -> User | None:
    """Uses a link up, with the rights of who made it: the user who joined or has a new password."""
    offer = find(work, key)
    if offer is None:
        return None
    as_author = msgspec.structs.replace(work, caller=offer.author)
    if offer.user is None:
        user = users.add_user(as_author, name, offer.link.role, password, offer.link.email)
    else:
        user = users.change_user(as_author, offer.user, password=password)
    rows.delete(work.session, offer.link.id)
    return user


def _offer(work: UnitOfWork, link: OneTimeLink) -> Offer | None:
    if link.purpose not in LIFETIMES:  # that of an address sets no password
        return None
    if link.expires_utc > dates.text(
        furthest(work.now, LIFETIMES[link.purpose])
    ):  # a clock was ahead when it was made
        return None
    author = _author(work, link)
    if author is None or not may_manage_users(author):
        return None
    if link.purpose == JOIN:
        return Offer(link, author, None) if Role[link.role.upper()] <= author.role else None
    user = stored_users.find_user(work.session, link.user or 0)
    return None if user is None or user.disabled else Offer(link, author, user)


def _author(work: UnitOfWork, link: OneTimeLink) -> Caller | None:
    """Who made a link; the links of somebody who was removed went with them."""
    if link.author is None:
        return SERVICE
    user = stored_users.find_user(work.session, link.author)
    return None if user is None or user.disabled else caller_of(user)


def _make(
    work: UnitOfWork, *, purpose: str, user: int | None = None, role: str = "", note: str = "", email: str = ""
) -> str:
    rows.forget_expired(work.session, work.now_text)
    key = secrets.token_urlsafe(24)
    link = OneTimeLink(
        digest=digest(key),
        purpose=purpose,
        user=user,
        role=role,
        note=note,
        author=work.caller.user or None,
        created_utc=work.now_text,
        expires_utc=dates.text(work.now + LIFETIMES[purpose]),
        email=email,
    )
    rows.insert(work.session, link)
    security.record(work, "link_made", about=f"{purpose}: {role or note}")
    journal.record(work.session, "link", link.id, journal.CREATE, public=False, at=work.now_text)
    return key
