"""The tables of events: the fields of an event and the filters of a list."""

from functools import partial

from kalends.contract import common
from kalends.contract.fields import Field, read_nested
from kalends.contract.lists import Ids, Linked, TermFilter, TermNames
from kalends.contract.numbers import Above, Double, Flag, Number, OpenFlag, Whole
from kalends.contract.organizers import ORGANIZER_FIELDS
from kalends.contract.recurrences import RecurrenceType
from kalends.contract.scalars import Cost, Date, DateFilter, OpenUrl, Zone
from kalends.contract.statuses import EVENT_STATUSES
from kalends.contract.texts import Choice, Name, Secret, UsualChoice
from kalends.contract.tickets import Tickets
from kalends.contract.venues import VENUE_FIELDS
from kalends.languages import N_

EVENT_FIELDS = (
    Field("title", Name(), N_("The title of the event."), required=True),
    Field(
        "start_date",
        Date(),
        N_("When the event starts, in its time zone unless the date says otherwise."),
        required=True,
    ),
    Field(
        "end_date",
        Date(),
        N_("When the event ends, in its time zone unless the date says otherwise."),
        required=True,
    ),
    *common.publication(),
    common.description(N_("The description of the event, as text or safe HTML.")),
    common.slug(N_("The name of the event in its address.")),
    common.excerpt(),
    common.status(),
    Field("timezone", Zone(), N_("The time zone of the event: an IANA name, UTC or UTC+2.")),
    Field("all_day", Flag(), N_("Whether the event lasts the whole day."), default=False),
    common.image(),
    Field("cost", Cost(), N_("What the event costs: a text, a number or several of them.")),
    Field("website", OpenUrl(), N_("The web address of the event."), default=None),
    Field("show_map", Flag(True), N_("Whether to show a map.")),
    Field("show_map_link", Flag(True), N_("Whether to show a link to a map.")),
    Field("hide_from_listings", Flag(), N_("Whether to leave the event out of lists.")),
    Field("sticky", Flag(), N_("Whether the event stays on top in the calendar.")),
    Field("featured", Flag(), N_("Whether the event is featured on the site.")),
    Field("categories", TermNames(), N_("The categories: ids, slugs or names."), default=None),
    Field("tags", TermNames(), N_("The tags: ids, slugs or names."), default=None),
    Field(
        "venue",
        Linked(partial(read_nested, VENUE_FIELDS), "CreateVenue"),
        N_("The venues: ids, or objects of venue fields."),
        default=None,
    ),
    Field(
        "organizer",
        Linked(partial(read_nested, ORGANIZER_FIELDS), "CreateOrganizer"),
        N_("The organizers: ids, or objects of organizer fields."),
        default=None,
    ),
    Field(
        "event_status",
        UsualChoice(EVENT_STATUSES),
        N_("Whether the event takes place as planned."),
        extension=True,
    ),
    Field("post_password", Secret(), N_("Protects the event with a password; empty removes it."), extension=True),
    Field("post_parent", Above(), N_("The id of the event that this one belongs to."), extension=True),
    Field("tickets", Tickets(), N_("The tickets of the event."), extension=True),
    Field(
        "recurrence",
        RecurrenceType(),
        N_("How the event repeats: an iCalendar rule, or an object of rule, dates and exceptions; empty for never."),
        extension=True,
    ),
    *common.EXTERNAL,
)

EVENT_ORDERS = ("start_date", "date", "modified", "title", "id")

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
    Field("categories", TermFilter(), N_("Events of any of these categories, by id or slug.")),
    Field("tags", TermFilter(), N_("Events with any of these tags, by id or slug.")),
    Field("venue", Ids(), N_("Events at any of these venues.")),
    Field("organizer", Ids(), N_("Events of any of these organizers.")),
    Field("featured", Flag(), N_("Only featured events, or only the others.")),
    Field("free", Flag(), N_("Only events that cost nothing, or only the others."), extension=True),
    Field("online", Flag(), N_("Only events that take place online, or only the others."), extension=True),
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
    Field("modified_after", Date(), N_("Events that changed after this time."), extension=True),
    Field("orderby", Choice(EVENT_ORDERS), N_("What to order the events by."), extension=True),
    common.order(extension=True),
    common.PASSWORD_BY_SLUG,
)
