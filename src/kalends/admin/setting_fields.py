"""The settings of the site as fields of a form, on pages with a tab for each section."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from babel import Locale
from babel.core import get_global

from kalends.admin.conflicts import Control, Edited
from kalends.calendar.revisions import StoredSettings
from kalends.feature import features
from kalends.languages import LANGUAGES, N_, OWN_NAMES, translate
from kalends.settings import CALENDAR, LOOK, SUBMISSIONS, TABLE, SettingRow, Settings, in_section
from kalends.site.layout import appearance
from kalends.values import colours, cost, names, zones

Choices = Sequence[tuple[str, str]]

NONE = N_("None")
SHARE, BACKGROUND, ABOUT = "share", "background", "about"
# The tabs in their order, those of features between; a section without settings has none.
SECTIONS = {CALENDAR: N_("Calendar"), LOOK: N_("Appearance"), SUBMISSIONS: N_("Public submissions")}
TOOLS = {
    **{path: label for feature in features() for path, label in feature.tabs.items()},
    SHARE: N_("Share"),
    BACKGROUND: N_("Background"),
    ABOUT: N_("About"),
}

Tabs = Sequence[tuple[str, str, None, bool]]  # address, label, no count, and whether it is this one


@dataclass(frozen=True, slots=True)
class SettingField:
    """One field. `place`: where a value was written that wins over this form, which then cannot change it."""

    key: str
    label: str
    help: str
    widget: str
    value: str
    origin: str
    choices: Choices
    picture: str = ""  # the address of the image that it names
    placeholder: str = ""  # what it is when it is empty, for a control that cannot be


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """One section of the settings."""

    template: ClassVar[str] = "admin/settings.html"

    section: str
    tabs: Tabs
    fields: Sequence[SettingField]
    edited: Edited

    @property
    def has_picture(self) -> bool:
        return any(one.widget == "picture" for one in self.fields)


@dataclass(frozen=True, slots=True)
class SetUpPage:
    """What is asked for at first."""

    template: ClassVar[str] = "admin/set_up.html"

    fields: Sequence[SettingField]
    edited: Edited


def tabs(current: str, root: str, language: str) -> Tabs:
    sections = {name: label for name, label in SECTIONS.items() if in_section(name)}
    return [
        (f"{root}/admin/settings/{name}", translate(label, language), None, name == current)
        for name, label in (sections | TOOLS).items()
    ]


def fields(
    wanted: Iterable[SettingRow], site_settings: StoredSettings, settings: Settings, language: str, root: str = ""
) -> list[SettingField]:
    return [
        SettingField(
            key=setting.key,
            label=translate(setting.label, language),
            help=translate(setting.help, language) if setting.help else "",
            widget=setting.kind.widget,
            value=settings.text_of(setting.key),
            origin=origin_of(site_settings, setting.key),
            choices=_choices(setting, language),
            picture=f"{root}{appearance.logo_address(settings)}"
            if setting.kind.widget == "picture" and settings.logo
            else "",
            placeholder=colours.DEFAULT_ACCENT if setting.kind.widget == "color" else "",
        )
        for setting in wanted
    ]


def form_values(wanted: Iterable[SettingRow], settings: Settings) -> dict[str, str]:
    """What the fields show, by key."""
    return {one.key: settings.text_of(one.key) for one in wanted}


def compared(fields: Iterable[SettingField]) -> list[Control]:
    """The fields as two people compare what they typed. A file that was chosen has to be chosen again."""
    return [
        Control(one.key, one.label, is_flag=one.widget == "flag", choices=dict(one.choices) if one.choices else None)
        for one in fields
        if one.widget != "picture" and not one.origin
    ]


def origin_of(site_settings: StoredSettings, key: str) -> str:
    """The name by which an operator knows the place: a variable, or the file."""
    place = site_settings.origin_of(key)
    if not place:
        return ""
    return TABLE[key].variable if "variable" in place or "option" in place else "kalends.toml"


def _choices(setting: SettingRow, language: str) -> Choices:
    match setting.kind.widget:
        case "zone":
            return [(name, name) for name in zones.names()]
        case "language":
            return [(language, OWN_NAMES[language]) for language in LANGUAGES]
        case "country":
            return [("", translate(NONE, language)), *countries(language)]
        case "currency":
            return [("", translate(NONE, language)), *currencies(language)]
    return [(value, translate(label, language)) for value, label in setting.kind.choices]


@cache
def countries(language: str) -> Choices:
    """Every country by its name in a language, in the order of the names."""
    territories = Locale.parse(language).territories
    codes = [code for code in get_global("territory_currencies") if code in territories]
    return sorted(((code, territories[code]) for code in codes), key=lambda one: names.fold(one[1]))


def country_name(code: str, language: str) -> str:
    """The name of a country; "" for none."""
    return dict(countries(language)).get(code, "")


@cache
def currencies(language: str) -> Choices:
    """Every currency that is in use."""
    known = Locale.parse(language).currencies
    named = [(code, f"{known[code]} ({code})") for code in cost.CURRENT_CODES if code in known]
    return sorted(named, key=lambda one: names.fold(one[1]))
