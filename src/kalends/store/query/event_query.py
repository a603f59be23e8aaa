"""What a list of events is asked for, as data."""

from collections.abc import Sequence

import msgspec

from kalends.store.query import post_filters
from kalends.store.query.post_filters import PostFilters
from kalends.store.query.window import Window
from kalends.store.rows.tallies import EVERYTHING, SINGLE, Scope
from kalends.store.rows.visibility import Visibility
from kalends.store.search.parsing import Search

ORDER_COLUMNS = {"start_date": "start_local", **post_filters.ORDER_COLUMNS}
ORDER_INDEXES = {"modified": "event_modified", "title": "event_name"}  # those that have no other use than this order


class EventQuery(msgspec.Struct, frozen=True):
    """Which events a list has, and in which order. A filter that is None or empty does not apply."""

    visibility: Visibility
    window: Window = msgspec.field(default_factory=Window)
    statuses: Sequence[str] | None = None
    search: Search | None = None
    linked: dict[str, Sequence[int]] = msgspec.field(default_factory=dict)
    featured: bool | None = None
    ticketed: bool | None = None
    free: bool | None = None
    online: bool | None = None
    geoloc: bool | None = None
    near: Sequence[int] | None = None  # venues within the radius
    include: Sequence[int] | None = None
    exclude: Sequence[int] = ()
    authors: Sequence[int] | None = None
    parent: int | None = None
    series: int | None = None
    single: bool = False  # only events of no series
    collapse: bool = False  # of each series only the first occurrence
    show_hidden: bool = False
    modified_after: str | None = None
    order: str = "start_date"
    descending: bool = False
    directly: bool = False  # linked themselves, not through a category below
    not_linked: dict[str, Sequence[int]] = msgspec.field(default_factory=dict)
    parents: Sequence[int] | None = None
    common: PostFilters | None = None
    count_to: int | None = None  # the total is exact up to here; one more stands for any larger one
    trashed_since: str | None = None  # instead: events that were in the list and went to the trash since then

    @property
    def is_public_listing(self) -> bool:
        """Only events in everybody's lists: `visibility_level > 0` says it, and every index has that column."""
        return self.visibility.is_public and self.include is None and self.trashed_since is None

    def most_counted(self, limit: int, offset: int) -> int | None:
        """The events to count for a page: at least so many that it is known whether another page follows."""
        return None if self.count_to is None else max(self.count_to, offset + limit) + 1

    @property
    def direction(self) -> str:
        return "DESC" if self.descending else "ASC"

    @property
    def is_plain_public(self) -> bool:
        """Filtered only by the window of time, as everybody sees it."""
        return self.is_plain and self.is_public_listing and not self.linked and not self.single

    @property
    def is_plain(self) -> bool:
        """Filtered only by the window of time and at most one venue, organizer, category or tag."""
        return self.statuses in (None, ["publish"]) and self.is_plain_but_statuses

    @property
    def is_plain_but_statuses(self) -> bool:
        """As `is_plain`, for any statuses."""
        return self.search is None and self._is_plain_besides_search

    @property
    def has_published(self) -> bool:
        """Whether published events are among them."""
        return self.statuses is None or "publish" in self.statuses

    @property
    def is_plain_search(self) -> bool:
        """A public list by start, filtered only by words that must occur and by start times."""
        return (
            self.search is not None
            and not self.search.unwanted
            and self.window.end_from is None
            and self.visibility.is_public
            and self.trashed_since is None
            and self.order == "start_date"
            and not self.linked
            and not self.single
            and self.statuses in (None, ["publish"])
            and self._is_plain_besides_search
        )

    @property
    def _is_plain_besides_search(self) -> bool:
        return (
            self.featured is None
            and self.ticketed is None
            and self.free is None
            and self.online is None
            and self.geoloc is None
            and self.near is None
            and self.include is None
            and not self.exclude
            and self.authors is None
            and self.parent is None
            and self.series is None
            and self.modified_after is None
            and not (self.linked and (self.directly or self.single))
            and not self.not_linked
            and self.parents is None
            and self.common is None
            and (not self.linked or [len(ids) for ids in self.linked.values()] == [1])
        )

    @property
    def scope(self) -> Scope:
        """The tallies that count a plain query."""
        for kind, ids in self.linked.items():
            return kind, ids[0]
        return SINGLE if self.single else EVERYTHING

    @property
    def filters_masked_fields(self) -> bool:
        """Filters on fields that a masked event hides. It matches none of them: a match would reveal the value."""
        return (
            bool(self.linked or self.not_linked)
            or self.featured is not None
            or self.ticketed is not None
            or self.free is not None
            or self.online is not None
            or self.geoloc is not None
            or self.near is not None
        )
