"""The screens of signing in: the security log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin import setting_fields
from kalends.admin.navigation import SETTINGS
from kalends.admin.profile import browser_name
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.setting_fields import Tabs
from kalends.features.signing_in import security_log
from kalends.features.signing_in.rows import SecurityEvent
from kalends.languages import N_

PER_PAGE = 50
LONGEST_NAME = 60
WHAT = {
    "signed_in": N_("Signed in"),
    "refused": N_("Refused"),
    "sessions_ended": N_("Sessions ended"),
    "password_changed": N_("New password"),
    "role_changed": N_("Another role"),
    "person_added": N_("New person"),
    "person_removed": N_("Person removed"),
    "disabled": N_("Account disabled"),
    "enabled": N_("Account enabled"),
    "link_made": N_("Invitation or link for a password"),
    "token_made": N_("New access for a program"),
    "token_revoked": N_("Access of a program revoked"),
    "settings_changed": N_("Settings changed"),
}
MARKS = {"signed_in": "good", "refused": "bad"}


@dataclass(frozen=True, slots=True)
class SecurityPage:
    """`before`: the number before which the next page begins, 0 for none."""

    template: ClassVar[str] = "features/signing_in/security_log.html"
    WHAT: ClassVar[Mapping[str, str]] = WHAT
    MARKS: ClassVar[Mapping[str, str]] = MARKS

    tabs: Tabs
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
    tabs = setting_fields.tabs("security", request.root_path, request.language)
    further = found[PER_PAGE - 1].id if len(found) > PER_PAGE else 0
    request.answer(SecurityPage(tabs, found[:PER_PAGE], what, name, further))


SCREENS: dict[str, Screen] = {"/admin/settings/security": Screen(SETTINGS, show_log)}
