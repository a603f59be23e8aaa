"""Reads pages of changes, and waits for the next one."""

import time
from functools import partial

from kalends.calendar.access import Caller, visibility_of
from kalends.calendar.lists.prerendered_lists import fragment_reader
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import CHANGES_EXPIRED, ApiError
from kalends.features.changes import long_polling as waiting
from kalends.features.changes import pages
from kalends.features.changes import positions as places
from kalends.features.changes.pages import Page, Wanted
from kalends.features.changes.positions import Place
from kalends.features.changes.records import renderer
from kalends.present.addresses import RenderContext

UNNOTICED = 0.005  # seconds, more than a node may take to notice what another has committed


def read_changes(
    calendar: Transactions,
    caller: Caller,
    since: Place | str | None,
    wanted: Wanted,
    context: RenderContext | None = None,
    to: int | None = None,
) -> tuple[Page, str]:
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
    since: Place | str | None,
    wanted: Wanted,
    context: RenderContext | None,
    seconds: float,
) -> tuple[Page, str]:
    """The same; if there is nothing new, it waits for the first change that the caller can read."""
    end = time.monotonic() + seconds
    seen = calendar.revision()
    page, epoch = read_changes(calendar, caller, since, wanted, context)
    is_new = waiting.is_new_to_all if visibility_of(caller).is_public else waiting.is_new_to_some
    watch = calendar.memory.of(waiting.Watch, partial(waiting.Watch, calendar.revisions))
    while not page.entries and not page.more:
        left, before = end - time.monotonic(), seen
        revision = waiting.aside(partial(watch.wait, before, left, is_new)) if left > 0 else None
        if revision is None:
            break
        seen = revision
        with calendar.seeing(revision):
            token = page.next.token(epoch)
            page, epoch = read_changes(calendar, caller, token, wanted, context)
    return page, epoch


def _page(
    work: UnitOfWork, since: Place | str | None, wanted: Wanted, context: RenderContext | None, to: int | None
) -> tuple[Page, str]:
    place = places.read(since, work.epoch) if isinstance(since, str) else since
    render = None
    if context is not None and wanted.has_records:
        uses_fragments = work.visibility.is_public and not work.session.due
        render = renderer(work, context, fragment_reader(work) if uses_fragments else None)
    return pages.read(work, place, wanted, render, to), work.epoch
