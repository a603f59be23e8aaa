"""Second factors: an authenticator app with recovery codes; who needs one, and what a code is good for."""

import hashlib
import re
import secrets
from calendar import timegm
from collections.abc import Sequence
from typing import NamedTuple

from kalends.calendar import sealing, security
from kalends.calendar.access import UnitOfWork, may_manage_users, require, require_to_read
from kalends.calendar.accounts import users
from kalends.calendar.accounts.account_rules import BadUser
from kalends.contract.roles import Role
from kalends.features.signing_in import factor_rows as rows
from kalends.features.signing_in import identities
from kalends.features.signing_in.factor_rows import Totp
from kalends.features.signing_in.settings import SigningInSettings
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import sessions as stored_sessions
from kalends.store.rows.records import User

PURPOSE = "authenticator app"
CODES, CODE_LENGTH = 10, 16
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 that are not mistaken for one another
STEP = 30  # seconds for which an app shows a code
DRIFT = 1  # steps by which clocks may differ
SECRET = re.compile("[A-Z2-7]{32}")
WRONG_CODE = N_("This code is not right. Take the newest one that the app shows.")
NEEDED = N_("Your role needs a second factor: add another one first.")


class Factors(NamedTuple):
    """What a person has beside a password."""

    app: bool
    codes: int  # recovery codes that are left
    needed: bool  # whether the role asks for one

    @property
    def any(self) -> bool:
        return self.app


def has_any(session: Session, user: int) -> bool:
    return rows.totp_of(session, user) is not None


def is_needed(user: User, settings: Settings) -> bool:
    """Whether the role of a person asks for a second factor."""
    lowest = settings.of(SigningInSettings).second_factor
    return lowest != "none" and Role[user.role.upper()] >= Role[lowest.upper()]


def after_password(session: Session, user: User, settings: Settings, *, in_browser: bool) -> bool:
    """Whether a password is not enough: a program has no way to show more; a person is asked for it or, where there
    is none yet, to set one up."""
    if has_any(session, user.id) or identities.is_provider_only(user, settings):
        return True
    return not in_browser and is_needed(user, settings)


def of_person(work: UnitOfWork, one: users.Person) -> Factors:
    user = users.person(work, one)
    require_to_read(may_manage_users(work.caller) or user.id == work.caller.user, work.caller)
    is_there = rows.totp_of(work.session, user.id) is not None
    return Factors(is_there, rows.count_codes(work.session, user.id), is_needed(user, work.settings))


def new_secret() -> str:
    import pyotp

    return str(pyotp.random_base32())


def address_of(secret: str, name: str, site: str) -> str:
    """What an authenticator app reads from a code."""
    from pyotp.totp import TOTP

    return str(TOTP(secret).provisioning_uri(name=name, issuer_name=site[:60]))


def add_app(work: UnitOfWork, secret: str, code: str) -> Sequence[str]:
    """The caller's authenticator app, in place of one that was there; recovery codes, where there were none."""
    require(True, work.caller)
    user = users.caller_user(work)
    if not sealing.is_possible(work.settings):
        raise BadUser(N_("The server needs the setting secret_key before an app can be added."), field="code")
    step = _step_of(secret, code, work) if SECRET.fullmatch(secret) else None
    if step is None:
        raise BadUser(WRONG_CODE, field="code")
    sealed = sealing.seal(work.settings, PURPOSE, secret)
    rows.put_totp(work.session, Totp(user.id, sealed, step, work.now_text))
    security.record(work, "factor_added", user, about="totp")
    return _make_codes(work, user) if not rows.count_codes(work.session, user.id) else ()


def remove_app(work: UnitOfWork) -> None:
    require(True, work.caller)
    user = users.caller_user(work)
    if is_needed(user, work.settings):
        raise BadUser(NEEDED)
    rows.delete_totp(work.session, user.id)
    _forget_codes_without_factor(work, user)
    security.record(work, "factor_removed", user, about="totp")


def new_codes(work: UnitOfWork) -> Sequence[str]:
    """Recovery codes of the caller, in place of the earlier ones."""
    require(True, work.caller)
    user = users.caller_user(work)
    return _make_codes(work, user) if has_any(work.session, user.id) else ()


def reset(work: UnitOfWork, one: users.Person) -> User:
    """Takes all second factors from a person who has lost them, and ends the sessions."""
    require(may_manage_users(work.caller), work.caller)
    user = users.person(work, one)
    rows.delete_totp(work.session, user.id)
    rows.put_codes(work.session, user.id, ())
    stored_sessions.end_all(work.session, user.id)
    security.record(work, "factors_reset", user)
    return user


def use(work: UnitOfWork, user: User, typed: str) -> bool:
    """Whether somebody has typed a code of the person's app or a recovery code, which is good for nothing then."""
    code = re.sub(r"[\s-]", "", typed).lower()
    if len(code) == CODE_LENGTH:
        is_right = has_any(work.session, user.id) and rows.use_code(work.session, user.id, _digest(code))
        if is_right:
            security.record(work, "recovery_used", user)
        return is_right
    totp = rows.totp_of(work.session, user.id)
    secret = sealing.unseal(work.settings, PURPOSE, totp.secret) if totp else None
    step = _step_of(secret, code, work) if secret else None
    return step is not None and rows.use_step(work.session, user.id, step)


def _step_of(secret: str, code: str, work: UnitOfWork) -> int | None:
    """The step of time whose code this is."""
    from pyotp.totp import TOTP

    if not re.fullmatch("[0-9]{6}", code):
        return None
    app, now = TOTP(secret), timegm(work.now.timetuple()) // STEP
    found = [
        step for step in range(now - DRIFT, now + DRIFT + 1) if secrets.compare_digest(app.at(step * STEP), code)
    ]
    return max(found, default=None)


def _make_codes(work: UnitOfWork, user: User) -> Sequence[str]:
    codes = ["".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)) for _ in range(CODES)]
    rows.put_codes(work.session, user.id, [_digest(code) for code in codes])
    security.record(work, "codes_made", user)
    return ["-".join(code[start : start + 4] for start in range(0, CODE_LENGTH, 4)) for code in codes]


def _forget_codes_without_factor(work: UnitOfWork, user: User) -> None:
    if not has_any(work.session, user.id):
        rows.put_codes(work.session, user.id, ())


def _digest(code: str) -> bytes:
    """Codes are random, so a plain hash is enough."""
    return hashlib.sha256(code.encode()).digest()
