"""The setting of sources: what they may reach."""

from dataclasses import dataclass

from kalends.settings import value_types
from kalends.settings.rows import setting


@dataclass(frozen=True, kw_only=True)
class SourceSettings:
    fetch_private: bool = setting(
        "false",
        value_types.YES_OR_NO,
        "Whether sources may be read from addresses inside of your network, on any port; else only from public ones.",
    )
