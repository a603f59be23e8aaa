"""The trash: what a person can restore or delete for good, page by page, and what is deleted from it."""

from collections.abc import Iterable
from typing import NamedTuple

from kalends.calendar.access import may_edit
from kalends.calendar.editing.bulk import CHANGED_SINCE, NOT_IN_TRASH, NOT_YOURS, Outcome
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import read_update
from kalends.contract.kinds import KIND_OF, POSTS, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.store.query import trash
from kalends.store.query.trash import Trashed
from kalends.store.rows import journal, posts, series
from kalends.store.rows.records import Event, Post

BATCH = 25  # records of one transaction, which takes about a tenth of a second


class Listed(NamedTuple):
    """A record of the trash, and the version that was shown; None where none was."""

    key: Trashed
    rev: int | None = None


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


def everything(work: UnitOfWork) -> list[Listed]:
    return [Listed(key) for key in trash.page(work.session, work.visibility)]


def restore(work: UnitOfWork, chosen: Iterable[Listed]) -> Outcome:
    """Brings records back that are still in the trash, as they were shown, and that the caller can edit. A series
    that is there as a whole comes back as a whole."""
    outcome = Outcome()
    # All versions are compared before anything changes: a date that comes back changes the others of its series.
    found = [(row.key, post) for row in chosen if (post := _as_shown(work, row, outcome)) is not None]
    ids = {post.id for _, post in found}
    for key, post in found:
        together = _series_of(work, post)
        scope = operations.ALL if together and ids.issuperset(event.id for event in together) else operations.THIS
        sent = read_update(KIND_OF[key.kind].fields, {"status": post.trashed_from or DRAFT})
        outcome.changed[operations.update(work, KIND_OF[key.kind], post.id, sent, scope).status] += 1
    return outcome


def delete(work: UnitOfWork, chosen: Iterable[Listed], outcome: Outcome, *, whole_series: bool) -> None:
    """Deletes for good what is still in the trash, as it was shown, and what the caller can edit. `whole_series`:
    with an occurrence of a series that is in the trash as a whole go all the others."""
    before = journal.last_rev(work.session)
    for row in chosen:
        post = _as_shown(work, row, outcome)
        if post is None:
            continue
        together = _series_of(work, post) if whole_series else []
        scope = operations.ALL if together else operations.THIS
        operations.delete(work, KIND_OF[row.key.kind], post, force=True, scope=scope)
        outcome.changed[TRASH] += len(together) or 1
    outcome.own.append(range(before + 1, journal.last_rev(work.session) + 1))


def _as_shown(work: UnitOfWork, row: Listed, outcome: Outcome) -> Post | None:
    """A record that is still in the trash and has not changed since, other than by this action."""
    post = posts.find(work.session, row.key.kind, row.key.id)
    if post is None or post.status != TRASH:
        outcome.leave(NOT_IN_TRASH)
    elif not may_edit(work.caller, post):
        outcome.leave(NOT_YOURS)
    elif row.rev not in (None, post.rev) and not outcome.is_own(post.rev):
        outcome.leave(CHANGED_SINCE, post.name)
    else:
        return post
    return None


def _series_of(work: UnitOfWork, post: Post) -> list[Event]:
    """The occurrences of the series of an event, if all of them are in the trash and the caller can edit them."""
    found = series.find(work.session, post.series) if isinstance(post, Event) and post.series is not None else None
    if found is None or found.status != TRASH or not may_edit(work.caller, found.template.event):
        return []
    events = series.events(work.session, found.id)
    return events if all(event.status == TRASH and may_edit(work.caller, event) for event in events) else []
