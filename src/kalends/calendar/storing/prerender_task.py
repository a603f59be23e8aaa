"""Prerenders, in the background, records without a current fragment: first those that readers ask for, then all the
others in a sweep through the calendar, in small transactions so that other writers do not wait long for the lock."""

import logging
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kalends.calendar.storing import rendering
from kalends.contract.kinds import EVENT, KIND_OF, KINDS, Kind
from kalends.settings import Settings
from kalends.store.engine.store import Session, Store, StoreUnavailable
from kalends.store.rows import fragments, posts, series, site, terms
from kalends.store.rows.records import Event

CHECKED_AT_ONCE = 1000
RENDERED_AT_ONCE = 20  # in one transaction, during which requests of the same worker are slower

log = logging.getLogger("kalends")

Wanted = tuple[str, int]  # a kind and an id
Instead = str | None  # the render version of what a record had instead of a fragment, if it had something


class Requested:
    """A bounded queue of records that a reader asked for and that had no fragment. Any thread may add some. What does
    not fit is dropped, and added by the next reader."""

    def __init__(self, most: int = 2000) -> None:
        self._most = most
        self._pending: dict[Wanted, None] = {}
        self._lock = threading.Lock()
        self._arrived = threading.Event()

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, kind: Kind, ids: Iterable[int]) -> None:
        with self._lock:
            free = self._most - len(self._pending)
            self._pending |= dict.fromkeys(islice(((kind.name, id) for id in ids), max(0, free)))
            self._arrived.set()

    def pop_oldest(self, most: int) -> list[Wanted]:
        """Removes and returns the oldest of them."""
        with self._lock:
            taken = list(islice(self._pending, most))
            for one in taken:
                del self._pending[one]
            if not self._pending:
                self._arrived.clear()
            return taken

    def wait(self, seconds: float) -> None:
        """Returns when there are some, or after a time."""
        self._arrived.wait(seconds)


@dataclass(slots=True)
class SweepProgress:
    """How far a sweep is, in records."""

    total: int = 0
    checked: int = 0
    rendered: int = 0

    @property
    def remaining(self) -> int:
        return max(0, self.total - self.checked)


class Prerenderer:
    """Renders for one version of the code and the settings. A record that cannot be rendered is logged and skipped;
    lists then show it from the record itself."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.progress = SweepProgress()
        self._version = rendering.renderer_of(settings).version
        self._failed: set[Wanted] = set()

    def fits(self, settings: Settings) -> bool:
        """Whether these settings lead to the fragments that it renders."""
        return rendering.renderer_of(settings).version == self._version

    def sweep(self, *, outdated: bool = True) -> Iterator[int]:
        """Renders all that is missing; yields how many records each step has rendered. `outdated`: also fragments of
        other code or settings. Records in the store when nothing is left."""
        self._failed.clear()
        with self.store.read() as session:
            self.progress = SweepProgress(sum(fragments.count(session, kind.name) for kind in KINDS))
        is_complete = True
        for kind in KINDS:
            last: int | None = 0
            while last is not None:
                with self.store.read() as session:
                    found, last, checked = fragments.next_missing(
                        session, kind.name, self._version, last, CHECKED_AT_ONCE
                    )
                ids = [id for id, is_missing in found if is_missing or outdated]
                is_complete = is_complete and len(ids) == len(found)
                for start in range(0, len(ids), RENDERED_AT_ONCE):
                    rendered = len(self._render(kind, ids[start : start + RENDERED_AT_ONCE], outdated=outdated))
                    self.progress.rendered += rendered
                    yield rendered
                self.progress.checked += checked
                yield 0
        if is_complete and not are_all_prerendered(self.store, self.settings):
            with self.store.write() as session:
                site.write(session, fragments.ALL_PRERENDERED, self._version)
        self.progress.checked = self.progress.total

    def render_deferred(self) -> Iterator[int]:
        """Renders the events that transactions have deferred; yields how many each step has rendered."""
        last = 0
        while True:
            with self.store.read() as session:
                ids = fragments.pending(session, last, RENDERED_AT_ONCE)
            if not ids:
                return
            yield len(self._render(EVENT, ids, outdated=False))
            last = ids[-1]

    def render_requested(self, wanted: Iterable[Wanted], *, outdated: bool = True) -> list[Instead]:
        """Renders these records and what they show, where a fragment is missing; what those that it has rendered had
        instead."""
        rendered: list[Instead] = []
        by_kind: defaultdict[str, set[int]] = defaultdict(set)
        for name, id in wanted:
            by_kind[name].add(id)
        if events := by_kind.pop(EVENT.name, None):
            rendered += self._render(EVENT, sorted(events), outdated=outdated)
            for name, ids in self._linked_from(sorted(events)).items():
                by_kind[name] |= ids
        for name, ids in by_kind.items():
            rendered += self._render(KIND_OF[name], sorted(ids), outdated=outdated)
        return rendered

    def note_missing(self) -> None:
        """Readers met something that was neither rendered nor deferred: others may be missing too, so the next sweep
        looks."""
        with self.store.write() as session:
            site.forget(session, fragments.ALL_PRERENDERED)

    def _linked_from(self, events: Sequence[int]) -> dict[str, set[int]]:
        """What these events show, as far as they have fragments: ids by kind."""
        shown: defaultdict[str, set[int]] = defaultdict(set)
        with self.store.read() as session:
            found, _ = fragments.find(session, self._version, events)
        for links in (fragment.linked for fragment in found.values()):
            for name, keys in links.by_kind.items():
                shown[name].update(map(abs, keys))
            if links.parent:
                shown[EVENT.name].add(links.parent)
        self._render_series({fragment.linked.series for fragment in found.values()})
        return shown

    def _render_series(self, ids: set[int]) -> None:
        """Renders what occurrences embed, where it is missing."""
        wanted = ids - {0}
        if not wanted:
            return
        with self.store.read() as session:
            known, _ = fragments.find(session, self._version, wanted)
        if len(known) < len(wanted):
            with self.store.write() as session:
                _render_series(session, self.settings, wanted)

    def _render(self, kind: Kind, ids: Sequence[int], *, outdated: bool) -> list[Instead]:
        """Renders those of some records that have no fragment, in one transaction unless one of them fails."""
        wanted = [id for id in ids if (kind.name, id) not in self._failed]
        with self.store.read() as session:  # the writer's lock is only taken when there is something to do
            wanted = [*fragments.missing(session, kind.name, self._version, wanted, outdated=outdated)]
        if not wanted:
            return []
        try:
            return self._write(kind, wanted, outdated=outdated)
        except StoreUnavailable:
            raise
        except Exception:
            if len(wanted) > 1:
                return [one for id in wanted for one in self._render(kind, [id], outdated=outdated)]
            log.exception("%s %d cannot be prerendered", kind.name, wanted[0])
            self._failed.add((kind.name, wanted[0]))
            return []

    def _write(self, kind: Kind, ids: Sequence[int], *, outdated: bool) -> list[Instead]:
        with self.store.write() as session:
            # Another process may have rendered them meanwhile.
            left = fragments.missing(session, kind.name, self._version, ids, outdated=outdated)
            _render_all(session, self.settings, kind, [*left])
        return [*left.values()]


def are_all_prerendered(store: Store, settings: Settings) -> bool:
    """Whether a sweep with this code and these settings has ended with nothing left. A few fragments may be missing
    since; a read that misses one adds it to the queue."""
    with store.read() as session:
        return site.read(session, fragments.ALL_PRERENDERED) == rendering.renderer_of(settings).version


def _render_all(session: Session, settings: Settings, kind: Kind, ids: Sequence[int]) -> None:
    if kind.is_term:
        for term in terms.find_many(session, kind.name, ids).values():
            rendering.render_term(session, settings, kind, term)
        return
    found = posts.find_many(session, kind.name, ids).values()
    if kind is EVENT:
        rendering.render_events(session, settings, [post for post in found if isinstance(post, Event)])
        return
    for post in found:
        rendering.render_post(session, settings, kind.name, post)


def _render_series(session: Session, settings: Settings, ids: set[int]) -> None:
    for found in series.find_many(session, ids).values():
        rendering.render_series(session, settings, found)
