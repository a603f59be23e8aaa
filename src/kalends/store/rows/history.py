"""Earlier versions of records: what each change replaced, copied before it is made."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from kalends.store.engine.store import Session
from kalends.store.rows import links, posts, terms
from kalends.store.rows.records import POST_TYPES

TERM_KINDS = frozenset({"category", "tag"})
NOT_KEPT = frozenset({"id", "rev", "password"})  # a password is not told again, not even as a digest
PRUNED = 100  # rows at a time


class Version(NamedTuple):
    """A record as it was before a change. `actor` made the change."""

    rev: int
    at: str
    actor: int
    data: dict[str, Any]


class Change(NamedTuple):
    """A row of the journal."""

    rev: int
    kind: str
    id: int
    action: str
    at: str
    actor: int


def keep(session: Session, kind: str, id: int, rev: int, at: str) -> None:
    """Copies a record that is about to change."""
    keep_all(session, kind, {id: rev}, at)


def keep_all(session: Session, kind: str, revs: Mapping[int, int], at: str) -> None:
    """Copies records that are about to change. `revs`: the number of the change of each, by its id."""
    found: Mapping[int, Any] = {}
    if kind in POST_TYPES:
        found = posts.find_many(session, kind, revs)
    elif kind in TERM_KINDS:
        found = terms.find_many(session, kind, [*revs])
    linked = links.targets_of_many(session, [*found]) if kind == "event" and found else {}
    rows = []
    for id, record in found.items():
        data = {name: value for name, value in msgspec.structs.asdict(record).items() if name not in NOT_KEPT}
        if kind == "event":
            data["links"] = {of: targets[id] for of, targets in linked.items()}
        rows.append((revs[id], kind, id, at, msgspec.json.encode(data).decode()))
    if rows:
        session.run_many("INSERT INTO version (rev, kind, id, at, data) VALUES (?, ?, ?, ?, ?)", rows)


def versions(session: Session, kind: str, id: int, most: int) -> list[Version]:
    """What the changes of a record replaced, newest first."""
    rows = session.all(
        "SELECT v.rev, v.at, j.actor, v.data FROM version v JOIN journal j ON j.rev = v.rev"
        " WHERE v.kind = ? AND v.id = ? ORDER BY v.rev DESC LIMIT ?",
        (kind, id, most),
    )
    return [Version(rev, at, actor, msgspec.json.decode(data)) for rev, at, actor, data in rows]


def find(session: Session, kind: str, id: int, rev: int) -> Version | None:
    return next((found for found in versions(session, kind, id, 1000) if found.rev == rev), None)


def changes(session: Session, before: int | None, most: int) -> list[Change]:
    """Changes of records and people, newest first."""
    condition, parameters = ("rev < ?", [before]) if before is not None else ("TRUE", [])
    rows = session.all(
        f"SELECT rev, kind, id, action, at, actor FROM journal WHERE {condition} ORDER BY rev DESC LIMIT ?",
        [*parameters, most],
    )
    return [Change(*row) for row in rows]


def forget(session: Session, kind: str, id: int) -> None:
    """After a record was deleted for good."""
    session.run("DELETE FROM version WHERE kind = ? AND id = ?", (kind, id))


def prune(session: Session, before: str) -> None:
    """Forgets versions that were replaced before a time, some at each call."""
    oldest = session.all("SELECT rev, at FROM version ORDER BY rev LIMIT ?", (PRUNED,))
    last = max((rev for rev, at in oldest if at < before), default=None)
    if last is not None:
        session.run("DELETE FROM version WHERE rev <= ?", (last,))
