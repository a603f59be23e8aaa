"""The screens of one's own second factors, and what the pages of a person say about them."""

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from markupsafe import Markup

from kalends.admin.navigation import PEOPLE, PROFILE
from kalends.admin.people import PEOPLE as PEOPLE_PATH
from kalends.admin.people import changing, go_to_person
from kalends.admin.request import OWN, AdminRequest
from kalends.admin.screen import Screen, safe_next
from kalends.calendar import sealing
from kalends.features.signing_in import factors, identities, oidc_screens, passkey_asking
from kalends.features.signing_in.confirming import FACTORS
from kalends.features.signing_in.factors import Factors
from kalends.features.signing_in.settings import SigningInSettings
from kalends.languages import N_
from kalends.site.forms.form import Form
from kalends.site.pages.templates import render
from kalends.site.subscribing import qr_svg
from kalends.store.rows.records import User

APP = f"{FACTORS}/app"


class FactorsPage(msgspec.Struct):
    """One's own factors; `codes`: new recovery codes, which are shown only now."""

    template: ClassVar[str] = "features/signing_in/factors.html"

    own: Factors
    site: str  # the host that passkeys are for here
    is_readable: bool  # the secret of the app
    codes: Sequence[str] = ()


class AppPage(msgspec.Struct):
    """An authenticator app that is being added."""

    template: ClassVar[str] = "features/signing_in/app.html"

    secret: str
    address: str
    code: Markup  # a picture
    is_possible: bool

    @property
    def in_groups(self) -> str:
        return " ".join(self.secret[start : start + 4] for start in range(0, len(self.secret), 4))


def show_factors(request: AdminRequest, codes: Sequence[str] = ()) -> None:
    id, site = request.caller.user, passkey_asking.site_of(request)
    own, is_readable = request.read_latest(factors.of_person, id), request.read_latest(factors.is_app_readable, id)
    request.answer(
        FactorsPage(own, site.id if site else "", is_readable, codes), title=request.say(N_("Second factor"))
    )


def show_app(request: AdminRequest) -> None:
    secret = request.form.raw("secret")
    if not factors.SECRET.fullmatch(secret):
        secret = factors.new_secret()
    address = factors.address_of(secret, request.caller.name, request.settings.site_name)
    picture = Markup(qr_svg.__wrapped__(address).decode())  # noqa: S704 - of squares; nothing of it is remembered
    request.answer(AppPage(secret, address, picture, sealing.is_possible(request.settings)))


def add_app(request: AdminRequest, form: Form) -> None:
    with form.refusals("code"):
        codes = request.write(factors.add_app, form.raw("secret"), form.text("code").replace(" ", ""))
        form.values.clear()
        if codes:
            show_factors(request, codes)
        else:
            request.go(FACTORS, N_("The app is added."))


def remove_app(request: AdminRequest, form: Form) -> None:
    with form.refusals():
        request.write(factors.remove_app)
        request.go(FACTORS, N_("The app is removed."))


def make_codes(request: AdminRequest, form: Form) -> None:
    show_factors(request, request.write(factors.new_codes))


def reset(request: AdminRequest, form: Form, id: int) -> None:
    """Takes the factors of somebody who has lost them."""
    with changing(request, form, id):
        user = request.write(factors.reset, id)
        go_to_person(request, user, N_("{name} signs in with the password alone."), f"{PEOPLE_PATH}/{id}")


def ways_to_sign_in(request: AdminRequest, place: str, user: User | None) -> Markup:
    """What a profile, or the page of a person, says about second factors."""
    settings = request.settings.of(SigningInSettings)
    has_provider = bool(settings.oidc_issuer)
    if user is None:
        has_passkeys = passkey_asking.site_of(request) is not None and request.read_latest(factors.are_there_passkeys)
        return (
            _block(
                request,
                "asking",
                next=safe_next(request.form.text("next", request.param("next"))),
                in_new_tab=bool(request.form.values) or request.req.method == "POST",
                has_provider=has_provider,
                has_passkeys=has_passkeys,
                is_only=has_provider and settings.oidc_only,
            )
            if has_provider or has_passkeys
            else Markup("")
        )
    own = request.read_latest(factors.of_person, user.id)
    shown = _block(request, place, own=own, user=user)
    if has_provider:
        found = request.read_latest(identities.of_person, user.id)
        shown += _block(request, "identities", found=found, user=user, is_own=place == OWN)
    return shown


def _block(request: AdminRequest, name: str, **shown: object) -> Markup:
    template, provider = f"features/signing_in/{name}_block.html", oidc_screens.name_of(request)
    html = render(template, request.language, frame=request.frame, form=request.form, provider=provider, **shown)
    return Markup(html)  # noqa: S704 - a template, which escapes


SCREENS: dict[str, Screen] = {
    FACTORS: Screen(PROFILE, show_factors, title=N_("Second factor")),
    APP: Screen(
        PROFILE,
        show_app,
        add_app,
        N_("Add an authenticator app"),
        keeps_form=False,
        asks_again=True,
        asks_again_to_show=True,
    ),
    f"{APP}/remove": Screen(PROFILE, act=remove_app, again=show_factors, asks_again=True),
    f"{FACTORS}/codes": Screen(PROFILE, act=make_codes, asks_again=True),
    "/admin/people/{id:digits}/factors": Screen(PEOPLE, act=reset),
}
