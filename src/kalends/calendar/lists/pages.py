"""One page of a list: its records, its total, and the filters that made it."""

from collections.abc import Sequence
from typing import cast

import msgspec
from msgspec.structs import replace

from kalends.calendar.access import UnitOfWork
from kalends.calendar.lists.queries import list_query, valid_until
from kalends.calendar.posts.posts import BundledPost, bundle_posts
from kalends.calendar.posts.terms import Counted
from kalends.contract.errors import NO_SUCH_PAGE, ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.common import DEFAULT_PER_PAGE
from kalends.store.query import lists
from kalends.store.query import term_lists as term_queries
from kalends.store.query.lists import FragmentOptions
from kalends.store.rows import posts, terms
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.fragments import EventFragments
from kalends.store.rows.records import Event, Post, Term


class Page(msgspec.Struct, frozen=True):
    """One page of a list. `effective` are the filters that made it, as a client would write them."""

    ids: Sequence[int]
    total: int
    number: int
    size: int
    effective: dict[str, object] = msgspec.field(default_factory=dict)
    # Until when, in UTC, the clock alone does not change it: "" for ever, None not even now.
    valid_until: str | None = ""
    fragments: EventFragments | None = None  # of events, where they were asked for
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
    values = reading.values
    query, effective = list_query(work, kind, reading, password)
    if count_to is not None or series_once:
        query = replace(query, count_to=count_to, series_once=series_once)
    size = min(cast(int, values.get("per_page", DEFAULT_PER_PAGE)), work.settings.max_per_page)
    page = cast(int, values.get("page", 1))
    found = lists.find_page(work.session, query, size, (page - 1) * size, fragments)
    if page > 1 and (page - 1) * size >= found.total and not kind.is_term:
        raise ApiError(NO_SUCH_PAGE[kind.name])
    valid = valid_until(work, values) if kind is EVENT else None if values.get("only_with_upcoming") else ""
    return Page(
        found.ids, found.total, page, size, effective, valid, found.fragments, found.occurrences, found.is_exact
    )


def posts_of(work: UnitOfWork, kind: Kind, page: Page) -> list[Post]:
    """The events, venues or organizers of a page."""
    found = posts.find_many(work.session, kind.name, page.ids)
    return [found[id] for id in page.ids]


def terms_of(work: UnitOfWork, kind: Kind, page: Page) -> list[tuple[Term, int]]:
    """The categories or tags of a page, each with the number of its published events."""
    found = terms.find_many(work.session, kind.name, page.ids)
    counts = term_queries.counts(work.session, kind.name, work.visibility, page.ids)
    return [(found[id], counts[id]) for id in page.ids]


def list_events(
    work: UnitOfWork, reading: Reading, password: bytes | None = None, count_to: int | None = None
) -> tuple[Page, list[tuple[Event, Bundle]]]:
    """A page of events. The digest of a password unmasks those that it fits. With `count_to`, a larger total may not
    be the exact one: counting very many events takes its time."""
    page, shown = list_posts(work, EVENT, reading, password, count_to)
    return page, cast(list[tuple[Event, Bundle]], shown)


def list_posts(
    work: UnitOfWork, kind: Kind, reading: Reading, password: bytes | None = None, count_to: int | None = None
) -> tuple[Page, list[BundledPost]]:
    page = find_page(work, kind, reading, password, count_to=count_to)
    return page, bundle_posts(work, posts_of(work, kind, page), password)


def list_terms(work: UnitOfWork, kind: Kind, reading: Reading) -> tuple[Page, list[Counted]]:
    page = find_page(work, kind, reading)
    return page, terms_of(work, kind, page)
