"""The setting of webhooks: what they may reach."""

from dataclasses import dataclass

from kalends.settings import value_types
from kalends.settings.rows import setting


@dataclass(frozen=True, kw_only=True)
class WebhookSettings:
    webhooks_allow_private: bool = setting(
        "false",
        value_types.YES_OR_NO,
        "Whether webhooks may reach addresses inside of your network, on ports from 1024 on; else only public ones.",
    )
