"""The settings, each declared once: what it is, and where it is the site's own, how the admin shows it.

From this table come the command line, the variables, `kalends.toml`, docs/settings.md, and the settings screen with
its validation and storage (calendar/site_settings.py). To add a setting, add a field.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from kalends.languages import N_
from kalends.settings import kinds
from kalends.settings.rows import Row, setting
from kalends.values.cost import Currency
from kalends.values.custom_fields import NONE, CustomFields
from kalends.values.mail_server import MailServer

# Sections of the settings screen.
CALENDAR, LOOK, SUBMISSIONS, MAIL = "calendar", "look", "submissions", "mail"

AS_LANGUAGE = N_("As usual in the reader's language")
LINK_HELP = N_("One a line: a name, then an address. For example: About us https://example.org/about")
LINE_OF_200 = N_("Write one line of at most 200 characters.")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every setting, checked. Made by `load`."""

    data: Path = setting("./data", kinds.PATH, "The folder that holds the database, the images and `kalends.toml`.")
    database: str = setting(
        "",
        kinds.DATABASE,
        "The database; empty is the file `kalends.db` in the data folder, where relative paths start too.",
        has_password=True,
    )
    database_replica: tuple[str, ...] = setting(
        "",
        kinds.REPLICAS,
        "Replicas of the PostgreSQL database, to which reads may go when they are up to date.",
        has_password=True,
    )
    database_connections: int = setting(
        "16",
        kinds.whole(2, 1000),
        "The most connections of each worker to the PostgreSQL server, and to each replica.",
    )
    database_timeout: float = setting(
        "5",
        kinds.number(0.1, 600),
        "The seconds to wait for PostgreSQL, or for another writer, before a request gets the status 503.",
    )
    media: str = setting(
        "", kinds.MEDIA, "The bucket that holds the images; empty is the folder `media` in the data folder."
    )
    media_endpoint: str = setting(
        "",
        kinds.BASE_URL,
        "The address of the server that has the bucket; empty is Amazon S3, or what `AWS_*` variables say.",
    )
    media_region: str = setting("", kinds.REGION, "The region of the bucket; empty is what `AWS_*` variables say.")
    base_url: str = setting(
        "",
        kinds.BASE_URL,
        "The public address of the site, at the front of every link; empty takes it from the request.",
    )
    api_root: str = setting("/api", kinds.ROOT_PATH, "The path under which the interface lives.")
    compat: bool = setting(
        "true",
        kinds.YES_OR_NO,
        "Whether the addresses of WordPress answer too: `/wp-json/`, `?rest_route=` and those of its calendar pages.",
    )
    site_name: str = setting(
        "Kalends",
        kinds.text(1, 200, N_("Write a name of at most 200 characters.")),
        "The name of the calendar, in pages, feeds and `/`.",
        section=CALENDAR,
        label=N_("Name"),
        help=N_("At the top of every page, in feeds and in search results."),
        in_setup=True,
    )
    site_description: str = setting(
        "",
        kinds.text(0, 500, N_("Write one line of at most 500 characters.")),
        "One line about the calendar.",
        section=CALENDAR,
        label=N_("Tagline"),
        help=N_("One line that says what the calendar is about."),
        in_setup=True,
    )
    timezone: str = setting(
        "UTC",
        kinds.ZONE,
        "The time zone of the site, and of events that name none.",
        section=CALENDAR,
        label=N_("Time zone"),
        help=N_("New events take place in this zone unless they name another."),
        in_setup=True,
    )
    language: str = setting(
        "en",
        kinds.LANGUAGE,
        "The language of pages and messages.",
        section=CALENDAR,
        label=N_("Language"),
        help=N_("For readers whose browser asks for a language that the calendar does not speak."),
        in_setup=True,
    )
    week_start: str = setting(
        "auto",
        kinds.choice(
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
        kinds.choice(
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
        kinds.COUNTRY,
        "The country of the site, which the admin offers for new venues; empty is none.",
        section=CALENDAR,
        label=N_("Country"),
        help=N_("The admin offers it for new venues."),
        in_setup=True,
    )
    currency_code: str = setting(
        "",
        kinds.CURRENCY,
        "The ISO 4217 code of costs that name no currency, such as USD; empty is none.",
        section=CALENDAR,
        label=N_("Currency"),
        help=N_("Of prices that name none."),
        in_setup=True,
    )
    currency_symbol: str = setting(
        "$",
        kinds.SYMBOL,
        "The symbol shown beside a cost that has none.",
        section=CALENDAR,
        label=N_("Currency symbol"),
        help=N_("Shown beside a price, such as € or kr."),
    )
    currency_position: str = setting(
        "prefix",
        kinds.choice(
            {"prefix": N_("Before the number"), "postfix": N_("After the number")},
            N_("Choose a position from the list."),
        ),
        "Whether the site's symbol stands before or after the number.",
        section=CALENDAR,
        label=N_("Position of the symbol"),
    )
    logo: str = setting(
        "",
        kinds.LOGO,
        "The picture beside the name at the top of every page; empty is none.",
        section=LOOK,
        label=N_("Logo"),
        help=N_("Beside the name, at the top of every page."),
    )
    accent_color: str = setting(
        "",
        kinds.COLOUR,
        "The colour of what stands out; pages darken or lighten it until text in it can be read. Empty is brick red.",
        section=LOOK,
        label=N_("Colour"),
        help=N_("Of dates, buttons and what stands out. It is made darker or lighter where text needs it."),
    )
    typeface: str = setting(
        "serif",
        kinds.choice(
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
        kinds.choice(
            {"month": N_("Month"), "week": N_("Week"), "day": N_("Day"), "list": N_("List")},
            N_("Choose a view from the list."),
        ),
        "What `/events/` shows, the first page of the calendar.",
        section=LOOK,
        label=N_("First page"),
    )
    quick_choices: str = setting(
        "today, weekend, week, free, online",
        kinds.QUICK,
        "The quick choices above the calendar: today, weekend, week, free, online, featured, and categories or tags.",
        section=LOOK,
        label=N_("Quick choices"),
        help=N_(
            "Above the calendar, one a line: today, weekend, week, free, online, featured, or the name of a category"
            " or tag, such as one for children."
        ),
    )
    header_links: str = setting(
        "", kinds.LINKS, "Links at the top of every page.", section=LOOK, label=N_("Links at the top"), help=LINK_HELP
    )
    legal_links: str = setting(
        "",
        kinds.LINKS,
        "Links at the foot of every page, such as privacy and contact.",
        section=LOOK,
        label=N_("Links at the foot"),
        help=LINK_HELP,
    )
    footer_text: str = setting(
        "", kinds.LINES, "The text at the foot of every page.", section=LOOK, label=N_("Text at the foot")
    )
    map_tiles: str = setting(
        "",
        kinds.TILES,
        "The tiles of the maps on the pages of events and venues; empty shows no map and asks no other host.",
        section=LOOK,
        label=N_("Map tiles"),
        help=N_(
            "Readers' browsers then ask that host for maps. Empty: there are no maps, and no other host is asked."
        ),
    )
    map_attribution: str = setting(
        "",
        kinds.text(0, 200, LINE_OF_200),
        "Whom the maps name as their source, as most sources require.",
        section=LOOK,
        label=N_("Source of the map"),
        help=N_("Shown below every map, as most sources require."),
    )
    custom_css: str = setting(
        "",
        kinds.CSS,
        "A style sheet of the site, after those of the pages.",
        section=LOOK,
        label=N_("Style sheet"),
        help=N_("For designers: CSS that is applied after that of the pages."),
    )
    submissions: bool = setting(
        "false",
        kinds.YES_OR_NO,
        "Whether anybody can send an event at `/submit`, which then waits for review.",
        section=SUBMISSIONS,
        label=N_("Anybody can send an event"),
        help=N_("A form at /submit. What is sent there waits for review and is never public before."),
    )
    submission_question: str = setting(
        "",
        kinds.text(0, 200, LINE_OF_200),
        "A question in that form which programs cannot answer; empty is none.",
        section=SUBMISSIONS,
        label=N_("Question"),
        help=N_("Optional: something that people of the place know and programs do not."),
    )
    submission_answer: str = setting(
        "",
        kinds.text(0, 100, N_("Write one line of at most 100 characters.")),
        "The answer to it; upper and lower case are the same.",
        section=SUBMISSIONS,
        label=N_("Answer"),
        help=N_("Upper and lower case are the same."),
    )
    mail_server: MailServer | None = setting(
        "",
        kinds.MAIL_SERVER,
        "The server that sends mail; empty sends none. A login is sent only over TLS, except to this machine itself.",
        has_password=True,
    )
    mail_from: str = setting(
        "",
        kinds.MAILBOX,
        "Whom messages come from; empty is the name of the calendar and `kalends@` the host of `base_url`.",
        section=MAIL,
        label=N_("Sender"),
        help=N_("An address that the mail server may send from, with or without a name before it."),
    )
    mail_reply_to: str = setting(
        "",
        kinds.MAILBOX,
        "Where replies to messages go; empty is the sender.",
        section=MAIL,
        label=N_("Replies go to"),
        help=N_("Empty: to the sender."),
    )
    history_days: int = setting(
        "365", kinds.whole(0, 36500), "How many days earlier versions of records are kept; 0 keeps none."
    )
    changes_days: int = setting(
        "90",
        kinds.whole(1, 36500),
        "How many days `/changes` remembers: a client that asks less often has to copy everything again.",
    )
    max_per_page: int = setting(
        "100", kinds.whole(1, 1000), "The largest `per_page` of a list; more is brought down to it."
    )
    max_body: int = setting("10MB", kinds.SIZE, "The largest body of a request.")
    max_image: int = setting("25MB", kinds.SIZE, "The largest image, uploaded or fetched.")
    image_timeout: float = setting("10", kinds.number(0.1, 300), "The seconds that fetching an image may take.")
    geoloc_radius: float = setting(
        "40",
        kinds.number(0.001, 20040),
        "The kilometres around a point in which a list finds events, unless the request says.",
    )
    recurrence_months: int = setting(
        "24",
        kinds.whole(1, 120),
        "The months ahead for which an event that repeats without an end has its occurrences.",
    )
    trusted_proxies: tuple[kinds.Network, ...] = setting(
        "", kinds.NETWORKS, "The proxies whose `Forwarded` and `X-Forwarded-*` headers are believed; empty is none."
    )
    cache_age: int = setting(
        "10",
        kinds.whole(0, 86400),
        "The seconds for which caches may keep the response to an anonymous request.",
    )
    cache_size: int = setting(
        "32MB",
        kinds.SIZE_OR_NONE,
        "The memory in which each worker caches responses to anonymous requests; 0 caches none.",
    )
    webhooks_allow_private: bool = setting(
        "false",
        kinds.YES_OR_NO,
        "Whether webhooks may reach addresses inside of your network, on ports from 1024 on; else only public ones.",
    )
    cors: bool = setting("true", kinds.YES_OR_NO, "Whether scripts of other sites may read the interface.")
    rate_limit: int = setting(
        "0", kinds.whole(0, 1_000_000), "The requests a minute that one address may make; 0 is no limit."
    )
    metrics: tuple[kinds.Network, ...] = setting(
        "",
        kinds.NETWORKS,
        "The networks that can read `/metrics`, by the address of the connection itself and never through a proxy; "
        "empty is none, and nothing is counted.",
    )
    log_format: str = setting(
        "text", kinds.choice(("text", "json")), "What the lines are that the service writes to its standard error."
    )
    log_requests: bool = setting(
        "false",
        kinds.YES_OR_NO,
        "Whether each request is a line there, and its answer has the header `X-Request-Id`.",
    )
    security_contact: tuple[str, ...] = setting(
        "",
        kinds.CONTACTS,
        "Whom to tell of a vulnerability, as `/.well-known/security.txt` says; empty is nobody, and no such file.",
    )
    admin_password: str = setting(
        "",
        kinds.PASSWORD,
        "The password of `admin` on the first start; empty makes a random one and shows it once.",
        secret=True,
    )
    # What somebody wrote, each with its place. It wins over what the site has set.
    given: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    # The further fields of events that the site has defined; only the store has them.
    custom_fields: CustomFields = field(default=NONE, repr=False)

    @property
    def is_embedded(self) -> bool:
        """The database is a file of SQLite's."""
        return not self.database.startswith("postgresql")

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        return self.data / (self.database.removeprefix("sqlite:///") or "kalends.db")

    @cached_property
    def currency(self) -> Currency:
        """For costs that name none."""
        return Currency(self.currency_symbol, self.currency_code, self.currency_position)

    def text_of(self, key: str) -> str:
        """A value as a form shows it."""
        value = getattr(self, key)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def with_those_of_the_site(self, stored: Mapping[str, str], custom_fields: CustomFields = NONE) -> "Settings":
        """Together with what the store has, as it was written, where nobody has given another value."""
        values: dict[str, Any] = {"custom_fields": custom_fields}
        for key, written in stored.items():
            if key in TABLE and TABLE[key].section and key not in self.given:
                try:
                    values[key] = TABLE[key].kind.parse(written)
                except ValueError:
                    continue  # of another version of the program
        return replace(self, **values)


TABLE = {item.name: Row(key=item.name, **item.metadata) for item in fields(Settings) if item.metadata}
