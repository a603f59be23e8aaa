"""What an event is linked to, in a table of one shape for each kind."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.store.engine.store import Ids, Session

# Records that came with an event and wait for the first public event that shows them.

KINDS = tuple(kind.name for kind in COMPANIONS)
# The condition that a public event shows a record `r`.
IS_SHOWN_TO_ALL = (
    "EXISTS (SELECT 1 FROM event_{kind} l JOIN event e ON e.id = l.event"
    " WHERE l.target = r.id AND e.status = 'publish' AND e.password IS NULL)"
)


def linked_from(session: Session, events: Iterable[int]) -> list[tuple[str, int]]:
    """Those that one of these events is linked to, each as its kind and id."""
    ids = Ids(events)
    sql = " UNION ".join(
        f"SELECT '{kind}' AS kind, r.id FROM event_{kind} l JOIN {kind} r ON r.id = l.target"
        f" WHERE l.event {session.dialect.in_ids} AND r.waiting = 1"
        for kind in KINDS
    )
    return [(kind, id) for kind, id in session.all(f"{sql} ORDER BY 1, 2", [ids] * len(KINDS))]


def last_changes(session: Session, events: Iterable[int]) -> dict[int, int]:
    """For each of these events that something becomes public with, the last change of that."""
    ids = Ids(events)
    sql = " UNION ALL ".join(
        f"SELECT l.event, r.rev FROM event_{kind} l JOIN {kind} r ON r.id = l.target"
        f" WHERE l.event {session.dialect.in_ids} AND r.waiting = 1 AND r.status IN ('draft', 'pending')"
        for kind in KINDS
    )
    found: dict[int, int] = {}
    for event, rev in session.all(sql, [ids] * len(KINDS)):
        found[event] = max(rev, found.get(event, 0))
    return found


def has_public_event(session: Session, kind: str, id: int) -> bool:
    """Whether a public event shows a record."""
    condition = IS_SHOWN_TO_ALL.format(kind=kind)
    return session.one(f"SELECT 1 FROM {kind} r WHERE r.id = ? AND {condition}", (id,)) is not None


def is_approved(session: Session, kind: str, id: int) -> bool:
    """Whether an event that is published, or will be at its date, shows a record."""
    sql = (
        f"SELECT 1 FROM event_{kind} l JOIN event e ON e.id = l.event"
        " WHERE l.target = ? AND e.status IN ('publish', 'future') LIMIT 1"
    )
    return session.one(sql, (id,)) is not None


def is_linked_elsewhere(session: Session, kind: str, id: int, events: Iterable[int]) -> bool:
    """Whether an event that is not in the trash shows a record, besides these."""
    others = session.column(
        f"SELECT l.event FROM event_{kind} l JOIN event e ON e.id = l.event"
        " WHERE l.target = ? AND e.status <> 'trash'",
        (id,),
    )
    return not set(others).issubset(events)


def pending_since(session: Session, rev: int, most: int) -> list[int]:
    """Events that wait for review and were last changed by a change or after it, the first at first."""
    sql = "SELECT id FROM event WHERE status = 'pending' AND rev >= ? ORDER BY rev LIMIT ?"
    return session.column(sql, (rev, most))


def among(session: Session, kind: str, ids: Sequence[int]) -> bool:
    """Whether one of these records waits."""
    if not ids:
        return False
    sql = f"SELECT 1 FROM {kind} WHERE id {session.dialect.in_ids} AND waiting = 1 LIMIT 1"
    return session.one(sql, [Ids(ids)]) is not None


LINKED = tuple(kind.name for kind in (*COMPANIONS, *TERMS))


class EventLink(NamedTuple):
    """An event belongs to a record. `position` is the order given; None: it belongs to a category below this one."""

    kind: str
    target: int
    position: int | None


class ListPlace(NamedTuple):
    """The values of an event that decide its place in lists and counts."""

    visibility_level: int
    start_local: str
    end_local: str
    is_hidden: bool  # published for everybody, but hidden from listings
    in_series: bool

    @property
    def copied(self) -> tuple[int, str, str]:
        """The values that each link copies."""
        return self.visibility_level, self.start_local, self.end_local


def targets(session: Session, kind: str, event: int) -> list[int]:
    """The ids an event is linked to, in the order given; ancestors of its categories are not among them."""
    return session.column(
        f"SELECT target FROM event_{kind} WHERE event = ? AND position IS NOT NULL ORDER BY position",
        (event,),
    )


def targets_of_many(
    session: Session, events: Sequence[int], kinds: Sequence[str] = LINKED
) -> dict[str, dict[int, list[int]]]:
    """What each of these events is linked to, by kind, in the order given; nothing of other kinds than these."""
    found: dict[str, dict[int, list[int]]] = {kind: {event: [] for event in events} for kind in LINKED}
    if events:
        given = f"event {session.dialect.in_ids} AND position IS NOT NULL"
        for kind, event, target, _ in session.all(
            f"{_of_kinds(kinds, given)} ORDER BY 1, 2, 4", [Ids(events)] * len(kinds)
        ):
            found[kind][event].append(target)
    return found


def by_kind(
    events: Sequence[int], linked: Mapping[int, Mapping[str, Sequence[int]]]
) -> dict[str, dict[int, Sequence[int]]]:
    """The same of events whose targets are known, by their ids."""
    return {kind: {event: linked[event].get(kind, ()) for event in events} for kind in LINKED}


def events_of(session: Session, kind: str, target: int) -> list[int]:
    """The events that are linked to a record itself, not to one below it."""
    return session.column(
        f"SELECT event FROM event_{kind} WHERE target = ? AND position IS NOT NULL ORDER BY event", (target,)
    )


def all_targets(session: Session, event: int) -> dict[str, list[int]]:
    """Everything that an event is linked to, by kind, in the order given."""
    return {kind: found[event] for kind, found in targets_of_many(session, [event]).items()}


def _of_kinds(kinds: Sequence[str], condition: str) -> str:
    return " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, event, target, position FROM event_{kind} WHERE {condition}" for kind in kinds
    )
