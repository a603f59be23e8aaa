"""Sends one message to a receiver, by a guarded connection, and tells what came back."""

import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import msgspec

from kalends.calendar.fetching import guarded
from kalends.calendar.fetching.guarded import FetchLimits
from kalends.calendar.fetching.open_connections import OpenConnections
from kalends.calendar.fetching.public_networks import Resolver, system_resolver
from kalends.calendar.fetching.reach import Reach, is_any
from kalends.calendar.fetching.targets import TargetRefused
from kalends.contract.errors import WRONG_FORMAT, FieldError
from kalends.features.webhooks import signing
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.features.webhooks.settings import WebhookSettings
from kalends.languages import N_
from kalends.settings import Settings
from kalends.values import dates

TIMEOUT = 15.0  # seconds in which a receiver has to answer
CHECK_TIMEOUT = 3.0  # seconds for the lookup of an address that somebody enters
SHOWN = 1000  # characters of what was sent and of what came back
LIMITS = FetchLimits(max_bytes=4 * SHOWN, timeout=TIMEOUT, max_redirects=0)
LONGEST_WAIT = 86_400.0  # seconds that a receiver may ask for
INNER_PORTS = frozenset({80, 443, *range(1024, 65_536)})
CHANGES, TEST, EXPIRED = "changes", "test", "changes_expired"  # types of messages

resolve: Resolver = system_resolver


class SentDelivery(NamedTuple):
    """What came of a try. `retry_after`: the seconds that the receiver asks to be left alone."""

    status: int | None
    milliseconds: int
    response: str
    retry_after: float | None = None

    @property
    def is_accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def check(url: str, settings: Settings) -> None:
    """Refuses an address that messages would not be sent to. It is checked again at each connection."""
    try:
        guarded.check(url, CHECK_TIMEOUT, _reach(settings))
    except TargetRefused as refused:
        raise FieldError(
            WRONG_FORMAT, N_("cannot be used: {reason}."), reason=FieldError("", refused.reason.value)
        ) from None


def body_of(type_: str, page: bytes, now: datetime) -> bytes:
    """A message around a page of changes."""
    moment = now.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
    return msgspec.json.encode({"type": type_, "timestamp": moment, "data": msgspec.Raw(page)})


def send(
    webhook: Webhook,
    message: str,
    body: bytes,
    settings: Settings,
    now: datetime,
    connections: OpenConnections | None = None,
) -> SentDelivery:
    """Sends a message once, on a connection that was kept open if there is one."""
    headers = {"Content-Type": "application/json", **signing.headers(webhook, message, now, body)}
    begun = time.monotonic()
    try:
        answer = guarded.posted(webhook.url, body, headers, LIMITS, _reach(settings), connections)
    except TargetRefused as refused:
        return SentDelivery(None, _since(begun), refused.reason.value)
    shown = answer.start.decode("utf-8", "replace").replace("\0", "")[:SHOWN]
    wait = _retry_after(answer.headers.get("Retry-After", ""), now)
    return SentDelivery(answer.status, _since(begun), shown, wait)


def delivery(
    webhook: Webhook, message: str, reach: tuple[int, int], body: bytes, sent: SentDelivery, now: datetime
) -> Delivery:
    """A try as a row of the log, which has no number yet. `reach`: the changes after the first up to the second."""
    shown = body[: 4 * SHOWN].decode("utf-8", "ignore")[:SHOWN]
    at = dates.text(now)
    return Delivery(
        webhook.id, 0, message, *reach, at, sent.status, sent.milliseconds, shown, len(body), sent.response
    )


def _reach(settings: Settings) -> Reach:
    return (
        Reach(resolve, is_any, INNER_PORTS) if settings.of(WebhookSettings).webhooks_allow_private else Reach(resolve)
    )


def _since(begun: float) -> int:
    return round((time.monotonic() - begun) * 1000)


def _retry_after(text: str, now: datetime) -> float | None:
    """The seconds that a receiver names, as a number or as a time."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return min(LONGEST_WAIT, float(text[:9])) or None
    try:
        moment = parsedate_to_datetime(text)
        seconds = (moment - now.replace(tzinfo=UTC if moment.tzinfo else None)).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None
    return min(LONGEST_WAIT, max(0.0, seconds)) or None
