"""What a list is asked for, as data: the one query type of lists of events, venues, organizers, terms and images."""

from collections.abc import Sequence
from operator import attrgetter

import msgspec

from kalends.store.query.window import Window
from kalends.store.rows.tallies import EVERYTHING, SINGLE, Scope
from kalends.store.rows.visibility import Visibility
from kalends.store.search.parsing import Search

EVENT, TERMS, MEDIA = "event", ("category", "tag"), "media"
# The orders of every list of posts, as columns.
POST_COLUMNS = {
    "date": "date_utc",
    "modified": "modified_utc",
    "title": "sort_name",
    "slug": "slug_key",
    "author": "author",
    "id": "id",
}
ORDER_COLUMNS = {"start_date": "start_local", **POST_COLUMNS}  # of events
IMAGE_COLUMNS = {
    **{"date": "created_utc", "modified": "created_utc"},
    **{"slug": "file", "title": "file", "author": "author"},
}
ORDER_INDEXES = {"modified": "event_modified", "title": "event_name"}  # those that have no other use than this order
RELEVANCE = "relevance"  # the order of events by how well they match a search
NEWEST = "newest"  # the order of venues and organizers that nobody asked to be in another one


class CustomCondition(msgspec.Struct, frozen=True):
    """Events whose custom field has any of these values, or one from `low` to `high`."""

    field: int
    values: Sequence[str | float] = ()
    low: str | float | None = None
    high: str | float | None = None
    is_number: bool = False


class ImageFilters(msgspec.Struct, frozen=True):
    """What a list of images is asked for besides what other lists are."""

    user: int = 0  # sees the images that they uploaded
    file_part: str | None = None  # a part of the file name
    words: str | None = None  # a part of the file name, here or as it was uploaded, or of what it shows
    slugs: Sequence[str] | None = None  # file names without folder and extension
    mime_type: str | None = None
    unused: bool = False  # no record shows it
    logo: str = ""  # the file that the site shows, which is in use


NO_IMAGE_FILTERS = ImageFilters()
Linked = tuple[str, Sequence[int]]  # to any of these, of a kind


class ListQuery(msgspec.Struct, frozen=True):
    """Which records of a kind a list has, and in which order. A filter that is None or empty does not apply."""

    visibility: Visibility
    window: Window = msgspec.field(default_factory=Window)  # of events
    kind: str = EVENT
    order: str = "start_date"
    descending: bool = False
    statuses: Sequence[str] | None = None
    search: Search | None = None
    include: Sequence[int] | None = None
    exclude: Sequence[int] = ()
    authors: Sequence[int] | None = None
    not_authors: Sequence[int] = ()
    parents: Sequence[int] | None = None
    published_after: str | None = None  # times are UTC texts, without the moment itself
    published_before: str | None = None
    modified_after: str | None = None
    modified_before: str | None = None
    only_editable: bool = False  # only what the reader may change
    # Of events
    linked: dict[str, Sequence[int]] = msgspec.field(default_factory=dict)
    not_linked: dict[str, Sequence[int]] = msgspec.field(default_factory=dict)
    directly: bool = False  # linked themselves, not through a category below
    featured: bool | None = None
    ticketed: bool | None = None
    free: bool | None = None
    online: bool | None = None
    geoloc: bool | None = None
    near: Sequence[int] | None = None  # venues within the radius
    also_linked: Sequence[Linked] = ()  # to any of these as well, of a kind
    weekdays: Sequence[int] | None = None  # on any of these days, from 0 for Sunday
    times_of_day: Sequence[tuple[int, int]] | None = None  # hours of starts, from and before
    lasting_all_day: bool = False  # with these times: or those that last all day
    custom: Sequence[CustomCondition] = ()  # all of them
    costs: Sequence[str] | None = None  # the texts of costs, as the column has them
    series: Sequence[int] | None = None
    single: bool = False  # only events of no series
    collapse: bool = False  # of each series only its earliest event in the list
    series_once: bool = False  # each series is one row, which stands where the first of its events does
    show_hidden: bool = False
    count_to: int | None = None  # the total is exact up to here; one more stands for any larger one
    trashed_since: str | None = None  # instead: events that were in the list and went to the trash since then
    # Of venues and organizers
    has_events: bool | None = None
    upcoming_at: str | None = None  # only with events that have not ended at this time
    # Of terms
    slug: str | None = None
    hide_empty: bool = False
    # Of images
    images: ImageFilters = NO_IMAGE_FILTERS

    @property
    def alias(self) -> str:
        """How SQL calls the records of the list."""
        return "e" if self.kind == EVENT else "p"

    @property
    def direction(self) -> str:
        return "DESC" if self.descending else "ASC"

    @property
    def is_public_listing(self) -> bool:
        """Only events in everybody's lists: `visibility_level > 0` says it, and every index has that column."""
        return self.visibility.is_public and self.include is None and self.trashed_since is None

    @property
    def has_published(self) -> bool:
        """Whether published events are among them."""
        return self.statuses is None or "publish" in self.statuses

    def most_counted(self, limit: int, offset: int) -> int | None:
        """The events to count for a page: at least so many that it is known whether another page follows."""
        return None if self.count_to is None else max(self.count_to, offset + limit) + 1

    @property
    def is_plain(self) -> bool:
        """Filtered only by the window of time, statuses, and at most one venue, organizer, category or tag."""
        return self.search is None and self._is_plain_besides_search

    @property
    def is_plain_public(self) -> bool:
        """Filtered only by the window of time, as everybody sees it."""
        is_public = self.is_public_listing and self.statuses in (None, ["publish"])
        return is_public and self.is_plain and not self.linked and not self.single

    @property
    def is_plain_search(self) -> bool:
        """A public list by start, filtered only by words that must occur and by start times."""
        return (
            self.search is not None
            and not self.search.unwanted
            and not self.search.named
            and self.window.end_from is None
            and self.is_public_listing
            and self.order == "start_date"
            and not self.linked
            and not self.single
            and self.statuses in (None, ["publish"])
            and self._is_plain_besides_search
        )

    @property
    def _is_plain_besides_search(self) -> bool:
        if self.linked and (self.directly or self.single or [len(ids) for ids in self.linked.values()] != [1]):
            return False
        return _narrowing(self) == _NOT_NARROWED

    @property
    def all_linked(self) -> list[Linked]:
        """What its events are linked to: of each kind to any of these, and to all kinds."""
        near: list[Linked] = [] if self.near is None else [("venue", self.near)]
        return [*self.linked.items(), *near, *self.also_linked]

    @property
    def is_linked_to_several(self) -> bool:
        """A public list by start, filtered only by the window of time and by two links or more, one of which is to a
        single venue, organizer, category or tag."""
        if len(self.linked) + (self.near is not None) + len(self.also_linked) < 2 or self.order != "start_date":
            return False
        if not self.is_public_listing or self.statuses not in (None, ["publish"]) or self.search is not None:
            return False
        if self.directly or self.single or not any(len(ids) == 1 for _, ids in self.all_linked):
            return False
        return _narrowing(msgspec.structs.replace(self, near=None, also_linked=())) == _NOT_NARROWED

    @property
    def has_both_indexes(self) -> bool:
        """Everybody's list with these filters, and the events that only the reader sees: each has an index."""
        return self.is_plain and self.has_published and self.trashed_since is None

    @property
    def is_tallied(self) -> bool:
        """The tallies have the number of its events that are in everybody's lists, or none of them is."""
        return not self.has_published or (self.is_plain and self.window.can_be_counted(self.scope))

    @property
    def scope(self) -> Scope:
        """The tallies that count a plain query."""
        for kind, ids in self.linked.items():
            return kind, ids[0]
        return SINGLE if self.single else EVERYTHING

    @property
    def filters_masked_fields(self) -> bool:
        """Filters on fields that a masked event hides. It matches none of them: a match would reveal the value."""
        return bool(self.linked or self.not_linked or self.also_linked or self.custom) or any(
            value is not None
            for value in (self.featured, self.ticketed, self.free, self.online, self.geoloc, self.near, self.costs)
        )


# The filters that neither a tally nor an index of whole lists knows, and their values where they do not apply.
_KNOWN = {
    *("visibility", "window", "kind", "order", "descending", "statuses", "search", "linked", "directly", "single"),
    *("collapse", "series_once", "show_hidden", "count_to", "trashed_since"),
}
_NARROWING = {
    field.name: {} if field.name == "not_linked" else field.default
    for field in msgspec.structs.fields(ListQuery)
    if field.name not in _KNOWN
}
_narrowing, _NOT_NARROWED = attrgetter(*_NARROWING), tuple(_NARROWING.values())
