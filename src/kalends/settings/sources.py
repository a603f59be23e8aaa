"""Where settings are found: the command line, else a `KALENDS_*` variable, else `kalends.toml` in the data folder."""

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from kalends.settings.rows import PREFIX, SettingError, SettingRow, option_name, variable_name
from kalends.settings.table import TABLE, Settings

FILE_NAME = "kalends.toml"
IMPORT_PASSWORD = "KALENDS_IMPORT_PASSWORD"  # noqa: S105  (the name of an environment variable)
TOKEN = "KALENDS_TOKEN"  # noqa: S105  (likewise)
# What commands and units read of the environment, and is no setting of the calendar.
OF_COMMANDS = frozenset({IMPORT_PASSWORD, TOKEN, "KALENDS_SOURCE_PASSWORD"})

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
    _add_source(values, places, _command_line(data, overrides), warn)
    _add_source(values, places, _environment(environ), warn)
    folder = values.get("data", Settings().data)
    _add_source(values, places, _file(folder / FILE_NAME), warn)
    return Settings(**values, origins=places).with_usual_currency(places)


def _add_source(
    values: dict[str, Any], origins: dict[str, str], source: Iterator[Written], warn: Callable[[str], None]
) -> None:
    """Adds what a source has and no earlier one had; within a source, today's name wins over an earlier one."""
    for key, written, place in sorted(source, key=lambda one: one[0] in RENAMED):
        row = TABLE[current_key(key)]
        if key in RENAMED:
            warn(f"{place} has an earlier name; the setting is called {row.key} now")
        values.setdefault(row.key, row.parse(written, place))
        origins.setdefault(row.key, place)


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


def _as_text(value: object, row: SettingRow, source: str) -> str:
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
