"""Secrets of webhooks, and the signatures of messages: Standard Webhooks 1.0."""

import base64
import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta

from kalends.features.webhooks.rows import Webhook
from kalends.values import dates

PREFIX = "whsec_"
BOTH_SIGN = timedelta(hours=24)  # after a rotation


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def new_message() -> str:
    """The id of a message."""
    return f"msg_{secrets.token_hex(16)}"


def headers(webhook: Webhook, message: str, now: datetime, body: bytes) -> dict[str, str]:
    """What tells the receiver that a message comes from here. After a rotation both secrets sign."""
    timestamp = str(int(now.replace(tzinfo=UTC).timestamp()))
    signed = f"{message}.{timestamp}.".encode() + body
    used = [webhook.secret]
    if webhook.old_secret and dates.text(now) < webhook.old_until_utc:
        used.append(webhook.old_secret)
    return {
        "webhook-id": message,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed)}" for secret in used),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
