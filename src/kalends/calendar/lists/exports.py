"""A whole list of events, read in batches from its beginning to its end."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from msgspec.structs import replace

from kalends.calendar.access import Caller, UnitOfWork, visibility_of
from kalends.calendar.lists.joined_fragments import FragmentReader, fragment_reader
from kalends.calendar.lists.queries import event_query, valid_until
from kalends.calendar.posts import protected_events
from kalends.calendar.posts.added import more_of
from kalends.calendar.posts.posts import bundle_posts
from kalends.calendar.revisions import clock_changes
from kalends.calendar.storing.prerender_task import Requested
from kalends.calendar.transactions import Transactions
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.present.ical_fragments import PrerenderedEntry
from kalends.present.ical_series import VisibleSeries
from kalends.store.engine.store import StoreUnavailable
from kalends.store.query import lists
from kalends.store.query.list_query import ListQuery
from kalends.store.rows import journal, posts
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.fragments import EntryRow, FragmentSet
from kalends.store.rows.records import Event, Series
from kalends.store.rows.visibility import Visibility
from kalends.values import dates, zones
from kalends.values.more import NOTHING_MORE

BATCH = 200  # events that are read at once
LONGEST_OUTAGE = 20.0  # seconds after which an export is broken off
FIRST_PAUSE = 0.05  # before a batch is read again; each pause is twice as long
TRASH_NOTICE = timedelta(days=90)
MOST_TRASHED = 1000
MOST_OF_A_SERIES = 10_000  # far more than it can have
MOST_LETTERS = 2_000_000  # of series in a batch; each letter can take four bytes
LETTERS_OF_A_DATE = 500  # beside its description

Exported = tuple[Event, Bundle]
Entry = Exported | PrerenderedEntry | VisibleSeries


@dataclass(frozen=True, slots=True)
class EventExport:
    """What is exported, for one caller. `version` changes when something of it does, and is empty where only reading
    it all could tell."""

    query: ListQuery
    password: bytes | None
    version: str
    by_series: bool  # a series is one entry with all its events, not one for each of them


def open_export(
    work: UnitOfWork, reading: Reading, password: bytes | None, *, whole: bool, by_series: bool
) -> EventExport:
    """`whole`: without a default window."""
    query, _ = event_query(work, reading, password, whole=whole)
    return EventExport(query, password, _version(work, query.visibility, reading.values), by_series)


Position = tuple[str, int]  # the start and the id of the last event that was read


def next_batch(
    work: UnitOfWork, export: EventExport, after: Position | None, known: set[int], reader: FragmentReader | None
) -> tuple[list[Entry], Position | None]:
    """The next events of an export, and where the one after them begins, None at the end. `known` are the series that
    were there before; this one's are added. `reader`: events come with their fragments, where these tell all that a
    feed shows."""
    if reader is None:
        events = _events(work, lists.next_ids(work.session, export.query, after, BATCH))
        found, used = _with_series(work, export, _bundle_exported(work, export, events), known)
        positions: list[Position] = [(event.start_local, event.id) for event in events]
    else:
        rows, parts = reader.entries(work, export.query, after, BATCH)
        found, used = _prerendered(work, export, rows, parts, known)
        positions = [row[:2] for row in rows]
    return found, None if used == len(positions) < BATCH else positions[used - 1]


def _prerendered(
    work: UnitOfWork, export: EventExport, rows: Sequence[EntryRow], parts: FragmentSet, known: set[int]
) -> tuple[list[Entry], int]:
    """Events from their fragments, but a series and what has none from the records; and how many of the rows they
    are. Series may be long, so the others are left to the next batch after some of them."""
    chosen = [row for row in rows if _is_first(row.series, known)] if export.query.collapse else rows
    is_one_entry = {row.id for row in chosen if export.by_series and row.series and not export.query.collapse}
    wanted = [row.id for row in chosen if row.links is None and row.id not in is_one_entry]
    read = {one[0].id: one for one in _bundle_exported(work, export, _events(work, wanted))}
    more = more_of(work, EVENT, [row.id for row in chosen if row.links is not None and not row.links.masked])
    found: list[Entry] = []
    letters = 0
    for number, row in enumerate(chosen, 1):
        if row.id in is_one_entry:
            if row.series and row.series not in known:
                known.add(row.series)
                found.append(series := _series(work, export, row.series))
                letters += _letters(series)
                if letters > MOST_LETTERS:
                    return found, number
        elif row.links is None:
            found.append(read[row.id])
        else:
            added = more.get(row.id, NOTHING_MORE)
            found.append(PrerenderedEntry(row.id, row.start_local, row.entry, row.links, parts, added))
    return found, len(rows)


def _is_first(series: int | None, known: set[int]) -> bool:
    """Whether a single event, or the first of its series, which is known from now on."""
    if series in known:
        return False
    known.update([series] if series else [])
    return True


def _with_series(
    work: UnitOfWork, export: EventExport, exported: Sequence[Exported], known: set[int]
) -> tuple[list[Entry], int]:
    """Events of an export; in place of the first of a series all that the export has of it, or that date alone if
    series are collapsed. And how many of them are done, as above."""
    found: list[Entry] = []
    letters = 0
    for number, (event, bundle) in enumerate(exported, 1):
        series = bundle.series if export.by_series or export.query.collapse else None
        if series is None:
            found.append((event, bundle))
        elif series.id not in known:
            known.add(series.id)
            if export.query.collapse:
                found.append((event, bundle))
                continue
            found.append(whole := _series(work, export, series.id))
            letters += _letters(whole)
            if letters > MOST_LETTERS:
                return found, number
    return found, len(exported)


def _letters(series: VisibleSeries) -> int:
    return sum(LETTERS_OF_A_DATE + len(event.description) for event, _ in series.occurrences)


def _series(work: UnitOfWork, export: EventExport, id: int) -> VisibleSeries:
    """All that an export has of a series, in which it has something."""
    query = replace(export.query, series=[id])
    shown = _bundle_exported(work, export, _events(work, lists.next_ids(work.session, query, None, MOST_OF_A_SERIES)))
    return VisibleSeries(cast(Series, shown[0][1].series), shown)


def _bundle_exported(work: UnitOfWork, export: EventExport, events: Sequence[Event]) -> list[Exported]:
    return cast(list[Exported], bundle_posts(work, events, export.password))


def recently_trashed(work: UnitOfWork, export: EventExport) -> list[Event]:
    """Events that were public lately and are in the trash now; none where the export shows the trash itself."""
    statuses = export.query.statuses or [PUBLISH]
    if PUBLISH not in statuses or TRASH in statuses:
        return []
    since = dates.text(work.now - TRASH_NOTICE)
    query = replace(export.query, trashed_since=since)
    return _events(work, lists.next_ids(work.session, query, None, MOST_TRASHED))


def _version(work: UnitOfWork, visibility: Visibility, values: Values) -> str:
    if visibility.due or not (visibility.is_public or visibility.everything):
        return ""  # the journal knows neither what is due nor whose records a change concerned
    # The clock moves the default window at midnight, and relative times with every second.
    is_steady = valid_until(work, values) is not None
    moment = zones.to_local(work.now, work.settings.timezone).date() if is_steady else work.now
    clock_changed, _ = clock_changes(work.session, work.now_text)
    if visibility.is_public:
        return f"{work.epoch} public {journal.read_state(work.session).public} {moment} {clock_changed}"
    return f"{work.epoch} all {journal.last_rev(work.session)} {moment} {clock_changed}"


def _events(work: UnitOfWork, ids: Sequence[int]) -> list[Event]:
    found = posts.find_many(work.session, EVENT.name, ids)
    return [event for id in ids if isinstance(event := found[id], Event)]


def open_with_password(
    calendar: Transactions,
    caller: Caller,
    reading: Reading,
    *,
    whole: bool,
    by_series: bool = True,
    password: str | None = None,
    address: str = "",
) -> EventExport:
    """A whole list of events. `whole`: without a default window; `by_series`: the events of a series together."""
    digest = None if password is None else protected_events.digest_for_list(calendar, caller, password, address)
    return calendar.read(caller, open_export, reading, digest, whole=whole, by_series=by_series)


def export_events(calendar: Transactions, caller: Caller, export: EventExport) -> Iterator[Exported | VisibleSeries]:
    """Every event of an export. Each batch is read in a transaction of its own, again after an outage."""
    return cast(Iterator[Exported | VisibleSeries], _batches(calendar, caller, export, prerendered=False))


def feed_events(calendar: Transactions, caller: Caller, export: EventExport) -> Iterator[Entry]:
    """The same for a feed, from fragments where these tell all."""
    prerendered = export.password is None and visibility_of(caller).is_public
    return _batches(calendar, caller, export, prerendered=prerendered)


def _batches(calendar: Transactions, caller: Caller, export: EventExport, *, prerendered: bool) -> Iterator[Entry]:
    last: Position | None = None
    known: set[int] = set()
    while True:
        found, last, known = _next_batch(calendar, caller, export, last, known, prerendered=prerendered)
        yield from found
        if last is None:
            return


def _next_batch(
    calendar: Transactions,
    caller: Caller,
    export: EventExport,
    last: Position | None,
    known: set[int],
    *,
    prerendered: bool,
) -> tuple[list[Entry], Position | None, set[int]]:
    """The next batch, where it ends, and the series that are known after it."""
    deadline, pause = time.monotonic() + LONGEST_OUTAGE, FIRST_PAUSE
    while True:
        after = set(known)
        try:
            with calendar.reading(caller) as work:
                reader = fragment_reader(work) if prerendered and not work.session.due else None
                found, next_position = next_batch(work, export, last, after, reader)
                if reader is not None:
                    work.memory.of(Requested).add(EVENT, [one[0].id for one in found if isinstance(one, tuple)])
                return found, next_position, after
        except StoreUnavailable:
            if time.monotonic() > deadline:
                raise
        time.sleep(pause)
        pause *= 2
