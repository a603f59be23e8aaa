"""The accounts of people: adding, changing and removing them. Each operation asks for the right itself."""

from collections.abc import Callable, Collection
from datetime import datetime

import msgspec

from kalends import hooks
from kalends.calendar import letters, security
from kalends.calendar.access import Caller, UnitOfWork, may_manage_users, require, require_to_read
from kalends.calendar.accounts.account_rules import (
    BadUser,
    check_may_assign,
    check_name,
    check_password,
    check_role,
    checked_email,
    hashed,
)
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.storing import referring
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import NO_USER, ApiError
from kalends.contract.roles import Role
from kalends.languages import LANGUAGES, N_
from kalends.store.engine.store import Session
from kalends.store.rows import change_notes, journal, one_time_links, sessions, users
from kalends.store.rows.records import User
from kalends.values import dates

LARGEST_ID = 2**62

Person = User | int  # somebody as read in this transaction, or the id
Precondition = Callable[[User], None]  # raises when the person is not as the form has shown it


# For those who manage people


def everybody(work: UnitOfWork) -> list[User]:
    require_to_read(may_manage_users(work.caller), work.caller)
    return users.all_users(work.session)


def last_seen(work: UnitOfWork) -> dict[int, str]:
    """When each person was last seen in a browser, as far as a session of theirs is there."""
    require_to_read(may_manage_users(work.caller), work.caller)
    return sessions.last_uses(work.session)


def count_records(work: UnitOfWork, user: User) -> int:
    require_to_read(may_manage_users(work.caller), work.caller)
    return users.count_owned(work.session, user.id)


def find_user(work: UnitOfWork, id: int) -> User:
    """One person, by id. Others do not even learn which ids there are."""
    require_to_read(may_manage_users(work.caller), work.caller)
    return _existing(work, id)


def person(work: UnitOfWork, one: Person) -> User:
    if isinstance(one, User):
        return one
    return caller_user(work) if one == work.caller.user else find_user(work, one)


def find_user_by_name(work: UnitOfWork, name: str) -> User | None:
    require_to_read(may_manage_users(work.caller), work.caller)
    return users.find_user_by_name(work.session, name)


def add_user(work: UnitOfWork, name: str, role: str, password: str | None, email: str = "") -> User:
    require(may_manage_users(work.caller), work.caller)
    check_name(name)
    check_role(role)
    check_may_assign(work.caller, role)
    if password is not None:
        check_password(password)
    if users.find_user_by_name(work.session, name) is not None:
        raise BadUser(N_("there is already a user {name}"), field="name", name=name)
    user = User(
        name=name,
        role=role,
        password="" if password is None else hashed(password),  # of whom only features let in
        created_utc=work.now_text,
        email=checked_email(email),
    )
    users.insert_user(work.session, user)
    _journal(work, user, journal.CREATE)
    security.record(work, "person_added", user, about=role)
    return user


def change_user(
    work: UnitOfWork,
    one: Person,
    *,
    name: str | None = None,
    role: str | None = None,
    password: str | None = None,
    disabled: bool | None = None,
    email: str | None = None,
    precondition: Precondition | None = None,
) -> User:
    """Changes the given fields of a person. Takes effect with the next request, in every process. `precondition` is
    called with the person as it was."""
    require(may_manage_users(work.caller), work.caller)
    user = person(work, one)
    if precondition is not None:
        precondition(user)
    changes_role = False
    if name is not None:
        _rename(work, user, name)
    if role is not None and role != user.role:
        check_role(role)
        check_may_assign(work.caller, role)
        _refuse_without_administrator(work.session, user)
        security.record(work, "role_changed", user, about=f"{user.role} → {role}")
        user.role = role
        changes_role = True
    if email is not None:
        _set_email(work, user, email)
    if password is not None:
        set_password(work, user, password)
    if disabled is not None and disabled != user.disabled:
        if disabled:
            _refuse_without_administrator(work.session, user)
            _end_sessions_and_links(work, user)
        security.record(work, "disabled" if disabled else "enabled", user)
        user.disabled = disabled
    saved = _save(work, user)
    if changes_role:  # what they can read is another calendar
        change_notes.note_cause(work.session, change_notes.USER, user.id, journal.last_rev(work.session))
    return saved


class HandOver(msgspec.Struct):
    """Of all records of a person to another one. Both are there until the end, and each record is somebody's."""

    user: int
    successor: int | None
    removes: bool  # the person is removed at the end
    count: int = -1  # of records that there were
    public: bool = False  # whether one of them was


def hand_over(work: UnitOfWork, one: Person, successor: Person) -> int:
    """Makes another person the author of all records of this one. Returns how many there were."""
    return long_work.whole(work, HAND_OVER, _hand_over_of(one, successor, removes=False))


def remove_in_parts(calendar: Transactions, caller: Caller, one: Person, successor: Person | None) -> int:
    """Removes a person, whose records get the successor as their author; how many."""
    return long_work.perform(calendar, caller, HAND_OVER, _hand_over_of(one, successor, removes=True))


def hand_over_in_parts(calendar: Transactions, caller: Caller, one: Person, successor: Person) -> int:
    """Makes another person the author of all records of this one; how many."""
    return long_work.perform(calendar, caller, HAND_OVER, _hand_over_of(one, successor, removes=False))


def _hand_over_of(one: Person, successor: Person | None, *, removes: bool) -> HandOver:
    ids = [person.id if isinstance(person, User) else person for person in (one, successor)]
    return HandOver(ids[0] or 0, ids[1], removes)


def _hand_over_events(work: UnitOfWork, change: HandOver, until: Deadline) -> bool:
    require(may_manage_users(work.caller), work.caller)
    user, successor = person(work, change.user), None if change.successor is None else person(work, change.successor)
    if change.removes:
        _refuse_without_administrator(work.session, user)
    if successor is not None and successor.id == user.id:
        if change.removes:
            raise BadUser(N_("the records cannot go to the user who is removed"))
        raise BadUser(N_("the records are theirs already"), field="successor")
    if change.count < 0:
        change.count = users.count_owned(work.session, user.id)
        change.public = users.owns_public(work.session, user.id)
    if successor is not None:
        return referring.hand_over_events(work, user.id, successor.id, until)
    if change.count:
        text = N_("{name} has {count} records; choose who takes them over")
        raise BadUser(text, name=user.name, count=change.count)
    return False


def _end_hand_over(work: UnitOfWork, change: HandOver) -> int:
    user = person(work, change.user)
    if change.successor is not None:
        referring.hand_over(work, user.id, change.successor)
    if change.removes:
        heir = None if change.successor is None else person(work, change.successor)
        security.record(work, "person_removed", user, about=heir.name if heir else "")
        for tell in hooks.person_removed:
            tell(work, user, heir)
        users.delete_user(work.session, user.id)
    _journal(work, user, journal.DELETE if change.removes else journal.UPDATE, public=change.public)
    return change.count


HAND_OVER = LongWork("hand-over", N_("Hand events to somebody else"), HandOver, _hand_over_events, _end_hand_over)


# For everybody who works on the calendar


def names_of_people(work: UnitOfWork, *, with_services: bool = True) -> dict[int, str]:
    """By id: whose an event is, and who has changed something. `with_services`: also authors that are no people."""
    require_to_read(True, work.caller)
    if with_services:
        return users.author_names(work.session)
    return {user.id: user.name for user in users.all_users(work.session)}


# For oneself


def caller_user(work: UnitOfWork) -> User:
    """The caller, as in this transaction."""
    require_to_read(True, work.caller)
    return _existing(work, work.caller.user)


def change_caller_profile(
    work: UnitOfWork,
    *,
    name: str,
    language: str,
    precondition: Precondition | None = None,
) -> User:
    require(True, work.caller)
    if language not in ("", *LANGUAGES):
        raise BadUser(N_("Choose a language from the list."), field="language")
    user = caller_user(work)
    if precondition is not None:
        precondition(user)
    _rename(work, user, name)
    user.language = language
    return _save(work, user)


def set_caller_address(work: UnitOfWork, address: str) -> User:
    """Used by `email_address`, which asks for the password and lets the new address be confirmed."""
    require(True, work.caller)
    user = caller_user(work)
    _set_email(work, user, address)
    return _save(work, user)


def switch_caller_mail(work: UnitOfWork, off: Collection[str]) -> User:
    """`off`: the kinds of messages that the caller does not want, of those that can be switched off."""
    require(True, work.caller)
    user = caller_user(work)
    user.mail_off = " ".join(sorted(name for name, kind in letters.kinds().items() if kind.switch and name in off))
    return _save(work, user)


def set_password(work: UnitOfWork, user: User, password: str) -> User:
    """A new password of somebody, which ends all sessions and all links to set one. The own one only by
    `sessions.change_password`, which asks for the present one first."""
    require(may_manage_users(work.caller) or user.id == work.caller.user, work.caller)
    check_password(password)
    user.password = hashed(password)
    letters.post(work, "password_changed", user.email, {"name": user.name, "at": work.now_text}, user=user)
    _end_sessions_and_links(work, user)
    security.record(work, "password_changed", user)
    return _save(work, user)


# Accounts of the service itself


def service_user(session: Session, name: str, now: datetime) -> int:
    """The id of an account that no person has, made when it is first needed. `name` is none that people can have."""
    known = users.service_user(session, name)
    if known is not None:
        return known
    role = Role.SUBSCRIBER.word
    user = User(name=name, role=role, password="", created_utc=dates.text(now), disabled=True, is_service=True)
    users.insert_user(session, user)
    return user.id


def _existing(work: UnitOfWork, id: int) -> User:
    user = users.find_user(work.session, id) if id < LARGEST_ID else None
    if user is None:
        raise ApiError(NO_USER)
    return user


def _rename(work: UnitOfWork, user: User, name: str) -> None:
    if name == user.name:
        return
    check_name(name)
    known = users.find_user_by_name(work.session, name)
    if known is not None and known.id != user.id:
        raise BadUser(N_("there is already a user {name}"), field="name", name=name)
    user.name = name


def _set_email(work: UnitOfWork, user: User, written: str) -> None:
    """Both addresses are told. A link to set a password that went to the former one ends."""
    email = checked_email(written)
    before, user.email = user.email, email
    if email == before:
        return
    one_time_links.delete_of_user(work.session, user.id)
    for address, was_this in ((before, True), (email, False)):
        facts = {"name": user.name, "address": email, "was_this": was_this}
        letters.post(work, "address_changed", address, facts, user=user, despite_refusal=not was_this)


def _end_sessions_and_links(work: UnitOfWork, user: User) -> None:
    sessions.end_all(work.session, user.id)
    one_time_links.delete_of_user(work.session, user.id)


def _save(work: UnitOfWork, user: User) -> User:
    users.update_user(work.session, user)
    _journal(work, user, journal.UPDATE)
    return user


def _refuse_without_administrator(session: Session, user: User) -> None:
    """The last administrator can neither be removed nor lose the role: no user could restore it."""
    is_administrator = user.role == Role.ADMINISTRATOR.word
    if is_administrator and not user.disabled and users.count_active(session, user.role) == 1:
        raise BadUser(N_("{name} is the only administrator"), name=user.name)


def _journal(work: UnitOfWork, user: User, change: str, *, public: bool = False) -> None:
    journal.record(work.session, "user", user.id, change, public=public, at=work.now_text)
