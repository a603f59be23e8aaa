"""The JSON of webhooks and their deliveries."""

from typing import Any

from kalends.store.rows.webhooks import Delivery, Webhook

Json = dict[str, Any]


def webhook(record: Webhook, since: str, *, with_secret: bool = False) -> Json:
    """`since`: its place as a token. The secret is shown when it is made, and never again."""
    json = {
        "id": record.id,
        "url": record.url,
        "kinds": record.kinds.split(","),
        "sees": record.sees,
        "include": record.include,
        "active": record.active,
        "description": record.description,
        "problem": record.problem,
        "since": since,
        "created_utc": record.created_utc,
    }
    return json | {"secret": record.secret} if with_secret else json


def delivery(record: Delivery) -> Json:
    return {
        "n": record.n,
        "webhook_id": record.message,
        "at": record.at,
        "status": record.status,
        "milliseconds": record.milliseconds,
        "response": record.response,
    }
