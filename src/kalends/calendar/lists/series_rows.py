"""Lists for people who edit: each series is one row, which stands for those of its dates that the list has."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from kalends.calendar.lists import pages
from kalends.calendar.lists.pages import Page
from kalends.calendar.lists.queries import event_query
from kalends.calendar.posts.shown import show_all
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.store.query import series_once
from kalends.store.rows import series
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series


class Row(NamedTuple):
    """A row: an event, or its series. `rev` is the version that it shows."""

    event: Event
    bundle: Bundle
    rev: int
    series: Series | None = None  # of a row that stands for several dates
    dates: int = 1  # how many it stands for
    all_dates: int = 1  # that the series has, without those in the trash


def find_rows(
    work: UnitOfWork,
    reading: Reading,
    standing_for: Reading | None = None,
    count_to: int | None = None,
    *,
    each_date: bool = False,
) -> tuple[Page, list[Row]]:
    """A page of a list. `standing_for`: the list whose dates a row stands for, if that is another one. `each_date`: a
    series has a row for each of its dates."""
    page = pages.find_page(work, EVENT, reading, count_to=count_to, series_once=not each_date)
    shown = cast(list[tuple[Event, Bundle]], show_all(work, pages.posts_of(work, EVENT, page)))
    members = {event.series for event, _ in shown if event.series is not None}
    counts = series.count_live(work.session, members)
    if each_date or not members:
        return page, [
            Row(event, bundle, event.rev, all_dates=counts.get(event.series or 0, 1)) for event, bundle in shown
        ]
    known = series.find_many(work.session, members)
    dates = dates_of(work, standing_for or reading, [*members])
    rows = []
    for event, bundle in shown:
        found, number = known.get(event.series or 0), len(dates.get(event.series or 0, ()))
        if found is None:
            rows.append(Row(event, bundle, event.rev))
        elif number > 1:
            rows.append(Row(event, bundle, found.rev, found, number, counts[found.id]))
        else:
            rows.append(Row(event, bundle, event.rev, all_dates=counts[found.id]))
    return page, rows


def dates_of(work: UnitOfWork, reading: Reading, members: Sequence[int]) -> dict[int, list[int]]:
    """The ids of the dates that the row of each of these series stands for."""
    query, _ = event_query(work, reading, None)
    return series_once.dates_of(work.session, query, members)
