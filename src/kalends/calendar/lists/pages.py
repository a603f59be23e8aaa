"""One page of a list: its records, its total, and the filters that made it."""

from collections.abc import Sequence

import msgspec

from kalends.calendar.lists.queries import effective_filters, event_query, term_query, venue_organizer_query
from kalends.calendar.lists.typed_values import number
from kalends.calendar.lists.window import valid_until
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.common import DEFAULT_PER_PAGE
from kalends.contract.errors import NO_SUCH_PAGE, ApiError
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, Kind
from kalends.store.query import event_lists, term_lists, venue_organizer_lists
from kalends.store.query import series_once as rows_of_series
from kalends.store.query.event_lists import FragmentOptions
from kalends.store.rows import posts, terms
from kalends.store.rows.fragments import Found
from kalends.store.rows.records import Post, Term


class Page(msgspec.Struct, frozen=True):
    """One page of a list. `effective` are the filters that made it, as a client would write them."""

    ids: Sequence[int]
    total: int
    number: int
    size: int
    effective: dict[str, object] = msgspec.field(default_factory=dict)
    # Until when, in UTC, the clock alone does not change it: "" for ever, None not even now.
    valid_until: str | None = ""
    fragments: Found | None = None  # of events, where they were asked for
    occurrences: Sequence[int] | None = None  # of each event, in a list that collapses series
    is_exact: bool = True  # whether `total` is all there are

    @property
    def pages(self) -> int:
        return -(-self.total // self.size)


def find_page(
    work: UnitOfWork,
    kind: Kind,
    reading: Reading,
    password: bytes | None = None,
    *,
    fragments: FragmentOptions | None = None,
    count_to: int | None = None,
    series_once: bool = False,
) -> Page:
    """The page of a list that a client asked for. `fragments`: events come with theirs. `count_to`: the total of
    events need not be exact above this number. `series_once`: each series is one row."""
    if kind is EVENT:
        return _page_of_events(work, reading, password, fragments, count_to, series_once=series_once)
    return _page_of_terms(work, kind, reading) if kind.is_term else _page_of_venues_or_organizers(work, kind, reading)


def posts_of(work: UnitOfWork, kind: Kind, page: Page) -> list[Post]:
    """The events, venues or organizers of a page."""
    found = posts.find_many(work.session, kind.name, page.ids)
    return [found[id] for id in page.ids]


def terms_of(work: UnitOfWork, kind: Kind, page: Page) -> list[tuple[Term, int]]:
    """The categories or tags of a page, each with the number of its published events."""
    found = terms.find_many(work.session, kind.name, page.ids)
    counts = term_lists.counts(work.session, kind.name, work.visibility, page.ids)
    return [(found[id], counts[id]) for id in page.ids]


def _page_of_events(
    work: UnitOfWork,
    reading: Reading,
    password: bytes | None,
    fragments: FragmentOptions | None,
    count_to: int | None,
    *,
    series_once: bool,
) -> Page:
    """Events in order of their start, or as asked."""
    values = reading.values
    query, effective = event_query(work, reading, password)
    if count_to is not None:
        query = msgspec.structs.replace(query, count_to=count_to)
    page, size = _page_and_size(work, values)
    if series_once:
        found = rows_of_series.find_page(work.session, query, size, (page - 1) * size)
    else:
        found = event_lists.find_page(work.session, query, size, (page - 1) * size, fragments)
    _refuse_past_end(EVENT, page, size, found.total)
    valid = valid_until(work, values)
    return Page(
        found.ids, found.total, page, size, effective, valid, found.fragments, found.occurrences, found.is_exact
    )


def _page_of_venues_or_organizers(work: UnitOfWork, kind: Kind, reading: Reading) -> Page:
    """Venues or organizers, newest first."""
    values = reading.values
    query = venue_organizer_query(work, kind, reading)
    page, size = _page_and_size(work, values)
    total = venue_organizer_lists.total(work.session, kind.name, query)
    _refuse_past_end(kind, page, size, total)
    ids = venue_organizer_lists.page(work.session, kind.name, query, size, (page - 1) * size) if total else []
    valid = None if values.get("only_with_upcoming") else ""
    return Page(ids, total, page, size, effective_filters(values, {}), valid)


def _page_of_terms(work: UnitOfWork, kind: Kind, reading: Reading) -> Page:
    """Categories or tags by name, or as asked."""
    query = term_query(work, kind, reading)
    page, size = _page_and_size(work, reading.values)
    total = term_lists.total(work.session, kind.name, query)
    offset = (page - 1) * size
    ids = term_lists.page(work.session, kind.name, query, size, offset) if offset < total else []
    return Page(ids, total, page, size, effective_filters(reading.values, {}))


def _page_and_size(work: UnitOfWork, values: Values) -> tuple[int, int]:
    size = min(number(values, "per_page") or DEFAULT_PER_PAGE, work.settings.max_per_page)
    return number(values, "page") or 1, size


def _refuse_past_end(kind: Kind, page: int, size: int, total: int) -> None:
    if page > 1 and (page - 1) * size >= total:
        raise ApiError(NO_SUCH_PAGE[kind.name])
