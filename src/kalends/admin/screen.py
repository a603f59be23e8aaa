"""A screen of the admin as it is declared, and what happens around each: the session, the right, the token of its
form, and errors as pages."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import falcon

from kalends import hooks
from kalends.admin import other_address, recovered_forms
from kalends.admin.navigation import NOWHERE, NavigationEntry, Right
from kalends.admin.other_address import OtherAddressPage
from kalends.admin.plain_pages import AdminErrorPage, SavedForm, SignInPage
from kalends.admin.request import ASKING, AdminRequest
from kalends.calendar import letters
from kalends.contract.errors import (
    CROSS_SITE,
    FORBIDDEN,
    INTERNAL,
    NO_ROUTE,
    SESSION_TOKEN,
    TOO_LARGE,
    ApiError,
)
from kalends.contract.types.numbers import LARGEST
from kalends.http.messages import responses
from kalends.http.middleware.logs import log
from kalends.http.middleware.request_middleware import TOKEN_HEADER, is_foreign
from kalends.http.request_context import ADMIN
from kalends.http.service import Service
from kalends.languages import N_
from kalends.settings import Settings
from kalends.site.forms.form import GENERAL, RETRY_AFTER, Form, busy, read_with_pictures
from kalends.site.pages import page_responses
from kalends.store.engine.store import StoreUnavailable
from kalends.values import site_paths

SIGN_IN = "/admin/sign-in"
SIGN_IN_TITLE = N_("Sign in")
TOKEN_FIELD = "token"  # noqa: S105
# Where signing in may lead: to a page of the admin, and never to another site.
NEXT = re.compile(r"/admin(?:/[\w.~%-]+)*/?(?:\?[\w.~%&=+:,-]*)?", re.ASCII)
TOO_LONG_OPEN = N_("This page was open for too long. Go back, load it again and repeat the change.")
TOO_LARGE_SENT = N_("What you sent is too large. Go back and choose a smaller file.")


def plain_form(settings: Settings) -> int:
    return settings.max_body


def form_with_picture(settings: Settings) -> int:
    return settings.max_body + settings.max_image


def receive(request: AdminRequest, largest: int) -> Form:
    return read_with_pictures(request.req, largest, request.language)


@dataclass(frozen=True, slots=True)
class Screen:
    """An address of the admin. `show` and `act` get the request, the parameters of the route, and `act` before them
    the form once its token was checked. Where `act` answers nothing and leaves errors in the form, the page is shown
    again with them. An ApiError becomes a page of its own."""

    entry: NavigationEntry = (
        NOWHERE  # of the navigation, which also has the right and the title unless they are given
    )
    show_page: Callable[..., None] | None = None  # None leads to the page that has the form
    act: Callable[..., None] | None = None
    title: str = ""
    again: Callable[..., None] | None = None  # the page that shows a refused form, unless it is that of `show`
    right: Right | None = None
    is_public: bool = False  # whether it needs no session
    keeps_form: bool = True  # whether what was typed goes through signing in; passwords do not
    asks_again: bool = False  # before it acts, who it is; those of some entries do in any case
    asks_again_to_show: bool = False  # before it is shown: it has a secret that would wait for the answer
    largest: Callable[[Settings], int] = plain_form  # bytes of a form
    receive: Callable[[AdminRequest, int], Form] = receive


class ScreenResource:
    """A screen as the framework calls it."""

    def __init__(self, service: Service, screen: Screen) -> None:
        self.service = service
        self.screen = screen

    def on_get(self, req: falcon.Request, resp: falcon.Response, **params: Any) -> None:
        self._answer(req, resp, params, self._show_page)

    on_head = on_get

    def _show_page(self, request: AdminRequest, params: Mapping[str, Any]) -> None:
        if self.screen.show_page is None:
            request.go(request.req.path.rpartition("/")[0])
        else:
            self.screen.show_page(request, **params)

    def _answer(
        self,
        req: falcon.Request,
        resp: falcon.Response,
        params: Mapping[str, Any],
        work: Callable[[AdminRequest, Mapping[str, Any]], None],
    ) -> None:
        screen = self.screen
        entry = screen.entry
        request = AdminRequest(self.service, entry.name, screen.title or entry.label, req, resp)
        own_host = request.other_address.own_host if request.other_address else ""
        page_responses.set_admin_headers(resp, request.language, own_host)
        try:
            if request.session is None and self._is_elsewhere(request):
                return
            if not screen.is_public:
                if request.session is None:
                    self._without_session(request)
                    return
                if not (screen.right or entry.right)(request.caller):
                    raise ApiError(FORBIDDEN)
            if any(before(request, screen) for before in hooks.before_screen):
                return
            if params.get("id", 0) > LARGEST:
                raise ApiError(NO_ROUTE)
            work(request, params)
        except ApiError as error:
            refuse(request, error)
        except StoreUnavailable as error:
            log.log(error.level, "the store is unavailable: %s", error)
            refuse(request, responses.outage(error))
        except Exception:
            log.exception("unexpected error")
            refuse(request, ApiError(INTERNAL))

    def _is_elsewhere(self, request: AdminRequest) -> bool:
        """Whether the browser was led to the address of the calendar, or told why nothing works at this one."""
        other, screen = request.other_address, self.screen
        if other is None:
            return False
        if request.req.method == "POST":
            if is_dead := other.drops_cookies and not is_foreign(request.req):
                page = OtherAddressPage(other.href, other.address)
                request.answer(page, status=403, title=request.say(other_address.TITLE))
            return is_dead
        has_form = screen.is_public and screen.show_page is not None and screen.act is not None
        if is_led := has_form and other_address.is_led(request.req, other):
            request.leave(other.href)
        return is_led

    def _without_session(self, request: AdminRequest) -> None:
        screen, kept = self.screen, None
        if request.req.method == "POST" and screen.keeps_form:
            kept = recovered_forms.read(request, screen.largest(request.settings), TOKEN_FIELD)
        ask_to_sign_in(request, kept)


class FormResource(ScreenResource):
    """A screen with forms."""

    def on_post(self, req: falcon.Request, resp: falcon.Response, **params: Any) -> None:
        self._answer(req, resp, params, self._act)

    def _act(self, request: AdminRequest, params: Mapping[str, Any]) -> None:
        if is_foreign(request.req):
            raise ApiError(CROSS_SITE)
        form = self.screen.receive(request, self.screen.largest(request.settings))
        try:
            self._act_on(request, form, params)
        finally:
            form.close()

    def _act_on(self, request: AdminRequest, form: Form, params: Mapping[str, Any]) -> None:
        screen = self.screen
        assert screen.act is not None
        sent = request.req.get_header(TOKEN_HEADER) or form.raw(TOKEN_FIELD)
        if not screen.is_public and not request.signed_in().has_token(sent):
            if not screen.keeps_form:
                raise ApiError(SESSION_TOKEN)
            recovered_forms.offer_again(request, form, TOKEN_FIELD)
            return
        form.values.pop(TOKEN_FIELD, None)
        request.form = form
        again = screen.again or screen.show_page
        try:
            screen.act(request, form, **params)
            if form.errors and not request.is_answered and again is not None:
                again(request, **params)
        except StoreUnavailable as error:
            if screen.is_public and again is not None:  # signing in: the page is shown again, without the password
                form.refuse(GENERAL, busy(error))
                again(request, **params)
                request.resp.status = falcon.HTTP_503
                request.resp.set_header("Retry-After", RETRY_AFTER)
            elif screen.keeps_form:
                recovered_forms.offer_later(request, form, error)
            else:
                raise


def ask_to_sign_in(request: AdminRequest, saved: SavedForm | None = None) -> None:
    """Leads to the sign-in and back to this page. A form that was sent waits in the page that asks."""
    if saved is not None:
        request.answer(
            SignInPage(ADMIN, saved, letters.is_on(request.settings), request.ways_to_sign_in(ASKING)),
            status=401,
            title=request.say(SIGN_IN_TITLE),
        )
        return
    query = f"?{request.req.query_string}" if request.req.query_string else ""
    here = request.req.path + query
    is_wanted = request.req.method == "GET" and here not in (ADMIN, f"{ADMIN}/")
    request.go(f"{SIGN_IN}?next={quote(here, safe='')}" if is_wanted else SIGN_IN)


def safe_next(wanted: str) -> str:
    """Where to go after signing in: the wanted page if it is one of the admin."""
    is_page = NEXT.fullmatch(wanted) is not None and not site_paths.climbs(wanted)
    return wanted if is_page and not wanted.startswith(SIGN_IN) else ADMIN


def refuse(request: AdminRequest, error: ApiError) -> None:
    """An error as a page that leads back."""
    said = {SESSION_TOKEN: TOO_LONG_OPEN, TOO_LARGE: TOO_LARGE_SENT}.get(error.error_type)
    sentence = request.say(said) if said else responses.message_of(error, request.language)
    request.answer(AdminErrorPage(), status=error.error_type.status, title=sentence)
    request.resp.set_headers(dict(error.headers))
