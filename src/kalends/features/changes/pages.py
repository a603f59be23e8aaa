"""A page of changes: what a client polls, and what a webhook sends.

It is read in one snapshot, for one caller, by the number of the changes. Each record is in it at most once, at its
newest number. What it takes is bounded: so many entries, so many bytes of records, and so many events looked at that
show what has changed; the place where a page ends is where the next begins.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from operator import attrgetter

from msgspec import UNSET, Raw, Struct, UnsetType

from kalends.calendar.access import UnitOfWork
from kalends.contract.errors import ApiError
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.features.changes import query as changes
from kalends.features.changes.errors import CHANGES_EXPIRED
from kalends.features.changes.positions import Position
from kalends.features.changes.query import CAUSE, CHANGED, Bounds, ChangeReader, ChangeRow, Range
from kalends.features.changes.query import EVENT as PARENT
from kalends.store.rows.change_notes import SERIES
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import POST_TYPES
from kalends.values import dates

ALL_KINDS = frozenset(KIND_OF)
AT_ONCE = 500  # events that show something, of one query
LEAST_AT_ONCE = 100  # changes of one query
MOST_ROUNDS = 20  # of such queries for one page; a shorter page than asked for is the end of none
RENDERED_AT_ONCE = 100
START = Position(0)
LARGEST = 16 * 1024 * 1024  # bytes of records after which a page ends


class WantedChanges(Struct, frozen=True):
    """What a reader of changes asks for."""

    kinds: frozenset[str] = ALL_KINDS
    limit: int = 100
    has_records: bool = False  # each entry carries its record
    shows_events: bool = False  # also the events that show what has changed
    show_hidden: bool = False  # also events that are hidden from lists, as far as the reader may change them


class Because(Struct, frozen=True):
    """What has changed instead of a record that shows it."""

    kind: str
    id: int


class ChangeEntry(Struct):
    """A record that has changed or is gone, with the keys of its JSON; the first are those of `ChangeRow`."""

    rev: int
    kind: str
    id: int
    change: str
    at: str
    slug: str
    source: str
    external_id: str
    because: Because | UnsetType = UNSET
    record: Raw | UnsetType = UNSET


@dataclass(slots=True)
class ChangePage:
    """Entries, and where the next page begins; `more`: there are more by now."""

    entries: Sequence[ChangeEntry]
    next: Position
    more: bool


Render = Callable[[str, Sequence[int]], Sequence[bytes]]  # records of a kind


def read(
    work: UnitOfWork, since: Position | None, wanted: WantedChanges, render: Render | None, to: int | None = None
) -> ChangePage:
    """The changes after a place, for the caller of `work`: up to `wanted.limit` entries.

    Without `since` everything that the caller can read, as the first pages of one loop: the next place is `next` of
    the answer, until `more` is false. A record that is there is `changed` at its newest number, what the caller could
    read and cannot any more is `gone`. With `to`, nothing that changed after this change is told: the same call has
    the same range again, and of it what has not changed since. `render` makes the JSON of records, if they are
    wanted. Raises ApiError when the place is not known any more."""
    bounds = changes.bounds(work.session, work.caller.user, 0 if since is None else since.known)
    check(work, since, bounds)
    reading = _Reading(work, since, wanted, bounds.last if to is None else min(to, bounds.last))
    page = reading.page()
    return page if render is None else reading.with_records(page, render)


def check(work: UnitOfWork, since: Position | None, bounds: Bounds) -> None:
    """Refuses a place that is not known: too old, of the future, or of when the caller read something else."""
    if since is None:
        return
    oldest = dates.text(work.now - timedelta(days=work.settings.changes_days))
    is_old = since.known < bounds.known_after or (bounds.next_at is not None and bounds.next_at < oldest)
    if is_old or is_ahead(since, bounds) or since.known < bounds.role_changed:
        raise ApiError(CHANGES_EXPIRED)


def is_ahead(since: Position, bounds: Bounds) -> bool:
    """Whether a place is after the last change."""
    return max(since.rev, since.known) > bounds.last


@dataclass(slots=True)
class _Reading:
    """A page while it is found."""

    work: UnitOfWork
    since: Position | None
    wanted: WantedChanges
    to: int
    entries: dict[tuple[str, int], ChangeEntry] = field(default_factory=dict)
    # Where a page is that ends with an entry, if that is not after all of its change.
    positions: dict[tuple[str, int], Position] = field(default_factory=dict)
    position: Position = START
    rounds: int = 0

    def page(self) -> ChangePage:
        start = self.since or Position(0, copying=self.to)
        self.position = start
        is_whole = self._walk(start)
        if is_whole:
            self.position = Position(max(self.to, start.rev))
            self._add_due()
        return ChangePage([*self.entries.values()], self.position, not is_whole)

    def with_records(self, page: ChangePage, render: Render) -> ChangePage:
        """The same page with the records of what has changed; shorter where they are very large."""
        size, entries = 0, page.entries
        for first in range(0, len(entries), RENDERED_AT_ONCE):
            some = entries[first : first + RENDERED_AT_ONCE]
            _render(some, render)
            for number, entry in enumerate(some, first):
                size += len(entry.record) if entry.record is not UNSET else 0
                if size > LARGEST and number:
                    return ChangePage(entries[:number], self._after(entries[number - 1]), more=True)
        return page

    def _after(self, entry: ChangeEntry) -> Position:
        place = self.positions.get((entry.kind, entry.id))
        return place if place is not None and place.rev == entry.rev else self._at(entry.rev)

    def _walk(self, start: Position) -> bool:
        """Whether the end was reached."""
        after = start.rev if start.up_to_event is None else start.rev - 1
        while True:
            batch = self._next(Range(after, self.to), start.known)
            is_last = len(batch) < self._most
            if not is_last:  # others may have the last number
                batch = [found for found in batch if found.rev < batch[-1].rev]
            if self._has_no_causes(start, batch):
                if not self._add_all(batch):
                    return False
                after, batch = batch[-1].rev, []
            for rev, together in groupby(batch, attrgetter("rev")):
                begun = start.up_to_event if rev == start.rev else None
                if not self._add_changes([*together], begun):
                    return False
                self._reach(rev)
                after = rev
            if is_last:
                return True
            if self._is_long():
                return False

    def _has_no_causes(self, start: Position, batch: Sequence[ChangeRow]) -> bool:
        """Whether these are told without events that show them, as most are."""
        if not batch or start.up_to_event is not None:
            return False
        known = 0 if self.since is None else self.since.copying or 0
        return not self._causes or self.since is None or batch[-1].rev <= known

    def _add_all(self, batch: Sequence[ChangeRow]) -> bool:
        """Adds such changes, each with a number of its own; False where the page is full."""
        entries, limit, kinds = self.entries, self.wanted.limit, self.wanted.kinds
        for number, found in enumerate(batch):
            if found.what != CAUSE and found.kind in kinds:
                key = found.kind, found.id
                entries.pop(key, None)
                if len(entries) >= limit:
                    if number:
                        self._reach(batch[number - 1].rev)
                    return False
                entries[key] = ChangeEntry(*found)
        self._reach(batch[-1].rev)
        return True

    def _next(self, changed: Range, known: int) -> list[ChangeRow]:
        """What changed next, by number; each record before what shows it."""
        work, wanted = self.work, self.wanted
        kinds = wanted.kinds | frozenset(self._causes & set(LINKED))
        found = changes.find(work.session, self._reader, kinds, changed, gone_after=known, most=self._most)
        if SERIES in self._causes and changed.to > known:
            shown = Range(max(changed.after, known), changed.to)
            found += changes.causes(work.session, work.visibility, shown, self._most)
            found.sort(key=lambda one: (one.rev, one.what == CAUSE))
        return found[: self._most]

    @property
    def _reader(self) -> ChangeReader:
        return ChangeReader(self.work.visibility, self.wanted.show_hidden)

    @property
    def _most(self) -> int:
        """How many changes are looked for at once: one page, and what tells that there is more."""
        return max(self.wanted.limit, LEAST_AT_ONCE) + 2

    @property
    def _causes(self) -> frozenset[str]:
        """The kinds that events are told because of."""
        if not self.wanted.shows_events:
            return frozenset()
        if EVENT.name in self.wanted.kinds:
            return frozenset({*LINKED, SERIES, PARENT})
        return self.wanted.kinds & frozenset(LINKED)

    def _add_changes(self, together: Sequence[ChangeRow], begun: int | None) -> bool:
        """Adds what one change did; False where the page is full. `begun`: only events after this one are left."""
        own = together[0] if together[0].what != CAUSE else None
        cause = together[-1] if self._is_cause(together[-1]) else None
        is_told = own is None or begun is not None or own.kind not in self.wanted.kinds
        if own is not None and not is_told and not self._add(own, UNSET, None if cause is None else 0):
            return False
        return cause is None or self._add_events(cause, begun or 0)

    def _is_cause(self, found: ChangeRow) -> bool:
        if not self.wanted.shows_events:
            return False
        is_new = self.since is not None and found.rev > (self.since.copying or 0)
        return is_new and found.kind in self._causes and (found.what == CAUSE or found.kind in LINKED)

    def _add_events(self, cause: ChangeRow, after: int) -> bool:
        work = self.work
        while True:
            ids = changes.showing(work.session, cause.kind, cause.id, after, AT_ONCE)
            for found in changes.as_changed(work.session, self._reader, ids, cause, to=self.to):
                if not self._add(found, Because(cause.kind, cause.id), found.id):
                    return False
            if len(ids) < AT_ONCE:
                return True
            after = ids[-1]
            self.position = self._at(cause.rev, after)
            if self._is_long():
                return False

    def _add(self, found: ChangeRow, because: Because | UnsetType, up_to_event: int | None) -> bool:
        """False if there is no room. What is there already is told at its newer number."""
        key = found.kind, found.id
        self.entries.pop(key, None)
        if len(self.entries) >= self.wanted.limit:
            return False
        self.entries[key] = ChangeEntry(*found, because)
        self.position = self.positions[key] = self._at(found.rev, up_to_event)
        return True

    def _add_due(self) -> None:
        """What is public by the clock, while its status is not stored: it is told again when it is."""
        work, due = self.work, self.work.session.due
        if not due or self.since is None:
            return
        for kind in POST_TYPES:
            if kind in self.wanted.kinds:
                for found in changes.named(work.session, self._reader, kind, due, self.to, work.now_text):
                    self.entries[kind, found.id] = ChangeEntry(*found)
            for id in due if kind in self._causes else ():
                cause = ChangeRow(self.to + 1, kind, id, CAUSE, work.now_text)
                ids = changes.showing(work.session, kind, id, 0, AT_ONCE)
                for found in changes.as_changed(work.session, self._reader, ids, cause, to=self.to + 1):
                    renumbered = found._replace(rev=self.to)
                    self.entries.setdefault((EVENT.name, found.id), ChangeEntry(*renumbered, Because(kind, id)))

    def _at(self, rev: int, up_to_event: int | None = None) -> Position:
        copying = None if self.since is None else self.since.copying
        return Position(rev, up_to_event, self.to if self.since is None else copying)

    def _reach(self, rev: int) -> None:
        self.position = self._at(rev)

    def _is_long(self) -> bool:
        self.rounds += 1
        return self.rounds >= MOST_ROUNDS


def _render(entries: Iterable[ChangeEntry], render: Render) -> None:
    by_kind: dict[str, list[ChangeEntry]] = {}
    for entry in entries:
        if entry.change == CHANGED:
            by_kind.setdefault(entry.kind, []).append(entry)
    for kind, some in by_kind.items():
        records = render(kind, [entry.id for entry in some])
        for entry, record in zip(some, records, strict=True):
            entry.record = Raw(record)
