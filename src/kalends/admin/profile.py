"""The profile of the person who is signed in: name, language, password, sessions and credentials for programs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from kalends.admin import conflicts
from kalends.admin.conflicts import Control, Edited
from kalends.admin.people import ROLES
from kalends.admin.request import OWN, AdminRequest
from kalends.admin.signing_in import browser, enter
from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork
from kalends.calendar.accounts import credentials as tokens
from kalends.calendar.accounts import email_address, sessions, users
from kalends.calendar.accounts.email_address import AddressChange
from kalends.languages import LANGUAGES, N_, OWN_NAMES
from kalends.site.forms.form import Form
from kalends.store.rows.records import BrowserSession, Token, User

PROFILE = "/admin/profile"
AS_BROWSER = N_("As the browser asks for")
WRONG = N_("This is not your password.")
PURPOSES = {"bearer": N_("Token"), "application": N_("Application password")}
BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")  # in this order: each also names those after it
BROWSER_NAMES = {"Edg": "Edge", "OPR": "Opera"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class ProfilePage:
    template: ClassVar[str] = "admin/profile.html"

    user: User
    sessions: Sequence[BrowserSession]
    current: int  # the session of this request
    tokens: Sequence[Token]
    languages: Sequence[tuple[str, str]]
    edited: Edited
    failed: str  # the section that shows the errors of the form
    made: tuple[str, str] | None  # the name of a new credential and its clear text
    sends_mail: bool = False
    ways: str = ""  # to sign in, beside the password

    @property
    def switches(self) -> dict[str, str]:
        """Letters that people can do without, and what they are about."""
        return {name: kind.switch for name, kind in letters.kinds().items() if kind.switch}

    @property
    def mail_off(self) -> list[str]:
        return self.user.mail_off.split()

    @property
    def role(self) -> str:
        return ROLES[self.user.role][0]

    def browser_of(self, session: BrowserSession) -> str:
        return browser_name(session.agent)

    def purpose_of(self, token: Token) -> str:
        return PURPOSES[token.purpose]


def browser_name(agent: str) -> str:
    """`Firefox, Linux`: what a User-Agent header says of itself; empty if it says nothing known."""
    name = next((name for name in BROWSERS if re.search(rf"{name}/", agent)), "")
    system = next((label for word, label in SYSTEMS.items() if word in agent), "")
    return ", ".join(part for part in (BROWSER_NAMES.get(name, name), system) if part)


def show_profile(request: AdminRequest, failed: str = "about", made: tuple[str, str] | None = None) -> None:
    """`failed`: the section that shows the errors of a form; `made`: the name of a new credential and its clear text,
    which is shown only now."""
    languages = [("", request.say(AS_BROWSER)), *[(code, OWN_NAMES[code]) for code in LANGUAGES]]
    controls = [
        Control("name", request.say(N_("Name"))),
        Control("language", request.say(N_("Language of the admin")), choices=dict(languages)),
    ]

    def read(work: UnitOfWork) -> ProfilePage:
        user = users.caller_user(work)
        edited = conflicts.edited(request.form, controls, form_values(user))
        found, own = sessions.caller_sessions(work), tokens.tokens_of(work, user)
        is_on = letters.is_on(work.settings)
        return ProfilePage(user, found, request.signed_in().id, own, languages, edited, failed, made, is_on)

    page = request.read_latest(read)
    request.answer(replace(page, ways=request.ways_to_sign_in(OWN, page.user)))


def form_values(user: User) -> dict[str, str]:
    """What the first form shows of a person."""
    return {"name": user.name, "language": user.language}


def save(request: AdminRequest, form: Form) -> None:
    name, language, unchanged = form.text("name"), form.text("language"), conflicts.unchanged(form, form_values)
    with conflicts.noticed(request, form, "user", request.caller.user, control="name"):
        request.write(
            users.change_caller_profile,
            name=name,
            language=language,
            precondition=unchanged,
        )
        request.go(PROFILE, N_("Your profile is saved."))


def change_address(request: AdminRequest, form: Form) -> None:
    """Another e-mail address, which needs the password, and is used when it is confirmed."""
    with form.refusals("email"):
        current = next(iter(form.values.pop("address_password", ())), "")
        asked = email_address.ask(
            request.calendar, request.service.authenticator, current, form.text("email"), browser(request)
        )
        if asked is AddressChange.SENT:
            request.calendar.background.wake()
            request.go(
                PROFILE,
                N_("A message with a link is on its way to {address}. The address is used once you open the link."),
                address=form.text("email"),
            )
        elif asked is AddressChange.SAVED:
            request.go(PROFILE, N_("Your profile is saved."))
        else:
            form.refuse("address_password", WRONG)


def save_messages(request: AdminRequest, form: Form) -> None:
    """Which messages the person gets."""
    off = [name for name in letters.kinds() if not form.is_checked(name)]
    request.write(users.switch_caller_mail, off)
    request.go(PROFILE, N_("Your profile is saved."))


def change_password(request: AdminRequest, form: Form) -> None:
    """A new password, which needs the old one. It ends every session; this browser gets a new one."""
    calendar, authenticator = request.calendar, request.service.authenticator
    with form.refusals("password"):
        begun = sessions.change_password(
            calendar, authenticator, form.raw("current"), form.raw("password"), browser(request)
        )
        if begun is not None:
            enter(request, begun, stay=begun.is_long(calendar.clock()))
            request.go(PROFILE, N_("Your password is changed. All other sessions have ended."))
            return
        form.refuse("current", WRONG)


def end_sessions(request: AdminRequest, form: Form) -> None:
    """Ends one session of the person, or all but this one."""
    if form.is_checked("others"):
        request.write(sessions.end_other_sessions, request.signed_in().id)
    request.write(sessions.end_caller_sessions, form.numbers("id"))
    request.go(PROFILE, N_("The session has ended."))


def add_token(request: AdminRequest, form: Form) -> None:
    """A new token or application password of the person's own."""
    with form.refusals("label"):
        clear, token = request.write(
            tokens.add_token,
            request.caller.user,
            form.text("label"),
            purpose=form.text("purpose"),
            read_only=form.is_checked("read_only"),
        )
        form.values.clear()
        show_profile(request, made=(token.name, clear))


def revoke_tokens(request: AdminRequest, form: Form) -> None:
    """Ends tokens and application passwords of the person's own."""
    for id in form.numbers("id"):
        request.write(tokens.revoke_token, request.caller.user, id)
    request.go(PROFILE, N_("The access is revoked."))
