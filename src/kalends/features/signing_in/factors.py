"""Second factors: an authenticator app, passkeys, recovery codes; who needs one, and what a code is good for."""

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
from kalends.features.signing_in import identities, passkeys
from kalends.features.signing_in.factor_rows import Passkey, Totp
from kalends.features.signing_in.passkeys import PasskeySite
from kalends.features.signing_in.settings import SigningInSettings
from kalends.features.signing_in.telling import notify
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import sessions as stored_sessions
from kalends.store.rows.records import User

PURPOSE = "authenticator app"
CODES, CODE_LENGTH = 10, 16
MOST_PASSKEYS, LONGEST_NAME = 20, 60
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 that are not mistaken for one another
STEP = 30  # seconds for which an app shows a code
DRIFT = 1  # steps by which clocks may differ
SECRET = re.compile("[A-Z2-7]{32}")
WRONG_CODE = N_("This code is not right. Take the newest one that the app shows.")
NEEDED = N_("Your role needs a second factor: add another one first.")


class Factors(NamedTuple):
    """What a person has beside a password."""

    app: bool
    passkeys: Sequence[Passkey]
    codes: int  # recovery codes that are left
    needed: bool  # whether the role asks for one

    @property
    def any(self) -> bool:
        return self.app or bool(self.passkeys)


def has_any(session: Session, user: int) -> bool:
    return rows.totp_of(session, user) is not None or bool(rows.passkeys_of(session, user))


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
    app, passkeys = rows.totp_of(work.session, user.id) is not None, rows.passkeys_of(work.session, user.id)
    return Factors(app, passkeys, rows.count_codes(work.session, user.id), is_needed(user, work.settings))


def are_there_passkeys(work: UnitOfWork) -> bool:
    """Whether the page that asks to sign in offers to use one."""
    return rows.are_there_passkeys(work.session)


def new_secret() -> str:
    import pyotp

    return str(pyotp.random_base32())


def address_of(secret: str, name: str, site: str) -> str:
    """What an authenticator app reads from a code."""
    from pyotp.totp import TOTP

    return str(TOTP(secret).provisioning_uri(name=name, issuer_name=site[:60]))


def is_app_readable(work: UnitOfWork, one: users.Person) -> bool:
    """Whether the server has the key by which the secret of a person's app was sealed."""
    totp = rows.totp_of(work.session, users.person(work, one).id)
    return totp is None or sealing.unseal(work.settings, PURPOSE, totp.secret) is not None


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
    return _added(work, user, "totp")


def remove_app(work: UnitOfWork) -> None:
    require(True, work.caller)
    user = users.caller_user(work)
    rows.delete_totp(work.session, user.id)
    _removed(work, user, "totp")


def make_passkey(
    work: UnitOfWork, site: PasskeySite, session: int, key: str, answer: str, name: str
) -> Sequence[str]:
    """A passkey of the caller, as the browser of a session has answered; recovery codes, where there were none."""
    require(True, work.caller)
    user = users.caller_user(work)
    if not 0 < len(name) <= LONGEST_NAME:
        raise BadUser(N_("Write a name of at most {maximum} characters."), field="name", maximum=LONGEST_NAME)
    if len(rows.passkeys_of(work.session, user.id)) >= MOST_PASSKEYS:
        raise BadUser(N_("There are {maximum} passkeys already: remove one first."), maximum=MOST_PASSKEYS)
    made = passkeys.made(work, site, session, key, answer)
    passkey = Passkey(made.id, user.id, name, site.id, made.public_key, made.uses, work.now_text)
    rows.insert_passkey(work.session, passkey)
    return _added(work, user, name)


def remove_passkey(work: UnitOfWork, id: str) -> None:
    require(True, work.caller)
    user = users.caller_user(work)
    if (removed := rows.delete_passkey(work.session, user.id, id)) is not None:
        _removed(work, user, removed.name)


def new_codes(work: UnitOfWork) -> Sequence[str]:
    """Recovery codes of the caller, in place of the earlier ones."""
    require(True, work.caller)
    user = users.caller_user(work)
    if not has_any(work.session, user.id):
        return ()
    notify(work, user, "codes_made")
    return _make_codes(work, user)


def reset(work: UnitOfWork, one: users.Person) -> User:
    """Takes all second factors from a person who has lost them, and ends the sessions."""
    require(may_manage_users(work.caller), work.caller)
    user = users.person(work, one)
    rows.delete_totp(work.session, user.id)
    for passkey in rows.passkeys_of(work.session, user.id):
        rows.delete_passkey(work.session, user.id, passkey.id)
    rows.put_codes(work.session, user.id, ())
    stored_sessions.end_all(work.session, user.id)
    notify(work, user, "factors_reset")
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
    return ["-".join(code[start : start + 4] for start in range(0, CODE_LENGTH, 4)) for code in codes]


def _added(work: UnitOfWork, user: User, about: str) -> Sequence[str]:
    notify(work, user, "factor_added", about)
    return _make_codes(work, user) if not rows.count_codes(work.session, user.id) else ()


def _removed(work: UnitOfWork, user: User, about: str) -> None:
    """Without a factor, recovery codes are for nothing. The last one stays where the role needs one."""
    if not has_any(work.session, user.id):
        if is_needed(user, work.settings):
            raise BadUser(NEEDED)
        rows.put_codes(work.session, user.id, ())
    notify(work, user, "factor_removed", about)


def _digest(code: str) -> bytes:
    """Codes are random, so a plain hash is enough."""
    return hashlib.sha256(code.encode()).digest()
