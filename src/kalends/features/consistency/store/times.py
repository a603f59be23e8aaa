"""Whether the times of events agree with the rules of time zones that the service has now."""

from collections.abc import Iterator

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.query.outdated_times import next_outdated


def times(session: Session) -> Iterator[Problem]:
    """Events whose UTC is not that of their wall clock."""
    last: int | None = 0
    while last is not None:
        found, last = next_outdated(session, last)
        for id in found:
            yield Problem("event", id, f"The times of the event {id} are of other rules of its time zone.")
