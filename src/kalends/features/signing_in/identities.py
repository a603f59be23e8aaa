"""Whose account somebody of the provider has: linked by its owner while signed in, or new; never found by a name or
an address of mail. The roles that the provider gives count at each sign-in."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from kalends.calendar import security
from kalends.calendar.access import SERVICE, UnitOfWork, may_manage_users, require, require_to_read
from kalends.calendar.accounts import account_rules, users
from kalends.calendar.accounts.account_rules import LONGEST_NAME, BadUser
from kalends.contract.roles import Role
from kalends.features.signing_in import oidc_rows as rows
from kalends.features.signing_in.oidc_rows import Identity
from kalends.features.signing_in.settings import SigningInSettings
from kalends.features.signing_in.telling import notify
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import User
from kalends.values import names

NOT_HERE = N_("There is no account for you here. Who has one signs in with the password and links it in the profile.")
NO_ROLE = N_("Your organization has not given you a role here. Ask an administrator.")
DISABLED = N_("This account is disabled.")
LINKED_ALREADY = N_("This sign-in belongs to another account already.")
LOCKED_OUT = N_(
    "Then no administrator could sign in: first link an administrator's account in its profile, or name one as an"
    " exception."
)
LOSING = ("role_changed", "disabled", "person_removed")
UNNAMEABLE = re.compile(r"[^\w.@+-]+")


class NotAdmitted(Exception):
    """Somebody whom the provider knows and who gets no session here; the message is for the person."""


def is_provider_only(user: User, settings: Settings) -> bool:
    """Whether the password of a person is not taken."""
    own = settings.of(SigningInSettings)
    if not own.oidc_only or not own.oidc_issuer:
        return False
    return names.fold(user.name) not in local_names(own.local_admins)


def local_names(written: str) -> set[str]:
    return {names.fold(name.strip()) for name in written.split(",") if name.strip()}


def role_of(claims: Mapping[str, Any], settings: SigningInSettings) -> Role | None:
    """The highest role that the claim's values stand for; None where there is none."""
    claim, _, mapping = settings.oidc_roles.partition(":")
    found: object = claims
    for part in (claim,) if claim in claims else claim.split("."):  # such as realm_access.roles
        found = found.get(part) if isinstance(found, Mapping) else None
    values = {one for one in (found if isinstance(found, list) else [found]) if isinstance(one, str)}
    pairs = [pair.rpartition("=") for pair in mapping.split(",") if pair.strip()]
    roles = [Role[role.strip().upper()] for value, _, role in pairs if value.strip() in values]
    return max(roles, default=None)


def admit(work: UnitOfWork, issuer: str, claims: Mapping[str, Any]) -> User:
    """The account of somebody of the provider, with the role of now. Raises NotAdmitted."""
    as_service = msgspec.structs.replace(work, caller=SERVICE)
    settings, subject = work.settings.of(SigningInSettings), claims["sub"]
    default = None if settings.oidc_default_role == "none" else Role[settings.oidc_default_role.upper()]
    role = role_of(claims, settings) or default
    known = rows.identity(work.session, issuer, subject)
    if known is None:
        if role is None:
            raise NotAdmitted(NO_ROLE if settings.oidc_roles else NOT_HERE)
        return _add(as_service, issuer, subject, claims, role)
    user = stored_users.find_user(work.session, known.user)
    if user is None or user.disabled:
        raise NotAdmitted(DISABLED)
    rows.note_use(work.session, known, work.now_text)
    return _with_role(as_service, user, role) if settings.oidc_roles else user


def _with_role(work: UnitOfWork, user: User, role: Role | None) -> User:
    if role is None:
        raise NotAdmitted(NO_ROLE)
    if role.word == user.role:
        return user
    try:
        return users.change_user(work, user, role=role.word)
    except BadUser:  # the only administrator: no user could restore the role
        security.record(work, "role_kept", user, about=f"{user.role}, not {role.word}")
        return user


def _add(work: UnitOfWork, issuer: str, subject: str, claims: Mapping[str, Any], role: Role) -> User:
    """A new person, who has no password here."""
    email = str(claims.get("email") or "") if claims.get("email_verified") is True else ""
    try:
        email = account_rules.checked_email(email)
    except BadUser:
        email = ""
    user = users.add_user(work, _free_name(work.session, claims), role.word, None, email)
    _insert(work, issuer, subject, user)
    return user


def _free_name(session: Session, claims: Mapping[str, Any]) -> str:
    written = [claims.get("preferred_username"), claims.get("name"), claims.get("email")]
    texts = [UNNAMEABLE.sub(" ", one[:LONGEST_NAME]).strip() for one in written if isinstance(one, str)]
    name = next((text for text in texts if account_rules.USER_NAME.fullmatch(text)), "person")[: LONGEST_NAME - 5]
    number, free = 1, name.rstrip()
    while stored_users.find_user_by_name(session, free) is not None:
        number += 1
        free = f"{name.rstrip()}-{number}"
    return free


def _insert(work: UnitOfWork, issuer: str, subject: str, user: User) -> None:
    rows.insert_identity(work.session, Identity(issuer, subject, user.id, work.now_text, work.now_text))
    notify(work, user, "identity_linked", issuer)


def link(work: UnitOfWork, issuer: str, subject: str) -> None:
    """Links the caller's own account."""
    require(True, work.caller)
    known = rows.identity(work.session, issuer, subject)
    if known is not None and known.user != work.caller.user:
        raise NotAdmitted(LINKED_ALREADY)
    if known is None:
        _insert(work, issuer, subject, users.caller_user(work))


def unlink(work: UnitOfWork, issuer: str, subject: str) -> None:
    require(True, work.caller)
    user = users.caller_user(work)
    if not user.password:
        raise BadUser(N_("Without it you could not sign in: an administrator can give you a link to set a password."))
    rows.delete_identity(work.session, user.id, issuer, subject)
    own = work.settings.of(SigningInSettings)
    if own.oidc_only and not can_administrate(work, own.local_admins):
        raise BadUser(LOCKED_OUT)
    notify(work, user, "identity_unlinked", issuer)


def of_person(work: UnitOfWork, one: users.Person) -> list[Identity]:
    user = users.person(work, one)
    require_to_read(may_manage_users(work.caller) or user.id == work.caller.user, work.caller)
    return rows.identities_of(work.session, user.id)


def can_administrate(work: UnitOfWork, local_admins: str, without: int = 0) -> bool:
    """Whether an administrator, other than this one, could sign in without passwords but for those named."""
    local, issuer = local_names(local_admins), work.settings.of(SigningInSettings).oidc_issuer
    linked = rows.people_of(work.session, issuer)
    return any(
        user.role == Role.ADMINISTRATOR.word and (user.id in linked or names.fold(user.name) in local)
        for user in stored_users.all_users(work.session)
        if not user.disabled and user.id != without
    )


def check_administrators(work: UnitOfWork, what: str, id: int) -> None:
    """Somebody is about to lose rights: while passwords are not taken, an administrator who can sign in stays.
    Raises BadUser."""
    own = work.settings.of(SigningInSettings)
    if what not in LOSING or not own.oidc_only or not own.oidc_issuer:
        return
    user = stored_users.find_user(work.session, id)
    is_administrator = user is not None and user.role == Role.ADMINISTRATOR.word and not user.disabled
    if is_administrator and not can_administrate(work, own.local_admins, without=id):
        raise BadUser(LOCKED_OUT)
