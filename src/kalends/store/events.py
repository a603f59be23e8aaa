"""An event together with its links and its share of the counts, which must never part."""

from collections.abc import Mapping, Sequence

from kalends.store import links, posts, tally, terms
from kalends.store.database import Session
from kalends.store.records import Event


def place(session: Session, event: int, linked: Mapping[str, Sequence[int]]) -> None:
    """Links a new event and counts it."""
    _link(session, event, linked)
    tally.apply(session, tally.Shares(), tally.shares(session, event))


def update(session: Session, event: Event, linked: Mapping[str, Sequence[int]]) -> None:
    """Writes a changed event; kinds that `linked` does not name keep their links."""
    before = tally.shares(session, event.id)
    posts.update(session, "event", event)
    _link(session, event.id, linked)
    links.follow(session, event.id)
    tally.apply(session, before, tally.shares(session, event.id))


def delete(session: Session, event: int) -> None:
    """Deletes an event for good. Events that belonged to it stand alone from then on."""
    tally.apply(session, tally.shares(session, event), tally.Shares())
    session.run("UPDATE event SET post_parent = 0 WHERE post_parent = ?", (event,))
    posts.delete(session, "event", event)


def forget_target(session: Session, kind: str, target: int) -> None:
    """Drops the counts of a venue or organizer that is gone; its links went with it."""
    tally.forget(session, kind, target)


def _link(session: Session, event: int, linked: Mapping[str, Sequence[int]]) -> None:
    for kind, wanted in linked.items():
        implied = terms.ancestors(session, wanted) if kind == "category" else []
        links.replace(session, kind, event, wanted, implied)
