"""Webhooks as administrators see them: a list with the state of each, a form, and the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin.record_names import NAMES
from kalends.admin.setting_fields import Tabs
from kalends.features.webhooks.contract import FAILED, GONE
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.features.webhooks.rules import State
from kalends.languages import N_

STATES = {
    "on": ("good", N_("Switched on")),
    "retrying": ("warn", N_("Trying again")),
    "off": ("", N_("Off")),
    GONE: ("bad", N_("Switched off: the receiver is gone")),
    FAILED: ("bad", N_("Switched off: it failed for too long")),
}


def state_of(state: State) -> tuple[str, str]:
    """The mark and the words for how a webhook is."""
    webhook, task = state
    if not webhook.active:
        return STATES[webhook.problem or "off"]
    return STATES["retrying" if task is not None and task.tries else "on"]


@dataclass(frozen=True, slots=True)
class WebhooksPage:
    template: ClassVar[str] = "features/webhooks/webhooks.html"

    tabs: Tabs
    states: Sequence[State]
    has_address: bool  # without one of the site there are no webhooks

    def state(self, one: State) -> tuple[str, str]:
        return state_of(one)


@dataclass(frozen=True, slots=True)
class WebhookPage:
    """One webhook, or the form for a new one. `secret` is shown when it was made."""

    template: ClassVar[str] = "features/webhooks/webhook.html"
    KINDS: ClassVar[Mapping[str, str]] = NAMES

    shown: State | None
    deliveries: Sequence[Delivery]
    kinds: Sequence[str]
    secret: str = ""

    @property
    def webhook(self) -> Webhook | None:
        return None if self.shown is None else self.shown.webhook

    @property
    def state(self) -> tuple[str, str]:
        assert self.shown is not None
        return state_of(self.shown)

    @property
    def labels(self) -> Mapping[str, str]:
        return {"url": N_("Address"), "kinds": N_("What it is told about"), "description": N_("Description")}
