"""The settings: one table that parses, checks and documents them.

A value comes from the command line, else a `KALENDS_*` variable, else `kalends.toml` in the data folder,
else its default.
"""

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from kalends.languages import LANGUAGES
from kalends.look_kinds import COLOUR, CSS, LINES, LINKS, LOGO, QUICK, TILES
from kalends.setting_kinds import (
    BASE_URL,
    CODE,
    COUNTRY,
    DATABASE,
    MEDIA,
    NETWORKS,
    PASSWORD,
    PATH,
    REGION,
    REPLICAS,
    ROOT_PATH,
    SIZE,
    SIZE_OR_NONE,
    SYMBOL,
    YES_OR_NO,
    ZONE,
    Network,
    choice,
    number,
    text,
    whole,
)
from kalends.setting_rows import PREFIX, Row, SettingError, option_name, setting, variable_name

__all__ = ["FILE_NAME", "IMPORT_PASSWORD", "RENAMED", "TABLE", "Row", "SettingError", "Settings", "current_key",
           "load", "option_name"]  # fmt: skip

FILE_NAME = "kalends.toml"
IMPORT_PASSWORD = "KALENDS_IMPORT_PASSWORD"  # noqa: S105  (the name of an environment variable)
# What commands and units read of the environment, and is no setting of the calendar.
OF_COMMANDS = frozenset({IMPORT_PASSWORD, "KALENDS_SYNC_URL"})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every setting, checked. Made by `load`."""

    data: Path = setting("./data", PATH, "The folder that holds the database, the images and `kalends.toml`.")
    database: str = setting(
        "",
        DATABASE,
        "The database; empty is the file `kalends.db` in the data folder, where relative paths start too.",
        has_password=True,
    )
    database_replica: tuple[str, ...] = setting(
        "",
        REPLICAS,
        "Replicas of the PostgreSQL database, to which reads may go when they are up to date.",
        has_password=True,
    )
    database_connections: int = setting(
        "16",
        whole(2, 1000),
        "The most connections of each worker to the PostgreSQL server, and to each replica.",
    )
    database_timeout: float = setting(
        "5",
        number(0.1, 600),
        "The seconds to wait for PostgreSQL, or for another writer, before a request gets the status 503.",
    )
    media: str = setting(
        "", MEDIA, "The bucket that holds the images; empty is the folder `media` in the data folder."
    )
    media_endpoint: str = setting(
        "",
        BASE_URL,
        "The address of the server that has the bucket; empty is Amazon S3, or what `AWS_*` variables say.",
    )
    media_region: str = setting("", REGION, "The region of the bucket; empty is what `AWS_*` variables say.")
    base_url: str = setting(
        "",
        BASE_URL,
        "The public address of the site, at the front of every link; empty takes it from the request.",
    )
    api_root: str = setting("/api", ROOT_PATH, "The path under which the interface lives.")
    compat: bool = setting(
        "true",
        YES_OR_NO,
        "Whether the addresses of WordPress answer too: `/wp-json/`, `?rest_route=` and those of its calendar pages.",
    )
    site_name: str = setting("Kalends", text(1, 200), "The name of the calendar, in pages, feeds and `/`.")
    site_description: str = setting("", text(0, 500), "One line about the calendar.")
    timezone: str = setting("UTC", ZONE, "The time zone of the site, and of events that name none.")
    currency_symbol: str = setting("$", SYMBOL, "The symbol shown beside a cost that has none.")
    currency_code: str = setting(
        "", CODE, "The ISO 4217 code of costs that name no currency, such as USD; empty is none."
    )
    currency_position: str = setting(
        "prefix", choice("prefix", "postfix"), "Whether the site's symbol stands before or after the number."
    )
    country: str = setting(
        "", COUNTRY, "The country of the site, which the admin offers for new venues; empty is none."
    )
    week_start: str = setting(
        "auto",
        choice("auto", "monday", "sunday", "saturday"),
        "The first day of the week in the pages; auto is what the reader's language uses.",
    )
    hour_format: str = setting(
        "auto", choice("auto", "12", "24"), "The clock of the pages; auto is what the reader's language uses."
    )
    logo: str = setting("", LOGO, "The picture beside the name at the top of every page; empty is none.")
    accent_color: str = setting(
        "",
        COLOUR,
        "The colour of what stands out; pages darken or lighten it until text in it can be read. Empty is brick red.",
    )
    typeface: str = setting(
        "serif",
        choice("serif", "sans", "system"),
        "The typeface of titles and texts: serif or sans, or that of the reader's system for everything.",
    )
    header_links: str = setting("", LINKS, "Links at the top of every page.")
    footer_text: str = setting("", LINES, "The text at the foot of every page.")
    legal_links: str = setting("", LINKS, "Links at the foot of every page, such as privacy and contact.")
    home_view: str = setting(
        "month", choice("month", "week", "day", "list"), "What `/events/` shows, the first page of the calendar."
    )
    quick_choices: str = setting(
        "today, weekend, week, free, online",
        QUICK,
        "The quick choices above the calendar: today, weekend, week, free, online, featured, and categories or tags.",
    )
    custom_css: str = setting("", CSS, "A style sheet of the site, after those of the pages.")
    map_tiles: str = setting(
        "",
        TILES,
        "The tiles of the maps on the pages of events and venues; empty shows no map and asks no other host.",
    )
    map_attribution: str = setting("", text(0, 200), "Whom the maps name as their source, as most sources require.")
    submissions: bool = setting(
        "false", YES_OR_NO, "Whether anybody can send an event at `/submit`, which then waits for review."
    )
    submission_question: str = setting(
        "", text(0, 200), "A question in that form which programs cannot answer; empty is none."
    )
    submission_answer: str = setting("", text(0, 100), "The answer to it; upper and lower case are the same.")
    history_days: int = setting(
        "365", whole(0, 36500), "How many days earlier versions of records are kept; 0 keeps none."
    )
    max_per_page: int = setting(
        "100", whole(1, 1000), "The largest `per_page` of a list; more is brought down to it."
    )
    max_body: int = setting("10MB", SIZE, "The largest body of a request.")
    max_image: int = setting("10MB", SIZE, "The largest image, uploaded or fetched.")
    image_timeout: float = setting("10", number(0.1, 300), "The seconds that fetching an image may take.")
    geoloc_radius: float = setting(
        "40",
        number(0.001, 20040),
        "The kilometres around a point in which a list finds events, unless the request says.",
    )
    recurrence_months: int = setting(
        "24",
        whole(1, 120),
        "The months ahead for which an event that repeats without an end has its occurrences.",
    )
    trusted_proxies: tuple[Network, ...] = setting(
        "", NETWORKS, "The proxies whose `Forwarded` and `X-Forwarded-*` headers are believed; empty is none."
    )
    language: str = setting("en", choice(*LANGUAGES), "The language of pages and messages.")
    cache_age: int = setting(
        "10",
        whole(0, 86400),
        "The seconds for which caches may keep the response to an anonymous request.",
    )
    cache_size: int = setting(
        "32MB",
        SIZE_OR_NONE,
        "The memory in which each worker caches responses to anonymous requests; 0 caches none.",
    )
    cors: bool = setting("true", YES_OR_NO, "Whether scripts of other sites may read the interface.")
    rate_limit: int = setting(
        "0", whole(0, 1_000_000), "The requests a minute that one address may make; 0 is no limit."
    )
    metrics: tuple[Network, ...] = setting(
        "",
        NETWORKS,
        "The networks that can read `/metrics`, by the address of the connection itself and never through a proxy; "
        "empty is none, and nothing is counted.",
    )
    log_format: str = setting(
        "text", choice("text", "json"), "What the lines are that the service writes to its standard error."
    )
    log_requests: bool = setting(
        "false", YES_OR_NO, "Whether each request is a line there, and its answer has the header `X-Request-Id`."
    )
    admin_password: str = setting(
        "",
        PASSWORD,
        "The password of `admin` on the first start; empty makes a random one and shows it once.",
        secret=True,
    )
    # What somebody wrote, each with its place. It wins over what the store has (calendar/site_settings.py).
    given: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_embedded(self) -> bool:
        """The database is a file of SQLite's."""
        return not self.database.startswith("postgresql")

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        return self.data / (self.database.removeprefix("sqlite:///") or "kalends.db")


TABLE = {item.name: Row(key=item.name, **item.metadata) for item in fields(Settings) if item.metadata}
# A value in a source: the key, the text, and the place as an error names it.
Written = tuple[str, str, str]

# Earlier names, still accepted in every source: the old key and the one of today.
RENAMED = {"compat_namespace": "compat"}


def current_key(key: str) -> str:
    return RENAMED.get(key, key)


def _ignore(warning: str) -> None:
    """Only the process that a person started warns; its workers read the same settings again."""


def load(
    data: Path | None,
    overrides: Mapping[str, str | None],
    environ: Mapping[str, str],
    warn: Callable[[str], None] = _ignore,
) -> Settings:
    """The settings of one run. `overrides` are command line options by key; None means not given. `warn` gets a line
    for each setting under an earlier name."""
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    _take(values, places, _command_line(data, overrides), warn)
    _take(values, places, _environment(environ), warn)
    folder = values.get("data", Settings().data)
    _take(values, places, _file(folder / FILE_NAME), warn)
    return Settings(**values, given=places)


def _take(
    values: dict[str, Any], places: dict[str, str], source: Iterator[Written], warn: Callable[[str], None]
) -> None:
    """Adds what a source has and no earlier one had; within a source, today's name wins over an earlier one."""
    for key, written, place in sorted(source, key=lambda one: one[0] in RENAMED):
        row = TABLE[current_key(key)]
        if key in RENAMED:
            warn(f"{place} has an earlier name; the setting is called {row.key} now")
        values.setdefault(row.key, row.parse(written, place))
        places.setdefault(row.key, place)


def _command_line(data: Path | None, overrides: Mapping[str, str | None]) -> Iterator[Written]:
    given = {**overrides, "data": str(data)} if data is not None else overrides
    for key, written in given.items():
        if current_key(key) not in TABLE:
            raise _unknown(f"the option {key!r}", key, "option")
        if written is not None:
            yield key, written, f"the option {option_name(key)}"


def _environment(environ: Mapping[str, str]) -> Iterator[Written]:
    known = {variable_name(key): key for key in (*TABLE, *RENAMED)}
    for name, written in environ.items():
        if name in known:
            yield known[name], written, f"the environment variable {name}"
        elif name.startswith(PREFIX) and name not in OF_COMMANDS:
            raise _unknown(f"the environment variable {name!r}", name.removeprefix(PREFIX), "variable")


def _file(path: Path) -> Iterator[Written]:
    for key, value in _read(path).items():
        if current_key(key) not in TABLE:
            raise _unknown(f"the key {key!r} in {path}", key, "key")
        source = f"the key {key} in {path}"
        if key == "data":
            raise SettingError(f"{source} cannot be used: the file is itself found in the data folder")
        yield key, _as_text(value, TABLE[current_key(key)], source), source


def _read(path: Path) -> dict[str, Any]:
    try:
        # Some editors put a byte order mark at the front, which TOML does not know.
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except NotADirectoryError:
        problem = "its folder is a file"
    except OSError as error:
        problem = f"it cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        problem = "it is not UTF-8 text"
    except ValueError as error:
        problem = f"it is not TOML: {error}"
    raise SettingError(f"{path} cannot be used: {' '.join(problem.split())}")


def _as_text(value: object, row: Row, source: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    if row.kind.separator and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return row.kind.separator.join(value)
    raise row.error(str(value), source)


def _unknown(what: str, name: str, form: Literal["option", "variable", "key"]) -> SettingError:
    near = difflib.get_close_matches(name.lower().replace("-", "_"), TABLE, n=1)
    hint = f"did you mean {getattr(TABLE[near[0]], form)}?" if near else "docs/settings.md lists them all"
    return SettingError(f"{what} is no setting: {hint}")
