"""The trash: what a person can restore or delete for good, page by page, and what is deleted from it."""

from collections.abc import Iterable

from kalends.calendar.access import may_edit
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import KIND_OF, POSTS, Kind
from kalends.contract.statuses import TRASH
from kalends.store.query import trash
from kalends.store.query.trash import Trashed
from kalends.store.rows import posts, series
from kalends.store.rows.records import Event, Post

BATCH = 25  # records of one transaction, which takes about a tenth of a second


def page(work: UnitOfWork, number: int, size: int) -> tuple[int, int, list[tuple[Kind, Post]]]:
    """The number of records, the number of the page (the last one instead of one after it), and its records."""
    total = trash.total(work.session, work.visibility)
    number = max(1, min(number, -(-total // size)))
    keys = trash.page(work.session, work.visibility, size, (number - 1) * size)
    found = {
        kind.name: posts.find_many(work.session, kind.name, [key.id for key in keys if key.kind == kind.name])
        for kind in POSTS
    }
    return total, number, [(KIND_OF[key.kind], found[key.kind][key.id]) for key in keys]


def everything(work: UnitOfWork) -> list[Trashed]:
    return trash.page(work.session, work.visibility)


def delete(work: UnitOfWork, keys: Iterable[Trashed], *, whole_series: bool) -> int:
    """Deletes for good what is still in the trash and the caller can edit; how many records. `whole_series`: with an
    occurrence of a series that is in the trash as a whole go all the others."""
    count = 0
    for key in keys:
        post = posts.find(work.session, key.kind, key.id)
        if post is None or not _is_deletable(work, post):
            continue
        together = _series_of(work, post) if whole_series else []
        scope = operations.ALL if together else operations.THIS
        operations.delete(work, KIND_OF[key.kind], post, force=True, scope=scope)
        count += len(together) or 1
    return count


def _is_deletable(work: UnitOfWork, post: Post) -> bool:
    return post.status == TRASH and may_edit(work.caller, post)


def _series_of(work: UnitOfWork, post: Post) -> list[Event]:
    """The occurrences of the series of an event, if all of them can be deleted."""
    found = series.find(work.session, post.series) if isinstance(post, Event) and post.series is not None else None
    if found is None or found.status != TRASH or not may_edit(work.caller, found.template.event):
        return []
    events = series.events(work.session, found.id)
    return events if all(_is_deletable(work, event) for event in events) else []
