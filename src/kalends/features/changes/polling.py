"""Reads pages of changes, and waits for the next one."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, visibility_of
from kalends.calendar.admission import WAIT, WORKER
from kalends.calendar.lists import joined_fragments
from kalends.calendar.lists.joined_fragments import FragmentReader, fragment_reader
from kalends.calendar.posts.posts import bundle_posts
from kalends.calendar.revisions import Revision, Revisions
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import ApiError
from kalends.contract.kinds import KIND_OF, Kind
from kalends.features.changes import pages
from kalends.features.changes import positions as places
from kalends.features.changes.errors import CHANGES_EXPIRED
from kalends.features.changes.pages import ChangePage, WantedChanges
from kalends.features.changes.positions import Position
from kalends.present import json as representation
from kalends.present.addresses import RenderContext
from kalends.store.engine.store import StoreUnavailable
from kalends.store.query import term_lists as term_queries
from kalends.store.rows import posts, terms

# Waits for the first change that a caller can read, without a turn, a transaction or a connection. All who wait in
# a process share one look at the store, some times a second; it also publishes what falls due.

INTERVAL = 0.05  # seconds between two looks


class Watch:
    """The newest revision, as those who wait see it."""

    def __init__(self, revisions: Revisions) -> None:
        self._revisions = revisions
        self._lock = threading.Lock()
        self._seen: tuple[float, Revision] | None = None

    def wait(self, before: Revision, seconds: float, is_new: Callable[[Revision, Revision], bool]) -> Revision | None:
        """The first revision after one that is new for somebody; None when the time is over. Raises
        StoreUnavailable."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(INTERVAL, left))
            revision = self._look()
            if is_new(before, revision):
                return revision
        return None

    def _look(self) -> Revision:
        with self._lock:
            now = time.monotonic()
            if self._seen is None or now - self._seen[0] >= INTERVAL:
                self._seen = now, self._revisions.current()
            return self._seen[1]


def is_new_to_all(before: Revision, after: Revision) -> bool:
    """For who reads what everybody reads."""
    return before.state != after.state


def is_new_to_some(before: Revision, after: Revision) -> bool:
    """For callers that can read more: whether it is for them, only a page of changes tells."""
    return (before.token, before.state) != (after.token, after.state)


def wait_released(wait: Callable[[], Revision | None]) -> Revision | None:
    """Waits without a turn, if a place is free; else there is nothing new."""
    with suppress(ApiError, StoreUnavailable), WORKER.released(WAIT):
        return wait()
    return None


# Many records as JSON, each as its own address would answer the caller; a masked event as lists show it.

_encode = msgspec.json.encode


def renderer(
    work: UnitOfWork, context: RenderContext, reader: FragmentReader | None
) -> Callable[[str, Sequence[int]], list[bytes]]:
    """What makes the JSON of records that the caller can read: from fragments where there is a reader of them."""

    def render(kind_name: str, ids: Sequence[int]) -> list[bytes]:
        kind = KIND_OF[kind_name]
        gathered = reader.read_many(work, kind, ids) if reader is not None else None
        if gathered is not None:
            return joined_fragments.alone(kind, gathered, context.addresses)
        return _rendered(work, kind, ids, context)

    return render


def _rendered(work: UnitOfWork, kind: Kind, ids: Sequence[int], context: RenderContext) -> list[bytes]:
    if kind.is_term:
        counts = term_queries.counts(work.session, kind.name, work.visibility, ids)
        found = terms.find_many(work.session, kind.name, ids)
        return [_encode(representation.term(kind, found[id], counts[id], context)) for id in ids]
    known = posts.find_many(work.session, kind.name, ids)
    shown = bundle_posts(work, [known[id] for id in ids])
    return [_encode(representation.post(post, bundle, context, single=True)) for post, bundle in shown]


UNNOTICED = 0.005  # seconds, more than a node may take to notice what another has committed


def read_changes(
    calendar: Transactions,
    caller: Caller,
    since: Position | str | None,
    wanted: WantedChanges,
    context: RenderContext | None = None,
    to: int | None = None,
) -> tuple[ChangePage, str]:
    """A page of what has changed for a caller after a place or a token (`site.py`), and the epoch of its places.
    `context` renders the records, if they are wanted; `to`: up to this change only. Raises ApiError for a token that
    is garbled or not known any more."""
    try:
        return calendar.read(caller, _page, since, wanted, context, to)
    except ApiError as error:
        if error.error_type is not CHANGES_EXPIRED:
            raise
    # Another node may have shown a change a moment before this one knows of it.
    time.sleep(UNNOTICED)
    return calendar.read(caller, _page, since, wanted, context, to)


def wait_for_changes(
    calendar: Transactions,
    caller: Caller,
    since: Position | str | None,
    wanted: WantedChanges,
    context: RenderContext | None,
    seconds: float,
) -> tuple[ChangePage, str]:
    """The same; if there is nothing new, it waits for the first change that the caller can read."""
    end = time.monotonic() + seconds
    seen = calendar.revision()
    page, epoch = read_changes(calendar, caller, since, wanted, context)
    is_new = is_new_to_all if visibility_of(caller).is_public else is_new_to_some
    watch = calendar.memory.of(Watch, partial(Watch, calendar.revisions))
    while not page.entries and not page.more:
        left, before = end - time.monotonic(), seen
        revision = wait_released(partial(watch.wait, before, left, is_new)) if left > 0 else None
        if revision is None:
            break
        seen = revision
        with calendar.seeing(revision):
            token = page.next.token(epoch)
            page, epoch = read_changes(calendar, caller, token, wanted, context)
    return page, epoch


def _page(
    work: UnitOfWork,
    since: Position | str | None,
    wanted: WantedChanges,
    context: RenderContext | None,
    to: int | None,
) -> tuple[ChangePage, str]:
    place = places.read(since, work.epoch) if isinstance(since, str) else since
    render = None
    if context is not None and wanted.has_records:
        uses_fragments = work.visibility.is_public and not work.session.due
        render = renderer(work, context, fragment_reader(work) if uses_fragments else None)
    return pages.read(work, place, wanted, render, to), work.epoch
