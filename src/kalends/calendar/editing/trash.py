"""The trash: what a person can restore or delete for good, page by page, and what is deleted from it."""

import time
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import may_edit
from kalends.calendar.editing.bulk import CHANGED_SINCE, NOT_IN_TRASH, NOT_YOURS, Outcome
from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT, KIND_OF, POSTS, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.store.query import trash
from kalends.store.query.trash import Trashed
from kalends.store.rows import journal, posts, series
from kalends.store.rows.records import Event, Post

BATCH = 25  # records of one transaction, which takes about a tenth of a second
LONGEST = 0.2  # seconds after which it takes no more: dates of very long series take longer


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


def restore(
    work: UnitOfWork, left: Sequence[Listed], outcome: Outcome, chosen: Sequence[Listed], done: set[int]
) -> Sequence[Listed]:
    """Brings records back that are still in the trash, as they were shown, and that the caller can edit. A series
    that is there as a whole, and was chosen as a whole, comes back as a whole. `left` are those of the chosen ones
    that have not had their turn; what is left of them when this transaction has taken long enough. `done`: those
    that came back with others."""
    shown = {row.key.id: row for row in chosen if row.key.kind == EVENT.name}

    def act(key: Trashed, post: Post) -> None:
        scope = operations.THIS
        if 0 < _whole_series(work, post) <= len(shown):
            dates = [event.id for event in series.events(work.session, cast(Event, post).series or 0)]
            if all(id in shown and _is_as_shown(work, shown[id], outcome) for id in dates):
                scope = operations.ALL
        sent = read_update(KIND_OF[key.kind].fields, {"status": post.trashed_from or DRAFT})
        status = operations.update(work, KIND_OF[key.kind], post.id, sent, scope).status
        if scope == operations.ALL:
            done.update(dates)
        outcome.changed[status] += len(dates) if scope == operations.ALL else 1

    return _some(work, left, outcome, act, done)


def delete(work: UnitOfWork, left: Sequence[Listed], outcome: Outcome, *, whole_series: bool) -> Sequence[Listed]:
    """Deletes for good what is still in the trash, as it was shown, and what the caller can edit; what is left when
    this transaction has taken long enough. `whole_series`: with an occurrence of a series that is in the trash as a
    whole go all the others."""

    def act(key: Trashed, post: Post) -> None:
        count = _whole_series(work, post) if whole_series else 0
        scope = operations.ALL if count else operations.THIS
        operations.delete(work, KIND_OF[key.kind], post, force=True, scope=scope)
        outcome.changed[TRASH] += count or 1

    return _some(work, left, outcome, act)


def _some(
    work: UnitOfWork,
    left: Sequence[Listed],
    outcome: Outcome,
    act: Callable[[Trashed, Post], None],
    done: Collection[int] = (),
) -> Sequence[Listed]:
    """Does something with records that are as they were shown; those that are left then. Where dates of a series
    follow in further transactions, these come first. `done`: numbers of records that need nothing any more."""
    before, began, count = journal.last_rev(work.session), time.monotonic(), 0
    for row in left[:BATCH]:
        if row.key.id in done:
            count += 1
            continue
        if work.unfinished or (count and time.monotonic() > began + LONGEST):
            break
        post = _as_shown(work, row, outcome)
        if post is not None:
            act(row.key, post)
            outcome.own.append(range(before + 1, journal.last_rev(work.session) + 1))
        count += 1
    return left[count:]


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


def _is_as_shown(work: UnitOfWork, row: Listed, outcome: Outcome) -> bool:
    return _as_shown(work, row, Outcome(own=outcome.own)) is not None


def _whole_series(work: UnitOfWork, post: Post) -> int:
    """How many dates the series of an event has, if all of them are in the trash and the caller can edit them."""
    found = series.find(work.session, post.series) if isinstance(post, Event) and post.series is not None else None
    if found is None or found.status != TRASH or not may_edit(work.caller, found.template.event):
        return 0
    for author, status in series.owners(work.session, found.id):
        event = msgspec.structs.replace(found.template.event, author=author, status=status)
        if status != TRASH or not may_edit(work.caller, event):
            return 0
    return series.count(work.session, found.id)
