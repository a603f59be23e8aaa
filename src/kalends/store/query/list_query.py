"""What a list is asked for, as data: the one query type of lists of events, venues, organizers, terms and images."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from operator import attrgetter

import msgspec

from kalends.contract.kinds.event_filters import ROW_FILTERS
from kalends.store.engine.store import Conditions, Dialect, Session
from kalends.store.rows.tallies import EVERYTHING, SINGLE, Scope
from kalends.store.rows.visibility import Visibility
from kalends.store.search.parsing import Search
from kalends.values import dates

# A window of time: which events start and end within it.

# No zone is further from UTC than this, and no clock goes back by more.
MARGIN = timedelta(days=1)
MIDNIGHT = " 00:00:00"
END_OF_TIME = "9999-12-31 23:59:59+"  # sorts after every time
LONGEST_SPAN = 22  # binary digits of the days between the years 1 and 9999


class Window(msgspec.Struct, frozen=True):
    """Bounds of starts and ends, from (inclusive) and before (exclusive); None is no bound. `utc`: the bounds are
    instants, compared with UTC times; otherwise with the local times of each event."""

    start_from: str | None = None
    start_before: str | None = None
    end_from: str | None = None
    end_before: str | None = None
    utc: bool = False
    part_from: str | None = None  # bounds of local starts, for one part of a list
    part_before: str | None = None

    def conditions(self, t: str) -> Conditions:
        """The conditions on an event `t`."""
        low, high = self.starts()
        clock, utc = ("utc", self.utc) if self.utc else ("local", False)
        # Every list has some of these, so they are not added one by one.
        bounds = (
            (f"{t}.start_local >= ?", low),
            (f"{t}.start_local < ?", high),
            (f"{t}.end_{clock} >= ?", self.end_from),
            (f"{t}.end_{clock} < ?", self.end_before),
            (f"{t}.start_utc >= ?", self.start_from if utc else None),
            (f"{t}.start_utc < ?", self.start_before if utc else None),
        )
        given = [bound for bound in bounds if bound[1] is not None]
        return Conditions([sql for sql, _ in given], [value for _, value in given])

    def start_bounds(self, t: str) -> Conditions:
        """What follows for the local start, a column of every index: it limits the rows that are read."""
        conditions = Conditions()
        low, high = self.starts()
        if low is not None:
            conditions.add(f"{t}.start_local >= ?", low)
        if high is not None:
            conditions.add(f"{t}.start_local < ?", high)
        return conditions

    def starts(self) -> tuple[str | None, str | None]:
        """The bounds of local starts."""
        low, high = self.start_from, self.start_before
        if self.utc:
            low = None if low is None else shifted(low, -MARGIN)
            high = None if high is None else shifted(high, MARGIN)
        if self.end_before is not None:
            after_end = shifted(self.end_before, 2 * MARGIN)
            high = after_end if high is None else min(high, after_end)
        if self.part_before is not None:
            low, high = max(low or "", self.part_from or "") or None, min(high or END_OF_TIME, self.part_before)
        return low, high

    @property
    def is_empty(self) -> bool:
        """There is nothing between the bounds. Differences of counts would be negative."""
        starts, ends = (self.start_from, self.start_before), (self.end_from, self.end_before)
        return any(low is not None and high is not None and low >= high for low, high in (starts, ends))

    @property
    def begins_with_running_events(self) -> bool:
        """No bound on starts but an `end_from`: events that are under way then come first, whenever they started."""
        return self.end_from is not None and self.start_from is None

    def years(self, session: Session) -> list[str]:
        """The years in which events of the window can start."""
        years: list[str] = []
        low, high = self.starts()
        while earliest := session.value(
            "SELECT min(start_local) FROM event WHERE start_local >= ? AND start_local < ?",
            (low or "", high or END_OF_TIME),
        ):
            years.append(earliest[:4])
            low = f"{earliest[:4]}-99"  # sorts after every time of that year
        return years

    def edge_exclusions(self, dialect: Dialect) -> tuple[str, tuple[object, ...]]:
        """A query for the search row ids of listed events that start on the days of a window without `end_from`, but
        are not in it: some of those near its edges, and long ones."""
        low, high = self.starts()
        parts, parameters = [], list[object]()
        edges = []
        if low is not None and (self.utc or not low.endswith(MIDNIGHT)):
            edges.append((low[:10], shifted(low, 3 * MARGIN)))
        last = END_OF_TIME
        if high is not None:
            last = shifted(high, -5 * MARGIN)
            edges.append((last, shifted(high, MARGIN)))
        inside = self.conditions("event")
        for edge in edges:
            parts.append(
                "SELECT search_row FROM event WHERE visibility_level > 0 AND start_local >= ? AND start_local < ?"
                f" AND NOT ({inside.where})"
            )
            parameters += [*edge, *inside.parameters]
        if self.end_before is not None:
            clock, margin = ("utc", MARGIN) if self.utc else ("local", timedelta(0))
            buckets, values = spans_to(shifted(self.end_before, -margin)[:10], last)
            parts.append(
                f"SELECT search_row FROM (WITH bucket (span, lowest) AS (VALUES {buckets})"
                f" SELECT event.search_row FROM bucket {dialect.ordered_join} event ON event.span = bucket.span"
                " AND start_local >= bucket.lowest AND start_local < ?"
                f" WHERE visibility_level > 0 AND end_{clock} >= ?)"
            )
            parameters += [*values, last, self.end_before]
        return " UNION ALL ".join(parts) or "SELECT search_row FROM event WHERE FALSE", tuple(parameters)

    def spans(self) -> tuple[str, tuple[object, ...]]:
        """Bounds that find the events around `end_from`: the earliest start for each span, as rows of VALUES."""
        margin = MARGIN if self.utc else timedelta(0)
        return spans_to(shifted(str(self.end_from), -margin)[:10])

    @property
    def is_whole_days(self) -> bool:
        """From the beginning of one local day to the end of another, without other bounds."""
        return (
            self.start_from is not None
            and self.end_before is not None
            and self.start_before is None
            and self.end_from is None
            and not self.utc
            and self.start_from < self.end_before
            and self.start_from.endswith(MIDNIGHT)
            and self.end_before.endswith(MIDNIGHT)
        )

    def can_be_counted(self, scope: Scope) -> bool:
        """Whether the tallies can count it: those of one venue, organizer or term have whole local days only."""
        if scope in (EVERYTHING, SINGLE):
            return True
        return not self.utc and all(
            bound is None or bound.endswith(MIDNIGHT) for bound in (self.end_from, self.end_before)
        )


@lru_cache(1024)  # most lists are of the same days
def spans_to(day: str, started: str = END_OF_TIME) -> tuple[str, tuple[object, ...]]:
    """For every span the earliest start of an event that ends on a day or later, as the rows of VALUES. Spans too
    short for events that started before a time are left out."""
    last = date.fromisoformat(day).toordinal()
    earliest = [(span, date.fromordinal(max(1, last + 1 - 2**span)).isoformat()) for span in range(LONGEST_SPAN + 1)]
    rows = [row for row in earliest if row[1] < started or row[0] == LONGEST_SPAN]
    return ", ".join(["(?, ?)"] * len(rows)), tuple(value for row in rows for value in row)


@lru_cache(4096)
def shifted(moment: str, by: timedelta) -> str:
    """A later or earlier time, within the years 1 to 9999."""
    try:
        return dates.text(dates.from_text(moment[:19]) + by) + moment[19:]
    except OverflowError:
        return END_OF_TIME if by > timedelta(0) else dates.text(datetime.min)


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


class Among(msgspec.Struct, frozen=True):
    """Records whose ids are among those that a feature finds in its own tables, or that are not."""

    ids: str  # a statement for them
    parameters: Sequence[object] = ()
    wanted: bool = True
    masked: bool = False  # also protected events, which show what this tells of them


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
    sources: Sequence[str] | None = None
    external_id: str | None = None  # at its source
    published_after: str | None = None  # times are UTC texts, without the moment itself
    published_before: str | None = None
    modified_after: str | None = None
    modified_before: str | None = None
    only_editable: bool = False  # only what the reader may change
    among: Sequence[Among] = ()  # all of them
    # Of events
    linked: dict[str, Sequence[int]] = msgspec.field(default_factory=dict)
    not_linked: dict[str, Sequence[int]] = msgspec.field(default_factory=dict)
    directly: bool = False  # linked themselves, not through a category below
    by_row: dict[str, object] = msgspec.field(default_factory=dict)  # what filters that are rows ask for, by name
    near: Sequence[int] | None = None  # venues within the radius
    also_linked: Sequence[Linked] = ()  # to any of these as well, of a kind
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
        return (
            any(not one.masked for one in self.among)
            or bool(self.linked or self.not_linked or self.also_linked or self.custom)
            or any(ROW_FILTERS[name].hides_masked for name in self.by_row)
            or any(value is not None for value in (self.near, self.costs, self.sources, self.external_id))
        )


# The filters that neither a tally nor an index of whole lists knows, and their values where they do not apply.
_KNOWN = {
    *("visibility", "window", "kind", "order", "descending", "statuses", "search", "linked", "directly", "single"),
    *("collapse", "series_once", "show_hidden", "count_to", "trashed_since"),
}
_NARROWING = {
    field.name: {} if field.name in ("not_linked", "by_row") else field.default
    for field in msgspec.structs.fields(ListQuery)
    if field.name not in _KNOWN
}
_narrowing, _NOT_NARROWED = attrgetter(*_NARROWING), tuple(_NARROWING.values())
