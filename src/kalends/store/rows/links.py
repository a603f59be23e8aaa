"""What an event is linked to, in a table of one shape for each kind."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.store.engine.store import Ids, Session

LINKED = tuple(kind.name for kind in (*COMPANIONS, *TERMS))


class Link(NamedTuple):
    """An event belongs to a record. `position` is the order given; None: it belongs to a category below this one."""

    kind: str
    target: int
    position: int | None


class Listed(NamedTuple):
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
