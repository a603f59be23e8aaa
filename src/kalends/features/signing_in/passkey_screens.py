"""The screens of passkeys: signing in with one in place of a password, and adding and removing one's own."""

from typing import ClassVar

import falcon
import msgspec

from kalends.admin import signing_in
from kalends.admin.navigation import PROFILE
from kalends.admin.profile import browser_name
from kalends.admin.request import AdminRequest
from kalends.admin.screen import SIGN_IN_TITLE, Screen
from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.accounts import sessions, users
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.features.signing_in import factors, identities, passkeys
from kalends.features.signing_in.confirming import FACTORS
from kalends.features.signing_in.factor_screens import show_factors
from kalends.features.signing_in.passkey_asking import refuse, shown, site_of
from kalends.features.signing_in.passkeys import NotShown, PasskeyQuestion
from kalends.languages import N_
from kalends.site.forms.form import Form

ENTER, OPTIONS = "/admin/passkey", "/admin/passkey/options"
OWN = f"{FACTORS}/passkey"


class PasskeyPage(msgspec.Struct):
    """A passkey that is being added; `asked`: None where browsers have none."""

    template: ClassVar[str] = "features/signing_in/passkey.html"

    asked: PasskeyQuestion | None
    browser: str


def send_options(request: AdminRequest) -> None:
    """For the script of the page that asks to sign in, when it needs them: a page may be open for hours."""
    if (site := site_of(request)) is None:
        raise ApiError(NO_ROUTE)
    asked = request.read_latest(passkeys.ask_to_show, site, passkeys.SIGN_IN)
    assert asked is not None
    request.is_answered = True
    request.resp.content_type = falcon.MEDIA_JSON
    request.resp.data = msgspec.json.encode({"challenge": asked.challenge, "options": asked.options})


def enter(request: AdminRequest, form: Form) -> None:
    """In place of a password and a second factor. Who signs in at the provider alone does not sign in so."""
    stay = form.is_checked("stay")
    form.values.pop("name", None)
    try:
        found = shown(request, form, passkeys.SIGN_IN, 0)
        with request.calendar.writing(ANONYMOUS) as work:
            user = passkeys.use(work, found)
            if not user.password or identities.is_provider_only(user, work.settings):
                raise NotShown("the person signs in at the provider")
            begun = sessions.welcome(work, user, signing_in.browser(request), stay=stay)
    except NotShown as problem:
        refuse(request, form, None, problem)
        signing_in.show_sign_in(request)
        request.resp.status = falcon.HTTP_401
        return
    signing_in.welcome(request, form, begun, stay=stay)


def show_new(request: AdminRequest) -> None:
    site, session = site_of(request), request.signed_in().id

    def read(work: UnitOfWork) -> PasskeyQuestion | None:
        return passkeys.ask_to_make(work, site, users.caller_user(work), session) if site else None

    browser = browser_name(request.req.get_header("User-Agent") or "")
    request.answer(PasskeyPage(request.read_latest(read), browser))


def add(request: AdminRequest, form: Form) -> None:
    site, session = site_of(request), request.signed_in().id
    if site is None:
        show_new(request)
        return
    with form.refusals():
        try:
            codes = request.write(
                factors.make_passkey, site, session, form.raw("challenge"), form.raw("answer"), form.text("name")
            )
        except NotShown as problem:
            refuse(request, form, request.signed_in().user, problem)
            return
        form.values.clear()
        if codes:
            show_factors(request, codes)
        else:
            request.go(FACTORS, N_("The passkey is added."))


def remove(request: AdminRequest, form: Form) -> None:
    with form.refusals():
        request.write(factors.remove_passkey, form.raw("id"))
        request.go(FACTORS, N_("The passkey is removed."))


SCREENS: dict[str, Screen] = {
    ENTER: Screen(
        show_page=lambda request: request.go("/admin/sign-in"),
        act=enter,
        title=SIGN_IN_TITLE,
        is_public=True,
        largest=signing_in.form_with_another,
    ),
    OPTIONS: Screen(show_page=send_options, is_public=True),
    OWN: Screen(
        PROFILE, show_new, add, N_("Add a passkey"), keeps_form=False, asks_again=True, asks_again_to_show=True
    ),
    f"{OWN}/remove": Screen(PROFILE, act=remove, again=show_factors, asks_again=True),
}
