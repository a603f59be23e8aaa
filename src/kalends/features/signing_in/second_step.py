"""The page after the password: it asks for the second factor. Who has typed the password is in the page itself,
signed by the calendar, so nothing is stored before somebody is signed in."""

import base64
import hashlib
from datetime import timedelta
from typing import ClassVar

import msgspec

from kalends.admin import recovered_forms, signing_in
from kalends.admin.plain_pages import SavedForm
from kalends.admin.request import AdminRequest
from kalends.admin.screen import SIGN_IN, safe_next
from kalends.calendar import signing, throttling
from kalends.calendar.access import ANONYMOUS, SERVICE, UnitOfWork
from kalends.calendar.accounts import credentials, sessions
from kalends.calendar.accounts.sessions import SignedIn
from kalends.calendar.throttling import ThrottleKey
from kalends.contract.errors import WRONG_PASSWORD, ApiError
from kalends.features.signing_in import factors, identities, passkey_asking, passkeys
from kalends.features.signing_in.factors import Factors
from kalends.features.signing_in.passkeys import NotShown, PasskeyQuestion
from kalends.languages import N_
from kalends.site.forms.form import GENERAL, Form
from kalends.store.engine.store import Session
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import User
from kalends.values import dates

PATH = "/admin/second-factor"
PURPOSE = "second factor"
LASTS = timedelta(minutes=10)
TITLE = N_("Second factor")


class Pending(msgspec.Struct, frozen=True):
    """Somebody whose password was right until a moment, and as long as it stays the password."""

    user: int
    stay: bool
    until: str
    password: str  # a digest of the stored hash


class SecondStepPage(msgspec.Struct):
    template: ClassVar[str] = "features/signing_in/second_step.html"

    key: str
    next: str
    saved: SavedForm | None
    own: Factors
    is_readable: bool  # the secret of the app
    asked: PasskeyQuestion | None  # of a passkey


def key_of(session: Session, user: User, until: str, *, stay: bool) -> str:
    pending = Pending(user.id, stay, until, _digest(user))
    text = base64.urlsafe_b64encode(msgspec.json.encode(pending)).decode()
    return f"{text}.{signing.sign(session, PURPOSE, text)}"


def find(work: UnitOfWork, key: str) -> tuple[User, bool] | None:
    """Whose key it is, and whether the session is to be a long one."""
    text, _, signature = key.partition(".")
    if not signing.is_signed(work.session, PURPOSE, text, signature):
        return None
    pending = msgspec.json.decode(base64.urlsafe_b64decode(text), type=Pending)
    user = stored_users.find_user(work.session, pending.user)
    if user is None or user.disabled or _digest(user) != pending.password:
        return None
    return (user, pending.stay) if work.now_text < pending.until else None


def ask(request: AdminRequest, user: User, stay: bool) -> None:
    """In place of a session. Who signs in at the provider alone is refused as with a wrong password."""
    if identities.is_provider_only(user, request.settings):
        credentials.record_refusal(request.calendar, request.calendar.clock(), user, request.address, "password")
        request.form.refuse(GENERAL, WRONG_PASSWORD.message)
        signing_in.show_refused_form(request, signing_in.show_sign_in, ApiError(WRONG_PASSWORD))
        return
    until = dates.text(request.calendar.clock() + LASTS)
    with request.calendar.store.read() as session:
        key = key_of(session, user, until, stay=stay)
    _show(request, key, user)


def show_nothing(request: AdminRequest) -> None:
    request.go(SIGN_IN)


def sign_in(request: AdminRequest, form: Form) -> None:
    """Signs somebody in by a passkey or a code. Wrong codes are throttled as passwords are."""
    key = form.raw("key")
    with request.calendar.reading_latest(ANONYMOUS) as work:
        found = find(work, key)
    if found is None:
        request.go(SIGN_IN)
        return
    user, stay = found
    try:
        begun = _begin(request, form, key, user)
    except NotShown as problem:
        passkey_asking.refuse(request, form, user, problem)
        _show(request, key, user)
        return
    except ApiError as error:
        form.add_api_error(error)
        signing_in.show_refused_form(request, lambda request: _show(request, key, user), error)
        return
    if begun is None:
        form.refuse(GENERAL, factors.WRONG_CODE)
        _show(request, key, user)
    else:
        signing_in.welcome(request, form, begun, stay=stay)


def throttle_keys(user: User, address: str) -> tuple[ThrottleKey, ...]:
    return throttling.login(f"second factor {user.id}", address)


def is_right(request: AdminRequest, user: User, code: str) -> bool:
    """Whether a code is the person's; guesses are slowed down."""
    calendar, keys = request.calendar, throttle_keys(user, request.address)
    with calendar.store.read() as session:
        calendar.throttle.raise_if_blocked(session, keys, calendar.clock())
    with calendar.writing(ANONYMOUS) as work:
        right = factors.use(work, user, code)
    if not right:
        calendar.throttle.record_failure(keys, calendar.clock())
        credentials.record_refusal(calendar, calendar.clock(), user, request.address, PURPOSE)
        return False
    with calendar.store.read() as session:
        calendar.throttle.record_success(session, keys, calendar.clock())
    return True


def _begin(request: AdminRequest, form: Form, key: str, user: User) -> SignedIn | None:
    code = form.text("code")
    form.values.pop("code", None)
    is_passkey = bool(form.raw("answer"))
    passkey = passkey_asking.shown(request, form, passkeys.SECOND_STEP, user.id, user) if is_passkey else None
    if passkey is None and not is_right(request, user, code):
        return None
    with request.calendar.writing(ANONYMOUS) as work:
        if passkey is not None:
            passkeys.use(work, passkey)
        found = find(work, key)  # again: the account may be another one by now
        return found and sessions.welcome(work, found[0], signing_in.browser(request), stay=found[1])


def _show(request: AdminRequest, key: str, user: User) -> None:
    form = request.form
    wanted, saved = safe_next(form.text("next")), recovered_forms.passed_on(form, safe_next(form.text("kept_for")))
    with request.calendar.reading_latest(SERVICE) as work:
        own, is_readable = factors.of_person(work, user), factors.is_app_readable(work, user)
    asked = passkey_asking.ask(request, passkeys.SECOND_STEP, user.id, user)
    page = SecondStepPage(key, wanted, saved, own, is_readable, asked)
    request.answer(page, status=request.form_status, title=request.say(TITLE))


def _digest(user: User) -> str:
    return hashlib.sha256(user.password.encode()).hexdigest()[:16]
