"""Signing in and out, and the links by which a password is set."""

from typing import Any

from kalends.calendar.access import may_manage_users
from kalends.calendar.accounts import one_time_links, sessions, users
from kalends.calendar.site_settings import is_set_up
from kalends.contract.errors import UNAVAILABLE, WRONG_PASSWORD, ApiError
from kalends.languages import N_
from kalends.server.admin import kept_forms
from kalends.server.admin.forms import GENERAL, Form
from kalends.server.admin.kept_forms import KeptForm
from kalends.server.admin.screen import SIGN_IN, SIGN_IN_TITLE, FormScreen, Visit, safe_next
from kalends.server.middleware.sessions import clear_cookie, set_cookie
from kalends.server.request_context import ADMIN
from kalends.store.engine.store import Session, StoreUnavailable
from kalends.store.rows import sessions as stored_sessions
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import OneTimeLink, User

SET_UP = "/admin/set-up"
LARGEST_FORM = 20_000


class PublicScreen(FormScreen):
    """A page for people who are not signed in."""

    is_public = True

    def largest_form(self, visit: Visit) -> int:
        return LARGEST_FORM


class SignIn(PublicScreen):
    """Name and password, for a session. Wrong ones are throttled as those of HTTP Basic are."""

    title = SIGN_IN_TITLE

    def largest_form(self, visit: Visit) -> int:
        """It may carry another form, which was sent when the session had ended."""
        return kept_forms.LARGEST_KEPT + LARGEST_FORM

    def show(self, visit: Visit, **params: Any) -> None:
        wanted = safe_next(visit.param("next"))
        if visit.session is not None:
            visit.go(wanted)
            return
        visit.render("admin/sign_in.html", next=wanted, kept=None)

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        try:
            caller = visit.service.authenticator.by_password(
                visit.calendar,
                form.text("name"),
                form.raw("password"),
                visit.address,
                application=False,
            )
            if caller is None:
                raise ApiError(WRONG_PASSWORD)
        except ApiError as error:
            if error.error_type is WRONG_PASSWORD:
                form.refuse(GENERAL, WRONG_PASSWORD.message)
            else:
                form.take(error)
            self._show_again(visit, form, error)
            return
        with visit.calendar.store.write() as session:
            user = stored_users.find_user(session, caller.user)
            if user is None or user.disabled:
                raise ApiError(WRONG_PASSWORD)
            begin(visit, session, user, stay=form.is_checked("stay"))
        if (kept := kept_within(form)) is not None:
            kept_forms.offer(visit, kept)
        else:
            visit.go(safe_next(form.text("next")))

    def when_busy(self, visit: Visit, form: Form, error: StoreUnavailable) -> None:
        form.refuse(GENERAL, kept_forms.busy(error))
        self._show_again(visit, form, ApiError(UNAVAILABLE, headers={"Retry-After": kept_forms.RETRY_AFTER}))

    def _show_again(self, visit: Visit, form: Form, error: ApiError) -> None:
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

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        signed_in = visit.signed_in()
        with visit.calendar.store.write() as session:
            stored_sessions.end(session, signed_in.user.id, signed_in.id)
        clear_cookie(visit.resp)
        visit.go(SIGN_IN)

    def without_session(self, visit: Visit) -> None:
        visit.go(SIGN_IN)

    def show(self, visit: Visit, **params: Any) -> None:
        visit.go(ADMIN)


class LinkScreen(PublicScreen):
    """Where a link for one use leads: to choose a password, and a name if the person is new."""

    title = N_("Choose a password")

    def show(self, visit: Visit, **params: Any) -> None:
        self._render(visit, visit.param("key"), Form(visit.language))

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        key = form.raw("key")
        try:
            with visit.calendar.store.write() as session:
                link = one_time_links.find(session, key, visit.calendar.clock())
                user = self._accept(visit, session, link, form) if link else None
                is_new_site = not is_set_up(session)
                if user:
                    begin(visit, session, user, stay=False)
        except users.BadUser as bad:
            form.refuse(bad.field, bad.message, **bad.arguments)
            user = None
        if user is None:
            form.values.pop("password", None)
            self._render(visit, key, form)
            return
        visit.go(SET_UP if is_new_site and may_manage_users(users.caller_of(user)) else ADMIN)

    def when_busy(self, visit: Visit, form: Form, error: StoreUnavailable) -> None:
        form.refuse(GENERAL, kept_forms.busy(error))
        form.values.pop("password", None)
        self._render(visit, form.raw("key"), form, status=UNAVAILABLE.status)
        visit.resp.set_header("Retry-After", kept_forms.RETRY_AFTER)

    def _accept(self, visit: Visit, session: Session, link: OneTimeLink, form: Form) -> User | None:
        return one_time_links.accept(session, link, form.text("name"), form.raw("password"), visit.calendar.clock())

    def _render(self, visit: Visit, key: str, form: Form, *, status: int = 400) -> None:
        """`status`: of a form with errors."""
        with visit.calendar.store.read() as session:
            link = one_time_links.find(session, key, visit.calendar.clock())
            user = stored_users.find_user(session, link.user) if link and link.user else None
        if link is None or (user and user.disabled):
            visit.render("admin/link_gone.html", status=404, title=visit.say(N_("This link does not work any more")))
            return
        name = user.name if user else ""
        visit.render(
            "admin/link.html", status=status if form.errors else 200, form=form, key=key, name=name, role=link.role
        )


def begin(visit: Visit, session: Session, user: User, *, stay: bool) -> None:
    """Starts a new session in this browser, and ends the one that it had."""
    if visit.session is not None:
        stored_sessions.end(session, visit.session.user.id, visit.session.id)
    agent = visit.req.get_header("User-Agent") or ""
    begun = sessions.begin(session, user, visit.calendar.clock(), stay=stay, agent=agent)
    set_cookie(visit.resp, begun, visit.base_url, stay=stay)
    visit.session = begun
