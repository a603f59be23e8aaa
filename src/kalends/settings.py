"""The settings: one table that parses, checks and documents them.

A value comes from the command line, else a `KALENDS_*` variable, else `kalends.toml` in the data folder,
else its default.
"""

import difflib
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeVar

from kalends.languages import LANGUAGES
from kalends.setting_kinds import (
    BASE_URL,
    CODE,
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
    Kind,
    Network,
    Refusal,
    choice,
    number,
    text,
    whole,
)

T = TypeVar("T")

PREFIX = "KALENDS_"
FILE_NAME = "kalends.toml"


class SettingError(ValueError):
    """A setting that cannot be used; the message is one line for the person who wrote it."""


def setting(default: str, kind: Kind[T], meaning: str, *, secret: bool = False, has_password: bool = False) -> T:
    """A row of the table: the default is written and parsed like any other value. What has a password in it may be
    given on the command line, where it can be left out, but is never shown."""
    metadata = {"default": default, "kind": kind, "meaning": meaning, "secret": secret}
    return field(default_factory=lambda: kind.parse(default), repr=not (secret or has_password), metadata=metadata)


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
        whole(1, 1000),
        "The most connections of each worker to the PostgreSQL server, and to each replica.",
    )
    database_timeout: float = setting(
        "5",
        number(0.1, 600),
        "The seconds to wait for PostgreSQL, or for another writer, before a request gets the answer 503.",
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
    compat: bool = setting("true", YES_OR_NO, "Whether the interface answers under `/wp-json/tribe/events/v1` too.")
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
    trusted_proxies: tuple[Network, ...] = setting(
        "", NETWORKS, "The proxies whose `Forwarded` and `X-Forwarded-*` headers are believed; empty is none."
    )
    language: str = setting("en", choice(*LANGUAGES), "The language of pages and messages.")
    cache_age: int = setting(
        "10",
        whole(0, 86400),
        "The seconds for which an answer to an anonymous request may be kept by caches.",
    )
    cache_size: int = setting(
        "32MB",
        SIZE_OR_NONE,
        "The memory in which each worker keeps answers to anonymous requests ready; 0 keeps none.",
    )
    cors: bool = setting("true", YES_OR_NO, "Whether scripts of other sites may read the interface.")
    rate_limit: int = setting(
        "0", whole(0, 1_000_000), "The requests a minute that one address may make; 0 is no limit."
    )
    metrics: tuple[Network, ...] = setting(
        "",
        NETWORKS,
        "Who may read `/metrics`, by the address of the connection itself and never through a proxy; "
        "empty is nobody, and nothing is counted.",
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

    @property
    def is_embedded(self) -> bool:
        """The database is a file of SQLite's."""
        return not self.database.startswith("postgresql")

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        return self.data / (self.database.removeprefix("sqlite:///") or "kalends.db")


@dataclass(frozen=True)
class Row:
    """One setting as the table describes it, for parsing, documentation and command line options."""

    key: str
    default: str
    kind: Kind[Any]
    meaning: str
    secret: bool

    @property
    def variable(self) -> str:
        return PREFIX + self.key.upper()

    @property
    def option(self) -> str:
        return "--" + self.key.replace("_", "-")

    def parse(self, written: str, source: str) -> Any:
        """The value, or a SettingError that says who wrote what, and what is accepted."""
        try:
            return self.kind.parse(written if self.secret else written.strip())
        except ValueError as error:
            reason = f"{error}; " if isinstance(error, Refusal) else ""
        # Outside the except block, so that no chained error can carry a secret.
        raise self.refusal(written, source, reason)

    def refusal(self, written: str, source: str, reason: str = "") -> SettingError:
        says = "has a value that cannot be used" if self.secret else f"says {_shown(written)}"
        return SettingError(f"{source} {says}: {reason}accepted: {self.kind.accepts}")


TABLE = {item.name: Row(key=item.name, **item.metadata) for item in fields(Settings)}


def load(data: Path | None, overrides: Mapping[str, str | None], environ: Mapping[str, str]) -> Settings:
    """The settings of one run. `overrides` are command line options by key; None means not given."""
    values: dict[str, Any] = {}
    for key, written, source in _command_line(data, overrides):
        values[key] = TABLE[key].parse(written, source)
    for key, written, source in _environment(environ):
        values.setdefault(key, TABLE[key].parse(written, source))
    folder = values.get("data", Settings().data)
    for key, written, source in _file(folder / FILE_NAME):
        values.setdefault(key, TABLE[key].parse(written, source))
    return Settings(**values)


# Where a value was written: its key, its text, and the source as an error names it.
Written = tuple[str, str, str]


def _command_line(data: Path | None, overrides: Mapping[str, str | None]) -> Iterator[Written]:
    given = {**overrides, "data": str(data)} if data is not None else overrides
    for key, written in given.items():
        if key not in TABLE:
            raise _unknown(f"the option {key!r}", key, "option")
        if written is not None:
            yield key, written, f"the option {TABLE[key].option}"


def _environment(environ: Mapping[str, str]) -> Iterator[Written]:
    known = {row.variable: key for key, row in TABLE.items()}
    for name, written in environ.items():
        if name in known:
            yield known[name], written, f"the environment variable {name}"
        elif name.startswith(PREFIX):
            raise _unknown(f"the environment variable {name!r}", name.removeprefix(PREFIX), "variable")


def _file(path: Path) -> Iterator[Written]:
    for key, value in _read(path).items():
        if key not in TABLE:
            raise _unknown(f"the key {key!r} in {path}", key, "key")
        source = f"the key {key} in {path}"
        if key == "data":
            raise SettingError(f"{source} cannot be used: the file is itself found in the data folder")
        yield key, _as_text(value, TABLE[key], source), source


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
    raise row.refusal(str(value), source)


def _unknown(what: str, name: str, form: Literal["option", "variable", "key"]) -> SettingError:
    near = difflib.get_close_matches(name.lower().replace("-", "_"), TABLE, n=1)
    hint = f"did you mean {getattr(TABLE[near[0]], form)}?" if near else "docs/settings.md lists them all"
    return SettingError(f"{what} is no setting: {hint}")


def _shown(written: str) -> str:
    """The value as an error quotes it: short, on one line, without the password of an address."""
    hidden = re.sub(r"//.*@", "//…@", written, flags=re.DOTALL)
    hidden = re.sub(r"(password=)[^&\s]*", r"\1…", hidden)
    return repr(hidden if len(hidden) <= 80 else hidden[:79] + "…")


HEADING = f"""\
# Settings

A setting is taken from the first place that has it: the command line (`--site-name "Town hall"`), the
environment (`KALENDS_SITE_NAME`), the file `{FILE_NAME}` in the data folder (`site_name = "Town hall"`),
the default.
A value that cannot be used, or a name that is none of these, stops the start with one line that says so.

This page is made from the table in `src/kalends/settings.py` by
`python -m kalends.settings > docs/settings.md`.

| Variable | Key in `{FILE_NAME}` | Default | Meaning |
|---|---|---|---|
"""


def documentation() -> str:
    """The text of docs/settings.md."""
    return HEADING + "".join(_documented(row) for row in TABLE.values())


def _documented(row: Row) -> str:
    key = "(not in the file)" if row.key == "data" else f"`{row.key}`"
    default = f"`{row.default}`" if row.default else "(empty)"
    return f"| `{row.variable}` | {key} | {default} | {row.meaning} Accepted: {row.kind.accepts}. |\n"


if __name__ == "__main__":
    sys.stdout.write(documentation())
