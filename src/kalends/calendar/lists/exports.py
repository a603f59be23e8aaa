"""A whole list of events, read in batches from its beginning to its end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from msgspec.structs import replace

from kalends.calendar.lists.queries import event_query
from kalends.calendar.lists.window import valid_until
from kalends.calendar.posts.shown import show_all
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.present.ical_series import SeriesShown
from kalends.store.query import lists
from kalends.store.query.list_query import ListQuery
from kalends.store.rows import journal, posts
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility
from kalends.values import dates, zones

BATCH = 200  # events that are read at once
LONGEST_OUTAGE = 20.0  # seconds after which an export is broken off
FIRST_PAUSE = 0.05  # before a batch is read again; each pause is twice as long
TRASH_NOTICE = timedelta(days=90)
MOST_TRASHED = 1000
MOST_OF_A_SERIES = 10_000  # far more than it can have

Exported = tuple[Event, Bundle]


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


def next_batch(work: UnitOfWork, export: EventExport, after: Event | None) -> list[Event]:
    """The next events of an export; fewer than `BATCH` at its end."""
    position = None if after is None else (after.start_local, after.id)
    return _events(work, lists.next_ids(work.session, export.query, position, BATCH))


def with_series(
    work: UnitOfWork, export: EventExport, shown: Sequence[Exported], known: set[int]
) -> Iterator[Exported | SeriesShown]:
    """Events of an export; in place of the first of a series all that the export has of it, or that date alone if
    series are collapsed. `known` are the series that were there before."""
    for event, bundle in shown:
        series = bundle.series if export.by_series or export.query.collapse else None
        if series is None:
            yield event, bundle
        elif series.id not in known:
            known.add(series.id)
            if export.query.collapse:
                yield event, bundle
                continue
            query = replace(export.query, series=series.id)
            found = _events(work, lists.next_ids(work.session, query, None, MOST_OF_A_SERIES))
            yield SeriesShown(series, cast(list[Exported], show_all(work, found, export.password)))


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
    if visibility.is_public:
        return f"{work.epoch} public {journal.last_changes(work.session)[1]} {moment}"
    return f"{work.epoch} all {journal.last_rev(work.session)} {moment}"


def _events(work: UnitOfWork, ids: Sequence[int]) -> list[Event]:
    found = posts.find_many(work.session, EVENT.name, ids)
    return [event for id in ids if isinstance(event := found[id], Event)]
