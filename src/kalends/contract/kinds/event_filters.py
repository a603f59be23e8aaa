"""The filters of lists of events, of the interface and of pages and feeds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kalends.contract.errors import WRONG_TYPE, FieldError
from kalends.contract.fields import Field, ListFilter
from kalends.contract.kinds import common
from kalends.contract.kinds.events import EVENT_LINKS, LINK_OF
from kalends.contract.types import Type, patterns, text
from kalends.contract.types.custom_values import CustomFilter
from kalends.contract.types.lists import MOST_NAMES, IdList, Names, StatusFilter, array_or_list, elements, unique
from kalends.contract.types.numbers import Double, Flag, Number, OpenFlag, Whole
from kalends.contract.types.scalars import DateFilter
from kalends.contract.types.texts import Choice, Line
from kalends.feature import declared
from kalends.languages import N_

# What events can be chosen by beside what they are linked to: days of the week, times of day, costs and places.

WEEKDAYS = ("1", "2", "3", "4", "5", "6", "7")  # 1 is Sunday
ALL_DAY = "allday"
TIMES_OF_DAY = (ALL_DAY, "06-12", "12-17", "17-21", "21-06")
_AMOUNT = r"[0-9]{1,9}(?:\.[0-9]{1,4})?"
_RANGE = re.compile(rf"({_AMOUNT})(?:\s*-\s*({_AMOUNT}))?", re.ASCII)

Bounds = tuple[float, float]


class StatusesFilter(StatusFilter):
    """One or several of a few words."""


def bounds_of(written: str) -> Bounds | None:
    """`0-20` as two numbers; one number is both of them, and None is no range."""
    match = _RANGE.fullmatch(written.strip())
    if match is None:
        return None
    low, high = float(match[1]), float(match[2] or match[1])
    return (low, high) if low <= high else None


@dataclass(frozen=True, slots=True)
class CostRanges(Type):
    """Ranges of costs: `0-20`, or several."""

    json: ClassVar[str | None] = "array"

    def read(self, value: object) -> list[str]:
        found = unique(text(element).strip() for element in elements(value, split_inside=True, most=MOST_NAMES))
        if not found or any(bounds_of(one) is None for one in found):
            raise FieldError(WRONG_TYPE, N_("must be ranges of costs, such as 0-20, separated by commas."))
        return found

    def schema(self) -> dict[str, Any]:
        # A number, so that the first is not larger than the second.
        one = "[0-9]{1,9}"
        element = {"type": "string", "pattern": patterns.padded(one)}
        return array_or_list(element, patterns.comma_list(one, MOST_NAMES), least=1, most=MOST_NAMES)


@dataclass(frozen=True, slots=True)
class Groups(Type):
    """Ids or slugs that need not name anything: any of those between two semicolons, for every part."""

    json: ClassVar[str | None] = "string"

    def read(self, value: object) -> list[list[str]]:
        parts = (elements(part, most=MOST_NAMES) for part in text(value).split(";")[:MOST_NAMES])
        return [[str(one) for one in part] for part in parts if part]

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


def _place_filter(name: str, meaning: str) -> ListFilter:
    return ListFilter(name, Names(), meaning, extension=True, in_addresses=True, tribe=(f"tribe_{name}",))


# Filters of the interface, which every list of events has.
CHOICE_FILTERS: Sequence[ListFilter] = (
    ListFilter(
        "weekday",
        StatusesFilter(WEEKDAYS),
        N_("Events that take place on any of these days of the week; 1 is Sunday."),
        extension=True,
        reads="weekdays",
        hides_masked=False,
        in_addresses=True,
        tribe=("tribe_dayofweek",),
    ),
    ListFilter(
        "time_of_day",
        StatusesFilter(TIMES_OF_DAY),
        N_("Events that start in any of these times of day, on their own clock, or that last all day."),
        extension=True,
        reads="times_of_day",
        hides_masked=False,
        in_addresses=True,
        tribe=("tribe_timeofday",),
    ),
    ListFilter(
        "cost",
        CostRanges(),
        N_("Events that cost something in any of these ranges; one without a cost costs 0."),
        extension=True,
        in_addresses=True,
        tribe=("tribe_cost",),
    ),
    _place_filter("city", N_("Events in any of these cities, by name.")),
    _place_filter("country", N_("Events in any of these countries, by name.")),
    _place_filter("state", N_("Events in any of these states or provinces, by name.")),
)

# Filters of pages and feeds that only rewritten addresses have. Values that name nothing are no error: then nothing
# is found. Ids may be those of a calendar that was imported.
LINKED_TO_ANY = {f"any_{kind}": kind for kind in LINK_OF}
NOTHING, ALL_DATES_OF, PLACE, ANY_CUSTOM = "nothing", "all_dates_of", "place", "any_custom"
FORGIVING_FILTERS: Sequence[Field] = (
    *(Field(name, Groups(), "") for name in LINKED_TO_ANY),
    Field(PLACE, Line(), ""),  # words of a venue's name or address
    # The slug of a series, or of one of its dates: the whole course. With a slash after it, a single event is none.
    Field(ALL_DATES_OF, Line(), ""),
    # Custom fields by their keys: `KEY:VALUE,VALUE;KEY:VALUE`, where keys and values are percent-encoded.
    Field(ANY_CUSTOM, Line(), ""),
    Field(NOTHING, Flag(), ""),
)


EVENT_ORDERS = ("start_date", "date", "modified", "title", "id", "relevance")
TEXTS, EVERYTHING = "texts", "everything"  # where a search looks; the search box of the pages sends the second

CUSTOM_FILTER = Field(
    "custom",
    CustomFilter(),
    N_("Events by their custom fields: custom[name]=value, several values, or custom[name][from] and [to]."),
    extension=True,
)
# Those of features.
ADDED_FILTERS: Sequence[Field] = [field for added in declared("event_filters") for field in added]
EVENT_FILTERS = (
    common.PAGE,
    common.PER_PAGE,
    Field("start_date", DateFilter(), N_("Events that start on this date or later.")),
    Field("end_date", DateFilter(), N_("Events that end on this date or earlier.")),
    Field("starts_before", DateFilter(), N_("Events that start before this date.")),
    Field("starts_after", DateFilter(), N_("Events that start after this date.")),
    Field("ends_before", DateFilter(), N_("Events that end before this date.")),
    Field("ends_after", DateFilter(), N_("Events that end after this date.")),
    Field(
        "strict_dates",
        OpenFlag(),
        N_("Whether the date filters use the given times as they are instead of whole days."),
        default=False,
    ),
    common.search(N_("Events whose title, excerpt or description has these words.")),
    Field(
        "search_in",
        Choice((TEXTS, EVERYTHING)),
        N_(
            "With everything, the words may also stand in the names of venues, organizers, categories and tags, and"
            " in the addresses of venues."
        ),
        extension=True,
    ),
    *(link.filter() for link in EVENT_LINKS),
    ListFilter(
        "featured",
        Flag(),
        N_("Only featured events, or only the others."),
        reads="featured",
        label=N_("Featured"),
        in_bar=True,
        is_quick=True,
        tribe=("tribe_featuredevent",),
    ),
    ListFilter(
        "free",
        Flag(),
        N_("Only events that cost nothing, or only the others."),
        extension=True,
        reads="free",
        label=N_("Free"),
        in_bar=True,
        is_quick=True,
    ),
    ListFilter(
        "online",
        Flag(),
        N_("Only events that take place online, or only the others."),
        extension=True,
        reads="online",
        label=N_("Online"),
        in_bar=True,
        is_quick=True,
    ),
    CUSTOM_FILTER,
    *ADDED_FILTERS,
    *CHOICE_FILTERS,
    common.STATUS_FILTER,
    ListFilter("geoloc", Flag(), N_("Whether the venue of the event has coordinates."), reads="coordinates"),
    Field(
        "geoloc_lat",
        Double(-90, 90),
        N_("Events near this latitude; needs geoloc_lng."),
    ),
    Field(
        "geoloc_lng",
        Double(-180, 180),
        N_("Events near this longitude; needs geoloc_lat."),
    ),
    Field(
        "geoloc_radius",
        Number(0, 20040),
        N_("How many kilometres from the point an event may be."),
        extension=True,
    ),
    Field("include", IdList(), N_("Only events with these ids; the date filters are ignored.")),
    Field("exclude", IdList(), N_("Leave out events with these ids."), extension=True),
    Field("author", IdList(), N_("Events of any of these users."), extension=True),
    Field("post_parent", Whole(1), N_("Events that belong to this event.")),
    Field("series", Whole(1), N_("The occurrences of this series."), extension=True),
    Field(
        "whole",
        Flag(),
        N_("With series: the occurrences of all series of its course, which splitting has made of one."),
        extension=True,
    ),
    Field(
        "collapse",
        Choice(("series",)),
        N_("With series: of each series only the first occurrence, with the number of them in the list."),
        extension=True,
    ),
    ListFilter("ticketed", Flag(), N_("Only events with tickets, or only those without."), reads="ticketed"),
    Field(
        "show_hidden",
        Flag(),
        N_("Include events that are hidden from lists; only for users who can edit them."),
        extension=True,
    ),
    *common.EXTERNAL_FILTERS,
    common.modified_after(N_("Events that changed after this time.")),
    Field(
        "orderby",
        Choice(EVENT_ORDERS),
        N_("What to order the events by. With relevance, those that match the search best come first."),
        extension=True,
    ),
    common.order(extension=True),
    common.PASSWORD_BY_SLUG,
)
# Those that need nothing but their row, by name; and those that stand somewhere.
ROW_FILTERS = {row.name: row for row in EVENT_FILTERS if isinstance(row, ListFilter) and row.reads}
IN_BAR = {row.name: row for row in EVENT_FILTERS if isinstance(row, ListFilter) and row.in_bar}
IN_ADDRESSES = {row.name: row for row in EVENT_FILTERS if isinstance(row, ListFilter) and row.in_addresses}
QUICK = {row.name: row for row in EVENT_FILTERS if isinstance(row, ListFilter) and row.is_quick}

# Of pages and feeds, where `source` tells whence a reader comes.
PAGE_FILTERS = (*(field for field in EVENT_FILTERS if field not in common.EXTERNAL_FILTERS), *FORGIVING_FILTERS)
# Of the pages of the calendar, which no address has: the language in which words are found with other endings.
ENDINGS = "endings"
VIEW_FILTERS = (*PAGE_FILTERS, Field(ENDINGS, Line(), ""))
