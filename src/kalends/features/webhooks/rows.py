"""Webhooks and the log of their deliveries, as rows."""

from typing import NamedTuple

import msgspec

from kalends.store.engine.store import Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table


class Webhook(msgspec.Struct, kw_only=True):
    """A receiver of changes. `kinds` is a list with commas. `place` is the change up to which everything was taken.
    `message` is the id of the message under way, which goes up to the change `until`; empty: there is none. `problem`
    says why it was switched off by itself."""

    id: int = 0
    url: str
    kinds: str
    sees: str
    include: str
    active: bool = True
    description: str = ""
    secret: str
    old_secret: str = ""  # signs too, until `old_until_utc`
    old_until_utc: str = ""
    place: int
    message: str = ""
    until: int = 0
    problem: str = ""
    created_utc: str


class Delivery(NamedTuple):
    """One try. `status` is None where nothing came back; then `response` says why. `sent` is the beginning of the
    body of `size` bytes, which told of the changes after `since` up to `until`."""

    webhook: int
    n: int
    message: str
    since: int
    until: int
    at: str
    status: int | None
    milliseconds: int
    sent: str
    size: int
    response: str


_WEBHOOKS = Table("webhook", Webhook)
_DELIVERIES = Table("delivery", Delivery)


def insert(session: Session, webhook: Webhook) -> None:
    """A new one gets the next number."""
    webhook.id = tables.next_number(session, "webhook")
    _WEBHOOKS.insert(session, webhook)


def update(session: Session, webhook: Webhook) -> None:
    _WEBHOOKS.update(session, webhook)


def move(session: Session, webhook: Webhook) -> None:
    """Writes where a webhook is, and its message under way."""
    values = (webhook.place, webhook.message, webhook.until, webhook.id)
    session.run("UPDATE webhook SET place = ?, message = ?, until = ? WHERE id = ?", values)


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM delivery WHERE webhook = ?", (id,))
    session.run("DELETE FROM webhook WHERE id = ?", (id,))


def find(session: Session, id: int) -> Webhook | None:
    return _WEBHOOKS.one(session, "id = ?", (id,))


def everyone(session: Session) -> list[Webhook]:
    return _WEBHOOKS.all(session, "TRUE ORDER BY id")


def log(session: Session, delivery: Delivery, oldest: str) -> Delivery:
    """Adds a try, which gets the next number; those before `oldest` are forgotten."""
    session.run("DELETE FROM delivery WHERE at < ?", (oldest,))
    numbered = delivery._replace(n=tables.next_number(session, "delivery"))
    _DELIVERIES.insert(session, numbered)
    return numbered


def deliveries(session: Session, webhook: int, most: int, before: int | None = None) -> list[Delivery]:
    """The tries, the newest first; with `before`, those with smaller numbers."""
    condition, values = ("", ()) if before is None else (" AND n < ?", (before,))
    return _DELIVERIES.all(session, f"webhook = ?{condition} ORDER BY n DESC LIMIT ?", (webhook, *values, most))


def tried(session: Session, webhook: int, message: str) -> tuple[str, str] | None:
    """When a message was tried first and last."""
    sql = "SELECT min(at), max(at) FROM delivery WHERE webhook = ? AND message = ?"
    row = session.one(sql, (webhook, message))
    return None if row is None or row[0] is None else (row[0], row[1])


def find_delivery(session: Session, webhook: int, n: int) -> Delivery | None:
    return _DELIVERIES.one(session, "webhook = ? AND n = ?", (webhook, n))
