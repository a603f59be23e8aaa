"""The same change to several events at once, with what takes it back.

A person chose them in a list: events, and rows of series, each of which stands for some or all dates of one. What was
changed since it was shown is left as it is; what became of everything is told. It is all or nothing, unless the rows
have so many dates, or so long texts, that other writers should come in between.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Annotated, NamedTuple, cast

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_edit
from kalends.calendar.background import long_work
from kalends.calendar.deadline import Deadline
from kalends.calendar.lists import series_rows
from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import show_all
from kalends.calendar.series import new_occurrences, operations, series_change
from kalends.calendar.storing.first_publication import version
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.contract.events import LINKED_KINDS
from kalends.contract.fields import Reading, Values, read_update
from kalends.contract.kinds import EVENT
from kalends.contract.numbers import LARGEST
from kalends.contract.statuses import PUBLISH
from kalends.languages import N_
from kalends.store.rows import journal, series
from kalends.store.rows import posts as stored_posts
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series
from kalends.values import dates
from kalends.values.dates import is_undated

MOST = 200  # rows at once
MOST_DATES = 500  # of the rows of one transaction; one row alone may have more
TEXT_OF_A_DATE = 8_000  # characters; an event with a longer text counts as several
MOST_BACK = 2000  # events that are taken back
MOST_DAYS = 3660  # by which events are moved at once

# Why something was left as it is.
CHANGED_SINCE, NOT_IN_TRASH, UNDATED, NOT_YOURS, GONE, SAME, TOO_MANY = (
    "changed_since",
    "not_in_trash",
    "undated",
    "not_yours",
    "gone",
    "same",
    "too_many",
)

TIMES = frozenset({"start_local", "end_local"})  # that a date of a series may have for itself

Change = Callable[[Event, Bundle], Values]  # what an event is sent; nothing to leave it alone


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
class Outcome:
    """What became of the chosen events."""

    changed: Counter[str] = field(default_factory=Counter)  # how many, by the status that they have now
    left: dict[str, list[str]] = field(default_factory=dict)  # the names of the others, by the reason
    previous: list[Previous] = field(default_factory=list)  # takes it back
    own: list[range] = field(default_factory=list)  # revisions of this action, of one that has several transactions

    def is_own(self, rev: int) -> bool:
        return any(rev in one for one in self.own)

    def add(self, other: "Outcome") -> None:
        """What became of more of them."""
        self.changed += other.changed
        self.previous += other.previous
        for reason, names in other.left.items():
            self.left.setdefault(reason, []).extend(names)

    def leave(self, reason: str, name: str = "") -> None:
        """`name`: only of what the caller can read."""
        self.left.setdefault(reason, []).append(name)


class Group(NamedTuple):
    """What one row stands for."""

    events: list[Event]
    series: Series | None = None


class Ready(NamedTuple):
    """What was found of the row of a very long series before the transaction that changes it, which then only has to
    look whether it is still so."""

    group: Group
    wanted: dict[int, Values]
    before: dict[int, Values]
    way: operations.Way
    left: Outcome  # of its dates, those that stay as they are


def distinct(chosen: Iterable[Chosen], outcome: Outcome) -> list[Chosen]:
    """The rows that are changed, of those that were chosen."""
    rows = list(dict.fromkeys(chosen))
    for _ in rows[MOST:]:
        outcome.leave(TOO_MANY)
    return rows[:MOST]


def look_ahead(
    work: UnitOfWork, row: Chosen, change: Change, standing_for: Reading | None, outcome: Outcome
) -> Ready | None:
    """What is found of a row outside of a transaction; None where that is quick enough inside of it."""
    if not row.is_series or series.count(work.session, row.id) <= MOST_DATES or isinstance(change, MovedBy):
        return None
    left = Outcome(own=outcome.own)
    group = _as_shown(work, row, standing_for, left)
    if group is None or group.series is None:
        return None
    wanted, before = _wanted(work, group, change, left)
    way = operations.way_to_change(work, row.id, wanted) if wanted else None
    return None if way is None or way.rev != group.series.rev else Ready(group, wanted, before, way, left)


def change_some(
    work: UnitOfWork,
    rows: Sequence[Chosen],
    change: Change,
    standing_for: Reading | None,
    outcome: Outcome,
    ready: Ready | None = None,
) -> Sequence[Chosen]:
    """Changes those of the rows that the caller can edit and that are as they were shown; the rows that are left when
    those before have many dates. `standing_for`: the list whose dates the row of a series stands for. `ready`: what
    was found of the first row before."""
    if ready is not None and _still_holds(work, ready):
        return _change_ready(work, rows, ready, outcome)
    some, first = Outcome(own=outcome.own), journal.last_rev(work.session) + 1
    # All versions are compared before anything changes: a date in the trash changes the others of its series.
    groups: list[Group] = []
    while rows and sum(_weight(event) for group in groups for event in group.events) < MOST_DATES:
        row, *rows = rows
        if (group := _as_shown(work, row, standing_for, some)) is not None:
            groups.append(group)
    before: dict[int, Event] = {}
    for group in groups:
        before |= _change_group(work, group, change, some)
    _count(work, before, some)
    _end_transaction(work, first, some, outcome)
    return rows


def _weight(event: Event) -> int:
    """As how many dates of a short text an event counts."""
    return 1 + new_occurrences.text_of(event) // TEXT_OF_A_DATE


def _still_holds(work: UnitOfWork, ready: Ready) -> bool:
    found = series.find(work.session, ready.group.series.id if ready.group.series else 0)
    return found is not None and found.rev == ready.way.rev


def _change_ready(work: UnitOfWork, rows: Sequence[Chosen], ready: Ready, outcome: Outcome) -> Sequence[Chosen]:
    """Changes the dates of the first row, which is a very long series."""
    first = journal.last_rev(work.session) + 1
    some = Outcome(left=ready.left.left, own=outcome.own)
    _change_dates(work, ready.group, ready.wanted, ready.before, some, ready.way)
    _count(work, {event.id: event for event in ready.group.events if event.id in ready.wanted}, some)
    _end_transaction(work, first, some, outcome)
    return rows[1:]


def _count(work: UnitOfWork, before: dict[int, Event], some: Outcome) -> None:
    """What became of events that were sent something."""
    # Of a series that is changed in steps, most dates follow before the person is told.
    through = {
        part.series: part.ids[0]
        for part in some.previous
        if (series_change.CHANGE.name, str(part.series)) in work.follow_ups
    }
    stored = [id for id, event in before.items() if event.series not in through]
    after = cast(dict[int, Event], stored_posts.find_many(work.session, EVENT.name, [*stored, *through.values()]))
    for id, event in before.items():
        if event.series in through:
            some.changed[after[through[event.series]].status] += 1
        elif after[id].rev == event.rev:
            some.leave(SAME, event.name)
        else:
            some.changed[after[id].status] += 1


def _end_transaction(work: UnitOfWork, first: int, some: Outcome, outcome: Outcome) -> None:
    last = journal.last_rev(work.session)
    some.previous = [part._replace(rev=last) for part in some.previous]
    outcome.add(some)
    outcome.own.append(range(first, last + 1))


def settle(work: UnitOfWork, outcome: Outcome) -> None:
    """After the last transaction: what dates of series were changed in steps is part of what is taken back, unless
    somebody else has changed a date meanwhile."""
    for number, part in enumerate(outcome.previous):
        revs = series.revs_after(work.session, part.series, part.rev) if part.series else []
        if revs and all(map(outcome.is_own, revs)):
            outcome.previous[number] = part._replace(rev=max(revs))


def take_back(work: UnitOfWork, named: tuple[Previous, int], outcome: Outcome) -> bool:
    """Makes fields of an event or a series what they were before; whether it did. What was changed since stays."""
    part, id = named
    if not _is_unchanged(work, part, id, outcome):
        return False
    before = journal.last_rev(work.session)
    scope = operations.ALL if part.series else operations.THIS
    values = part.values
    if part.days:
        values = MovedBy(part.days)(cast(Event, posts.writable(work, EVENT, id)))
    operations.update(work, EVENT, id, read_update(EVENT.fields, values), scope)
    outcome.own.append(range(before + 1, journal.last_rev(work.session) + 1))
    return True


def _is_unchanged(work: UnitOfWork, part: Previous, id: int, outcome: Outcome) -> bool:
    event = _editable(work, id)
    if event is None or not (part.values or part.days):
        return False
    rev = event.rev
    if part.series:
        found = series.find(work.session, part.series)
        if found is None or found.id != event.series:
            return False
        rev = found.rev
    return rev <= part.rev or outcome.is_own(rev)


def _as_shown(work: UnitOfWork, row: Chosen, standing_for: Reading | None, outcome: Outcome) -> Group | None:
    """What a row stands for, if it is there and has not changed since."""
    if not row.is_series:
        try:
            event = cast(Event, posts.writable(work, EVENT, row.id))
        except ApiError as error:
            outcome.leave(GONE if error.error_type.status == 404 else NOT_YOURS)
            return None
        if _is_changed(row, version(work, event.rev, [event.id]), outcome):
            outcome.leave(CHANGED_SINCE, event.name)
            return None
        return Group([event])
    found = series.find_readable(work.session, work.visibility, row.id)
    shown = []
    if found is not None and standing_for is not None:
        shown = series_rows.dates_of(work, standing_for, [row.id])[row.id]
    known = stored_posts.find_many(work.session, EVENT.name, [date.id for date in shown])
    events = [cast(Event, event) for event in known.values()]
    editable = [event for event in events if may_edit(work.caller, event)]
    for _ in range(len(events) - len(editable)):
        outcome.leave(NOT_YOURS)
    if found is None or not editable:
        outcome.leave(GONE)
        return None
    if _is_changed(row, version(work, found.rev, list(known)), outcome):
        outcome.leave(CHANGED_SINCE, editable[0].name)
        return None
    return Group(editable, found)


def _is_changed(row: Chosen, rev: int, outcome: Outcome) -> bool:
    """Whether somebody changed it since it was shown."""
    return row.rev not in (None, rev) and not outcome.is_own(rev)


def _change_group(work: UnitOfWork, group: Group, change: Change, outcome: Outcome) -> dict[int, Event]:
    """Changes what a row stands for; the events that were sent something, as they were."""
    wanted, before = _wanted(work, group, change, outcome)
    if isinstance(change, MovedBy) and wanted:
        _move_group(work, group, wanted, change, outcome)
    else:
        _change_dates(work, group, wanted, before, outcome)
    return {event.id: event for event in group.events if event.id in wanted}


def _wanted(
    work: UnitOfWork, group: Group, change: Change, outcome: Outcome
) -> tuple[dict[int, Values], dict[int, Values]]:
    """What each event of a group is sent, and what it has now, by id."""
    wanted: dict[int, Values] = {}
    before: dict[int, Values] = {}
    for shown in show_all(work, group.events):
        event, bundle = cast(tuple[Event, Bundle], shown)
        sent = change(event, bundle)
        values = {name: _value(event, bundle, name) for name in sent}
        if not sent or sent == values:
            outcome.leave(SAME, event.name)
        elif sent.get("status") == PUBLISH and is_undated(event.start_local, event.end_local):
            outcome.leave(UNDATED, event.name)
        else:
            wanted[event.id], before[event.id] = sent, values
    return wanted, before


def _change_dates(
    work: UnitOfWork,
    group: Group,
    wanted: dict[int, Values],
    before: dict[int, Values],
    outcome: Outcome,
    way: operations.Way | None = None,
) -> None:
    """Sends events of a group what they are to have; what takes it back."""
    template: Values = {}
    if group.series is not None and wanted:
        names = next(iter(wanted.values()))
        through = operations.change_dates(work, group.series.id, wanted, way)
        if through is not None:
            template = {name: _template_value(group.series, name) for name in names}
            outcome.previous.append(Previous(template, [through], series=group.series.id))
    else:
        for id, sent in wanted.items():
            operations.update(work, EVENT, id, read_update(EVENT.fields, sent))
    _remember(outcome.previous, {id: values for id, values in before.items() if values != template})


def _move_group(work: UnitOfWork, group: Group, wanted: dict[int, Values], change: MovedBy, outcome: Outcome) -> None:
    """Moves what a row stands for. A series that was moved as a whole is moved back as a whole, and beside it the
    dates that had a time of their own."""
    through, alone = None, set(wanted)
    if group.series is not None:
        through = operations.change_dates(work, group.series.id, wanted)
    else:
        for id, sent in wanted.items():
            operations.update(work, EVENT, id, read_update(EVENT.fields, sent))
    if through is not None and group.series is not None:
        outcome.previous.append(Previous({}, [through], series=group.series.id, days=-change.days))
        own = {event.id for event in group.events if not TIMES.isdisjoint(event.own_fields)}
        alone = (alone & own) - {through}
    if alone:
        outcome.previous.append(Previous({}, sorted(alone), days=-change.days))


def _remember(previous: list[Previous], before: dict[int, Values]) -> None:
    """Adds what takes changes of single events back, those with the same values together."""
    known = {repr(part.values): part for part in previous if not part.series}
    for id, values in before.items():
        if repr(values) not in known:
            known[repr(values)] = Previous(values, [])
            previous.append(known[repr(values)])
        known[repr(values)].ids.append(id)


def _editable(work: UnitOfWork, id: int) -> Event | None:
    """The event; None for one that is gone or that belongs to somebody else."""
    try:
        return cast(Event, posts.writable(work, EVENT, id))
    except ApiError:
        return None


def _value(event: Event, bundle: Bundle, name: str) -> object:
    """A field as it would be sent to make it so again."""
    if name in LINKED_KINDS:
        return _ids(bundle.linked[LINKED_KINDS[name].name])
    if name in ("start_date", "end_date"):
        return event.start_local if name == "start_date" else event.end_local
    return getattr(event, name)


def _template_value(found: Series, name: str) -> object:
    """The same of a series."""
    if name in LINKED_KINDS:
        return found.template.links.get(LINKED_KINDS[name].name, [])
    return getattr(found.template.event, name)


def _ids(records: Sequence[object]) -> list[int]:
    return [record.id for record in records]  # type: ignore[attr-defined]


def change_events(
    calendar: Transactions,
    caller: Caller,
    chosen: Iterable[Chosen],
    change: Change,
    standing_for: Reading | None = None,
) -> Outcome:
    """Changes several events. `standing_for`: the list whose dates the row of a series stands for."""
    outcome = Outcome()
    rows = distinct(chosen, outcome)
    ready = list[Ready | None]()

    def look() -> None:
        with calendar.reading_latest(caller) as work:
            ready.append(look_ahead(work, rows[0], change, standing_for, outcome))

    def pause_and_look() -> None:
        long_work.pause()
        look()

    def part(work: UnitOfWork, until: Deadline) -> bool:
        rows[:] = change_some(work, rows, change, standing_for, outcome, ready.pop())
        return bool(rows)

    if rows:
        look()
        long_work.run_parts(calendar, caller, part, between=pause_and_look, later_revs=outcome.own)
    with calendar.reading_latest(caller) as work:
        settle(work, outcome)
    return outcome


def take_back_events(calendar: Transactions, caller: Caller, parts: Iterable[Previous]) -> int:
    """Takes changes of several events back; how many events or series that concerned."""
    named: dict[tuple[int, int], tuple[Previous, int]] = {}
    for one in islice(((part, id) for part in parts for id in part.ids), MOST_BACK):
        named.setdefault((one[0].series, one[1]), one)
    outcome, left, count = Outcome(), [*named.values()], Counter[str]()

    def part(work: UnitOfWork, until: Deadline) -> bool:
        while left:
            count["back"] += take_back(work, left.pop(0), outcome)
            if until.is_over or work.follow_ups:  # the other dates of a series come first
                break
        return bool(left)

    if left:
        long_work.run_parts(calendar, caller, part, later_revs=outcome.own)
    return count["back"]
