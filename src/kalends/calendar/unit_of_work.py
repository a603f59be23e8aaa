"""What an operation works with inside one transaction: the session, the caller and the time."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from kalends.calendar.access import Caller, visibility_of
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows.records import Event, Media
from kalends.store.rows.visibility import Visibility
from kalends.store.search import parsing
from kalends.values import dates

# What the reads of one process remember between requests.

T = TypeVar("T")


class Memory:
    """One object of each kind, made when it is first asked for. It never decides what a read finds."""

    def __init__(self) -> None:
        self._objects: dict[type[Any], Any] = {}

    def of(self, kind: type[T], make: Callable[[], T] | None = None) -> T:
        found = self._objects.get(kind)
        if found is None:  # of two threads that make one, the first one's is used
            found = self._objects.setdefault(kind, (make or kind)())
        return found  # type: ignore[no-any-return]


FollowUp = Callable[[Any], list[range]]


class UnitOfWork(msgspec.Struct, frozen=True):
    """The context of one operation. `now` is UTC, and the only clock of the operation."""

    session: Session
    caller: Caller
    now: datetime
    settings: Settings
    base_url: str = ""
    epoch: str = ""  # of a read: what is remembered of another one is not valid
    memory: Memory = msgspec.field(default_factory=Memory)
    # Of a read: for the words of a search, what has them in its name. A page has several lists of one search.
    searches: dict[object, parsing.Search] = msgspec.field(default_factory=dict)
    # Images that were fetched for this request and have no record yet, by their address.
    fetched: dict[str, Media] = msgspec.field(default_factory=dict)
    # The revisions of further transactions, right after this one: they are part of the same change.
    later_revs: list[range] = msgspec.field(default_factory=list)
    # What is left to further transactions, by its kind and key (long_work.py); they return their revisions.
    follow_ups: dict[tuple[str, str], FollowUp] = msgspec.field(default_factory=dict)
    # What the events that were stored as new ones are linked to, by kind: nobody has to look it up to show them.
    new_links: dict[int, Mapping[str, Sequence[int]]] = msgspec.field(default_factory=dict)
    # Events as they were and as they are, None where there is none: who hears of it is looked up at the end.
    changed_events: list[tuple[Event | None, Event | None]] = msgspec.field(default_factory=list)

    @property
    def visibility(self) -> Visibility:
        return self.visibility_with(None)

    def visibility_with(self, password: bytes | None) -> Visibility:
        """The same with the digest of an event password that came with the request."""
        return visibility_of(self.caller, password, self.session.due)

    @property
    def now_text(self) -> str:
        return dates.text(self.now)
