"""Messages as rows, and addresses that refuse them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from kalends.store.engine.store import Row, Session, placeholders
from kalends.store.rows import tables
from kalends.store.rows.tables import Table
from kalends.values import dates, mail_addresses
from kalends.values.dates import furthest

WAITING, SENT, FAILED = "waiting", "sent", "failed"
PRUNED = 1000  # rows at a time


class MailMessage(NamedTuple):
    """`facts`: what it says, until it was sent or given up. `reason` and `answer`: why the last try failed."""

    id: int
    message_id: str
    kind: str
    address: str
    language: str
    facts: Mapping[str, Any]
    user: int | None
    follow: int | None
    event: int | None
    state: str
    created_utc: str
    ended_utc: str = ""
    tries: int = 0
    reason: str = ""
    answer: str = ""


def _of_row(row: Row) -> MailMessage:
    return MailMessage._make([*row[:5], msgspec.json.decode(row[5]), *row[6:]])


_MAIL = Table("mail", MailMessage, _of_row)


class Refusing(NamedTuple):
    """An address to which no message was taken."""

    address: str
    at: str
    answer: str


def insert(session: Session, message: MailMessage) -> int:
    """Adds a message; its number."""
    id = tables.next_number(session, "mail")
    facts, key = msgspec.json.encode(message.facts).decode(), mail_addresses.key(message.address)
    _MAIL.insert(session, message._replace(id=id), facts=facts, address_key=key)
    return id


def find(session: Session, id: int) -> MailMessage | None:
    return _MAIL.one(session, "id = ?", (id,))


def latest(session: Session, state: str, most: int) -> list[MailMessage]:
    return _MAIL.all(session, "state = ? ORDER BY id DESC LIMIT ?", (state, most))


def failing(session: Session, most: int) -> list[MailMessage]:
    """Those that wait after a try that failed, and those that were given up."""
    condition = "state = ? OR (state = ? AND tries > 0) ORDER BY id DESC LIMIT ?"
    return _MAIL.all(session, condition, (FAILED, WAITING, most))


def count_by_state(session: Session) -> dict[str, int]:
    return dict(session.all("SELECT state, count(*) FROM mail GROUP BY state"))


def end(session: Session, id: int, state: str, at: str, reason: str = "", answer: str = "") -> None:
    """It was sent, or given up: what it said is forgotten."""
    session.run(
        "UPDATE mail SET state = ?, ended_utc = ?, facts = '{}', tries = tries + 1, reason = ?, answer = ?"
        " WHERE id = ?",
        (state, at, reason, answer, id),
    )


def note_try(session: Session, id: int, reason: str, answer: str) -> None:
    session.run("UPDATE mail SET tries = tries + 1, reason = ?, answer = ? WHERE id = ?", (reason, answer, id))


def unsent(session: Session, kinds: Sequence[str]) -> list[MailMessage]:
    """Those of some kinds that were not sent yet."""
    condition = f"state = ? AND kind IN ({placeholders(kinds)}) ORDER BY id"
    return _MAIL.all(session, condition, (WAITING, *kinds))


def set_facts(session: Session, id: int, facts: Mapping[str, Any]) -> None:
    session.run("UPDATE mail SET facts = ? WHERE id = ?", (msgspec.json.encode(facts).decode(), id))


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM mail WHERE id = ?", (id,))


def to_address(session: Session, address: str) -> list[MailMessage]:
    return _MAIL.all(session, "address_key = ? ORDER BY id", (mail_addresses.key(address),))


def forget_address(session: Session, address: str) -> None:
    """Deletes every message to an address, and that it refuses them."""
    key = mail_addresses.key(address)
    session.run("DELETE FROM mail WHERE address_key = ?", (key,))
    session.run("DELETE FROM refusing_address WHERE address_key = ?", (key,))


def forget_follow(session: Session, follow: int) -> None:
    session.run("DELETE FROM mail WHERE follow = ?", (follow,))


def forget_ended(session: Session, follow: int) -> None:
    """Deletes those that were sent or given up."""
    session.run("DELETE FROM mail WHERE follow = ? AND state <> ?", (follow, WAITING))


def forget_unsent(session: Session, follow: int, kind: str) -> None:
    """Deletes those of a kind that were not sent yet."""
    session.run("DELETE FROM mail WHERE follow = ? AND kind = ? AND state = ?", (follow, kind, WAITING))


def count_lately(session: Session, kind: str, address: str, since: str) -> int:
    """How many messages of a kind an address was sent since a time, a day ago at most; with an empty one, all
    addresses. What a clock has noted that was ahead does not count."""
    until = dates.text(furthest(dates.from_text(since), timedelta(days=1)))
    condition, parameters = "kind = ? AND created_utc > ? AND created_utc <= ?", [kind, since, until]
    if address:
        condition, parameters = f"{condition} AND address_key = ?", [*parameters, mail_addresses.key(address)]
    return int(session.value(f"SELECT count(*) FROM mail WHERE {condition}", parameters))


def pending_like(session: Session, message: MailMessage) -> list[MailMessage]:
    """Messages of the same kind to the same address that wait, this one among them."""
    condition = "address_key = ? AND kind = ? AND state = ? ORDER BY id"
    return _MAIL.all(session, condition, (mail_addresses.key(message.address), message.kind, WAITING))


def last_sent(session: Session, message: MailMessage, until: str) -> str:
    """When one of the same kind was last sent to the same address, until a time: what a clock has noted that was
    ahead does not count. Empty for never."""
    sql = "SELECT max(ended_utc) FROM mail WHERE address_key = ? AND kind = ? AND state = ? AND ended_utc <= ?"
    key = mail_addresses.key(message.address)
    return str(session.value(sql, (key, message.kind, SENT, until)) or "")


def last_of(session: Session, kind: str, user: int) -> str:
    """When somebody was last written a message of a kind; empty for never."""
    sql = 'SELECT max(created_utc) FROM mail WHERE kind = ? AND "user" = ?'
    return str(session.value(sql, (kind, user)) or "")


def prune(session: Session, before: str) -> None:
    """Deletes messages that ended before a time, some at each call."""
    some = f"SELECT id FROM mail WHERE state IN (?, ?) AND created_utc < ? AND ended_utc < ? LIMIT {PRUNED}"
    session.run(f"DELETE FROM mail WHERE id IN ({some})", (SENT, FAILED, before, before))


# Addresses that refuse


def refuses(session: Session, address: str) -> bool:
    key = mail_addresses.key(address)
    return session.one("SELECT 1 FROM refusing_address WHERE address_key = ?", (key,)) is not None


def mark(session: Session, address: str, at: str, answer: str) -> None:
    session.run(
        "INSERT INTO refusing_address (address_key, address, at, answer) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (address_key) DO UPDATE SET at = excluded.at, answer = excluded.answer",
        (mail_addresses.key(address), address, at, answer),
    )


def unmark(session: Session, address: str) -> None:
    session.run("DELETE FROM refusing_address WHERE address_key = ?", (mail_addresses.key(address),))


def refusing(session: Session, most: int) -> list[Refusing]:
    rows = session.all("SELECT address, at, answer FROM refusing_address ORDER BY at DESC LIMIT ?", (most,))
    return [Refusing(*row) for row in rows]
