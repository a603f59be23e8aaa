"""Earlier versions of records: what each change replaced, copied before it is made."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from kalends.store.engine.store import Session
from kalends.store.rows import links, posts, tasks, terms
from kalends.store.rows.records import POST_TYPES, Event, Series

TERM_KINDS = frozenset({"category", "tag"})
LEFT_OUT = frozenset({"id", "rev", "password"})  # a password is not told again, not even as a digest
PRUNED = 100  # rows at a time
LATELY = 10_000  # changes
SHOWN = "show"  # an action in the journal: a feature adds something else to the record, which is as it was
GATHERED = "gathered"  # a kind in the journal that is no record: a category has other events
SERIES = "series"  # a kind that is no record: versions of a series, of its rule or of what its dates have in common
RULE, SHARED = "rule", "shared"  # which of them such a version is
OF_RULES = f'{{"replaced":"{RULE}"%'  # how versions of rules begin
FORGETTING = "deleted-history"  # a kind of task: a deleted record has versions still
LAST_REV = 2**62


class Version(NamedTuple):
    """A record as it was before a change, and after it: None if that is how it is now. `actor` made the change."""

    rev: int
    at: str
    actor: int
    data: dict[str, Any]
    following: dict[str, Any] | None
    id: int = 0  # of the record


def cause_of(*words: object) -> str:
    """What changes are part of, as the journal has it."""
    return "/".join(map(str, words))


def insert(session: Session, kind: str, id: int, rev: int, at: str) -> None:
    """Copies a record that is about to change."""
    insert_all(session, kind, {id: rev}, at)


def insert_all(session: Session, kind: str, revs: Mapping[int, int], at: str) -> None:
    """Copies records that are about to change. `revs`: the number of the change of each, by its id."""
    found: Mapping[int, Any] = {}
    if kind in POST_TYPES:
        found = posts.find_many(session, kind, revs)
    elif kind in TERM_KINDS:
        found = terms.find_many(session, kind, [*revs])
    linked = links.targets_of_many(session, [*found]) if kind == "event" and found else {}
    rows = []
    for id, record in found.items():
        data = version_data(record, {of: targets[id] for of, targets in linked.items()})
        rows.append((revs[id], kind, id, at, data.get("author", 0), msgspec.json.encode(data).decode()))
    if rows:
        session.run_many("INSERT INTO version (rev, kind, id, at, author, data) VALUES (?, ?, ?, ?, ?, ?)", rows)


def insert_series(session: Session, before: Series, replaced: str, rev: int, at: str) -> None:
    """Copies a series that a change has replaced. Which dates it had, the versions of those tell."""
    data = {"replaced": replaced, **rule_of(before), "series": series_data(before)}
    row = (rev, SERIES, before.id, at, before.author, msgspec.json.encode(data).decode())
    session.run_many("INSERT INTO version (rev, kind, id, at, author, data) VALUES (?, ?, ?, ?, ?, ?)", [row])


def series_data(series: Series) -> dict[str, Any]:
    """What is kept of a series, as JSON has it."""
    data: dict[str, Any] = msgspec.to_builtins(series)
    data["template"]["event"]["password"] = None
    return {name: value for name, value in data.items() if name not in ("id", "rev")}


def rule_of(series: Series) -> dict[str, Any]:
    """What is kept of a series: its rule, and the start that this counts from."""
    template = series.template.event
    return {
        "author": series.author,
        "recurrence": series.recurrence,
        "start_local": template.start_local,
        "timezone": template.timezone,
    }


def version_data(record: Any, targets: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """What is kept of a record. `targets`: what an event is linked to, by kind."""
    data = {name: value for name, value in msgspec.structs.asdict(record).items() if name not in LEFT_OUT}
    if isinstance(record, Event):
        data["links"], data["protected"] = targets, record.password is not None
    return data


def versions(
    session: Session, kind: str, id: int, most: int, *, before: int | None = None, author: int | None = None
) -> list[Version]:
    """What the changes of a record replaced, newest first; of a series those of its rule. `before`: only those before
    this change; `author`: only what the record was while it was theirs."""
    condition, parameters = "v.kind = ? AND v.id = ?", list[Any]([kind, id])
    if kind == SERIES:
        condition, parameters = f"{condition} AND v.data LIKE ?", [*parameters, OF_RULES]
    for column, value in (("v.rev <", before), ("v.author =", author)):
        if value is not None:
            condition, parameters = f"{condition} AND {column} ?", [*parameters, value]
    return read(session, f"{condition} ORDER BY v.rev DESC LIMIT ?", [*parameters, most])


def find(session: Session, kind: str, id: int, rev: int) -> Version | None:
    return next(iter(read(session, "v.kind = ? AND v.id = ? AND v.rev = ?", [kind, id, rev])), None)


def read(session: Session, condition: str, parameters: Sequence[Any]) -> list[Version]:
    rows = session.all(
        "SELECT v.rev, v.at, j.actor, v.data, (SELECT n.data FROM version n"
        " WHERE n.kind = v.kind AND n.id = v.id AND n.rev > v.rev ORDER BY n.rev LIMIT 1), v.id"
        f" FROM version v JOIN journal j ON j.rev = v.rev WHERE {condition}",
        parameters,
    )
    return [
        Version(rev, at, actor, msgspec.json.decode(data), following and msgspec.json.decode(following), id)
        for rev, at, actor, data, following, id in rows
    ]


def state_after(session: Session, kind: str, id: int, rev: int) -> dict[str, Any] | None:
    """An event, venue or organizer as it was after a change, if what followed is known; None otherwise."""
    following = session.all(
        f"SELECT rev, action FROM (SELECT * FROM journal WHERE rev > ? ORDER BY rev LIMIT {LATELY}) AS next"
        " WHERE kind = ? AND id = ? ORDER BY rev",
        (rev, kind, id),
    )
    if next_change := next((found for found, action in following if action != SHOWN), 0):
        sql = "SELECT data FROM version WHERE kind = ? AND id = ? AND rev = ?"
        data = session.value(sql, (kind, id, next_change))
        return None if data is None else msgspec.json.decode(data)
    record = posts.find(session, kind, id)
    if record is None or not following or following[-1][0] != record.rev:
        return None
    linked = links.targets_of_many(session, [id])
    return version_data(record, {of: targets[id] for of, targets in linked.items()})


def earliest(
    session: Session, kind: str, id: int, since: int, until: int | None = None
) -> tuple[int, dict[str, Any]] | None:
    """What the first change of a record in a range of changes replaced, with the number of that change."""
    row = session.one(
        "SELECT rev, data FROM version WHERE kind = ? AND id = ? AND rev >= ? AND rev <= ? ORDER BY rev LIMIT 1",
        (kind, id, since, LAST_REV if until is None else until),
    )
    return None if row is None else (row[0], msgspec.json.decode(row[1]))


def linked_before(
    session: Session, kind: str, target: int, revs: Sequence[int], most: int
) -> tuple[dict[int, list[int]], int]:
    """Of the events that changes from one to another one replaced and that were linked to a record: what they were
    linked to, by their ids; and the change up to which that is all, or 0 at the end."""
    rows = session.all(
        "SELECT rev, id, data FROM version WHERE rev >= ? AND rev <= ? AND kind = 'event' ORDER BY rev LIMIT ?",
        (*revs, most),
    )
    found = {id: _links_in(data).links[kind] for _, id, data in rows}
    linked = {id: targets for id, targets in found.items() if target in targets}
    return linked, rows[-1][0] if len(rows) == most else 0


class _Linked(msgspec.Struct):
    links: dict[str, list[int]]


_links_in = msgspec.json.Decoder(_Linked).decode


def is_changed_by_others(session: Session, kind: str, id: int, revs: tuple[int, int], cause: str) -> bool:
    """Whether between two changes of a record one was made that is not part of the same."""
    sql = "SELECT 1 FROM version v JOIN journal j ON j.rev = v.rev WHERE v.kind = ? AND v.id = ? AND v.rev > ?"
    return session.one(f"{sql} AND v.rev < ? AND j.cause <> ? LIMIT 1", (kind, id, *revs, cause)) is not None


def last_actor(session: Session, kind: str, id: int) -> int:
    """Who made the newest change of something, if that was lately; 0 otherwise."""
    found = session.value(
        f"SELECT actor FROM (SELECT * FROM journal ORDER BY rev DESC LIMIT {LATELY}) AS newest"
        " WHERE kind = ? AND id = ? AND action <> ? ORDER BY rev DESC LIMIT 1",
        (kind, id, SHOWN),
    )
    return int(found or 0)


def forget(session: Session, kind: str, id: int, at: str) -> None:
    """After a record was deleted for good. Thousands of long versions are left to a task: it has the key of those."""
    if not forget_some(session, kind, id):
        tasks.add(session, FORGETTING, f"{kind}/{id}", at)


def forget_some(session: Session, kind: str, id: int) -> bool:
    """Forgets some versions of a deleted record; whether that was all."""
    some = f"SELECT rev FROM version WHERE kind = ? AND id = ? ORDER BY rev LIMIT {PRUNED}"
    return session.run(f"DELETE FROM version WHERE rev IN ({some})", (kind, id)) < PRUNED


def is_prunable(session: Session, before: str) -> bool:
    """Whether a version was replaced before a time."""
    oldest: str | None = session.value("SELECT at FROM version ORDER BY rev LIMIT 1")
    return oldest is not None and oldest < before


def prune(session: Session, before: str) -> bool:
    """Forgets some versions that were replaced before a time; whether there may be more."""
    some = f"SELECT rev, at FROM version ORDER BY rev LIMIT {PRUNED}"
    sql = f"DELETE FROM version WHERE rev <= (SELECT max(oldest.rev) FROM ({some}) AS oldest WHERE oldest.at < ?)"
    return session.run(sql, (before,)) == PRUNED
