"""What an event is linked to: venues, organizers, categories and tags, in four tables of one shape."""

from collections.abc import Iterable, Sequence

from kalends.store.database import Session
from kalends.store.posts import marks

LINKED = ("venue", "organizer", "category", "tag")


def targets(session: Session, kind: str, event: int) -> list[int]:
    """The ids an event is linked to, in the order given; ancestors of its categories are not among them."""
    return session.column(
        f"SELECT target FROM event_{kind} WHERE event = ? AND position IS NOT NULL ORDER BY position",
        (event,),
    )


def targets_of_many(session: Session, kind: str, events: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {event: [] for event in events}
    if events:
        rows = session.all(
            f"SELECT event, target FROM event_{kind}"
            f" WHERE event IN ({marks(events)}) AND position IS NOT NULL ORDER BY event, position",
            events,
        )
        for event, target in rows:
            found[event].append(target)
    return found


def all_targets(session: Session, event: int) -> dict[str, list[int]]:
    """Everything that an event is linked to, by kind, in the order given."""
    found: dict[str, list[int]] = {kind: [] for kind in LINKED}
    parts = " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, target, position FROM event_{kind} WHERE event = ? AND position IS NOT NULL"
        for kind in LINKED
    )
    for kind, target, _ in session.all(f"{parts} ORDER BY kind, position", [event] * len(LINKED)):
        found[kind].append(target)
    return found


def replace(session: Session, kind: str, event: int, wanted: Sequence[int], implied: Iterable[int] = ()) -> None:
    """Links an event to exactly these; `implied` are found through the event but not shown with it."""
    session.run(f"DELETE FROM event_{kind} WHERE event = ?", (event,))
    rows: list[tuple[int, int | None, int]] = [(target, place, event) for place, target in enumerate(wanted)]
    rows += [(target, None, event) for target in implied if target not in wanted]
    session.run_many(
        f"INSERT INTO event_{kind} (target, event, position, reach, start_local, end_local)"
        " SELECT ?, id, CAST(? AS INTEGER), reach, start_local, end_local FROM event WHERE id = ?",
        rows,
    )


def follow(session: Session, event: int) -> None:
    """Brings the copies of an event's reach and times up to date."""
    for kind in LINKED:
        session.run(
            f"UPDATE event_{kind} SET (reach, start_local, end_local) ="
            f" (SELECT reach, start_local, end_local FROM event WHERE id = event_{kind}.event)"
            " WHERE event = ?",
            (event,),
        )
