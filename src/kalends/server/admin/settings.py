"""The settings of the site: the first set-up, and a tab for each section later."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from kalends.calendar import site_settings
from kalends.calendar.access import may_manage_users
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.languages import N_
from kalends.pages.admin import setting_fields
from kalends.pages.admin.conflict import of_controls
from kalends.pages.quick_choices import term_names
from kalends.server.admin import conflicts, pictures
from kalends.server.admin.legacy import AdminRequest, FormWithPicture
from kalends.server.forms import PICTURE_REFUSED, Form
from kalends.server.request_context import ADMIN
from kalends.settings import CALENDAR, LOOK, SUBMISSIONS, Row, in_section, in_setup, problems
from kalends.settings import Settings as SettingValues

# The tabs, in their order. A section without settings has none.
LOGO_SIZE = "medium"
NO_SUCH_TERM = N_("There is no category or tag of this name: {names}")
SHARE, ABOUT = "share", "about"
SECTIONS = {CALENDAR: N_("Calendar"), LOOK: N_("Appearance"), SUBMISSIONS: N_("Public submissions")}
TOOLS = {SHARE: N_("Share"), ABOUT: N_("About")}


class SettingsForm(FormWithPicture):
    """What the set-up and the settings have in common."""

    right = staticmethod(may_manage_users)

    def written(self, visit: AdminRequest, form: Form, wanted: Iterable[Row]) -> dict[str, str]:
        """What was typed, without what the server's own settings decide."""
        own = [one for one in wanted if not visit.calendar.site_settings.place_of(one.key)]
        return {
            one.key: ("true" if form.is_checked(one.key) else "false")
            if one.kind.widget == "flag"
            else form.text(one.key)
            for one in own
            if one.kind.widget == "flag" or (one.key in form.values and one.kind.widget != "picture")
        }

    def pictures(self, visit: AdminRequest, form: Form, wanted: Iterable[Row]) -> dict[str, str]:
        """The names of the files that were uploaded with the form; empty for one that was removed."""
        found = {}
        for one in wanted:
            if one.kind.widget != "picture" or visit.calendar.site_settings.place_of(one.key):
                continue
            if file := form.file(one.key):
                try:
                    image = pictures.store(visit, file)
                except PICTURE_REFUSED as problem:
                    form.refuse_picture(problem, one.key)
                else:
                    found[one.key] = str(image.sizes.get(LOGO_SIZE, {}).get("file") or image.file)
            elif form.is_checked(f"{one.key}_remove"):
                found[one.key] = ""
        return found

    def save(self, visit: AdminRequest, form: Form, written: dict[str, str], wanted: Iterable[Row]) -> bool:
        for key, sentence in problems(written).items():
            form.refuse(key, sentence)
        if "quick_choices" in written and "quick_choices" not in form.errors:
            unknown = visit.calendar.unknown_terms(visit.caller, term_names(written["quick_choices"]))
            if unknown:
                form.refuse("quick_choices", NO_SUCH_TERM, names=", ".join(unknown))
        if form.errors:
            return False
        unchanged = conflicts.unchanged(form, partial(version_of, wanted))
        with conflicts.noticed(visit, form, "site", 0):
            visit.calendar.write(visit.caller, site_settings.change, written, unchanged)
        if conflicts.is_in(form):
            for one in wanted:
                if form.file(one.key):
                    form.refuse(one.key, N_("Choose the file again."))
        return not form.errors

    def shown(self, visit: AdminRequest, stored: SettingValues) -> SettingValues:
        """The values that the fields begin with."""
        return stored

    def render(self, visit: AdminRequest, template: str, wanted: Iterable[Row], form: Form, **more: Any) -> None:
        stored = visit.calendar.read_latest(visit.caller, site_settings.current, visit.calendar.site_settings)
        fields = setting_fields.fields(
            wanted, visit.calendar.site_settings, self.shown(visit, stored), visit.language, visit.root_path
        )
        conflict = None
        if conflicts.is_in(form):
            kept = {one.key: one.value or one.placeholder for one in fields}
            conflict = of_controls(setting_fields.compared(fields), kept, form.values, visit.language)
        visit.render(
            template,
            status=conflicts.status_of(form),
            form=form,
            fields=fields,
            labels={one.key: one.label for one in fields},
            version=version_of(wanted, stored),
            conflict=conflict,
            **more,
        )


class SetUp(SettingsForm):
    """The first thing that an administrator sees: the facts of the site."""

    title = N_("Set up your calendar")
    wanted = in_setup()

    def shown(self, visit: AdminRequest, stored: SettingValues) -> SettingValues:
        """Until somebody has chosen a language, that of the browser."""
        if visit.calendar.read_latest(
            visit.caller, site_settings.is_chosen, "language"
        ) or visit.calendar.site_settings.place_of("language"):
            return stored
        return replace(stored, language=visit.language)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, "admin/set_up.html", self.wanted, Form(visit.language))

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        written = self.written(visit, form, self.wanted)
        if code := written.get("currency_code"):
            style = setting_fields.currency_style(code, visit.language) if len(code) == 3 else {}
            written |= {key: text for key, text in style.items() if not visit.calendar.site_settings.place_of(key)}
        if self.save(visit, form, written, self.wanted):
            visit.go(ADMIN, N_("Your calendar is ready."))
        else:
            self.render(visit, "admin/set_up.html", self.wanted, form)


class Settings(SettingsForm):
    """One section of the settings."""

    entry = "settings"
    title = N_("Settings")

    def show(self, visit: AdminRequest, section: str = CALENDAR, **params: Any) -> None:
        self._render(visit, section, Form(visit.language))

    def act(self, visit: AdminRequest, form: Form, section: str = CALENDAR, **params: Any) -> None:
        wanted = self._wanted(section)
        written = self.written(visit, form, wanted) | self.pictures(visit, form, wanted)
        if self.save(visit, form, written, wanted):
            visit.go(f"/admin/settings/{section}", N_("The settings are saved."))
        else:
            self._render(visit, section, form)

    def _wanted(self, section: str) -> list[Row]:
        wanted = in_section(section)
        if not wanted:
            raise ApiError(NO_ROUTE)
        return wanted

    def _render(self, visit: AdminRequest, section: str, form: Form) -> None:
        wanted = self._wanted(section)
        self.render(visit, "admin/settings.html", wanted, form, section=section, tabs=tabs(visit, section))


def version_of(wanted: Iterable[Row], settings: SettingValues) -> str:
    """What a form shows of the settings, as one word."""
    return conflicts.version_of(setting_fields.shown(wanted, settings))


def tabs(visit: AdminRequest, current: str) -> list[tuple[str, str, None, bool]]:
    """The tabs of the settings: address, label, no count, and whether it is this one."""
    root = visit.root_path
    sections = {name: label for name, label in SECTIONS.items() if in_section(name)}
    return [
        (f"{root}/admin/settings/{name}", visit.say(label), None, name == current)
        for name, label in (sections | TOOLS).items()
    ]
