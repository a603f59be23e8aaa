"""Prerenders the records that are not: those that readers ask for first, and all others in a sweep through the
calendar, in small transactions so that nobody waits long for the writer's lock."""

import logging
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kalends.calendar.lists import rendering
from kalends.contract.kinds import EVENT, KINDS, Kind
from kalends.settings import Settings
from kalends.store.engine.store import Session, Store, StoreUnavailable
from kalends.store.rows import fragments, posts, site, terms

CHECKED_AT_ONCE = 1000
RENDERED_AT_ONCE = 50

log = logging.getLogger("kalends")

Wanted = tuple[str, int]  # a kind and an id
_KINDS = {kind.name: kind for kind in KINDS}


class Requested:
    """Records that a reader asked for and that were not prerendered. Any thread may add some. Their number has a
    limit: what finds no room will be asked for again."""

    def __init__(self, most: int = 2000) -> None:
        self._most = most
        self._waiting: dict[Wanted, None] = {}
        self._lock = threading.Lock()
        self._arrived = threading.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, kind: Kind, ids: Iterable[int]) -> None:
        with self._lock:
            room = self._most - len(self._waiting)
            self._waiting |= dict.fromkeys(islice(((kind.name, id) for id in ids), max(0, room)))
            self._arrived.set()

    def take(self, most: int) -> list[Wanted]:
        """The next of them, in the order in which they were asked for."""
        with self._lock:
            taken = list(islice(self._waiting, most))
            for one in taken:
                del self._waiting[one]
            if not self._waiting:
                self._arrived.clear()
            return taken

    def wait(self, seconds: float) -> None:
        """Returns when there are some, or after a time."""
        self._arrived.wait(seconds)


@dataclass(slots=True)
class Progress:
    """How far a sweep is, in records."""

    total: int = 0
    checked: int = 0
    rendered: int = 0

    @property
    def remaining(self) -> int:
        return max(0, self.total - self.checked)


class Prerenderer:
    """Renders with one code and one set of settings. A record that cannot be rendered is logged and left out, so that
    lists go on to show it from the record itself."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.progress = Progress()
        self._version = rendering.rendering(settings).version
        self._failed: set[Wanted] = set()

    def sweep(self, *, outdated: bool = True) -> Iterator[int]:
        """Renders whatever is not; how many records each time. `outdated`: also what other code or settings rendered.
        That nothing is left is noted in the store."""
        self._failed.clear()
        with self.store.read() as session:
            self.progress = Progress(sum(fragments.count(session, kind.name) for kind in KINDS))
        is_all = True
        for kind in KINDS:
            last: int | None = 0
            while last is not None:
                with self.store.read() as session:
                    found, last, looked_at = fragments.next_missing(
                        session, kind.name, self._version, last, CHECKED_AT_ONCE
                    )
                ids = [id for id, is_missing in found if is_missing or outdated]
                is_all = is_all and len(ids) == len(found)
                for start in range(0, len(ids), RENDERED_AT_ONCE):
                    rendered = self._render(kind, ids[start : start + RENDERED_AT_ONCE], outdated=outdated)
                    self.progress.rendered += rendered
                    yield rendered
                self.progress.checked += looked_at
                yield 0
        if is_all and not rendering.are_all_prerendered(self.store, self.settings):
            with self.store.write() as session:
                site.write(session, fragments.ALL_PRERENDERED, self._version)
        self.progress.checked = self.progress.total

    def render_requested(self, wanted: Iterable[Wanted], *, outdated: bool = True) -> int:
        """Renders these records and what they show; how many were not rendered yet."""
        count = 0
        by_kind: defaultdict[str, set[int]] = defaultdict(set)
        for name, id in wanted:
            by_kind[name].add(id)
        if events := by_kind.pop(EVENT.name, None):
            count += self._render(EVENT, sorted(events), outdated=outdated)
            for name, ids in self._shown_by(sorted(events)).items():
                by_kind[name] |= ids
        for name, ids in by_kind.items():
            count += self._render(_KINDS[name], sorted(ids), outdated=outdated)
        return count

    def _shown_by(self, events: Sequence[int]) -> dict[str, set[int]]:
        """What these events show, if they are rendered: ids by kind."""
        shown: defaultdict[str, set[int]] = defaultdict(set)
        with self.store.read() as session:
            found, _ = fragments.find(session, self._version, events)
        for linked in (one.linked for one in found.values()):
            for name in ("venue", "organizer", "category", "tag"):
                shown[name].update(getattr(linked, name))
            if linked.parent:
                shown[EVENT.name].add(linked.parent)
        return shown

    def _render(self, kind: Kind, ids: Sequence[int], *, outdated: bool) -> int:
        """Renders those of some records that are not, in one transaction unless one of them fails."""
        wanted = [id for id in ids if (kind.name, id) not in self._failed]
        with self.store.read() as session:  # nobody waits for the writer's lock to find that there is nothing to do
            wanted = fragments.missing(session, kind.name, self._version, wanted, outdated=outdated)
        if not wanted:
            return 0
        try:
            return self._write(kind, wanted, outdated=outdated)
        except StoreUnavailable:
            raise
        except Exception:
            if len(wanted) > 1:
                return sum(self._render(kind, [id], outdated=outdated) for id in wanted)
            log.exception("%s %d cannot be prerendered", kind.name, wanted[0])
            self._failed.add((kind.name, wanted[0]))
            return 0

    def _write(self, kind: Kind, ids: Sequence[int], *, outdated: bool) -> int:
        with self.store.write() as session:
            # Another process may have rendered them meanwhile.
            left = fragments.missing(session, kind.name, self._version, ids, outdated=outdated)
            _render_all(session, self.settings, kind, left)
        return len(left)


def _render_all(session: Session, settings: Settings, kind: Kind, ids: Sequence[int]) -> None:
    if kind.is_term:
        for term in terms.find_many(session, kind.name, ids).values():
            rendering.render_term(session, settings, kind, term)
    else:
        for post in posts.find_many(session, kind.name, ids).values():
            rendering.render_post(session, settings, kind.name, post)
