"""Every operation of calendar/accounts × every role: it asks for the right itself, whoever calls it."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from tests.conftest import NOW, PASSWORD, World

from kalends.calendar.access import ANONYMOUS, SERVICE, Caller, UnitOfWork
from kalends.calendar.accounts import account_rules, credentials, email_address, one_time_links, sessions, users
from kalends.calendar.accounts.credentials import Authenticator
from kalends.calendar.accounts.sessions import Browser
from kalends.contract.errors import ApiError
from kalends.contract.roles import ROLE_WORDS, Role

pytestmark = pytest.mark.both_stores

MANAGES, KNOWN, OWN = "manages people", "is known", "is it, or manages people"
CALLERS = ("anonymous", *ROLE_WORDS, "read-only administrator", "read-only author")


class People(NamedTuple):
    """Whom operations are tried on."""

    other: Any
    own: Any
    token: int  # of the other


Operation = Callable[[UnitOfWork, People], object]


class Rule(NamedTuple):
    who: str
    writes: bool
    call: Operation


RULES = {
    "users.everybody": Rule(MANAGES, False, lambda work, _: users.everybody(work)),
    "users.last_seen": Rule(MANAGES, False, lambda work, _: users.last_seen(work)),
    "users.count_records": Rule(MANAGES, False, lambda work, on: users.count_records(work, on.other)),
    "users.find_user": Rule(MANAGES, False, lambda work, on: users.find_user(work, on.other.id)),
    "users.person": Rule(MANAGES, False, lambda work, on: users.person(work, on.other.id)),
    "users.find_user_by_name": Rule(MANAGES, False, lambda work, _: users.find_user_by_name(work, "nobody")),
    "users.add_user": Rule(MANAGES, True, lambda work, _: users.add_user(work, "new", "subscriber", PASSWORD)),
    "users.change_user": Rule(MANAGES, True, lambda work, on: users.change_user(work, on.other, role="editor")),
    "users.hand_over": Rule(MANAGES, True, lambda work, on: users.hand_over(work, on.other, on.own)),
    "users.names_of_people": Rule(KNOWN, False, lambda work, _: users.names_of_people(work)),
    "users.caller_user": Rule(KNOWN, False, lambda work, _: users.caller_user(work)),
    "users.change_caller_profile": Rule(
        KNOWN, True, lambda work, _: users.change_caller_profile(work, name="mine", language="de")
    ),
    "users.set_caller_address": Rule(KNOWN, True, lambda work, _: users.set_caller_address(work, "me@example.org")),
    "email_address.request_change": Rule(
        KNOWN, True, lambda work, _: email_address.request_change(work, "me@example.org")
    ),
    "users.switch_caller_mail": Rule(KNOWN, True, lambda work, _: users.switch_caller_mail(work, ["event_changed"])),
    "users.set_password": Rule(OWN, True, lambda work, on: users.set_password(work, on.other, PASSWORD)),
    "credentials.tokens_of": Rule(OWN, False, lambda work, on: credentials.tokens_of(work, on.other)),
    "credentials.remaining": Rule(OWN, False, lambda work, on: credentials.remaining(work, on.other)),
    "credentials.add_token": Rule(OWN, True, lambda work, on: credentials.add_token(work, on.other, "label")),
    "credentials.revoke_token": Rule(OWN, True, lambda work, on: credentials.revoke_token(work, on.other, on.token)),
    "one_time_links.invitations": Rule(MANAGES, False, lambda work, _: one_time_links.invitations(work)),
    "one_time_links.invite": Rule(MANAGES, True, lambda work, _: one_time_links.invite(work, "author", "Ada")),
    "one_time_links.withdraw": Rule(MANAGES, True, lambda work, _: one_time_links.withdraw(work, 1)),
    "one_time_links.reset": Rule(MANAGES, True, lambda work, on: one_time_links.reset(work, on.other)),
    "one_time_links.send_reset": Rule(MANAGES, True, lambda work, on: one_time_links.send_reset(work, on.other)),
    "sessions.caller_sessions": Rule(KNOWN, False, lambda work, _: sessions.caller_sessions(work)),
    "sessions.end_caller_sessions": Rule(KNOWN, True, lambda work, _: sessions.end_caller_sessions(work, [1])),
    "sessions.end_other_sessions": Rule(KNOWN, True, lambda work, _: sessions.end_other_sessions(work, 1)),
    "sessions.end_all_of": Rule(MANAGES, True, lambda work, on: sessions.end_all_of(work, on.other)),
}
# What rests on a secret of its own and not on a role: a key, or the credentials that `sign_in` has checked.
BY_SECRET = {
    "one_time_links.find",
    "one_time_links.accept",
    "email_address.find",
    "email_address.confirm",
    "sessions.begin",
    "sessions.welcome",
}


class Undo(Exception):
    """Rolls a transaction back."""


def caller_named(world: World, name: str) -> Caller:
    if name == "anonymous":
        return ANONYMOUS
    role = name.rpartition(" ")[2]
    return Caller(world.ids[role], role, Role[role.upper()], read_only=name.startswith("read-only"))


def expected(rule: Rule, caller: Caller, *, is_own: bool) -> int:
    """The status of a refusal, or 200."""
    if caller.is_anonymous:
        return 401
    manages = caller.role is Role.ADMINISTRATOR
    has_right = manages or rule.who == KNOWN or (rule.who == OWN and is_own)
    return 200 if has_right and not (rule.writes and caller.read_only) else 403


def outcome(world: World, caller: Caller, rule: Rule, *, on_own: bool) -> int:
    try:
        with world.calendar.writing(SERVICE) as work:
            other = users.find_user(work, caller.user if on_own else world.ids["other_author"])
            own = users.find_user(work, caller.user or world.ids["editor"])
            _, token = credentials.add_token(work, other, "to be revoked")
            as_caller = UnitOfWork(work.session, caller, work.now, work.settings)
            try:
                rule.call(as_caller, People(other, own, token.id))
            except ApiError as refused:
                return refused.error_type.status
            raise Undo
    except Undo:
        return 200


@pytest.mark.parametrize("name", CALLERS)
def test_each_role_does_what_it_may_and_nothing_else(shared_world: World, name: str) -> None:
    caller = caller_named(shared_world, name)
    wrong = {}
    for operation, rule in RULES.items():
        for on_own in (False, True) if rule.who == OWN and not caller.is_anonymous else (False,):
            found = outcome(shared_world, caller, rule, on_own=on_own)
            if found != (wanted := expected(rule, caller, is_own=on_own)):
                wrong[operation, on_own] = (found, wanted)
    assert wrong == {}


def operations(module: ModuleType) -> set[str]:
    """The functions of a module that work in a transaction for a caller."""
    short = module.__name__.rpartition(".")[2]
    found = inspect.getmembers(module, inspect.isfunction)
    return {
        f"{short}.{name}"
        for name, function in found
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and next(iter(inspect.signature(function).parameters), "") == "work"
    }


def test_the_table_lists_every_operation() -> None:
    declared = set().union(
        *(operations(module) for module in (users, credentials, one_time_links, email_address, sessions))
    )
    assert declared == set(RULES) | BY_SECRET


def test_nobody_gives_a_role_above_the_own_one(shared_world: World) -> None:
    """Should people below administrators ever manage others."""
    with shared_world.calendar.writing(SERVICE) as work:
        lower = UnitOfWork(work.session, replace(SERVICE, role=Role.EDITOR), NOW, work.settings)
        with pytest.raises(ApiError):
            account_rules.check_may_assign(lower.caller, "administrator")
        account_rules.check_may_assign(lower.caller, "editor")


def test_an_application_password_changes_no_password(shared_world: World) -> None:
    world = shared_world
    with world.calendar.writing(SERVICE) as work:
        user = users.find_user(work, world.ids["author"])
        clear, _ = credentials.add_token(work, user, "program", purpose=credentials.APPLICATION)
        browser = Browser("127.0.0.1", "")
        begun = sessions.begin(work, user, browser, stay=False)
    authenticator, signed_in = Authenticator(), browser._replace(session=begun)
    for wrong in (clear, "guess"):
        assert sessions.change_password(world.calendar, authenticator, wrong, "a new sentence", signed_in) is None
        assert sessions.sign_in(world.calendar, authenticator, "author", wrong, browser, stay=False) is None
    assert sessions.sign_in(world.calendar, authenticator, "author", PASSWORD, browser, stay=False) is not None
