"""Whether what waits for its first public event still does."""

from collections.abc import Iterator

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows.links import IS_SHOWN_TO_ALL, KINDS


def overdue(session: Session) -> Iterator[Problem]:
    """Venues and organizers that wait although a public event shows them."""
    for kind in KINDS:
        is_shown = IS_SHOWN_TO_ALL.format(kind=kind)
        for id in session.column(
            f"SELECT r.id FROM {kind} r"
            f" WHERE r.waiting = 1 AND r.status IN ('draft', 'pending') AND {is_shown} ORDER BY r.id"
        ):
            yield Problem(kind, id, f"The {kind} {id} is not public, although a public event brought it.")
