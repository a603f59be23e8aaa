"""Signing in and out, and the links by which a password is set."""

from typing import Any

from kalends.calendar.access import may_manage_users
from kalends.calendar.accounts import one_time_links, sessions, users
from kalends.calendar.accounts.sessions import Browser, SignedIn
from kalends.contract.errors import UNAVAILABLE, WRONG_PASSWORD, ApiError
from kalends.languages import N_
from kalends.server.admin import kept_forms
from kalends.server.admin.kept_forms import KeptForm
from kalends.server.admin.legacy import SIGN_IN, SIGN_IN_TITLE, AdminRequest, FormScreen, safe_next
from kalends.server.forms import GENERAL, RETRY_AFTER, Form, busy
from kalends.server.middleware.sessions import clear_cookie, set_cookie
from kalends.server.request_context import ADMIN
from kalends.store.engine.store import StoreUnavailable

SET_UP = "/admin/set-up"
LARGEST_FORM = 20_000


class PublicScreen(FormScreen):
    """A page for people who are not signed in."""

    is_public = True

    def largest_form(self, visit: AdminRequest) -> int:
        return LARGEST_FORM


class SignIn(PublicScreen):
    """Name and password, for a session. Wrong ones are throttled as those of HTTP Basic are."""

    title = SIGN_IN_TITLE

    def largest_form(self, visit: AdminRequest) -> int:
        """It may carry another form, which was sent when the session had ended."""
        return kept_forms.LARGEST_KEPT + LARGEST_FORM

    def show(self, visit: AdminRequest, **params: Any) -> None:
        wanted = safe_next(visit.param("next"))
        if visit.session is not None:
            visit.go(wanted)
            return
        visit.render("admin/sign_in.html", next=wanted, kept=None)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        try:
            self.sign_in(visit, form)
        except StoreUnavailable as error:
            self.when_busy(visit, form, error)

    def sign_in(self, visit: AdminRequest, form: Form) -> None:
        calendar, stay = visit.calendar, form.is_checked("stay")
        try:
            begun = sessions.sign_in(
                calendar,
                visit.service.authenticator,
                form.text("name"),
                form.raw("password"),
                browser(visit),
                stay=stay,
            )
            if begun is None:
                raise ApiError(WRONG_PASSWORD)
        except ApiError as error:
            if error.error_type is WRONG_PASSWORD:
                form.refuse(GENERAL, WRONG_PASSWORD.message)
            else:
                form.take(error)
            self._show_again(visit, form, error)
            return
        enter(visit, begun, stay=stay)
        if (kept := kept_within(form)) is not None:
            kept_forms.offer(visit, kept)
        else:
            visit.go(safe_next(form.text("next")))

    def when_busy(self, visit: AdminRequest, form: Form, error: StoreUnavailable) -> None:
        form.refuse(GENERAL, busy(error))
        self._show_again(visit, form, ApiError(UNAVAILABLE, headers={"Retry-After": RETRY_AFTER}))

    def _show_again(self, visit: AdminRequest, form: Form, error: ApiError) -> None:
        form.values.pop("password", None)
        wanted, kept = safe_next(form.text("next")), kept_within(form)
        visit.render("admin/sign_in.html", status=error.error_type.status, form=form, next=wanted, kept=kept)
        for name, value in error.headers.items():
            visit.resp.set_header(name, value)


def kept_within(form: Form) -> KeptForm | None:
    """Another form that came with that of signing in."""
    return kept_forms.passed_on(form, safe_next(form.text(kept_forms.PATH)))


class SignOut(FormScreen):
    """Ends the session of this browser."""

    keeps_form = False

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        signed_in = visit.signed_in()
        visit.calendar.write(visit.caller, sessions.end_own, [signed_in.id])
        clear_cookie(visit.resp)
        visit.go(SIGN_IN)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        visit.go(ADMIN)


class LinkScreen(PublicScreen):
    """Where a link for one use leads: to choose a password, and a name if the person is new."""

    title = N_("Choose a password")

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self._render(visit, visit.param("key"), Form(visit.language))

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        try:
            self.accept(visit, form)
        except StoreUnavailable as error:
            self.when_busy(visit, form, error)

    def accept(self, visit: AdminRequest, form: Form) -> None:
        key, accepted = form.raw("key"), None
        try:
            accepted = sessions.accept_link(
                visit.calendar, key, form.text("name"), form.raw("password"), browser(visit)
            )
        except users.BadUser as bad:
            form.refuse(bad.field, bad.message, **bad.arguments)
        if accepted is None:
            form.values.pop("password", None)
            self._render(visit, key, form)
            return
        begun, is_new_site = accepted
        enter(visit, begun, stay=False)
        visit.go(SET_UP if is_new_site and may_manage_users(begun.caller) else ADMIN)

    def when_busy(self, visit: AdminRequest, form: Form, error: StoreUnavailable) -> None:
        form.refuse(GENERAL, busy(error))
        form.values.pop("password", None)
        self._render(visit, form.raw("key"), form, status=UNAVAILABLE.status)
        visit.resp.set_header("Retry-After", RETRY_AFTER)

    def _render(self, visit: AdminRequest, key: str, form: Form, *, status: int = 400) -> None:
        """`status`: of a form with errors."""
        offer = visit.calendar.read_latest(visit.caller, one_time_links.find, key)
        if offer is None:
            visit.render("admin/link_gone.html", status=404, title=visit.say(N_("This link does not work any more")))
            return
        name = offer.user.name if offer.user else ""
        status = status if form.errors else 200
        visit.render("admin/link.html", status=status, form=form, key=key, name=name, role=offer.link.role)


def browser(visit: AdminRequest) -> Browser:
    return Browser(visit.address, visit.req.get_header("User-Agent") or "", visit.session)


def enter(visit: AdminRequest, begun: SignedIn, *, stay: bool) -> None:
    """Gives the browser the cookie of its new session."""
    set_cookie(visit.resp, begun, visit.base_url, stay=stay)
    visit.session = begun
