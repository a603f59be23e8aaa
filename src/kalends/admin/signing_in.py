"""Signing in and out, and the links by which a password is set."""

from collections.abc import Callable

import falcon

from kalends import hooks
from kalends.admin import recovered_forms
from kalends.admin.plain_pages import (
    KEPT_PATH,
    AddressPage,
    ForgottenPage,
    LinkGonePage,
    OneTimeLinkPage,
    SavedForm,
    SignInPage,
)
from kalends.admin.request import ASKING, AdminRequest
from kalends.admin.screen import SIGN_IN, safe_next
from kalends.calendar import letters
from kalends.calendar.access import may_manage_users
from kalends.calendar.accounts import account_rules, email_address, forgotten_password, one_time_links, sessions
from kalends.calendar.accounts.sessions import Browser, SignedIn
from kalends.contract.errors import WRONG_PASSWORD, ApiError
from kalends.http.middleware.request_middleware import browser_key, clear_cookie, set_browser_cookie, set_cookie
from kalends.http.request_context import ADMIN
from kalends.languages import N_
from kalends.settings import Settings
from kalends.site.forms.form import FILL_IN, GENERAL, Form
from kalends.store.rows.records import User

SET_UP = "/admin/set-up"
LARGEST_FORM = 20_000


def small_form(settings: Settings) -> int:
    """Of people who are not signed in."""
    return LARGEST_FORM


def form_with_another(settings: Settings) -> int:
    """Signing in may carry another form, which was sent when the session had ended."""
    return recovered_forms.LARGEST_KEPT + LARGEST_FORM


def show_sign_in(request: AdminRequest) -> None:
    """Name and password, for a session."""
    form = request.form
    wanted = safe_next(form.text("next", request.param("next")))
    if request.session is not None and not form.errors:
        request.go(wanted)
    else:
        request.answer(
            SignInPage(wanted, saved_within(form), letters.is_on(request.settings), request.ways_to_sign_in(ASKING))
        )


def sign_in(request: AdminRequest, form: Form) -> None:
    """Wrong passwords are throttled as those of HTTP Basic are."""
    stay, password = form.is_checked("stay"), pop_password(form)
    try:
        begun = sessions.sign_in(
            request.calendar, request.service.authenticator, form.text("name"), password, browser(request), stay=stay
        )
        if begun is None:
            raise ApiError(WRONG_PASSWORD)
    except ApiError as error:
        if error.error_type is WRONG_PASSWORD:
            form.refuse(GENERAL, WRONG_PASSWORD.message)
        else:
            form.add_api_error(error)
        show_refused_form(request, show_sign_in, error)
        return
    if isinstance(begun, User):
        ask_for_more(request, begun, stay=stay)
        return
    welcome(request, form, begun, stay=stay)


def ask_for_more(request: AdminRequest, user: User, *, stay: bool) -> None:
    """Signing in goes on with what a feature asks for."""
    for second_step in hooks.second_step:
        second_step(request, user, stay)


def welcome(request: AdminRequest, form: Form, begun: SignedIn, *, stay: bool) -> None:
    """Leads to where a form of signing in was to lead, or to the other form that came with it."""
    enter(request, begun, stay=stay)
    if (kept := saved_within(form)) is not None:
        recovered_forms.offer(request, kept)
    else:
        request.go(safe_next(form.text("next")))


def show_refused_form(request: AdminRequest, page: Callable[[AdminRequest], None], error: ApiError) -> None:
    """The page of a refused form, which also says so to programs, and when to try again."""
    page(request)
    request.resp.status = falcon.code_to_http_status(error.error_type.status)
    request.resp.set_headers(dict(error.headers))


def saved_within(form: Form) -> SavedForm | None:
    """Another form that came with that of signing in."""
    return recovered_forms.passed_on(form, safe_next(form.text(KEPT_PATH)))


def pop_password(form: Form) -> str:
    """What was typed, which no page shows again."""
    return next(iter(form.values.pop("password", ())), "")


def sign_out(request: AdminRequest, form: Form) -> None:
    """Ends the session of this browser."""
    request.write(sessions.end_caller_sessions, [request.signed_in().id])
    clear_cookie(request.resp)
    request.go(SIGN_IN)


def show_forgotten(request: AdminRequest) -> None:
    if letters.is_on(request.settings):
        request.answer(ForgottenPage())
    else:
        request.go(SIGN_IN)


def send_forgotten(request: AdminRequest, form: Form) -> None:
    """The answer, and the time that it takes, say nothing about who is there."""
    if not letters.is_on(request.settings):
        request.go(SIGN_IN)
        return
    if not form.text("name"):
        form.refuse("name", FILL_IN)
        return
    try:
        forgotten_password.ask(request.calendar, form.text("name"), request.address)
    except ApiError as error:
        form.add_api_error(error)
        show_refused_form(request, show_forgotten, error)
        return
    request.calendar.background.wake()
    request.answer(ForgottenPage(is_sent=True))


def show_link(request: AdminRequest) -> None:
    """Where a link for one use leads: to choose a password, and a name if the person is new."""
    key = request.form.raw("key") or request.param("key")
    offer = request.read_latest(one_time_links.find, key)
    if offer is None:
        _gone(request)
    else:
        request.answer(OneTimeLinkPage(key, offer.user.name if offer.user else ""))


def accept_link(request: AdminRequest, form: Form) -> None:
    accepted, password = None, pop_password(form)
    try:
        accepted = sessions.accept_link(
            request.calendar, form.raw("key"), form.text("name"), password, browser(request)
        )
    except account_rules.BadUser as bad:
        form.refuse(bad.field, bad.message, **bad.arguments)
    if accepted is None:
        show_link(request)
        return
    begun, is_new_site = accepted
    if isinstance(begun, User):
        ask_for_more(request, begun, stay=False)
        return
    enter(request, begun, stay=False)
    request.go(SET_UP if is_new_site and may_manage_users(begun.caller) else ADMIN)


def show_address(request: AdminRequest) -> None:
    """Behind the link to a new address. Opening it changes nothing, since programs open links too."""
    key = request.form.raw("key") or request.param("key")
    found = request.read_latest(email_address.find, key)
    if found is None:
        _gone(request)
    else:
        user, address = found
        request.answer(AddressPage(key, user.name, address))


def confirm_address(request: AdminRequest, form: Form) -> None:
    address = request.write(email_address.confirm, form.raw("key"))
    if address is None:
        _gone(request)
    else:
        request.answer(AddressPage("", "", address, is_done=True))


def _gone(request: AdminRequest) -> None:
    request.answer(LinkGonePage(), status=404, title=request.say(N_("This link no longer works")))


def browser(request: AdminRequest) -> Browser:
    key = browser_key(request.req)
    return Browser(request.address, request.req.get_header("User-Agent") or "", request.session, key)


def enter(request: AdminRequest, begun: SignedIn, *, stay: bool) -> None:
    """Gives the browser the cookie of its new session."""
    set_cookie(request.resp, begun, request.base_url, stay=stay)
    set_browser_cookie(request.resp, browser_key(request.req), request.base_url)
    request.session = begun
