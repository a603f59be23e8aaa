"""The trash: what a person can restore or delete for good, page by page, and what is deleted from it."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_edit
from kalends.calendar.editing.bulk import CHANGED_SINCE, NOT_IN_TRASH, NOT_YOURS, BulkOutcome, do_each
from kalends.calendar.series import new_occurrences, operations
from kalends.calendar.transactions import Transactions
from kalends.contract.fields import read_update
from kalends.contract.kinds import EVENT, KIND_OF, POSTS, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.store.query import editable_records
from kalends.store.query.editable_records import SERIES, Trashed
from kalends.store.rows import posts, series
from kalends.store.rows.records import Event, Post, Series
from kalends.store.rows.series import DateRow


class TrashChoice(NamedTuple):
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
    total = editable_records.total(work.session, work.visibility)
    number = max(1, min(number, -(-total // size)))
    keys = editable_records.page(work.session, work.visibility, size, (number - 1) * size)
    found = {
        kind.name: posts.find_many(work.session, kind.name, [key.id for key in keys if key.kind == kind.name])
        for kind in POSTS
    }
    known = series.find_many(work.session, [key.id for key in keys if key.kind == SERIES])
    return (
        total,
        number,
        [
            _trashed_series(work, known[key.id])
            if key.kind == SERIES
            else (KIND_OF[key.kind], found[key.kind][key.id])
            for key in keys
        ],
    )


def _trashed_series(work: UnitOfWork, found: Series) -> TrashedSeries:
    dates = series.dates(work.session, work.visibility, found.id)
    trashed = [date for date in dates if date.status == TRASH]
    return TrashedSeries(found, trashed, found.status == TRASH and len(trashed) == len(dates))


def _each_record(
    calendar: Transactions, caller: Caller, chosen: Sequence[TrashChoice], outcome: BulkOutcome
) -> tuple[list[TrashChoice], dict[int, int]]:
    """The records that the chosen rows stand for; and the dates of series that are in the trash as a whole and were
    chosen as one, with their series."""
    found, whole = dict[Trashed, TrashChoice](), dict[int, int]()
    with calendar.reading_latest(caller) as work:
        for row in chosen:
            if row.key.kind != SERIES:
                found.setdefault(row.key, row)
                continue
            of_row = series.find(work.session, row.key.id)
            group = None if of_row is None else _trashed_series(work, of_row)
            if group is None or not group.dates:
                outcome.leave(NOT_IN_TRASH)
            elif row.rev not in (None, group.series.rev):
                outcome.leave(CHANGED_SINCE, group.dates[0].name)
            else:
                keys = [Trashed(EVENT.name, date.id) for date in group.dates]
                found |= {key: TrashChoice(key, date.rev) for key, date in zip(keys, group.dates, strict=True)}
                whole |= {key.id: row.key.id for key in keys if group.is_whole}
    return list(found.values()), whole


def everything(work: UnitOfWork) -> list[TrashChoice]:
    return [TrashChoice(key) for key in editable_records.page(work.session, work.visibility)]


def restore_from_trash(calendar: Transactions, caller: Caller, chosen: Sequence[TrashChoice]) -> BulkOutcome:
    """Brings records back that are still in the trash, as they were shown, and that the caller can edit. A series
    that is there as a whole, and was chosen as a whole, comes back as a whole."""
    outcome, back = (
        BulkOutcome(),
        set[int](),
    )  # dates of series that came back as a whole, in further transactions maybe
    rows, whole = _each_record(calendar, caller, chosen, outcome)
    skipped = set[int]()  # dates of such series that had been skipped before, and stay so
    shown = {row.key.id: row for row in rows if row.key.kind == EVENT.name}

    def act(work: UnitOfWork, row: TrashChoice) -> bool:
        if row.key.kind == EVENT.name and row.key.id in skipped:
            return True
        if row.key.id in back:
            post = posts.find(work.session, row.key.kind, row.key.id)
            if post is not None and post.status != TRASH:
                outcome.changed[post.status] += 1
                return True
        if (post := _if_unchanged(work, row, outcome)) is None:
            return True
        if 0 < _whole_series(work, post) <= len(shown):
            events = series.events(work.session, cast(Event, post).series or 0)
            if all(event.id in shown and _is_unchanged(work, shown[event.id], outcome) for event in events):
                _restore_series(work, events)
                back.update(event.id for event in events)
                skipped.update(event.id for event in events if event.id in whole and not _comes_back(work, event))
                return False  # its own comes then: it may have been cancelled before the others
        outcome.changed[_restore(work, KIND_OF[row.key.kind], post, operations.THIS)] += 1
        return True

    do_each(calendar, caller, rows, act, outcome)
    return outcome


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
    series.store_overrides(work.session, marked)
    _restore(work, EVENT, through, operations.ALL)


def _comes_back(work: UnitOfWork, event: Event) -> bool:
    """Whether a series that is not in the trash has a date, or is about to get it."""
    found = series.find(work.session, event.series or 0)
    if found is None:
        return False
    rule = new_occurrences.recurrence_of(found)
    return bool(new_occurrences.starts_among(rule, found.template.event, [event.original_start]))


def _restore(work: UnitOfWork, kind: Kind, post: Post, scope: str) -> str:
    """The status that it has then."""
    sent = read_update(kind.fields, {"status": post.trashed_from or DRAFT})
    return operations.update(work, kind, post.id, sent, scope).status


def delete_from_trash(
    calendar: Transactions, caller: Caller, chosen: Sequence[TrashChoice], *, whole_series: bool = False
) -> BulkOutcome:
    """Deletes for good what is still in the trash, as it was shown, and what the caller can edit. `whole_series`:
    with a date of a series that is in the trash as a whole go all the others."""
    outcome = BulkOutcome()
    rows, whole = _each_record(calendar, caller, chosen, outcome)
    deleted = set[int]()  # series

    def act(work: UnitOfWork, row: TrashChoice) -> bool:
        if row.key.kind == EVENT.name and whole.get(row.key.id) in deleted:
            return True
        if (post := _if_unchanged(work, row, outcome)) is not None:
            id = whole.get(post.id) if isinstance(post, Event) else None
            count = _whole_series(work, post) if whole_series or id is not None else 0
            scope = operations.ALL if count else operations.THIS
            operations.delete(work, KIND_OF[row.key.kind], post, force=True, scope=scope)
            outcome.changed[TRASH] += count or 1
            if count and id is not None:
                deleted.add(id)
        return True

    do_each(calendar, caller, rows, act, outcome)
    return outcome


def empty_trash(calendar: Transactions, caller: Caller) -> int:
    """Deletes everything for good that the caller can delete and that is in the trash now; how many records."""
    found = calendar.read(caller, everything)
    return delete_from_trash(calendar, caller, found, whole_series=True).changed.total()


def _if_unchanged(work: UnitOfWork, row: TrashChoice, outcome: BulkOutcome) -> Post | None:
    """A record that is still in the trash and has not changed since, other than by this action."""
    post = posts.find(work.session, row.key.kind, row.key.id)
    if post is None or post.status != TRASH:
        outcome.leave(NOT_IN_TRASH)
    elif not may_edit(work.caller, post):
        outcome.leave(NOT_YOURS)
    elif row.rev not in (None, post.rev) and not outcome.is_of_this_action(post.rev):
        outcome.leave(CHANGED_SINCE, post.name)
    else:
        return post
    return None


def _is_unchanged(work: UnitOfWork, row: TrashChoice, outcome: BulkOutcome) -> bool:
    return _if_unchanged(work, row, BulkOutcome(revisions=outcome.revisions)) is not None


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
