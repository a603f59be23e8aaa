"""Asks again who it is before people, settings, tokens, webhooks and one's own factors are changed, when that was not
shown for a quarter of an hour; and sends those to set up a second factor whose role needs one."""

from datetime import timedelta
from functools import wraps
from typing import Any, ClassVar

import falcon
import msgspec

from kalends.admin import recovered_forms, signing_in
from kalends.admin.plain_pages import SavedForm
from kalends.admin.request import AdminRequest
from kalends.admin.screen import TOKEN_FIELD, Screen, safe_next
from kalends.calendar.access import UnitOfWork
from kalends.calendar.accounts import one_time_links, users
from kalends.contract.errors import CROSS_SITE, ApiError
from kalends.features.signing_in import (
    factor_rows,
    factors,
    identities,
    oidc_rows,
    oidc_screens,
    passkey_asking,
    passkeys,
    second_step,
)
from kalends.features.signing_in.errors import CONFIRM
from kalends.features.signing_in.factors import Factors
from kalends.features.signing_in.passkeys import NotShown, PasskeyQuestion
from kalends.features.signing_in.settings import SigningInSettings
from kalends.http.middleware.request_middleware import TOKEN_HEADER, is_foreign
from kalends.http.request_context import ADMIN, context_of
from kalends.http.router import DescribedResource, Responder
from kalends.http.service import Service
from kalends.languages import N_
from kalends.site.forms.form import GENERAL, Form
from kalends.values import dates

PATH, LINK = "/admin/confirm", "/admin/link"
FACTORS = "/admin/profile/factors"
LASTS = timedelta(minutes=15)
TITLE = N_("Is it you?")
OPEN_WITHOUT_FACTOR = (FACTORS, PATH, "/admin/sign-out")
IN_VAIN = N_("No passwords are set here: everybody signs in with {name}.")
CONFIRMED = N_("Thank you. What you typed is kept here until you send it.")
WRONG = N_("This is not right.")


class ConfirmPage(msgspec.Struct):
    template: ClassVar[str] = "features/signing_in/confirm.html"

    next: str
    saved: SavedForm | None
    has_password: bool
    own: Factors
    asked: PasskeyQuestion | None  # of a passkey
    provider: str  # its name, where the person can show it there


def before_screen(request: AdminRequest, screen: Screen) -> bool:
    """Whether this has answered in place of a screen."""
    path = request.req.path
    if path == LINK and request.req.method == "GET":
        return _is_in_vain(request)
    if screen.is_public or request.session is None:
        return False
    if request.settings.of(SigningInSettings).second_factor != "none" and not path.startswith(OPEN_WITHOUT_FACTOR):
        own = request.read_latest(factors.of_person, request.caller.user)
        if own.needed and not own.any and not _began_at_provider(request):
            request.go(FACTORS, N_("Your role needs a second factor: set one up now."), kind="problem")
            return True
    if request.req.method == "GET" and screen.asks_again_to_show and not is_confirmed(request):
        request.go(f"{PATH}?next={path}")
        return True
    asks_again = screen.asks_again or screen.entry.asks_again
    if request.req.method == "POST" and asks_again and not is_confirmed(request):
        if is_foreign(request.req):
            raise ApiError(CROSS_SITE)
        if request.req.get_header(TOKEN_HEADER) is not None:
            raise ApiError(CONFIRM)
        _show(request, recovered_forms.read(request, screen.largest(request.settings), TOKEN_FIELD), status=403)
        return True
    return False


def _is_in_vain(request: AdminRequest) -> bool:
    """Whether a link to set a password was answered with where people sign in instead."""
    settings = request.settings
    if not settings.of(SigningInSettings).oidc_only or not settings.of(SigningInSettings).oidc_issuer:
        return False
    offer = request.read_latest(one_time_links.find, request.param("key"))
    if offer is None or (offer.user is not None and not identities.is_provider_only(offer.user, settings)):
        return False
    request.form.refuse(GENERAL, IN_VAIN, name=oidc_screens.name_of(request))
    signing_in.show_sign_in(request)
    return True


def _began_at_provider(request: AdminRequest) -> bool:
    """Then the provider answers for a second factor."""
    with request.calendar.store.read() as session:
        return oidc_rows.is_of_provider(session, request.signed_in().id)


def is_confirmed(request: AdminRequest) -> bool:
    return _is_recent(request.service, request.signed_in().id)


def _is_recent(service: Service, id: int) -> bool:
    with service.calendar.store.read() as session:
        at, now = factor_rows.confirmed(session, id), service.calendar.clock()
    return dates.text(now - LASTS) < at <= dates.text(now + LASTS)


def with_confirmation(resource: DescribedResource, path: str, responder: Responder) -> Responder:
    """The responder of a write of the interface: by a session, the same is asked for. Tokens are exempt."""
    if not resource.address.asks_again:
        return responder

    @wraps(responder)
    def respond(req: falcon.Request, resp: falcon.Response, **where: Any) -> None:
        session = context_of(req).session
        if session is not None and not _is_recent(resource.service, session.id):
            raise ApiError(CONFIRM)
        responder(req, resp, **where)

    return respond


def show(request: AdminRequest) -> None:
    _show(request, None)


def confirm(request: AdminRequest, form: Form) -> None:
    """By the password, a passkey, or a code of the second factor."""
    password, code = signing_in.pop_password(form), form.text("code")
    form.values.pop("code", None)
    saved = signing_in.saved_within(form)
    session = request.signed_in()
    try:
        passkey = None
        if form.raw("answer"):
            passkey = passkey_asking.shown(request, form, passkeys.CONFIRM, session.id, session.user)
        elif not _is_right(request, password, code):
            form.refuse(GENERAL, WRONG)
            _show(request, saved)
            return
        with request.calendar.writing(request.caller) as work:
            if passkey is not None:
                passkeys.use(work, passkey)
            factor_rows.confirm(work.session, session.id, work.now_text)
    except NotShown as problem:
        passkey_asking.refuse(request, form, session.user, problem)
        _show(request, saved)
        return
    except ApiError as error:
        form.add_api_error(error)
        signing_in.show_refused_form(request, lambda request: _show(request, saved), error)
        return
    if saved is not None:
        recovered_forms.offer(request, saved, reason=CONFIRMED)
    else:
        request.go(safe_next(form.text("next")))


def _is_right(request: AdminRequest, password: str, code: str) -> bool:
    user = request.signed_in().user
    if code:
        return second_step.is_right(request, user, code)
    found = request.service.authenticator.by_password(
        request.calendar, user.name, password, request.address, application=False
    )
    return found is not None and found.user == user.id


def _show(request: AdminRequest, saved: SavedForm | None, status: int = 0) -> None:
    def read(work: UnitOfWork) -> tuple[bool, Factors, str]:
        user = users.caller_user(work)
        is_linked = bool(work.settings.of(SigningInSettings).oidc_issuer and identities.of_person(work, user))
        provider = oidc_screens.name_of(request) if is_linked else ""
        return bool(user.password), factors.of_person(work, user), provider

    session = request.signed_in()
    wanted = safe_next(request.form.text("next", request.param("next"))) if saved is None else ADMIN
    has_password, own, provider = request.read_latest(read)
    asked = passkey_asking.ask(request, passkeys.CONFIRM, session.id, session.user)
    page = ConfirmPage(wanted, saved, has_password, own, asked, provider)
    request.answer(page, status=status or request.form_status, title=request.say(TITLE))
