"""The columns of tables: those of the fields, defined ones among them, and those that are no field by themselves."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import EllipsisType

from kalends.contract.kinds import COMPANIONS, EVENT, POSTS, VENUE, Kind
from kalends.contract.kinds.defined_fields import DefinedField
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.values import names

Columns = Mapping[str, Sequence[str]]  # of each the headers that mean it, the one that Kalends itself writes first

# Parts of a field, or of a record that an event names.
OTHER: Mapping[str, Columns] = {
    EVENT.name: {
        "start_time": ("Event Start Time", "Start Time", "Time"),
        "end_time": ("Event End Time", "End Time"),
        "currency_symbol": ("Event Currency Symbol", "Currency Symbol"),
        "currency_position": ("Event Currency Position", "Currency Position"),
        "currency_code": ("Event ISO Currency Code", "Currency", "ISO Currency Code"),
        "private": ("Private",),
        "venue_address": ("Venue Address",),
        "venue_city": ("Venue City", "City"),
        "venue_state": ("Venue State/Province",),
        "venue_zip": ("Venue Zip",),
        "venue_country": ("Venue Country",),
        **{f"{kind.name}_status": (f"{kind.name.title()} Status",) for kind in COMPANIONS},
        "identity": ("Kalends ID",),
    },
    VENUE.name: {"address_2": ("Venue Address 2", "Address 2")},
}
# The fields of the venue of an event.
VENUE_PARTS = {"venue_address": "address", "venue_city": "city", "venue_state": "stateprovince"}
VENUE_PARTS |= {"venue_zip": "zip", "venue_country": "country"}
LINKED = [link.name for link in EVENT_LINKS if not link.kind.is_term]
# `...` stands for the fields that have no place of their own.
WRITTEN: Sequence[str | EllipsisType] = (
    *("identity", "title", "excerpt", *LINKED, "start_date", "start_time", "end_date", "end_time"),
    *("all_day", "timezone", "hide_from_listings", "sticky", "featured", "categories", "tags", "cost", "image"),
    *("website", "show_map", "show_map_link", "description", ..., "status", "slug", "date_utc"),
    *(*VENUE_PARTS, *(f"{kind.name}_status" for kind in COMPANIONS)),
)


def compared(header: str) -> str:
    """What of a header counts: `Event Start-Date` and `event_start_date` are the same, and so are `Début` and
    `debut`."""
    return re.sub(r"[^\w]+", "", names.sort_key(header.replace("_", " ")))


def _columns(kind: Kind) -> Columns:
    found = {field.name: field.csv for field in kind.fields if field.csv}
    return found | {name: [name] for name in PARTS[kind.name]} | dict(OTHER.get(kind.name, {}))


# Columns of the keys of objects: their fields, and the keys.
PARTS = {
    kind.name: {f"{field.name}_{key}": (field, key) for field in kind.fields for key in field.csv_parts}
    for kind in POSTS
}
COLUMNS: Mapping[str, Columns] = {kind.name: _columns(kind) for kind in POSTS}
_NOT_WRITTEN = {"external_id", *OTHER[EVENT.name]}
_REST = [name for name in COLUMNS[EVENT.name] if name not in WRITTEN and name not in _NOT_WRITTEN]
# What a table of events that Kalends writes has.
EXPORTED: Sequence[str] = [
    name for place in WRITTEN for name in (_REST if isinstance(place, EllipsisType) else [place])
]
_MEANT = {compared(name) for field, names in COLUMNS[EVENT.name].items() for name in (field, *names)}


def defined_columns(rows: Sequence[DefinedField]) -> Columns:
    """The columns of defined fields by their keys: the label, unless it means something else in a table of events or
    is that of two fields; the key always means the field."""
    labels = Counter(compared(row.label) for row in rows)
    own = Counter(compared(row.definition.name) for row in rows)
    found: dict[str, Sequence[str]] = {}
    for row in rows:
        label, name = compared(row.label), compared(row.definition.name)
        is_free = label and label not in _MEANT and labels[label] == 1 and own[label] == (label == name)
        by_name = (
            [row.definition.name] if name and name not in _MEANT and own[name] == 1 and labels[name] == 0 else []
        )
        found[row.name] = [*([row.label] if is_free else []), row.name, *by_name]
    return found
