"""The trash: what a person can restore or delete for good, page by page, and what is deleted from it."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_edit
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.editing.bulk import CHANGED_SINCE, NOT_IN_TRASH, NOT_YOURS, Outcome
from kalends.calendar.series import new_occurrences, operations
from kalends.calendar.transactions import Transactions
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT, KIND_OF, POSTS, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.store.query import trash
from kalends.store.query.trash import Trashed
from kalends.store.rows import journal, posts, series
from kalends.store.rows.records import Event, Post, Series
from kalends.store.rows.series import DateRow


class Listed(NamedTuple):
    """A record of the trash, and the version that was shown; None where none was."""

    key: Trashed
    rev: int | None = None


class TrashedSeries(NamedTuple):
    """A series of which several dates are in the trash, in their order; `is_whole`: all of them."""

    series: Series
    dates: Sequence[DateRow]
    is_whole: bool


def page(work: UnitOfWork, number: int, size: int) -> tuple[int, int, list[tuple[Kind, Post] | TrashedSeries]]:
    """The number of rows, the number of the page (the last one instead of one after it), and its rows."""
    total = trash.total(work.session, work.visibility)
    number = max(1, min(number, -(-total // size)))
    keys = trash.page(work.session, work.visibility, size, (number - 1) * size)
    found = {
        kind.name: posts.find_many(work.session, kind.name, [key.id for key in keys if key.kind == kind.name])
        for kind in POSTS
    }
    known = series.find_many(work.session, [key.id for key in keys if key.kind == trash.SERIES])
    return (
        total,
        number,
        [
            _trashed_series(work, known[key.id])
            if key.kind == trash.SERIES
            else (KIND_OF[key.kind], found[key.kind][key.id])
            for key in keys
        ],
    )


def _trashed_series(work: UnitOfWork, found: Series) -> TrashedSeries:
    dates = series.dates(work.session, work.visibility, found.id)
    trashed = [date for date in dates if date.status == TRASH]
    return TrashedSeries(found, trashed, found.status == TRASH and len(trashed) == len(dates))


def _each_record(
    calendar: Transactions, caller: Caller, chosen: Sequence[Listed], outcome: Outcome
) -> tuple[list[Listed], set[int]]:
    """The records that the chosen rows stand for, and the series that are in the trash as a whole."""
    found, whole = dict[Trashed, Listed](), set[int]()
    with calendar.reading_latest(caller) as work:
        for row in chosen:
            if row.key.kind != trash.SERIES:
                found.setdefault(row.key, row)
                continue
            of_row = series.find(work.session, row.key.id)
            group = None if of_row is None else _trashed_series(work, of_row)
            if group is None or not group.dates:
                outcome.leave(NOT_IN_TRASH)
            elif row.rev not in (None, group.series.rev):
                outcome.leave(CHANGED_SINCE, group.dates[0].name)
            else:
                if group.is_whole:
                    whole.add(row.key.id)
                for date in group.dates:
                    key = Trashed(EVENT.name, date.id)
                    found[key] = Listed(key, date.rev)
    return list(found.values()), whole


def everything(work: UnitOfWork) -> list[Listed]:
    return [Listed(key) for key in trash.page(work.session, work.visibility)]


def restore_from_trash(calendar: Transactions, caller: Caller, chosen: Sequence[Listed]) -> Outcome:
    """Brings records back that are still in the trash, as they were shown, and that the caller can edit. A series
    that is there as a whole, and was chosen as a whole, comes back as a whole."""
    outcome, back = Outcome(), set[int]()
    left, whole = _each_record(calendar, caller, chosen, outcome)
    if left:
        part = partial(_restore_some, left=left, outcome=outcome, chosen=[*left], back=back, whole=whole)
        long_work.run_parts(calendar, caller, part, later_revs=outcome.own)
    return outcome


def _restore_some(
    work: UnitOfWork,
    until: Deadline,
    left: list[Listed],
    outcome: Outcome,
    chosen: Sequence[Listed],
    back: set[int],
    whole: Collection[int],
) -> bool:
    """`back`: the dates of series that came back as a whole; `whole`: series that were chosen as one, of which dates
    that were skipped before stay so."""
    shown = {row.key.id: row for row in chosen if row.key.kind == EVENT.name}

    def act(key: Trashed, post: Post) -> bool:
        if 0 < _whole_series(work, post) <= len(shown):
            events = series.events(work.session, cast(Event, post).series or 0)
            if all(event.id in shown and _is_as_shown(work, shown[event.id], outcome) for event in events):
                _restore_series(work, events)
                back.update(event.id for event in events)
                if cast(Event, post).series in whole:
                    skipped = {event.id for event in events if not _comes_back(work, event)}
                    left[:] = [row for row in left if row.key.kind != EVENT.name or row.key.id not in skipped]
                return False  # its own comes then: it may have been cancelled before the others
        outcome.changed[_restore(work, KIND_OF[key.kind], post, operations.THIS)] += 1
        return True

    return _some(work, left, outcome, act, until, back)


def _restore_series(work: UnitOfWork, events: Sequence[Event]) -> None:
    """Brings a series back, with each date in the status that it had: whatever differs from that of the others is its
    own."""
    found = series.find(work.session, events[0].series or 0)
    usual = found.template.event.trashed_from if found is not None else ""
    through = next((event for event in events if event.trashed_from == usual), events[0])
    others = [event for event in events if event.trashed_from not in ("", through.trashed_from)]
    marked = [event for event in others if "status" not in event.own_fields]
    for event in marked:
        event.own_fields = sorted([*event.own_fields, "status"])
    series.mark_own(work.session, marked)
    _restore(work, EVENT, through, operations.ALL)


def _comes_back(work: UnitOfWork, event: Event) -> bool:
    """Whether a series that is not in the trash has a date, or is about to get it."""
    found = series.find(work.session, event.series or 0)
    return found is not None and bool(
        new_occurrences.given(new_occurrences.recurrence_of(found), found.template.event, [event.original_start])
    )


def _restore(work: UnitOfWork, kind: Kind, post: Post, scope: str) -> str:
    """The status that it has then."""
    sent = read_update(kind.fields, {"status": post.trashed_from or DRAFT})
    return operations.update(work, kind, post.id, sent, scope).status


def delete_from_trash(
    calendar: Transactions, caller: Caller, chosen: Sequence[Listed], *, whole_series: bool = False
) -> Outcome:
    """Deletes for good what is still in the trash, as it was shown, and what the caller can edit. `whole_series`:
    with a date of a series that is in the trash as a whole go all the others."""
    outcome = Outcome()
    left, whole = _each_record(calendar, caller, chosen, outcome)
    if whole:  # with the first date go all the others
        with calendar.reading_latest(caller) as work:
            left = _first_dates(work, left, whole)
    if left:
        part = partial(_delete_some, left=left, outcome=outcome, whole_series=whole_series, whole=whole)
        long_work.run_parts(calendar, caller, part, later_revs=outcome.own)
    return outcome


def empty_trash(calendar: Transactions, caller: Caller) -> int:
    """Deletes everything for good that the caller can delete and that is in the trash now; how many records."""
    found = calendar.read(caller, everything)
    return delete_from_trash(calendar, caller, found, whole_series=True).changed.total()


def _first_dates(work: UnitOfWork, left: Sequence[Listed], whole: Collection[int]) -> list[Listed]:
    """Without the other dates of series that go as one."""
    others = {event.id for id in whole for event in series.events(work.session, id)[1:]}
    return [row for row in left if row.key.kind != EVENT.name or row.key.id not in others]


def _delete_some(
    work: UnitOfWork,
    until: Deadline,
    left: list[Listed],
    outcome: Outcome,
    *,
    whole_series: bool,
    whole: Collection[int],
) -> bool:
    def act(key: Trashed, post: Post) -> bool:
        is_chosen = whole_series or (isinstance(post, Event) and post.series in whole)
        count = _whole_series(work, post) if is_chosen else 0
        scope = operations.ALL if count else operations.THIS
        operations.delete(work, KIND_OF[key.kind], post, force=True, scope=scope)
        outcome.changed[TRASH] += count or 1
        return True

    return _some(work, left, outcome, act, until)


def _some(
    work: UnitOfWork,
    left: list[Listed],
    outcome: Outcome,
    act: Callable[[Trashed, Post], bool],
    until: Deadline,
    back: Collection[int] = (),
) -> bool:
    """Does something with records that are as they were shown; whether some are left. `act` says whether a record is
    done. Where dates of a series follow in further transactions, these come first. `back`: dates that have left the
    trash with others."""
    before, first = journal.last_rev(work.session), len(left)
    while left and not work.follow_ups and (len(left) == first or not until.is_over):
        row = left[0]
        post = posts.find(work.session, row.key.kind, row.key.id) if row.key.id in back else None
        if post is not None and post.status != TRASH:
            outcome.changed[post.status] += 1
            del left[0]
            continue
        post = _as_shown(work, row, outcome)
        if post is None or act(row.key, post):
            del left[0]
        outcome.own.append(range(before + 1, journal.last_rev(work.session) + 1))
    return bool(left)


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
