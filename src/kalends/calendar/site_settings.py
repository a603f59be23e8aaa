"""The settings of the site that are kept in the store and edited in the admin: which there are, and which count.

Each is also a row of the table in `kalends/settings.py`, which parses it. What the command line, the environment or
`kalends.toml` says wins over the store. To add one: a field of `Settings`, and an entry here; the settings screen,
validation, storage and the effect on every node follow.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec

from kalends.calendar.access import may_manage_site, require
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.languages import N_
from kalends.settings import TABLE, Settings
from kalends.store.engine.store import Session
from kalends.store.rows import journal, site
from kalends.values import dates

KEY = "settings"  # the row of the table `site`: a JSON object of texts, as a person would write them

# Sections of the settings screen.
CALENDAR, LOOK, SUBMISSIONS = "calendar", "look", "submissions"


@dataclass(frozen=True, slots=True)
class SiteSetting:
    """One setting as a form shows it. `key` names its row in the table of settings."""

    key: str
    section: str
    label: str
    problem: str  # what a person is told about a value that is not accepted
    help: str = ""
    widget: str = "text"  # a macro of pages/templates/admin/settings_fields.html
    choices: tuple[tuple[str, str], ...] = ()  # value and label
    in_setup: bool = False  # asked for on the first start


LINK_PROBLEM = N_("Write one link a line: its name, then an address that begins with https:// or /.")
LINK_HELP = N_("One a line: a name, then an address. For example: About us https://example.org/about")
AS_LANGUAGE = N_("As usual in the reader's language")

SITE_SETTINGS: tuple[SiteSetting, ...] = (
    SiteSetting(
        "site_name",
        CALENDAR,
        N_("Name"),
        N_("Write a name of at most 200 characters."),
        N_("At the top of every page, in feeds and in search results."),
        in_setup=True,
    ),
    SiteSetting(
        "site_description",
        CALENDAR,
        N_("Tagline"),
        N_("Write one line of at most 500 characters."),
        N_("One line that says what the calendar is about."),
        in_setup=True,
    ),
    SiteSetting(
        "timezone",
        CALENDAR,
        N_("Time zone"),
        N_("Choose a time zone from the list."),
        N_("New events take place in this zone unless they name another."),
        widget="zone",
        in_setup=True,
    ),
    SiteSetting(
        "language",
        CALENDAR,
        N_("Language"),
        N_("Choose a language from the list."),
        N_("For readers whose browser asks for a language that the calendar does not speak."),
        widget="language",
        in_setup=True,
    ),
    SiteSetting(
        "week_start",
        CALENDAR,
        N_("The week begins on"),
        N_("Choose a day from the list."),
        widget="choice",
        choices=(
            ("auto", AS_LANGUAGE),
            ("monday", N_("Monday")),
            ("sunday", N_("Sunday")),
            ("saturday", N_("Saturday")),
        ),
        in_setup=True,
    ),
    SiteSetting(
        "hour_format",
        CALENDAR,
        N_("Times"),
        N_("Choose 12 or 24 hours."),
        widget="choice",
        choices=(("auto", AS_LANGUAGE), ("12", N_("12 hours (7:30 PM)")), ("24", N_("24 hours (19:30)"))),
        in_setup=True,
    ),
    SiteSetting(
        "country",
        CALENDAR,
        N_("Country"),
        N_("Choose a country from the list."),
        N_("The admin offers it for new venues."),
        widget="country",
        in_setup=True,
    ),
    SiteSetting(
        "currency_code",
        CALENDAR,
        N_("Currency"),
        N_("Choose a currency from the list."),
        N_("Of prices that name none."),
        widget="currency",
        in_setup=True,
    ),
    SiteSetting(
        "currency_symbol",
        CALENDAR,
        N_("Currency symbol"),
        N_("Write at most 8 characters, none of them a digit."),
        N_("Shown beside a price, such as € or kr."),
        widget="short",
    ),
    SiteSetting(
        "currency_position",
        CALENDAR,
        N_("Position of the symbol"),
        N_("Choose a position from the list."),
        widget="choice",
        choices=(("prefix", N_("Before the number")), ("postfix", N_("After the number"))),
    ),
    SiteSetting(
        "logo",
        LOOK,
        N_("Logo"),
        N_("Choose a picture: PNG, JPEG, GIF or WebP."),
        N_("Beside the name, at the top of every page."),
        widget="picture",
    ),
    SiteSetting(
        "accent_color",
        LOOK,
        N_("Colour"),
        N_("Write a colour such as #a5281b, or nothing."),
        N_("Of dates, buttons and what stands out. It is made darker or lighter where text needs it."),
        widget="color",
    ),
    SiteSetting(
        "typeface",
        LOOK,
        N_("Typeface"),
        N_("Choose a typeface from the list."),
        widget="choice",
        choices=(
            ("serif", N_("Serif titles and texts")),
            ("sans", N_("Sans serif everywhere")),
            ("system", N_("The typeface of the reader's system")),
        ),
    ),
    SiteSetting(
        "home_view",
        LOOK,
        N_("First page"),
        N_("Choose a view from the list."),
        widget="choice",
        choices=(("month", N_("Month")), ("week", N_("Week")), ("day", N_("Day")), ("list", N_("List"))),
    ),
    SiteSetting(
        "quick_choices",
        LOOK,
        N_("Quick choices"),
        N_("Write at most 12 names, one a line."),
        N_(
            "Above the calendar, one a line: today, weekend, week, free, online, featured, or the name of a category"
            " or tag, such as one for children."
        ),
        widget="textarea",
    ),
    SiteSetting("header_links", LOOK, N_("Links at the top"), LINK_PROBLEM, LINK_HELP, widget="textarea"),
    SiteSetting("legal_links", LOOK, N_("Links at the foot"), LINK_PROBLEM, LINK_HELP, widget="textarea"),
    SiteSetting(
        "footer_text",
        LOOK,
        N_("Text at the foot"),
        N_("Write at most 2000 characters."),
        widget="textarea",
    ),
    SiteSetting(
        "map_tiles",
        LOOK,
        N_("Map tiles"),
        N_("Write an https address with the places z, x and y in braces, or nothing."),
        N_("Readers' browsers then ask that host for maps. Empty: there are no maps, and no other host is asked."),
    ),
    SiteSetting(
        "map_attribution",
        LOOK,
        N_("Source of the map"),
        N_("Write one line of at most 200 characters."),
        N_("Shown below every map, as most sources require."),
    ),
    SiteSetting(
        "custom_css",
        LOOK,
        N_("Style sheet"),
        N_("Write CSS without @import, without HTML and without addresses of other hosts."),
        N_("For designers: CSS that is applied after that of the pages."),
        widget="textarea",
    ),
    SiteSetting(
        "submissions",
        SUBMISSIONS,
        N_("Anybody can send an event"),
        N_("Choose yes or no."),
        N_("A form at /submit. What is sent there waits for review and is never public before."),
        widget="flag",
    ),
    SiteSetting(
        "submission_question",
        SUBMISSIONS,
        N_("Question"),
        N_("Write one line of at most 200 characters."),
        N_("Optional: something that people of the place know and programs do not."),
    ),
    SiteSetting(
        "submission_answer",
        SUBMISSIONS,
        N_("Answer"),
        N_("Write one line of at most 100 characters."),
        N_("Upper and lower case are the same."),
    ),
)
BY_KEY = {setting.key: setting for setting in SITE_SETTINGS}


class SiteSettings:
    """The settings of the process with those that the store has."""

    def __init__(self, given: Settings) -> None:
        self.given = given
        self._last: tuple[str | None, Settings] = (None, given)

    def read(self, session: Session) -> Settings:
        """As they are in this transaction. The same object while nothing changes."""
        text = site.read(session, KEY)
        last = self._last
        if text != last[0]:
            last = self._last = (text, self._with(_decoded(text)))
        return last[1]

    def place_of(self, key: str) -> str:
        """Where a value was written that wins over the store; empty if it was not."""
        return self.given.given.get(key, "")

    def _with(self, stored: Mapping[str, str]) -> Settings:
        values: dict[str, Any] = {}
        for key, text in stored.items():
            if key in BY_KEY and not self.place_of(key):
                try:
                    values[key] = TABLE[key].kind.parse(text)
                except ValueError:
                    continue  # of another version of the program
        return replace(self.given, **values)


def stored(session: Session) -> dict[str, str]:
    """What the store has, as it was written."""
    return _decoded(site.read(session, KEY))


def is_set_up(session: Session) -> bool:
    """Whether somebody has saved the settings of the site."""
    return site.read(session, KEY) is not None


def problems(written: Mapping[str, str]) -> dict[str, str]:
    """A sentence for each value that is not accepted, by key."""
    found = {key: BY_KEY[key].problem for key in written if not _is_accepted(key, written[key])}
    if written.get("submission_question", "").strip() and not written.get("submission_answer", "given").strip():
        found.setdefault("submission_answer", N_("Write the answer too: without one, nobody can send an event."))
    return found


def change(
    work: UnitOfWork, written: Mapping[str, str], precondition: Callable[[Settings], None] | None = None
) -> None:
    """Stores what the caller has written. `precondition` is called with the settings as they were."""
    require(may_manage_site(work.caller), work.caller)
    if precondition is not None:
        precondition(work.settings)
    save(work.session, written, work.now)


def save(session: Session, written: Mapping[str, str], now: datetime) -> None:
    """Stores these values, which must be without problems, and keeps the others. Everybody may notice the change."""
    if found := problems(written):
        raise ValueError(found)
    changed = stored(session) | {key: text.strip() for key, text in written.items()}
    site.write(session, KEY, msgspec.json.encode(changed).decode())
    journal.record(session, "site", 0, journal.UPDATE, public=True, at=dates.text(now))


def in_section(section: str) -> Iterable[SiteSetting]:
    return [setting for setting in SITE_SETTINGS if setting.section == section]


def text_of(settings: Settings, key: str) -> str:
    """A value as a form shows it."""
    value = getattr(settings, key)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_accepted(key: str, text: str) -> bool:
    try:
        TABLE[key].kind.parse(text.strip())
    except ValueError:
        return False
    return True


def _decoded(text: str | None) -> dict[str, str]:
    return msgspec.json.decode(text, type=dict[str, str]) if text else {}
