"""Records as results show them: those keys of the contract that say something to a reader, without what only other
programs need."""

from collections.abc import Mapping, Sequence
from typing import Any

from kalends.contract.json_schema import Key, Schema
from kalends.contract.kinds import CATEGORY, COMPANIONS, EVENT, PEOPLE, TAG, TERMS, VENUE, Kind
from kalends.contract.kinds.events import LINKED_KINDS, OCCURRENCES_KEY
from kalends.features.assistants.results import ALWAYS, CUT, DRY, NEXT, Json
from kalends.features.assistants.schemas import object_schema, output_schema

WHEN = ("start_date", "end_date", "timezone", "utc_start_date", "utc_end_date")
# The keys that are never left out, however long others are.
ESSENTIAL = {
    EVENT: ("id", "title", *WHEN),
    **{kind: ("id", kind.name_field) for kind in (*COMPANIONS, *TERMS)},
}
LISTED = {
    EVENT: (
        *("id", "title", *WHEN, "all_day", "status", "event_status", "cost", "venue", "categories", "series"),
        *("occurrences", "url"),
    ),
    VENUE: (
        "id",
        "venue",
        "status",
        "address",
        "city",
        "stateprovince",
        "zip",
        "country",
        "geo_lat",
        "geo_lng",
        "url",
    ),
    **{kind: ("id", kind.name_field, "status", *kind.details, "url") for kind in PEOPLE},
    CATEGORY: ("id", "name", "slug", "parent", "count", "url"),
    TAG: ("id", "name", "slug", "count", "url"),
}
# What is of no use to a reader in a record that is shown whole.
TECHNICAL = frozenset({
    "global_id", "global_id_lineage", "author", "date", "modified", "rest_url", "json_ld", "cost_details", "show_map",
    "show_map_link", "start_date_details", "end_date_details", "utc_start_date_details", "utc_end_date_details",
    "sticky", "taxonomy", "meta", "urls", "state", "province",
})  # fmt: skip
# Records inside of others, by the name of their schema.
EMBEDDED = {
    "Venue": (VENUE, ("id", "venue", "address", "city", "stateprovince", "zip", "country", "geo_lat", "geo_lng")),
    **{kind.name.title(): (kind, ("id", kind.name_field, *kind.details)) for kind in PEOPLE},
    "EmbeddedTerm": (CATEGORY, ("id", "name", "slug")),
}
EMBEDDING = {name: "EmbeddedTerm" if kind.is_term else kind.name.title() for name, kind in LINKED_KINDS.items()}


def keys_of(kind: Kind, *, whole: bool) -> list[Key]:
    """The keys of a kind that a list shows, or a record alone."""
    known = {key.name: key for key in (*kind.keys, OCCURRENCES_KEY)}
    if whole:
        return [key for name, key in known.items() if name not in TECHNICAL and key is not OCCURRENCES_KEY]
    return [known[name] for name in LISTED[kind]]


def record_json(kind: Kind, json: Mapping[str, Any], *, whole: bool = False) -> Json:
    """A record of the interface as results have it. In a list, places have their names and no more."""
    found = {key.name: json[key.name] for key in keys_of(kind, whole=whole) if key.name in json}
    for name, schema in EMBEDDING.items() if kind is EVENT else ():
        if name in found:
            names = EMBEDDED[schema][1] if whole else ESSENTIAL[EMBEDDED[schema][0]]
            found[name] = _embedded(found[name], names)
    return found


def _embedded(value: Any, names: Sequence[str]) -> Any:
    if isinstance(value, list):
        return [_embedded(one, names) for one in value]
    return {name: value[name] for name in names if name in value}


def list_schema(kind: Kind) -> Schema:
    """The result of a tool that finds records."""
    several = {"type": "array", "items": _schema(kind, whole=False)}
    total = {"type": "integer", "description": "How many there are in all."}
    return output_schema(
        {**ALWAYS, "total": total, kind.plural: several, **NEXT},
        [*ALWAYS, "total", kind.plural],
        _definitions(),
    )


def record_schema(kind: Kind, *, writes: bool = False) -> Schema:
    """The result of a tool about one record."""
    more = DRY if writes else NEXT
    required = [*ALWAYS, *(["dry_run"] if writes else []), kind.name]
    return output_schema({**ALWAYS, **more, kind.name: _schema(kind, whole=True)}, required, _definitions())


def _schema(kind: Kind, *, whole: bool) -> Schema:
    schema = object_schema(keys_of(kind, whole=whole), ESSENTIAL[kind])
    return schema | {"properties": schema["properties"] | CUT}


def _definitions() -> Schema:
    found = {}
    for name, (kind, names) in EMBEDDED.items():
        keys = [key for key in kind.keys if key.name in names]
        found[name] = object_schema(keys, ESSENTIAL[kind])
    return found
