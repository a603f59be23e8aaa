"""The filters of lists of events, of the interface and of pages and feeds."""

from collections.abc import Sequence

from kalends.contract.fields import Field
from kalends.contract.kinds import common
from kalends.contract.kinds.event_choices import CHOICE_FILTERS, FORGIVING_FILTERS
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.types.lists import Ids
from kalends.contract.types.numbers import Double, Flag, Number, OpenFlag, Whole
from kalends.contract.types.scalars import DateFilter
from kalends.contract.types.texts import Choice
from kalends.feature import declared
from kalends.languages import N_

EVENT_ORDERS = ("start_date", "date", "modified", "title", "id", "relevance")
TEXTS, EVERYTHING = "texts", "everything"  # where a search looks; the search box of the pages sends the second

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
    Field("featured", Flag(), N_("Only featured events, or only the others.")),
    Field("free", Flag(), N_("Only events that cost nothing, or only the others."), extension=True),
    Field("online", Flag(), N_("Only events that take place online, or only the others."), extension=True),
    *ADDED_FILTERS,
    *CHOICE_FILTERS,
    common.STATUS_FILTER,
    Field("geoloc", Flag(), N_("Whether the venue of the event has coordinates.")),
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
    Field("include", Ids(), N_("Only events with these ids; the date filters are ignored.")),
    Field("exclude", Ids(), N_("Leave out events with these ids."), extension=True),
    Field("author", Ids(), N_("Events of any of these users."), extension=True),
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
    Field("ticketed", Flag(), N_("Only events with tickets, or only those without.")),
    Field(
        "show_hidden",
        Flag(),
        N_("Include events that are hidden from lists; only for users who can edit them."),
        extension=True,
    ),
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

PAGE_FILTERS = (*EVENT_FILTERS, *FORGIVING_FILTERS)  # of pages and feeds
