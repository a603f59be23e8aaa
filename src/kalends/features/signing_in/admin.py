"""The screens of signing in: what is asked of whom, and the security log; those of own factors are beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin import setting_fields, settings
from kalends.admin.conflicts import Edited
from kalends.admin.navigation import PROFILE, SETTINGS
from kalends.admin.profile import browser_name
from kalends.admin.request import AdminRequest
from kalends.admin.screen import SIGN_IN_TITLE, Screen
from kalends.admin.setting_fields import SettingField, Tabs
from kalends.admin.signing_in import form_with_another
from kalends.features.signing_in import (
    confirming,
    factor_screens,
    identities,
    oidc_screens,
    passkey_screens,
    second_step,
    security_log,
)
from kalends.features.signing_in.log_rows import SecurityEvent
from kalends.features.signing_in.log_words import ABOUT, MARKS, WHAT
from kalends.features.signing_in.settings import SECURITY, SigningInSettings
from kalends.site.forms.form import Form

PER_PAGE = 50
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class SecurityPage:
    """`before`: the number before which the next page begins, 0 for none."""

    template: ClassVar[str] = "features/signing_in/security_log.html"
    WHAT: ClassVar[Mapping[str, str]] = WHAT
    MARKS: ClassVar[Mapping[str, str]] = MARKS
    ABOUT: ClassVar[Mapping[str, str]] = ABOUT

    tabs: Tabs
    fields: Sequence[SettingField]
    edited: Edited
    events: Sequence[SecurityEvent]
    what: str
    name: str
    before: int

    def browser_of(self, event: SecurityEvent) -> str:
        return browser_name(event.agent)


def show_log(request: AdminRequest) -> None:
    what = request.param("what") if request.param("what") in WHAT else ""
    name, before = request.param("name").strip()[:LONGEST_NAME], request.number("before") or 0
    found = request.read_latest(security_log.events, what, name, before, PER_PAGE + 1)
    tabs = setting_fields.tabs(SECURITY, request.root_path, request.language)
    wanted, stored = settings.rows_of(SECURITY), settings.stored_settings(request)
    fields = settings.fields_of(request, wanted, stored)
    edited = settings.edited(request, wanted, stored, fields)
    further = found[PER_PAGE - 1].id if len(found) > PER_PAGE else 0
    request.answer(SecurityPage(tabs, fields, edited, found[:PER_PAGE], what, name, further))


def save(request: AdminRequest, form: Form) -> None:
    current = settings.stored_settings(request).of(SigningInSettings)
    local_admins = form.text("local_admins", current.local_admins)
    only = form.is_checked("oidc_only") and bool(current.oidc_issuer)
    if only and not request.read_latest(identities.can_administrate, local_admins):
        form.refuse("oidc_only", identities.LOCKED_OUT)
        return
    settings.save(request, form, SECURITY)


SCREENS: dict[str, Screen] = {
    "/admin/settings/security": Screen(SETTINGS, show_log, save),
    second_step.PATH: Screen(
        show_page=second_step.show_nothing,
        act=second_step.sign_in,
        title=second_step.TITLE,
        is_public=True,
        largest=form_with_another,
    ),
    confirming.PATH: Screen(
        PROFILE,
        confirming.show,
        confirming.confirm,
        confirming.TITLE,
        keeps_form=False,
        largest=form_with_another,
    ),
    **factor_screens.SCREENS,
    **passkey_screens.SCREENS,
    oidc_screens.START: Screen(show_page=oidc_screens.start, title=SIGN_IN_TITLE, is_public=True),
    oidc_screens.BACK: Screen(show_page=oidc_screens.come_back, title=SIGN_IN_TITLE, is_public=True),
    oidc_screens.LOGOUT: Screen(act=oidc_screens.log_out, is_public=True, largest=form_with_another),
    oidc_screens.IDENTITIES: Screen(PROFILE, act=oidc_screens.link, asks_again=True),
    f"{oidc_screens.IDENTITIES}/unlink": Screen(PROFILE, act=oidc_screens.unlink, asks_again=True),
}
