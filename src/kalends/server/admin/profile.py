"""The profile of the person who is signed in: name, language, password, sessions and credentials for programs."""

from collections.abc import Sequence
from typing import Any

from kalends.calendar.accounts import sessions, tokens, users
from kalends.contract.errors import TOO_MANY, ApiError
from kalends.languages import LANGUAGES, N_
from kalends.pages.admin import people as view
from kalends.pages.admin.conflict import Control, Difference, of_controls
from kalends.pages.rendering import OWN_NAMES
from kalends.server.admin import conflicts
from kalends.server.admin.screen import FormScreen, Visit
from kalends.server.admin.signing_in import browser, enter
from kalends.server.forms import Form
from kalends.store.rows.records import User

PROFILE = "/admin/profile"
AS_BROWSER = N_("As the browser asks for")
ABOUT = ("name", "language")  # what the first form is about
WRONG = N_("This is not your password.")


class Profile(FormScreen):
    """Name and language. The other forms of the page are subclasses, each at an address of its own."""

    entry = "profile"
    title = N_("Profile")
    failed = "about"  # the section that shows the errors

    def show(self, visit: Visit, **params: Any) -> None:
        self.page(visit)

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        language = form.text("language")
        if language not in ("", *LANGUAGES):
            form.refuse("language", N_("Choose a language from the list."))
        if not form.errors:
            try:
                with (
                    conflicts.noticed(visit, form, "user", visit.caller.user),
                    visit.calendar.writing(visit.caller) as work,
                ):
                    users.change_own_profile(
                        work,
                        name=form.text("name"),
                        language=language,
                        precondition=conflicts.unchanged(form, version_of),
                    )
            except users.BadUser as bad:
                form.refuse(bad.field or "name", bad.message, **bad.arguments)
        if form.errors:
            self.page(visit, form)
        else:
            visit.go(PROFILE, N_("Your profile is saved."))

    def page(self, visit: Visit, form: Form | None = None, *, made: tuple[str, str] | None = None) -> None:
        """`made`: the name of a new credential and its clear text, which is shown only now."""
        signed_in, zone, language = visit.signed_in(), visit.settings.timezone, visit.language
        choices = [("", visit.say(AS_BROWSER)), *[(code, OWN_NAMES[code]) for code in LANGUAGES]]
        with visit.calendar.reading_latest(visit.caller) as work:
            user, found = users.own_user(work), sessions.own_sessions(work)
            own_tokens = tokens.tokens_of(work, user)
        visit.render(
            "admin/profile.html",
            status=conflicts.status_of(form),
            form=form,
            version=version_of(user),
            conflict=differences(visit, user, form, choices) if form and conflicts.is_in(form) else None,
            failed=self.failed if form and form.errors else "",
            user=user,
            role=view.role_label(user.role, language),
            language_choices=choices,
            sessions=view.sessions(found, signed_in.id, language, zone),
            tokens=view.tokens(own_tokens, language, zone),
            made=made,
        )


class Password(Profile):
    """A new password, which needs the old one. It ends every session; this browser gets a new one."""

    failed = "password"
    keeps_form = False

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        calendar, authenticator = visit.calendar, visit.service.authenticator
        try:
            begun = sessions.change_password(
                calendar, authenticator, form.raw("current"), form.raw("password"), browser(visit)
            )
            if begun is not None:
                enter(visit, begun, stay=begun.is_long(calendar.clock()))
                visit.go(PROFILE, N_("Your password is changed. All other sessions have ended."))
                return
            form.refuse("current", WRONG)
        except ApiError as error:
            if error.error_type is not TOO_MANY:
                raise
            form.take(error)
        except users.BadUser as bad:
            form.refuse("password", bad.message, **bad.arguments)
        self.page(visit, form)


class Sessions(Profile):
    """Ends one session of the person, or all but this one."""

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        with visit.calendar.writing(visit.caller) as work:
            if form.is_checked("others"):
                sessions.end_own_but(work, visit.signed_in().id)
            sessions.end_own(work, form.numbers("id"))
        visit.go(PROFILE, N_("The session has ended."))


class Tokens(Profile):
    """A new token or application password of the person's own."""

    failed = "tokens"

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        purpose = form.text("purpose")
        if purpose not in (tokens.BEARER, tokens.APPLICATION):
            form.refuse("purpose", N_("Choose one of them."))
        if not form.errors:
            try:
                with visit.calendar.writing(visit.caller) as work:
                    label, read_only = form.text("label"), form.is_checked("read_only")
                    clear, token = tokens.add_token(
                        work, users.own_user(work), label, purpose=purpose, read_only=read_only
                    )
                self.page(visit, made=(token.name, clear))
                return
            except users.BadUser as bad:
                form.refuse("label", bad.message, **bad.arguments)
        self.page(visit, form)


class RevokeToken(Profile):
    """Ends a token or application password of the person's own."""

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        with visit.calendar.writing(visit.caller) as work:
            for id in form.numbers("id"):
                tokens.revoke_token(work, users.own_user(work), id)
        visit.go(PROFILE, N_("The access is revoked."))


def version_of(user: User) -> str:
    """What the form shows of a person, as one word."""
    return conflicts.version_of(view.shown(user, *ABOUT))


def differences(visit: Visit, user: User, form: Form, languages: Sequence[tuple[str, str]]) -> Sequence[Difference]:
    labels = (visit.say(N_("Name")), visit.say(N_("Language of the admin")))
    controls = [Control(ABOUT[0], labels[0]), Control(ABOUT[1], labels[1], choices=dict(languages))]
    return of_controls(controls, view.shown(user, *ABOUT), form.values, visit.language)
