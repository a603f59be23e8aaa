"""The responses of `tec/v1`: every key. `present/compat/tec.py` fills them in."""

from collections.abc import Sequence

from kalends.contract.compat.wp_keys import DATE, NUMBERS
from kalends.contract.json_schema import (
    EMPTY_LIST,
    FLAG,
    OBJECT,
    TEXT,
    URL,
    WHOLE,
    Key,
    Representation,
    Schema,
    either,
    many,
    or_null,
    ref,
)
from kalends.contract.kinds import EVENT, ORGANIZER, VENUE, Kind
from kalends.contract.statuses import STATUSES
from kalends.languages import N_

MOMENT: Schema = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$"}
POST_TYPES = {EVENT: "tribe_events", VENUE: "tribe_venue", ORGANIZER: "tribe_organizer"}
OPEN_FLAG = or_null(FLAG)  # of a protected event without its password


def _post(kind: Kind) -> tuple[Key, ...]:
    return (
        Key("id", WHOLE, N_("The id of the record.")),
        Key("date", DATE, N_("The publication date, in the site's time zone.")),
        Key("date_gmt", DATE, N_("The publication date in UTC.")),
        Key("guid", ref("WpRendered"), N_("An address that never changes.")),
        Key("modified", DATE, N_("When the record last changed, in the site's time zone.")),
        Key("modified_gmt", DATE, N_("When the record last changed, in UTC.")),
        Key("slug", TEXT, N_("The name of the record in its address.")),
        Key("status", {"type": "string", "enum": list(STATUSES)}, N_("The status of the record.")),
        Key("type", {"type": "string", "const": POST_TYPES[kind]}, N_("The post type.")),
        Key("link", URL, N_("The public page of the record.")),
        Key("title", ref("WpRendered"), N_("The title or the name.")),
        Key("content", ref("WpRendered"), N_("The description, as safe HTML.")),
        Key("excerpt", ref("WpRendered"), N_("A short text about the record.")),
        Key("author", WHOLE, N_("The id of the author.")),
        Key("featured_media", WHOLE, N_("The id of the featured image; 0 is none.")),
        Key("template", TEXT, N_("Always empty: there are no templates.")),
    )


VENUE_KEYS = (
    *_post(VENUE),
    Key("address", TEXT, N_("The street address of the venue.")),
    Key("country", TEXT, N_("The country of the venue.")),
    Key("city", TEXT, N_("The city of the venue.")),
    Key("state_province", TEXT, N_("The state or the province, whichever applies.")),
    Key("state", TEXT, N_("The state of the venue.")),
    Key("province", TEXT, N_("The province of the venue.")),
    Key("zip", TEXT, N_("The postal code of the venue.")),
    Key("phone", TEXT, N_("The phone number of the venue.")),
    Key("directions_link", TEXT, N_("The address on a map; empty without an address.")),
    Key("website", TEXT, N_("The web address of the venue.")),
)
ORGANIZER_KEYS = (
    *_post(ORGANIZER),
    Key("phone", TEXT, N_("The phone number of the organizer.")),
    Key("website", TEXT, N_("The web address of the organizer.")),
    Key("email", TEXT, N_("The email address of the organizer.")),
)
EVENT_KEYS = (
    *_post(EVENT),
    Key("tags", NUMBERS, N_("The ids of the tags.")),
    Key("tribe_events_cat", NUMBERS, N_("The ids of the categories.")),
    Key("class_list", many(TEXT), N_("Words for style sheets.")),
    Key("start_date", MOMENT, N_("When the event starts, in its time zone.")),
    Key("start_date_utc", MOMENT, N_("When the event starts, in UTC.")),
    Key("end_date", MOMENT, N_("When the event ends, in its time zone.")),
    Key("end_date_utc", MOMENT, N_("When the event ends, in UTC.")),
    Key("dates", OBJECT, N_("The start and the end in several time zones; only when one event is read."), False),
    Key("timezone", TEXT, N_("The time zone of the event.")),
    Key("duration", TEXT, N_("How many seconds the event lasts.")),
    Key("multiday", either(WHOLE, {"const": False}), N_("On how many days the event takes place; false for one.")),
    Key("is_past", FLAG, N_("Whether the event has begun.")),
    Key("is_now", FLAG, N_("Whether the event is going on.")),
    Key("all_day", OPEN_FLAG, N_("Whether the event lasts the whole day.")),
    *(
        Key(name, {"type": "null"}, N_("Always null."))
        for name in ("starts_this_week", "ends_this_week", "this_week_duration", "happens_this_week")
    ),
    Key("displays_on", EMPTY_LIST, N_("Always empty.")),
    Key("featured", OPEN_FLAG, N_("Whether the event is featured on the site.")),
    Key("sticky", OPEN_FLAG, N_("Whether the event stays on top in the calendar.")),
    Key("cost", TEXT, N_("What the event costs, as text; empty when nothing is known.")),
    Key("organizer_names", many(TEXT), N_("The names of the organizers.")),
    Key("organizers", many(ref("TecOrganizer")), N_("The organizers of the event.")),
    Key("venues", many(ref("TecVenue")), N_("The venues of the event.")),
    Key("schedule_details", TEXT, N_("When the event takes place, as HTML in English.")),
    Key("short_schedule_details", TEXT, N_("The same, without the day of an event that ends on it.")),
)
MEANINGS = {
    EVENT: N_("An event, in the form of tec/v1."),
    VENUE: N_("A venue, in the form of tec/v1."),
    ORGANIZER: N_("An organizer, in the form of tec/v1."),
}
KEYS = {EVENT: EVENT_KEYS, VENUE: VENUE_KEYS, ORGANIZER: ORGANIZER_KEYS}


def record_name(kind: Kind) -> str:
    """`TecEvent`: the name of a kind's representation."""
    return f"Tec{kind.name.capitalize()}"


REPRESENTATIONS: Sequence[Representation] = tuple(
    Representation(record_name(kind), MEANINGS[kind], keys) for kind, keys in KEYS.items()
)
