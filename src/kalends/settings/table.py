"""The settings, each declared once: what it is, and where it is the site's own, how the admin shows it.

From the tables come the command line, the variables, `kalends.toml`, docs/settings.md, and the settings screen with
its validation and storage (calendar/site_settings.py). To add a setting, add a field to `ProcessSettings`, to
`SiteSettings`, or to the class that a feature declares as its `settings`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from kalends.feature import declared
from kalends.languages import N_
from kalends.settings.process_table import ProcessSettings
from kalends.settings.rows import SettingRow
from kalends.settings.site_table import SiteSettings
from kalends.values import currencies
from kalends.values.custom_fields import NONE, CustomFields

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CoreSettings(SiteSettings, ProcessSettings):
    """Those of the core, and what can be asked of all of them."""

    # What somebody wrote, each with its place. It wins over what the site has set.
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    # The further fields of events that the site has defined; only the store has them.
    custom_fields: CustomFields = field(default=NONE, repr=False)

    def of(self, feature: type[T]) -> T:
        """The same as the settings of a feature, by the class that it declares."""
        assert isinstance(self, feature)
        return self

    def text_of(self, key: str) -> str:
        """A value as a form shows it."""
        value = getattr(self, key)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def with_those_of_the_site(self, stored: Mapping[str, str], custom_fields: CustomFields = NONE) -> "Settings":
        """Together with what the store has, as it was written, where nobody has given another value."""
        values: dict[str, Any] = {"custom_fields": custom_fields}
        for key, written in stored.items():
            if key in TABLE and TABLE[key].section and key not in self.origins:
                try:
                    values[key] = TABLE[key].kind.parse(written)
                except ValueError:
                    continue  # of another version of the program
        return replace(self, **values).with_usual_currency({*self.origins, *stored})

    def with_usual_currency(self, chosen: Collection[str]) -> "Settings":
        """With the currency of the country, and as it is written there, where nobody has chosen another one."""
        if "currency_symbol" in chosen or not (self.country or self.currency_code):
            return self
        code = self.currency_code if "currency_code" in chosen else ""
        if "currency_code" in chosen and not code:
            return self  # none, on purpose
        found = currencies.usual(code, self.country, self.language)
        position = self.currency_position if "currency_position" in chosen else found.position
        return replace(self, currency_symbol=found.symbol, currency_code=found.code, currency_position=position)


if TYPE_CHECKING:
    Settings = CoreSettings
else:

    @dataclass(frozen=True, kw_only=True)
    class Settings(CoreSettings, *declared("settings")):
        """Every setting, checked. Made by `load`."""


def _in_order(rows: Mapping[str, SettingRow]) -> dict[str, SettingRow]:
    keys = [key for key, row in rows.items() if not row.after]
    for key, row in rows.items():
        if row.after:
            keys.insert(keys.index(row.after) + 1, key)
    return {key: rows[key] for key in keys}


TABLE = _in_order(
    {item.name: SettingRow(key=item.name, **item.metadata) for item in fields(Settings) if item.metadata}
)


# For the screens on which the people of a site make its settings.


def in_section(section: str) -> list[SettingRow]:
    return [row for row in TABLE.values() if row.section and row.section == section]


def in_setup() -> list[SettingRow]:
    """What is asked for on the first start."""
    return [row for row in TABLE.values() if row.in_setup]


def problems(written: Mapping[str, str]) -> dict[str, str]:
    """A sentence for each value that is not accepted, by key."""
    found = {key: TABLE[key].kind.problem for key in written if not _is_accepted(key, written[key])}
    if written.get("submission_question", "").strip() and not written.get("submission_answer", "given").strip():
        found.setdefault("submission_answer", N_("Write the answer too: without one, nobody can send an event."))
    return found


def _is_accepted(key: str, text: str) -> bool:
    try:
        TABLE[key].kind.parse(text.strip())
    except ValueError:
        return False
    return True
