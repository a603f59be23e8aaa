"""The same change to several events at once, with what takes it back.

A person chose them in a list: events, and rows of series, each of which stands for some or all dates of one. What was
changed since it was shown is left as it is; what became of everything is told. What fits into one transaction
(long_work.py) is all or nothing.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Annotated, NamedTuple, TypeVar, cast

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_edit
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.lists import series_rows
from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import bundle_posts
from kalends.calendar.series import operations
from kalends.calendar.storing.first_publication import UNPUBLISHED, comes_with, hide_companion, version
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.contract.fields import Reading, Values, read_update
from kalends.contract.kinds import COMPANIONS, EVENT
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.contract.types.numbers import LARGEST
from kalends.languages import N_
from kalends.store.rows import events as stored_events
from kalends.store.rows import journal, links, merges, series, terms
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Companion, Event, Series
from kalends.values import dates
from kalends.values.dates import is_undated

MOST = 1000  # rows at once
MOST_BACK = 2000  # events that are taken back
MOST_DAYS = 3660  # by which events are moved at once

# Why something was left as it is.
CHANGED_SINCE, NOT_IN_TRASH, UNDATED, NOT_YOURS, GONE, SAME, TOO_MANY, LINK_GONE = (
    "changed_since",
    "not_in_trash",
    "undated",
    "not_yours",
    "gone",
    "same",
    "too_many",
    "link_gone",
)

COMPANION_KINDS = frozenset(kind.name for kind in COMPANIONS)
TIMES = frozenset({"start_local", "end_local"})  # that a date of a series may have for itself

Change = Callable[[Event, Bundle], Values]  # what an event is sent; nothing to leave it alone
T = TypeVar("T")


class Chosen(NamedTuple):
    """A row as it was shown: an event or a series, and its version; None where none was shown."""

    id: int
    rev: int | None = None
    is_series: bool = False


class Previous(NamedTuple):
    """Fields as they were before, the events that had them, and the last change of those that were made together: an
    event with a later one is not taken back. `series`: these are the fields of that series, to be changed through
    the one event. `days`: in place of fields, by how many days the events are moved to be where they were."""

    values: Values
    ids: list[Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]]  # it comes back from a browser
    rev: int = 0
    series: Annotated[int, msgspec.Meta(ge=0, le=LARGEST)] = 0
    days: Annotated[int, msgspec.Meta(ge=-MOST_DAYS, le=MOST_DAYS)] = 0
    # In place of fields, what became public with the event: kind, id and status.
    companions: tuple[tuple[str, Annotated[int, msgspec.Meta(ge=1, le=LARGEST)], str], ...] = ()


@dataclass(frozen=True, slots=True)
class MovedBy:
    """The change of events that take place some days later or earlier, at the same times of day."""

    days: int

    def __call__(self, event: Event, bundle: Bundle | None = None) -> Values:
        if is_undated(event.start_local, event.end_local):
            return {}
        start, end = (dates.from_text(text) for text in (event.start_local, event.end_local))
        by = timedelta(days=self.days)
        try:
            return {"start_date": dates.text(start + by), "end_date": dates.text(end + by)}
        except OverflowError:  # the last days of the calendar
            problem = FieldError(WRONG_FORMAT, N_("is out of the range of dates."))
        Problems({"end_date": problem}).raise_any()
        raise AssertionError


@dataclass(slots=True)
class BulkOutcome:
    """What became of the chosen events."""

    changed: Counter[str] = field(default_factory=Counter)  # how many, by the status that they have now
    skipped: dict[str, list[str]] = field(default_factory=dict)  # the names of the others, by the reason
    previous: list[Previous] = field(default_factory=list)  # takes it back
    revisions: list[range] = field(
        default_factory=list
    )  # revisions of this action, of one that has several transactions

    def is_of_this_action(self, rev: int) -> bool:
        return any(rev in one for one in self.revisions)

    def leave(self, reason: str, name: str = "") -> None:
        """`name`: only of what the caller can read."""
        self.skipped.setdefault(reason, []).append(name)


def change_events(
    calendar: Transactions,
    caller: Caller,
    chosen: Iterable[Chosen],
    change: Change,
    series_filter: Reading | None = None,
) -> BulkOutcome:
    """Changes those of the chosen rows that the caller can edit and that are as they were shown. `series_filter`: the
    list whose dates the row of a series stands for."""
    outcome, rows = BulkOutcome(), list(dict.fromkeys(chosen))
    rows, too_many = rows[:MOST], rows[MOST:]
    for _ in too_many:
        outcome.leave(TOO_MANY)
    if len(rows) > 1:
        with calendar.reading_latest(caller) as reading:
            rows = _unchanged(reading, rows, change, series_filter, outcome)
    sent: dict[int, tuple[int, str]] = {}  # the version and the name that events had

    def act(work: UnitOfWork, row: Chosen) -> bool:
        if (found := _if_unchanged(work, row, series_filter, outcome)) is not None:
            sent.update(_change_row(work, *found, change, outcome))
        return True

    do_each(calendar, caller, rows, act, outcome)
    calendar.read_latest(caller, _settle, sent, outcome)
    return outcome


def undo_changes(calendar: Transactions, caller: Caller, parts: Iterable[Previous]) -> BulkOutcome:
    """Takes changes of several events back; how many events or series that concerned. What was changed since stays as
    it is."""
    named: dict[tuple[int, int, bool], tuple[Previous, int]] = {}
    for one in islice(((part, id) for part in parts for id in part.ids), MOST_BACK):
        named.setdefault((one[0].series, one[1], bool(one[0].companions)), one)
    outcome = BulkOutcome()

    def act(work: UnitOfWork, one: tuple[Previous, int]) -> bool:
        if one[0].companions:
            _hide_companions(work, one[0], outcome)
        elif _undo_row(work, *one, outcome):
            outcome.changed["back"] += 1
        return True

    do_each(calendar, caller, named.values(), act, outcome)
    return outcome


def do_each(
    calendar: Transactions,
    caller: Caller,
    chosen: Iterable[T],
    act: Callable[[UnitOfWork, T], bool],
    outcome: BulkOutcome,
) -> None:
    """Does something with each of the rows that a person chose, in parts. `act` says whether a row is done. The dates
    of a series that follow in further transactions come before the next row."""
    rows = deque(chosen)

    def part(work: UnitOfWork, until: Deadline) -> bool:
        first = journal.last_rev(work.session) + 1
        outcome.revisions.append(range(first, LARGEST))  # nobody else writes meanwhile
        while rows:
            if act(work, rows[0]):
                rows.popleft()
            if until.is_over or work.follow_ups:
                break
        last = journal.last_rev(work.session)
        outcome.revisions[-1] = range(first, last + 1)
        outcome.previous = [one._replace(rev=one.rev or last) for one in outcome.previous]
        return bool(rows)

    if rows:
        long_work.run_parts(calendar, caller, part, later_revs=outcome.revisions)


def _if_unchanged(
    work: UnitOfWork, row: Chosen, series_filter: Reading | None, outcome: BulkOutcome
) -> tuple[list[Event], Series | None] | None:
    """The events, and the series, that a row stands for, if the caller can edit some and nothing changed since."""
    found, rev = None, 0
    if row.is_series:
        found = series.find_readable(work.session, work.visibility, row.id)
        shown = []
        if found is not None and series_filter is not None:
            shown = series_rows.dates_of(work, series_filter, [row.id])[row.id]
        known = stored_posts.find_many(work.session, EVENT.name, [date.id for date in shown])
        events = cast(list[Event], [*known.values()])
        editable = [event for event in events if may_edit(work.caller, event)]
        if found is None or not editable:
            for _ in events:
                outcome.leave(NOT_YOURS)
            outcome.leave(GONE)
            return None
        rev = version(work, found.rev, list(known))
    else:
        try:
            events = editable = [cast(Event, posts.writable(work, EVENT, row.id))]
        except ApiError as error:
            outcome.leave(GONE if error.error_type.status == 404 else NOT_YOURS)
            return None
        rev = version(work, events[0].rev, [row.id])
    if row.rev not in (None, rev) and not outcome.is_of_this_action(rev):
        outcome.leave(CHANGED_SINCE, editable[0].name)
        return None
    return events, found


def _unchanged(
    work: UnitOfWork, rows: Sequence[Chosen], change: Change, series_filter: Reading | None, outcome: BulkOutcome
) -> list[Chosen]:
    """The rows that are as they were shown, before anything changes: a date in the trash changes the others of its
    series. A day that no event can have refuses all of them."""
    found = {row: _if_unchanged(work, row, series_filter, outcome) for row in rows}
    if isinstance(change, MovedBy):
        for event in (event for shown in found.values() if shown is not None for event in shown[0]):
            change(event)
    return [row for row in rows if found[row] is not None]


def _change_row(
    work: UnitOfWork, events: Sequence[Event], found: Series | None, change: Change, outcome: BulkOutcome
) -> dict[int, tuple[int, str]]:
    """Changes what a row stands for, and adds what takes that back; the version and the name that the events had."""
    days = -change.days if isinstance(change, MovedBy) else 0
    wanted, before = _wanted(work, events, change, outcome)
    if not wanted:
        return {}
    through = None
    published = [event for event in events if wanted.get(event.id, {}).get("status") == PUBLISH]
    came = [(kind.name, record.id, record.status) for kind, record in comes_with(work, published)]
    if found is not None:
        through = operations.change_dates(work, found.id, wanted)
    else:
        for id, values in wanted.items():
            operations.update(work, EVENT, id, read_update(EVENT.fields, values))
    alone = dict.fromkeys(wanted, Values()) if days else before
    if found is not None and through is not None:
        # A series that was moved as a whole is moved back as a whole, and besides the dates that had another time.
        names = () if days else next(iter(wanted.values()))
        template = {name: _template_value(found, name) for name in names}
        outcome.previous.append(Previous(template, [through], series=found.id, days=days))
        if days:
            shared = {event.id for event in events if TIMES.isdisjoint(event.own_fields)}
            alone = {id: values for id, values in alone.items() if id not in shared | {through}}
        else:
            alone = {id: values for id, values in before.items() if values != template}
    _remember(outcome.previous, alone, days)
    if came:
        outcome.previous.append(Previous({}, [published[0].id], companions=tuple(came)))
    return {event.id: (event.rev, event.name) for event in events if event.id in wanted}


def _wanted(
    work: UnitOfWork, events: Sequence[Event], change: Change, outcome: BulkOutcome
) -> tuple[dict[int, Values], dict[int, Values]]:
    """What each event is sent, and what it has now, by id."""
    wanted: dict[int, Values] = {}
    before: dict[int, Values] = {}
    for shown in bundle_posts(work, events):
        event, bundle = cast(tuple[Event, Bundle], shown)
        if not may_edit(work.caller, event):
            outcome.leave(NOT_YOURS)
            continue
        sent = change(event, bundle)
        values = {name: _value(event, bundle, name) for name in sent}
        if not sent or sent == values:
            outcome.leave(SAME, event.name)
        elif sent.get("status") == PUBLISH and is_undated(event.start_local, event.end_local):
            outcome.leave(UNDATED, event.name)
        else:
            wanted[event.id], before[event.id] = sent, values
    return wanted, before


def _remember(previous: list[Previous], before: Mapping[int, Values], days: int) -> None:
    """Adds what takes changes of single events back, those of one transaction with the same values
    together."""
    alone = (part for part in previous if not (part.series or part.rev or part.companions))
    known = {(repr(part.values), part.days): part for part in alone}
    for id, values in before.items():
        key = repr(values), days
        if key not in known:
            known[key] = Previous(values, [], days=days)
            previous.append(known[key])
        known[key].ids.append(id)


def _value(event: Event, bundle: Bundle, name: str) -> object:
    """A field as it would be sent to make it so again."""
    if name in LINKED_KINDS:
        return [record.id for record in bundle.linked[LINKED_KINDS[name].name]]
    if name in ("start_date", "end_date"):
        return event.start_local if name == "start_date" else event.end_local
    return getattr(event, name)


def _template_value(found: Series, name: str) -> object:
    """The same of a series."""
    if name in LINKED_KINDS:
        return found.template.links.get(LINKED_KINDS[name].name, [])
    return getattr(found.template.event, name)


def _settle(work: UnitOfWork, sent: Mapping[int, tuple[int, str]], outcome: BulkOutcome) -> None:
    """After the last transaction: what became of the events. What dates of series were changed in further
    transactions is part of what is taken back, unless somebody else has changed one meanwhile."""
    after = stored_events.states(work.session, [*sent])
    for id, (rev, name) in sent.items():
        rev_now, status = after.get(id, (0, TRASH))  # deleted since
        if rev_now == rev:
            outcome.leave(SAME, name)
        else:
            outcome.changed[status] += 1
    for number, part in enumerate(outcome.previous):
        revs = series.revs_after(work.session, part.series, part.rev) if part.series else []
        if revs and all(map(outcome.is_of_this_action, revs)):
            outcome.previous[number] = part._replace(rev=max(revs))


def _undo_row(work: UnitOfWork, part: Previous, id: int, outcome: BulkOutcome) -> bool:
    """Makes fields of an event or a series what they were before; whether it did."""
    if not (part.values or part.days):
        return False
    try:
        event = cast(Event, posts.writable(work, EVENT, id))
    except ApiError as error:
        outcome.leave(GONE if error.error_type.status == 404 else NOT_YOURS)
        return False
    found = series.find(work.session, part.series) if part.series else None
    rev = event.rev if found is None else found.rev
    is_other = part.series and (found is None or found.id != event.series)
    if is_other or (rev > part.rev and not outcome.is_of_this_action(rev)):
        outcome.leave(CHANGED_SINCE, event.name)
        return False
    values = MovedBy(part.days)(event) if part.days else _with_known_links(work, part.values, event, outcome)
    if not values:
        return False
    scope = operations.ALL if part.series else operations.THIS
    operations.update(work, EVENT, id, read_update(EVENT.fields, values), scope)
    return True


def _with_known_links(work: UnitOfWork, values: Values, event: Event, outcome: BulkOutcome) -> Values:
    """The values without what was deleted since. What was merged is the record that stays; a link of which nothing is
    left stays as it is now."""
    found = dict(values)
    for name, kind in LINKED_KINDS.items():
        wanted = values.get(name)
        if not isinstance(wanted, list) or not wanted:
            continue
        ids = [id for id in wanted if isinstance(id, int)]
        merged = merges.merged_into(work.session, kind.name, ids)
        current = [merged.get(id, id) for id in ids]
        if kind.is_term:
            known = {id for id in current if terms.find(work.session, kind.name, id) is not None}
        else:
            stored = stored_posts.find_many(work.session, kind.name, current)
            known = {id for id, one in stored.items() if one.status != TRASH and work.visibility.can_read(one)}
        if missing := not known.issuperset(current):
            outcome.leave(LINK_GONE, event.name)
        found[name] = [id for id in dict.fromkeys(current) if id in known]
        if missing and not found[name]:
            del found[name]
    return found


def _hide_companions(work: UnitOfWork, part: Previous, outcome: BulkOutcome) -> None:
    """What became public with an event waits again, unless another public event shows it by now, or somebody has
    changed it."""
    for kind, id, status in part.companions:
        record = stored_posts.find(work.session, kind, id) if kind in COMPANION_KINDS else None
        if not isinstance(record, Companion) or record.status != PUBLISH or not may_edit(work.caller, record):
            continue
        is_same = record.rev <= part.rev or outcome.is_of_this_action(record.rev)
        if is_same and status in UNPUBLISHED and not links.has_public_event(work.session, kind, id):
            hide_companion(work, kind, record, status)
