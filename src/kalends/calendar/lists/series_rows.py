"""Lists for people who edit: each series is one row, which stands for those of its dates that the list has."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists import pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.queries import event_query
from kalends.calendar.posts.posts import bundle_posts
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.store.query import series_plans
from kalends.store.query.series_plans import DateOfSeries
from kalends.store.rows import links, posts, series
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series

BY_START = "start_date"


class EventOrSeries(NamedTuple):
    """A row: an event, or its series. `rev` is the version that it shows, with what becomes public with it."""

    event: Event
    bundle: Bundle
    rev: int
    series: Series | None = None  # of a row that stands for several dates
    dates: int = 1  # how many it stands for
    all_dates: int = 1  # that the series has, without those in the trash


def find_rows(
    work: UnitOfWork,
    reading: Reading,
    series_filter: Reading | None = None,
    count_to: int | None = None,
    *,
    each_date: bool = False,
) -> tuple[Page, list[EventOrSeries]]:
    """A page of a list. `series_filter`: the list whose dates a row stands for, if that is another one. `each_date`:
    a series has a row for each of its dates."""
    page = pages.find_page(work, EVENT, reading, count_to=count_to, series_once=not each_date)
    events = [cast(Event, event) for event in pages.posts_of(work, EVENT, page)]
    members = {event.series for event in events if event.series is not None}
    found = series.find_many(work.session, members)  # of dates that the caller can read
    known = {id: series.as_read(work.session, work.visibility, one) for id, one in found.items()}
    dates = {} if each_date else dates_of(work, series_filter or reading, [*known])
    if reading.values.get("orderby", BY_START) != BY_START:
        events = _by_next_dates(work, events, dates)
    counts = series.count_live(work.session, known)
    standing = {id: [date.id for date in found] for id, found in dates.items()}
    changes = links.last_changes(work.session, {event.id for event in events}.union(*standing.values()))
    rows = []
    for event, bundle in cast(list[tuple[Event, Bundle]], bundle_posts(work, events)):
        id, stands_for = event.series or 0, len(dates.get(event.series or 0, ()))
        if stands_for > 1:
            rev = max([known[id].rev, *(changes.get(date, 0) for date in standing[id])])
            rows.append(EventOrSeries(event, bundle, rev, known[id], stands_for, counts[id]))
        else:
            rows.append(
                EventOrSeries(event, bundle, max(event.rev, changes.get(event.id, 0)), all_dates=counts.get(id, 1))
            )
    return page, rows


def count(work: UnitOfWork, reading: Reading) -> int:
    """How many rows a list has in which each series is one."""
    return pages.find_page(work, EVENT, reading, series_once=True).total


def dates_of(work: UnitOfWork, reading: Reading, members: Sequence[int]) -> dict[int, list[DateOfSeries]]:
    """The dates that the row of each of these series stands for."""
    if not members:
        return {}
    query, _ = event_query(work, reading, None)
    return series_plans.dates_of(work.session, query, members)


def _by_next_dates(
    work: UnitOfWork, events: Sequence[Event], dates: Mapping[int, Sequence[DateOfSeries]]
) -> list[Event]:
    """In place of whichever date a list found first, the next one of each series; the last if all are over."""
    wanted = {}
    for id, found in dates.items():
        to_come = (date.id for date in found if date.end_utc >= work.now_text)
        wanted[id] = next(to_come, found[-1].id if found else 0)
    known = posts.find_many(work.session, EVENT.name, list(wanted.values()))
    return [cast(Event, known.get(wanted.get(event.series or 0, 0), event)) for event in events]
