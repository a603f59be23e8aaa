"""Pairs of events that may be one, as rows; and what each event is compared by, found by its day."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from kalends.contract.kinds import EVENT
from kalends.features.importing.rows import Imported
from kalends.store.engine.store import Ids, Session, Texts
from kalends.store.rows import tables
from kalends.store.rows.tables import Table

# A pair is open until somebody answers; a record of a source that became an event by itself is joined.
OPEN, SAME, TWO, JOINED = "open", "same", "two", "joined"
TASK = "duplicates"  # the kind of work for later that looks for pairs
STATES = (OPEN, SAME, TWO, JOINED)


class Pair(NamedTuple):
    """Two events, the smaller id first, or an event and a record of a source that became it (`other` is 0 then).
    `held`: the one of them that is not public until somebody answers."""

    id: int
    event: int
    other: int
    origin: str = ""
    external_id: str = ""
    state: str = OPEN
    score: int = 0
    held: int = 0
    user: int = 0
    at_utc: str = ""
    before: str = ""


class Brief(NamedTuple):
    """An event of a day."""

    id: int
    start_local: str
    start_utc: str
    series: int | None


_PAIRS = Table("duplicate", Pair)


def add(session: Session, pair: Pair) -> bool:
    """Adds a pair, unless it is known; whether it is new."""
    if known(session, pair) is not None:
        return False
    _PAIRS.insert(session, pair._replace(id=tables.next_number(session, "duplicate")))
    return True


def known(session: Session, pair: Pair) -> Pair | None:
    condition = "event = ? AND other = ? AND origin = ? AND external_id = ?"
    return _PAIRS.one(session, condition, (pair.event, pair.other, pair.origin, pair.external_id))


def put(session: Session, pair: Pair) -> None:
    _PAIRS.update(session, pair)


def find(session: Session, id: int) -> Pair | None:
    return _PAIRS.one(session, "id = ?", (id,))


# Pairs whose events are not in the trash; what somebody joined has one that is.
_LIVE = (
    "state = ? AND (state IN ('same', 'two') OR"
    " (EXISTS (SELECT 1 FROM event e WHERE e.id = duplicate.event AND e.status <> 'trash') AND (other = 0"
    " OR EXISTS (SELECT 1 FROM event e WHERE e.id = duplicate.other AND e.status <> 'trash'))"
    " AND (state <> 'joined' OR EXISTS (SELECT 1 FROM import_record r WHERE r.source = duplicate.origin"
    " AND r.kind = 'event' AND r.external_id = duplicate.external_id AND r.id = duplicate.event))))"
)


def of_state(session: Session, state: str, most: int, skip: int = 0) -> list[Pair]:
    """The likeliest and the latest first."""
    order = "score DESC, id" if state == OPEN else "at_utc DESC, id DESC"
    return _PAIRS.all(session, f"{_LIVE} ORDER BY {order} LIMIT ? OFFSET ?", (state, most, skip))


def count(session: Session, state: str) -> int:
    found: int = session.value(f"SELECT count(*) FROM duplicate WHERE {_LIVE}", (state,))
    return found


def of_events(session: Session, ids: Collection[int]) -> list[Pair]:
    """All pairs that some events are in."""
    among = session.dialect.in_ids
    return _PAIRS.all(session, f"event {among} OR other {among}", (Ids(ids), Ids(ids)))


def refused(session: Session, origin: str) -> set[tuple[int, str]]:
    """Events that records of a source are not, as somebody said, each with the id of the record."""
    found = session.all("SELECT event, external_id FROM duplicate WHERE origin = ? AND state = ?", (origin, TWO))
    return {(event, external_id) for event, external_id in found}


# Events


def of_day(session: Session, day: str) -> list[Brief]:
    """The events that start on a day, on their own clocks."""
    columns = ", ".join(Brief._fields)
    found = session.all(
        f"SELECT {columns} FROM event WHERE start_local >= ? AND start_local <= ?",
        (f"{day} 00:00:00", f"{day} 23:59:59"),
    )
    return [Brief(*row) for row in found]


def with_uids(session: Session, external_ids: Sequence[str]) -> list[tuple[str, int]]:
    """Events that a source brought with one of these ids, each with it."""
    condition = f"external_id {session.dialect.in_texts} AND external_id <> ''"
    return session.all(f"SELECT external_id, id FROM event WHERE {condition}", (Texts(external_ids),))


def records_of(session: Session, ids: Iterable[int]) -> dict[int, list[Imported]]:
    """The records of sources that became some events."""
    columns, found = ", ".join(Imported._fields), dict[int, list[Imported]]()
    condition = f"kind = ? AND id {session.dialect.in_ids}"
    for row in session.all(f"SELECT {columns} FROM import_record WHERE {condition}", (EVENT.name, Ids(ids))):
        found.setdefault(row[3], []).append(Imported(*row))
    return found


def dates_of(session: Session, series: int) -> set[int]:
    """The events of a series."""
    return set(session.column("SELECT id FROM event WHERE series = ?", (series,)))


def changed_after(session: Session, rev: int, most: int) -> list[tuple[int, int]]:
    """Ids and revisions of events that changed after a change, the first at first."""
    return session.all("SELECT id, rev FROM event WHERE rev > ? ORDER BY rev LIMIT ?", (rev, most))
