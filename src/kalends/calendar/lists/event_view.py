"""The page of an event: the event, and what comes before, after, with and within it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from msgspec.structs import replace

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists.page_views import FIRST_DAY, LAST_DAY, BundledEvent, bundled_by_id, colours, yesterday_of
from kalends.calendar.lists.queries import read_window
from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import bundle_post
from kalends.contract.errors import NOT_FOUND, ApiError, Problems
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH
from kalends.store.query import lists
from kalends.store.query.list_query import ListQuery
from kalends.store.rows import series as stored_series
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series

RELATED = 4
DATES = 5  # of the same series
NEIGHBOURS = 12  # candidates, of which those with different names are related events
MOST_SHARED = 3  # categories and venues through which events are related
MOST_PARTS = 24
EARLIEST, LATEST = "1900-01-03", "9999-12-29"  # of events that have neighbours


class OtherPart(NamedTuple):
    """Another series of the same course, and the date of it that is next to this one."""

    series: Series
    nearest: BundledEvent
    total: int
    last_start: str
    is_earlier: bool


class SeriesDates(NamedTuple):
    """The dates of a series on the page of one of them, with those of the whole course."""

    series: Series
    upcoming: list[BundledEvent]  # the next ones of the course besides this
    total: int  # of the series
    last_start: str
    others: list[OtherPart]

    @property
    def course_total(self) -> int:
        return self.total + sum(part.total for part in self.others)


@dataclass(frozen=True, slots=True)
class EventView:
    """An event and what its page leads to."""

    bundled: BundledEvent
    above: BundledEvent | None  # the programme that it is a part of
    parts: list[BundledEvent]
    related: list[BundledEvent]
    before: BundledEvent | None
    after: BundledEvent | None
    dates: SeriesDates | None  # None also if a reader sees only this one
    colours: tuple[str, ...]  # that people gave to categories


def of_event(work: UnitOfWork, key: posts.Key) -> EventView:
    """The page of a stored event."""
    return around(work, cast(BundledEvent, bundle_post(work, posts.read(work, EVENT, key))))


def masked(work: UnitOfWork, key: posts.Key) -> tuple[BundledEvent, tuple[str, ...]]:
    """A protected event as a list shows it, and the colours of categories."""
    event = posts.find(work, EVENT, key)
    if not work.visibility.can_read(event):
        raise ApiError(NOT_FOUND[EVENT.name])  # since a moment ago
    return cast(BundledEvent, bundle_post(work, event)), colours(work)


def around(work: UnitOfWork, bundled: BundledEvent) -> EventView:
    """The page of an event that may not be stored, or not be public: what it leads to is what `work` sees."""
    event, bundle = bundled
    yesterday = yesterday_of(work)
    series = bundle.series
    if series is not None and event.status != PUBLISH:
        series = stored_series.find_readable(work.session, work.visibility, series.id)
    # The parent of an occurrence is the first of its series, which is no programme.
    above = [bundle.parent] if bundle.parent and bundle.series is None else []
    parts = _parts(work, event, yesterday)
    related = _candidates(work, bundle, yesterday)
    before, after = _neighbours(work, event)
    course = [] if series is None else stored_series.in_course(work.session, series.series_of) or [series.id]
    upcoming, total, last = ([], 0, []) if series is None else _dates(work, event, series, course, yesterday)
    found = bundled_by_id(work, [*above, *parts, *related, *before, *after, *upcoming, *last])

    def chosen(ids: Iterable[int]) -> list[BundledEvent]:
        return [found[id] for id in ids if id in found]

    def first(ids: Iterable[int]) -> BundledEvent | None:
        return next(iter(chosen(ids)), None)

    dates = None
    if series is not None:
        others = [part for id in course if id != series.id and (part := _part(work, series, id)) is not None]
        others.sort(key=lambda part: part.nearest[0].start_local)
        last_start = found[last[0]][0].start_local if last else event.start_local
        dates = SeriesDates(series, chosen(upcoming), total, last_start, others)
    return EventView(
        bundled=bundled,
        above=first(above),
        parts=chosen(parts),
        related=_different(bundled, chosen(related)),
        before=first(before),
        after=first(after),
        dates=dates if dates is not None and dates.course_total > 1 else None,
        colours=colours(work),
    )


def _query(work: UnitOfWork, **window: str) -> ListQuery:
    """All events of a window. What else they are filtered by is known to exist."""
    values = read_query(EVENT.filters, dict(window)).values
    found, _ = read_window(work, values, Problems())
    return ListQuery(work.visibility, found, descending=values.get("order") == "desc")


def _parts(work: UnitOfWork, event: Event, yesterday: str) -> list[int]:
    """What belongs to an event: what is still to come of it, or else all of it."""
    # The children of an occurrence are the others; a draft in a preview is unknown to the public list.
    if event.series is not None or event.status != PUBLISH:
        return []
    to_come = replace(_query(work, ends_after=yesterday), parents=[event.id])
    whole = replace(_query(work, start_date=FIRST_DAY, end_date=LAST_DAY), parents=[event.id])
    return lists.first_ids(work.session, to_come, MOST_PARTS) or lists.first_ids(work.session, whole, MOST_PARTS)


def _candidates(work: UnitOfWork, bundle: Bundle, yesterday: str) -> list[int]:
    """What comes next in the same categories, then at the same venues."""
    # One query each: it follows an index, however many events there are.
    # A preview may have records that are not stored yet, or not public.
    shared = [("category", term.id) for term in bundle.linked["category"] if term.id][:MOST_SHARED]
    shared += [("venue", one.id) for one in bundle.linked["venue"] if one.id and one.status == PUBLISH][:MOST_SHARED]
    query = _query(work, ends_after=yesterday)
    queries = [replace(query, linked={kind: [id]}) for kind, id in shared]
    return [id for one in queries for id in lists.first_ids(work.session, one, NEIGHBOURS)]


def _different(bundled: BundledEvent, candidates: Sequence[BundledEvent]) -> list[BundledEvent]:
    """Related events: each name and each course once."""
    event, bundle = bundled
    names, series, chosen = {event.name}, {bundle.series.series_of if bundle.series else None}, list[BundledEvent]()
    for other, its in candidates:
        belongs = other.post_parent == event.id or other.id == bundle.parent
        is_known = other.name in names or (its.series is not None and its.series.series_of in series)
        if not belongs and not is_known:
            names.add(other.name)
            series.add(its.series.series_of if its.series else None)
            chosen.append((other, its))
    return chosen[:RELATED]


def _neighbours(work: UnitOfWork, event: Event) -> tuple[list[int], list[int]]:
    """The events before and after this one in the calendar."""
    if not EARLIEST < event.start_utc < LATEST:
        return [], []  # there is no time before or after it to ask for
    start = f"{event.start_utc.replace(' ', 'T')}Z"
    before = _query(work, strict_dates="true", start_date=FIRST_DAY, starts_before=start, order="desc")
    after = _query(work, strict_dates="true", starts_after=start, end_date=LAST_DAY)
    return lists.first_ids(work.session, before, 1), lists.first_ids(work.session, after, 1)


def _dates(
    work: UnitOfWork, event: Event, series: Series, course: Sequence[int], yesterday: str
) -> tuple[list[int], int, list[int]]:
    """The next dates of a course besides this one; how many its series has, and the last."""
    coming = replace(_query(work, ends_after=yesterday), series=course, exclude=[event.id])
    return lists.first_ids(work.session, coming, DATES), *_last(work, series.id)


def _part(work: UnitOfWork, series: Series, id: int) -> OtherPart | None:
    """Another series of the course of one, if a reader sees a date of it."""
    other = stored_series.find_readable(work.session, work.visibility, id)
    total, last = _last(work, id)
    if other is None or not total:
        return None
    is_earlier = other.template.event.start_local < series.template.event.start_local
    nearest = last if is_earlier else lists.first_ids(work.session, _all_of(work, id), 1)
    shown = bundled_by_id(work, {*nearest, *last})
    return OtherPart(other, shown[nearest[0]], total, shown[last[0]][0].start_local, is_earlier)


def _last(work: UnitOfWork, series: int) -> tuple[int, list[int]]:
    """How many dates of a series a reader sees, and the last."""
    found = lists.find_page(work.session, replace(_all_of(work, series), descending=True), 1, 0)
    return found.total, found.ids


def _all_of(work: UnitOfWork, series: int) -> ListQuery:
    return replace(_query(work, start_date=FIRST_DAY, end_date=LAST_DAY), series=[series])
