"""What all screens share: a visit of a signed-in person, rights, the token of forms, pages and messages."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

import falcon

from kalends.calendar.access import Caller
from kalends.calendar.accounts.sessions import SignedIn
from kalends.calendar.service import Calendar
from kalends.contract.errors import (
    CROSS_SITE,
    FORBIDDEN,
    INTERNAL,
    NO_ROUTE,
    SESSION_TOKEN,
    TOO_LARGE,
    UNAVAILABLE,
    ApiError,
)
from kalends.contract.numbers import LARGEST
from kalends.languages import N_, known, translate
from kalends.pages.admin.frame import AdminFrame, Message, Undo
from kalends.pages.admin.navigation import Right, entries_for, signed_in
from kalends.pages.rendering import render
from kalends.server import page_responses
from kalends.server.admin import flash, kept_forms
from kalends.server.admin.kept_forms import KeptForm
from kalends.server.forms import Form, number_in, read_form
from kalends.server.http import responses
from kalends.server.middleware.cross_site import is_foreign
from kalends.server.middleware.logs import log
from kalends.server.middleware.sessions import TOKEN_HEADER
from kalends.server.request_context import ADMIN, client_address, context_of
from kalends.server.service import Service
from kalends.settings import Settings
from kalends.store.engine.store import StoreUnavailable

SIGN_IN = "/admin/sign-in"
SIGN_IN_TITLE = N_("Sign in")
LAST_PAGE = 10**8
TOKEN_FIELD = "token"  # noqa: S105
# Where signing in may lead: to a page of the admin, and never to another site.
NEXT = re.compile(r"/admin(?:/[\w.~%-]+)*/?(?:\?[\w.~%&=+:,-]*)?", re.ASCII)


class Visit:
    """One request of a person: who it is, and the ways to answer."""

    def __init__(self, screen: "Screen", req: falcon.Request, resp: falcon.Response) -> None:
        self.screen = screen
        self.req = req
        self.resp = resp
        self.context = context_of(req)
        self.session: SignedIn | None = self.context.session
        chosen = self.session.user.language if self.session else ""
        asked = req.get_param("lang") if "lang" in req.query_string else None
        if chosen and not asked:
            self.context.own_language = known(chosen)

    @property
    def service(self) -> Service:
        return self.screen.service

    @property
    def calendar(self) -> Calendar:
        return self.screen.service.calendar

    @property
    def settings(self) -> Settings:
        return self.screen.service.settings

    @property
    def caller(self) -> Caller:
        return self.context.caller

    @property
    def language(self) -> str:
        return self.context.language

    @property
    def base_url(self) -> str:
        return self.context.addresses.base_url

    @property
    def root_path(self) -> str:
        """The path of the site, at the front of every link."""
        return urlsplit(self.base_url).path

    @property
    def address(self) -> str:
        """The address of the client, for throttling."""
        return client_address(self.req, self.settings)

    def signed_in(self) -> SignedIn:
        """The session; screens are only called with one unless they are public."""
        assert self.session is not None
        return self.session

    def say(self, sentence: str, /, **arguments: object) -> str:
        """A sentence in the language of the reader."""
        return translate(sentence, self.language).format(**arguments)

    def param(self, name: str, default: str = "") -> str:
        """A parameter of the query string."""
        found = self.req.get_param(name) if name in self.req.query_string else None
        return default if found is None else found

    def number(self, name: str) -> int | None:
        """A number in the query string, such as that of a page; None where there is none."""
        return number_in(self.param(name))

    @property
    def page_number(self) -> int:
        return max(1, min(self.number("page") or 1, LAST_PAGE))

    def frame(self, title: str = "", **more: Any) -> AdminFrame:
        screen, addresses, settings = self.screen, self.context.addresses, self.settings
        return AdminFrame(
            site_name=settings.site_name,
            base_url=addresses.base_url,
            ns=addresses.ns,
            language=self.language,
            title=title or self.say(screen.title),
            entry=screen.entry,
            groups=entries_for(self.caller, screen.paths),
            caller=self.caller,
            token=self.session.token if self.session else "",
            message=flash.take(self.req, self.resp, self.session) if self.session else None,
            timezone=settings.timezone,
            hour_format=settings.hour_format,
            **more,
        )

    def render(self, template: str, *, status: int = 200, title: str = "", **values: Any) -> None:
        """Answers with a page. `form` among the values is what was typed; without one, its fields are empty."""
        form = values.pop("form", None) or Form(self.language)
        frame = self.frame(title, errors=form.errors)
        self.resp.status = falcon.code_to_http_status(status)
        self.resp.data = render(template, self.language, frame=frame, form=form, **values).encode()

    def go(
        self, path: str, message: str = "", undo: Undo | None = None, kind: str = "done", **arguments: object
    ) -> None:
        """Answers with the way to another page of the admin, and with a message on it."""
        if message and self.session is not None:
            shown = Message(self.say(message, **arguments), kind, undo)
            flash.put(self.resp, self.session, shown, self.base_url)
        self.resp.status = falcon.HTTP_303
        self.resp.set_header("Location", self.base_url + path)


class Screen:
    """A page for people who are signed in and have the right. Subclasses define `show`."""

    entry = ""
    title = N_("Admin")
    right: Right = staticmethod(signed_in)
    is_public = False  # whether it needs no session

    def __init__(self, service: Service, paths: Collection[str] = ()) -> None:
        self.service = service
        self.paths = paths  # of all screens

    def on_get(self, req: falcon.Request, resp: falcon.Response, **params: Any) -> None:
        self._answer(req, resp, params, lambda visit: self.show(visit, **params))

    on_head = on_get

    def show(self, visit: Visit, **params: Any) -> None:
        raise NotImplementedError

    def without_session(self, visit: Visit) -> None:
        ask_to_sign_in(visit)

    def _answer(
        self, req: falcon.Request, resp: falcon.Response, params: Mapping[str, Any], work: Callable[[Visit], None]
    ) -> None:
        visit = Visit(self, req, resp)
        page_responses.set_admin_headers(resp, visit.language)
        try:
            if not self.is_public:
                if visit.session is None:
                    self.without_session(visit)
                    return
                if not self.right(visit.caller):
                    raise ApiError(FORBIDDEN)
            if params.get("id", 0) > LARGEST:
                raise ApiError(NO_ROUTE)
            work(visit)
        except ApiError as error:
            refuse(visit, error)
        except StoreUnavailable as error:
            log.warning("the store is unavailable: %s", error)
            refuse(visit, ApiError(UNAVAILABLE, headers={"Retry-After": "2"}))
        except Exception:
            log.exception("unexpected error")
            refuse(visit, ApiError(INTERNAL))


class NothingHere(Screen):
    """Any other address below /admin."""

    def show(self, visit: Visit, **params: Any) -> None:
        raise ApiError(NO_ROUTE)


class FormScreen(Screen):
    """A page with forms. Subclasses define `act` too, which gets the form once its token was checked."""

    keeps_form = True  # whether what was typed goes through signing in; passwords do not

    def show(self, visit: Visit, **params: Any) -> None:
        """An address that only takes a form, such as that of an action, leads to the page that has the form."""
        visit.go(visit.req.path.rpartition("/")[0])

    def on_post(self, req: falcon.Request, resp: falcon.Response, **params: Any) -> None:
        self._answer(req, resp, params, partial(self._act, params=params))

    def _act(self, visit: Visit, params: Mapping[str, Any]) -> None:
        if is_foreign(visit.req, visit.base_url):
            raise ApiError(CROSS_SITE)
        form = self.receive(visit)
        try:
            self._act_on(visit, form, params)
        finally:
            form.close()

    def _act_on(self, visit: Visit, form: Form, params: Mapping[str, Any]) -> None:
        sent = visit.req.get_header(TOKEN_HEADER) or form.raw(TOKEN_FIELD)
        if not self.is_public and not visit.signed_in().has_token(sent):
            if not self.keeps_form:
                raise ApiError(SESSION_TOKEN)
            kept_forms.offer_again(visit, form, TOKEN_FIELD)
            return
        form.values.pop(TOKEN_FIELD, None)
        try:
            self.act(visit, form, **params)
        except StoreUnavailable as error:
            self.when_busy(visit, form, error)

    def receive(self, visit: Visit) -> Form:
        return read_form(visit.req, self.largest_form(visit), visit.language)

    def when_busy(self, visit: Visit, form: Form, error: StoreUnavailable) -> None:
        """The form met another writer for too long: what was typed comes back, unless it has passwords."""
        if not self.keeps_form:
            raise error
        kept_forms.offer_later(visit, form, error)

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        raise NotImplementedError

    def without_session(self, visit: Visit) -> None:
        is_form = visit.req.method == "POST" and self.keeps_form
        ask_to_sign_in(visit, kept_forms.read(visit, self.largest_form(visit), TOKEN_FIELD) if is_form else None)

    def largest_form(self, visit: Visit) -> int:
        return visit.settings.max_body


class FormWithPicture(FormScreen):
    """Takes files that are too large too, so that only they are refused and not the whole form."""

    def largest_form(self, visit: Visit) -> int:
        return visit.settings.max_body + 4 * visit.settings.max_image


def ask_to_sign_in(visit: Visit, kept: KeptForm | None = None) -> None:
    """Leads to the sign-in and back to this page. A form that was sent waits in the page that asks."""
    if kept is not None:
        visit.render("admin/sign_in.html", status=401, title=visit.say(SIGN_IN_TITLE), next=ADMIN, kept=kept)
        return
    visit.resp.status = falcon.HTTP_303
    query = f"?{visit.req.query_string}" if visit.req.query_string else ""
    here = visit.req.path + query
    wanted = f"?next={quote(here, safe='')}" if visit.req.method == "GET" and here not in (ADMIN, f"{ADMIN}/") else ""
    visit.resp.set_header("Location", f"{visit.base_url}{SIGN_IN}{wanted}")


def safe_next(wanted: str) -> str:
    """Where to go after signing in: the wanted page if it is one of the admin."""
    is_safe = NEXT.fullmatch(wanted) is not None and "/../" not in wanted and not wanted.startswith(SIGN_IN)
    return wanted if is_safe else ADMIN


def refuse(visit: Visit, error: ApiError) -> None:
    """An error as a page that leads back."""
    sentence = responses.message_of(error, visit.language)
    if error.error_type is SESSION_TOKEN:
        sentence = visit.say(N_("This page was open for too long. Go back, load it again and repeat the change."))
    if error.error_type is TOO_LARGE:
        sentence = visit.say(N_("What you sent is too large. Go back and choose a smaller file."))
    visit.render("admin/error.html", status=error.error_type.status, title=sentence, sentence=sentence)
    for name, value in error.headers.items():
        visit.resp.set_header(name, value)
