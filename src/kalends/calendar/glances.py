"""What strangers ask for most, with as few queries as can be: a list of events by its days, and one event.

Each query is a view of its own and tells which change it saw last. If that is not the change up to which the reader
has followed the journal, or if anything is out of the ordinary, there is no answer here, and the usual way has it.
"""

from datetime import date
from typing import NamedTuple

from kalends.calendar.readiness import complete, rendering
from kalends.settings import Settings
from kalends.store import ready
from kalends.store.database import Store
from kalends.store.ready import Kept, Look, Shelf
from kalends.store.window import Sums


class Glance(NamedTuple):
    """Ready events, what they show, and how many there are on all pages."""

    look: Look
    parts: Kept
    total: int = 1


class Glances:
    """Looks into a store, and remembers what makes the next look quicker."""

    def __init__(self, store: Store, settings: Settings, shelf: Shelf) -> None:
        self._store = store
        self._settings = settings
        self._made = rendering(settings).made
        self._shelf = shelf
        self._sums = Sums()

    def events(self, rev: int, first: date, end: date, size: int, offset: int) -> Glance | None:
        """A page of the events that start on a day or later, and end before another."""
        with self._store.glance() as session:
            total = self._sums.count(session, rev, first, end)
            if total <= offset:
                return None
            # The last query: what the others saw cannot be newer.
            look = ready.listed(session, self._made, first, end, size, offset)
        return self._whole(look, rev, total)

    def event(self, rev: int, id: int) -> Glance | None:
        """One event."""
        with self._store.glance() as session:
            look = ready.alone(session, self._made, id)
        return self._whole(look, rev)

    def _whole(self, look: Look | None, rev: int, total: int = 1) -> Glance | None:
        if look is None or look.rev != rev or look.has_parents:
            return None
        return Glance(look, self._shelf.at(look.state), total)

    def complete(self, glance: Glance) -> bool:
        """Fetches the parts that are not on the shelf; whether all are there now."""
        with self._store.glance() as session:
            return complete(session, self._settings, glance.parts, glance.look)
