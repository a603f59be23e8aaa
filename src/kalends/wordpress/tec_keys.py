"""The responses of `tec/v1`: every key. `tec_json.py` fills them in."""

from collections.abc import Sequence

from kalends.contract.json_schema import (
    EMPTY_LIST,
    FLAG,
    OBJECT,
    TEXT,
    WHOLE,
    Key,
    Representation,
    Schema,
    either,
    many,
    or_null,
    ref,
)
from kalends.contract.kinds import EVENT, ORGANIZER, POSTS, VENUE, Kind
from kalends.languages import N_
from kalends.wordpress.model import VIEW
from kalends.wordpress.wp_operations import POST_KEYS

# Empty for a draft that has no dates yet.
MOMENT: Schema = {"type": "string", "pattern": r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})?$"}
OPEN_FLAG = or_null(FLAG)  # of a protected event without its password


NOT_SHARED = frozenset({"meta", "_links", "_embedded"})


def _shared(kind: Kind) -> tuple[Key, ...]:
    """The keys of `wp/v2` that are here too."""
    return tuple(one.key for one in POST_KEYS[kind] if VIEW in one.contexts and one.key.name not in NOT_SHARED)


VENUE_KEYS = (
    *_shared(VENUE),
    Key("address", TEXT, N_("The street address.")),
    Key("country", TEXT, N_("The country.")),
    Key("city", TEXT, N_("The city.")),
    Key("state_province", TEXT, N_("The state or province, whichever applies.")),
    Key("state", TEXT, N_("The state.")),
    Key("province", TEXT, N_("The province.")),
    Key("zip", TEXT, N_("The ZIP or postal code.")),
    Key("phone", TEXT, N_("The phone number.")),
    Key("directions_link", TEXT, N_("The address on a map; empty without an address.")),
    Key("website", TEXT, N_("The web address of the venue.")),
)
ORGANIZER_KEYS = (
    *_shared(ORGANIZER),
    Key("phone", TEXT, N_("The phone number.")),
    Key("website", TEXT, N_("The web address of the organizer.")),
    Key("email", TEXT, N_("The e-mail address.")),
)
EVENT_KEYS = (
    *_shared(EVENT),
    Key("start_date", MOMENT, N_("The start on the event's own clock.")),
    Key("start_date_utc", MOMENT, N_("The start in UTC.")),
    Key("end_date", MOMENT, N_("The end on the event's own clock.")),
    Key("end_date_utc", MOMENT, N_("The end in UTC.")),
    Key("dates", OBJECT, N_("The start and the end in several time zones; not in lists."), False),
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
    Key("cost", TEXT, N_("The cost as it is shown; empty when there is none.")),
    Key("organizer_names", many(TEXT), N_("The names of the organizers.")),
    Key("organizers", many(ref("TecOrganizer")), N_("The organizers, in the order given.")),
    Key("venues", many(ref("TecVenue")), N_("The venues, in the order given.")),
    Key("schedule_details", TEXT, N_("When the event takes place, as HTML in English.")),
    Key("short_schedule_details", TEXT, N_("When the event takes place, as HTML in English.")),
)
MEANINGS = {
    EVENT: N_("An event, in the form of tec/v1."),
    VENUE: N_("A venue, in the form of tec/v1."),
    ORGANIZER: N_("An organizer, in the form of tec/v1."),
}
SHARED = {kind: tuple(key.name for key in _shared(kind)) for kind in POSTS}
KEYS = {EVENT: EVENT_KEYS, VENUE: VENUE_KEYS, ORGANIZER: ORGANIZER_KEYS}


def record_name(kind: Kind) -> str:
    """`TecEvent`: the name of a kind's representation."""
    return f"Tec{kind.name.capitalize()}"


REPRESENTATIONS: Sequence[Representation] = tuple(
    Representation(record_name(kind), MEANINGS[kind], keys) for kind, keys in KEYS.items()
)
