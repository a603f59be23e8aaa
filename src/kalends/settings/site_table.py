"""The settings of the site, which its people can make in the admin; how that shows them is a part of each row."""

from dataclasses import dataclass
from functools import cached_property

from kalends.languages import N_
from kalends.settings import value_types
from kalends.settings.rows import setting
from kalends.values.cost import Currency

# Sections of the settings screen.
CALENDAR, LOOK, SUBMISSIONS = "calendar", "look", "submissions"

AS_LANGUAGE = N_("As in the reader's language")
LINK_HELP = N_("One a line: a name, then an address. For example: About us https://example.org/about")
LINE_OF_200 = N_("Write one line of at most 200 characters.")


@dataclass(frozen=True, kw_only=True)
class SiteSettings:
    """What a calendar says of itself and looks like."""

    site_name: str = setting(
        "Kalends",
        value_types.text(1, 200, N_("Write a name of at most 200 characters.")),
        "The name of the calendar, in pages, feeds and `/`.",
        section=CALENDAR,
        label=N_("Name"),
        help=N_("At the top of every page, in feeds and in search results."),
        in_setup=True,
    )
    site_description: str = setting(
        "",
        value_types.text(0, 500, N_("Write one line of at most 500 characters.")),
        "One line about the calendar.",
        section=CALENDAR,
        label=N_("Tagline"),
        help=N_("One line that says what the calendar is about."),
        in_setup=True,
    )
    timezone: str = setting(
        "UTC",
        value_types.ZONE,
        "The time zone of the site, and of events that name none.",
        section=CALENDAR,
        label=N_("Time zone"),
        help=N_("New events take place in this zone unless they name another."),
        in_setup=True,
    )
    language: str = setting(
        "en",
        value_types.LANGUAGE,
        "The language of pages and messages.",
        section=CALENDAR,
        label=N_("Language"),
        help=N_("For readers whose browser asks for a language that the calendar does not speak."),
        in_setup=True,
    )
    week_start: str = setting(
        "auto",
        value_types.choice(
            {"auto": AS_LANGUAGE, "monday": N_("Monday"), "sunday": N_("Sunday"), "saturday": N_("Saturday")},
            N_("Choose a day from the list."),
        ),
        "The first day of the week in the pages; auto is what the reader's language uses.",
        section=CALENDAR,
        label=N_("The week begins on"),
        in_setup=True,
    )
    hour_format: str = setting(
        "auto",
        value_types.choice(
            {"auto": AS_LANGUAGE, "12": N_("12 hours (7:30 PM)"), "24": N_("24 hours (19:30)")},
            N_("Choose 12 or 24 hours."),
        ),
        "The clock of the pages; auto is what the reader's language uses.",
        section=CALENDAR,
        label=N_("Times"),
        in_setup=True,
    )
    country: str = setting(
        "",
        value_types.COUNTRY,
        "The country of the site, which the admin offers for new venues; empty is none.",
        section=CALENDAR,
        label=N_("Country"),
        help=N_("The admin offers it for new venues."),
        in_setup=True,
    )
    currency_code: str = setting(
        "",
        value_types.CURRENCY,
        "The ISO 4217 code of costs that name no currency, such as USD; empty is none. Not set: that of the country.",
        section=CALENDAR,
        label=N_("Currency"),
        help=N_("Of prices that name none."),
        in_setup=True,
    )
    currency_symbol: str = setting(
        "$",
        value_types.SYMBOL,
        "The symbol shown beside a cost that has none. Not set: as the currency is written in the country.",
        section=CALENDAR,
        label=N_("Currency symbol"),
        help=N_("Shown beside a price, such as € or kr."),
    )
    currency_position: str = setting(
        "prefix",
        value_types.choice(
            {"prefix": N_("Before the number"), "postfix": N_("After the number")},
            N_("Choose a position from the list."),
        ),
        "Whether the site's symbol stands before or after the number. Not set: as in the country.",
        section=CALENDAR,
        label=N_("Position of the symbol"),
    )
    logo: str = setting(
        "",
        value_types.LOGO,
        "The picture beside the name at the top of every page; empty is none.",
        section=LOOK,
        label=N_("Logo"),
        help=N_("Beside the name, at the top of every page."),
    )
    accent_color: str = setting(
        "",
        value_types.COLOUR,
        "The colour of what stands out; pages darken or lighten it until text in it can be read. Empty is brick red.",
        section=LOOK,
        label=N_("Colour"),
        help=N_("Of dates, buttons and what stands out. It is made darker or lighter where text needs it."),
    )
    typeface: str = setting(
        "serif",
        value_types.choice(
            {
                "serif": N_("Serif titles and texts"),
                "sans": N_("Sans serif everywhere"),
                "system": N_("The typeface of the reader's system"),
            },
            N_("Choose a typeface from the list."),
        ),
        "The typeface of titles and texts: serif or sans, or that of the reader's system for everything.",
        section=LOOK,
        label=N_("Typeface"),
    )
    home_view: str = setting(
        "month",
        value_types.choice(
            {
                "month": N_("Month"),
                "week": N_("Week"),
                "day": N_("Day"),
                "list": N_("List"),
                "front": N_("Highlights"),
            },
            N_("Choose a view from the list."),
        ),
        "What `/events/` shows, the first page of the calendar.",
        section=LOOK,
        label=N_("First page"),
        help=N_("Highlights are today, this weekend, and what is featured."),
    )
    quick_choices: str = setting(
        "today, weekend, week, free, online",
        value_types.QUICK,
        "The quick choices above the calendar: today, weekend, week, free, online, featured, and categories or tags.",
        section=LOOK,
        label=N_("Quick choices"),
        help=N_(
            "Above the calendar, one a line: today, weekend, week, free, online, featured, or the name of a category"
            " or tag, such as one for children."
        ),
    )
    header_links: str = setting(
        "",
        value_types.LINKS,
        "Links at the top of every page.",
        section=LOOK,
        label=N_("Links at the top"),
        help=LINK_HELP,
    )
    legal_links: str = setting(
        "",
        value_types.LINKS,
        "Links at the foot of every page, such as privacy and contact.",
        section=LOOK,
        label=N_("Links at the foot"),
        help=LINK_HELP,
    )
    footer_text: str = setting(
        "", value_types.LINES, "The text at the foot of every page.", section=LOOK, label=N_("Text at the foot")
    )
    map_tiles: str = setting(
        "",
        value_types.TILES,
        "The tiles of the maps on the pages of events and venues; empty shows no map and asks no other host.",
        section=LOOK,
        label=N_("Map tiles"),
        help=N_(
            "Readers' browsers then ask that host for maps. Empty: there are no maps, and no other host is asked."
        ),
    )
    map_attribution: str = setting(
        "",
        value_types.text(0, 200, LINE_OF_200),
        "Whom the maps name as their source, as most sources require.",
        section=LOOK,
        label=N_("Source of the map"),
        help=N_("Shown below every map, as most sources require."),
    )
    custom_css: str = setting(
        "",
        value_types.CSS,
        "A style sheet of the site, after those of the pages.",
        section=LOOK,
        label=N_("Style sheet"),
        help=N_("For designers: CSS that is applied after that of the pages."),
    )
    submissions: bool = setting(
        "false",
        value_types.YES_OR_NO,
        "Whether anybody can send an event at `/submit`, which then waits for review.",
        section=SUBMISSIONS,
        label=N_("Anybody can send an event"),
        help=N_("A form at /submit. What is sent there waits for review and is never public before."),
    )
    submission_question: str = setting(
        "",
        value_types.text(0, 200, LINE_OF_200),
        "A question in that form which programs cannot answer; empty is none.",
        section=SUBMISSIONS,
        label=N_("Question"),
        help=N_("Optional: something that people of the place know and programs do not."),
    )
    submission_answer: str = setting(
        "",
        value_types.text(0, 100, N_("Write one line of at most 100 characters.")),
        "The answer to it; upper and lower case are the same.",
        section=SUBMISSIONS,
        label=N_("Answer"),
        help=N_("Upper and lower case are the same."),
    )

    @cached_property
    def currency(self) -> Currency:
        """For costs that name none."""
        return Currency(self.currency_symbol, self.currency_code, self.currency_position)
