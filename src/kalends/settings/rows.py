"""The rows of the settings table: how one setting is declared, named and parsed, and what an error about it says."""

import re
from dataclasses import dataclass, field
from typing import Any, TypeVar

from kalends.settings.value_types import ReasonedError, ValueType
from kalends.user_error import UserError

T = TypeVar("T")

PREFIX = "KALENDS_"


class SettingError(UserError, ValueError):
    """A setting that cannot be used; the message is one line for the person who wrote it."""


def setting(default: str, kind: ValueType[T], meaning: str, **more: Any) -> T:
    """A field of `Settings`; `more` is what else its row has. The default is parsed like any other value."""
    row = {"default": default, "kind": kind, "meaning": meaning, **more}
    is_shown = not (more.get("secret") or more.get("has_password"))
    return field(default_factory=lambda: kind.parse(default), repr=is_shown, metadata=row)


def variable_name(key: str) -> str:
    return PREFIX + key.upper()


def option_name(key: str) -> str:
    return "--" + key.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One setting as the table describes it, for parsing, documentation, command line options and the admin."""

    key: str
    default: str
    kind: ValueType[Any]
    meaning: str
    secret: bool = False
    # It may be given on the command line, where the password can be left out, but is never shown.
    has_password: bool = False
    # Where people of the site can set it in the admin: the section of that screen, empty for the others.
    section: str = ""
    label: str = ""
    help: str = ""
    in_setup: bool = False  # asked for on the first start
    after: str = ""  # of a feature: the setting that it follows in the admin and in lists of all of them

    @property
    def variable(self) -> str:
        return variable_name(self.key)

    @property
    def option(self) -> str:
        return option_name(self.key)

    def parse(self, written: str, source: str) -> Any:
        """The value, or a SettingError that says who wrote what, and what is accepted."""
        try:
            return self.kind.parse(written if self.secret else written.strip())
        except ValueError as problem:
            reason = f"{problem}; " if isinstance(problem, ReasonedError) else ""
        # Outside the except block, so that no chained error can carry a secret.
        raise self.error(written, source, reason)

    def error(self, written: str, source: str, reason: str = "") -> SettingError:
        # What could not be read may have its password anywhere.
        is_hidden = self.secret or self.has_password
        says = "has a value that cannot be used" if is_hidden else f"says {_quoted(written)}"
        return SettingError(f"{source} {says}: {reason}accepted: {self.kind.accepts}")


def _quoted(written: str) -> str:
    """The value as an error quotes it: short, on one line, without the password of an address."""
    hidden = re.sub(r"//.*@", "//…@", written, flags=re.DOTALL)
    hidden = re.sub(r"(password=)[^&\s]*", r"\1…", hidden)
    return repr(hidden if len(hidden) <= 80 else hidden[:79] + "…")
