"""Webhooks and deliveries as JSON."""

from kalends.features.webhooks.contract import DELIVERY, WEBHOOK
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.present.managed import Json, filled


def webhook(record: Webhook, since: str, *, with_secret: bool = False) -> Json:
    """`since`: its place as a token. The secret is shown when it is made, and never again."""
    secret = {"secret": record.secret} if with_secret else {}
    return filled(WEBHOOK, record, kinds=record.kinds.split(","), since=since, **secret)


def delivery(record: Delivery) -> Json:
    return filled(DELIVERY, record, webhook_id=record.message)
