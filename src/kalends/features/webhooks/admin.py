"""Webhooks: a list with the state of each, a form, and the log with what was sent and what came back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kalends.admin import setting_fields
from kalends.admin.navigation import SETTINGS
from kalends.admin.record_names import NAMES
from kalends.admin.request import AdminRequest
from kalends.admin.screen import Screen
from kalends.admin.setting_fields import Tabs
from kalends.calendar.access import UnitOfWork
from kalends.contract.errors import ApiError
from kalends.contract.fields import read_create
from kalends.contract.kinds import KIND_OF
from kalends.features.webhooks import journal_pages as pages
from kalends.features.webhooks import rules as operations
from kalends.features.webhooks.contract import FAILED, GONE, WEBHOOK_FIELDS
from kalends.features.webhooks.errors import NO_DELIVERY
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.features.webhooks.rules import WebhookState
from kalends.languages import N_
from kalends.site.forms.form import Form, number_in

PATH = "/admin/settings/webhooks"
SHOWN = 50  # deliveries
ANSWERED = N_("The receiver answered with {status}.")
NOT_ANSWERED = N_("The receiver did not answer: {reason}.")
STATES = {
    "on": ("good", N_("Switched on")),
    "retrying": ("warn", N_("Trying again")),
    "off": ("", N_("Off")),
    GONE: ("bad", N_("Switched off: the receiver is gone")),
    FAILED: ("bad", N_("Switched off: it failed for too long")),
}


def state_of(state: WebhookState) -> tuple[str, str]:
    """The mark and the words for how a webhook is."""
    webhook, task = state
    if not webhook.active:
        return STATES[webhook.problem or "off"]
    return STATES["retrying" if task is not None and task.tries else "on"]


@dataclass(frozen=True, slots=True)
class WebhooksPage:
    template: ClassVar[str] = "features/webhooks/webhooks.html"

    tabs: Tabs
    states: Sequence[WebhookState]
    has_address: bool  # without one of the site there are no webhooks

    def state(self, one: WebhookState) -> tuple[str, str]:
        return state_of(one)


@dataclass(frozen=True, slots=True)
class WebhookPage:
    """One webhook, or the form for a new one. `secret` is shown when it was made."""

    template: ClassVar[str] = "features/webhooks/webhook.html"
    KINDS: ClassVar[Mapping[str, str]] = NAMES

    current: WebhookState | None
    deliveries: Sequence[Delivery]
    kinds: Sequence[str]
    secret: str = ""

    @property
    def webhook(self) -> Webhook | None:
        return None if self.current is None else self.current.webhook

    @property
    def state(self) -> tuple[str, str]:
        assert self.current is not None
        return state_of(self.current)

    @property
    def labels(self) -> Mapping[str, str]:
        return {"url": N_("Address"), "kinds": N_("What it is told about"), "description": N_("Description")}


def show_webhooks(request: AdminRequest) -> None:
    states = request.read(operations.states)
    tabs = setting_fields.tabs("webhooks", request.root_path, request.language)
    request.answer(WebhooksPage(tabs, states, bool(request.settings.base_url)))


def show_new_webhook(request: AdminRequest) -> None:
    request.answer(WebhookPage(None, (), tuple(KIND_OF)))


def add(request: AdminRequest, form: Form) -> None:
    with form.refusals():
        reading = read_create(WEBHOOK_FIELDS, _sent(form))
        reading.problems.raise_any()
        operations.check(request.caller, reading.values, request.settings)
        webhook = request.write(operations.create, reading.values, None)
        form.values.clear()
        show_webhook(request, webhook.id, secret=webhook.secret)


def show_webhook(request: AdminRequest, id: int, secret: str = "") -> None:
    def read(work: UnitOfWork) -> WebhookPage:
        log = operations.deliveries(work, id, SHOWN)
        return WebhookPage(operations.state(work, id), log, tuple(KIND_OF), secret)

    page = request.read_latest(read)
    request.answer(page, title=page.webhook.url if page.webhook else "")


def save(request: AdminRequest, form: Form, id: int) -> None:
    with form.refusals():
        reading = read_create(WEBHOOK_FIELDS, _sent(form))
        reading.problems.raise_any()
        operations.check(request.caller, reading.values, request.settings)
        request.write(operations.update, id, reading.values)
        request.go(f"{PATH}/{id}", N_("The webhook is saved."))


def switch(request: AdminRequest, form: Form, id: int) -> None:
    is_on = form.text("active") == "1"
    request.write(operations.update, id, {"active": is_on})
    request.go(f"{PATH}/{id}", N_("The webhook is on.") if is_on else N_("The webhook is off."))


def rotate(request: AdminRequest, form: Form, id: int) -> None:
    webhook = request.write(operations.rotate, id)
    form.values.clear()
    show_webhook(request, id, secret=webhook.secret)


def test(request: AdminRequest, form: Form, id: int) -> None:
    _go_with_result(request, id, operations.test(request.calendar, request.caller, id, pages.of(request.calendar)))


def resend(request: AdminRequest, form: Form, id: int) -> None:
    n = number_in(form.text("n"))
    if n is None:
        raise ApiError(NO_DELIVERY)
    page_of = pages.of(request.calendar)
    _go_with_result(request, id, operations.resend(request.calendar, request.caller, id, n, page_of))


def remove(request: AdminRequest, form: Form, id: int) -> None:
    request.write(operations.delete, id)
    request.go(PATH, N_("The webhook is removed."))


def _go_with_result(request: AdminRequest, id: int, delivery: Delivery) -> None:
    path = f"{PATH}/{id}"
    if delivery.status is None:
        request.go(path, NOT_ANSWERED, kind="problem", reason=delivery.response)
    else:
        kind = "done" if 200 <= delivery.status < 300 else "problem"
        request.go(path, ANSWERED, kind=kind, status=delivery.status)


def _sent(form: Form) -> dict[str, object]:
    sent = {name: form.text(name) for name in ("url", "description", "sees", "include")}
    return {**sent, "kinds": form.all("kinds"), "url": sent["url"] or None}


SCREENS: dict[str, Screen] = {
    "/admin/settings/webhooks": Screen(SETTINGS, show_webhooks),
    "/admin/settings/webhooks/new": Screen(SETTINGS, show_new_webhook, add, N_("Add a webhook")),
    "/admin/settings/webhooks/{id:digits}": Screen(SETTINGS, show_webhook, save, N_("Webhook")),
    "/admin/settings/webhooks/{id:digits}/test": Screen(SETTINGS, act=test),
    "/admin/settings/webhooks/{id:digits}/switch": Screen(SETTINGS, act=switch),
    "/admin/settings/webhooks/{id:digits}/rotate": Screen(SETTINGS, act=rotate),
    "/admin/settings/webhooks/{id:digits}/resend": Screen(SETTINGS, act=resend),
    "/admin/settings/webhooks/{id:digits}/remove": Screen(SETTINGS, act=remove),
}
