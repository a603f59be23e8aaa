"""The JSON of the five kinds and of images: the keys that `contract/` lists, in their order, filled in from records.

Most keys are a column of the record; the functions here fill in the others.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from kalends.contract.json_schema import TEXT, UNMASKED, Key
from kalends.contract.kinds import CATEGORY, COMPANIONS, EVENT, POSTS, TERMS, Kind
from kalends.contract.kinds.defined_fields import Filled
from kalends.contract.kinds.events import CUSTOM_VALUES, EVENT_LINKS
from kalends.contract.kinds.terms import NOT_EMBEDDED
from kalends.contract.types.tickets import TICKET
from kalends.present import json_ld
from kalends.present.addresses import Addresses, RenderContext
from kalends.store.rows.records import Bundle, Event, Media, Post, Term, Venue, kind_of
from kalends.values import colours, cost, dates, recurrence, zones
from kalends.values.more import NOTHING_MORE, More, addressed

Json = dict[str, Any]


class JsonForm:
    """The keys of a kind, prepared. Columns are read all at once; what a function fills in afterwards has its place
    among them."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._names = [key.name for key in keys]
        self._columns = attrgetter(*(key.column or "id" for key in keys))
        self._optional = [key.name for key in keys if not key.always]
        self.masked = {key.name: key.masked for key in keys if key.masked is not UNMASKED}

    def plain(self, record: Post | Term) -> Json:
        """What comes straight from the columns, and something else at each other key."""
        return dict(zip(self._names, self._columns(record), strict=True))

    def present_only(self, json: Json) -> Json:
        """Without those keys that are absent when they are empty."""
        for name in self._optional:
            if json[name] in ("", None):
                del json[name]
        return json


_EVENT = JsonForm(EVENT.keys)
# Without what features add: an event shows its venues without it.
_COMPANIONS = {kind: JsonForm([key for key in kind.keys if key.column or not key.is_added]) for kind in COMPANIONS}
_ADDED = {kind: {key.name: key for key in kind.keys if key.is_added} for kind in POSTS}
_NOTHING_ADDED = {name: key.empty for name, key in _ADDED[EVENT].items() if not key.column}
_TERMS = {kind: JsonForm(kind.keys) for kind in TERMS}
_LINKS = [(link.name, link.kind, link.one_alone) for link in EVENT_LINKS]
NO_TICKET = {key.name: None if key.schema != TEXT else "" for key in TICKET.keys}
_EMBEDDED_TERMS = {kind: JsonForm([key for key in kind.keys if key.name not in NOT_EMBEDDED]) for kind in TERMS}


def post(record: Post, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    """Any kind of post. `single`: a read of this one record, which adds its JSON-LD."""
    if isinstance(record, Event):
        return event(record, bundle, render_context, single=single)
    return companion(record, bundle, render_context, single=single)


def event(record: Event, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    json, series = _EVENT.plain(record), bundle.series
    _fill_post(EVENT, json, record, bundle, render_context)
    json["rest_url"] = render_context.addresses.record(EVENT, record.id)
    json["image"] = json["image"] or False
    json["start_date_details"] = date_details(record.start_local)
    json["end_date_details"] = date_details(record.end_local)
    json["utc_start_date_details"] = date_details(record.start_utc)
    json["utc_end_date_details"] = date_details(record.end_utc)
    json["timezone_abbr"] = _abbreviation(record.start_utc, record.timezone)
    json["cost"], json["cost_details"] = cost.describe(record.cost, render_context.currency)
    around = bundle if bundle.more is NOTHING_MORE else replace(bundle, more=NOTHING_MORE)
    for name, kind, one_alone in _LINKS:
        linked = [_embedded(kind, one, around, render_context, single) for one in bundle.linked[kind.name]]
        json[name] = linked[0] if one_alone and len(linked) == 1 else linked
    json[CUSTOM_VALUES.name] = values_json(bundle.defined)
    json |= _NOTHING_ADDED
    json["tickets"] = [ticket(found) for found in record.tickets]
    json["post_parent"] = bundle.parent
    json["series"] = None if series is None else series.id
    json["series_of"] = None if series is None else series.series_of
    json["recurrence"] = None if series is None else recurrence_of(series.recurrence)
    json["original_start"] = None if series is None else record.original_start
    if bundle.more.json:
        json = with_more(EVENT, json, bundle.more, render_context.addresses)
    if bundle.masked:  # as a list shows it: dates, title and slug stay
        json |= _EVENT.masked
        single = False
    json["json_ld"] = json_ld.event(record, bundle, render_context) if single else None
    return _EVENT.present_only(json)


def with_more(kind: Kind, json: Json, more: More, addresses: Addresses, *, masked: bool = False) -> Json:
    """A record with the keys that features add to it. `masked`: a protected event, which shows few of them."""
    is_new = False
    for name, value in more.json.items():
        key = _ADDED[kind][name]
        if (masked and key.masked is not UNMASKED) or (not key.always and value in ("", None)):
            continue
        is_new = is_new or name not in json
        json[name] = addressed(value, addresses.base_url)
    return {key.name: json[key.name] for key in kind.keys if key.name in json} | json if is_new else json


def _embedded(kind: Kind, record: Any, bundle: Bundle, render_context: RenderContext, single: bool) -> Json:
    """A record as an event shows it that is linked to it."""
    if kind.is_term:
        return embedded_term(kind, record, render_context)
    return companion(record, bundle, render_context, single=single)


def without_json_ld(json: Json) -> Json:
    """What the same record is where it is not read alone, made of the JSON of a single read."""
    json.pop("json_ld", None)
    for name, _, _ in _LINKS:
        if found := json.get(name):  # of an event; other kinds may have a name there
            for linked in found if isinstance(found, list) else [found]:
                if isinstance(linked, dict):
                    linked.pop("json_ld", None)
    return json


def values_json(found: Filled) -> Json | list[object]:
    """The filled fields of an event that people have defined; an empty array without any."""
    return {row.name: {"label": row.label, "value": value} for row, value in found} or []


def companion(record: Post, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    """A record that events are linked to."""
    kind = kind_of(record)
    form = _COMPANIONS[kind]
    json = form.plain(record)
    _fill_post(kind, json, record, bundle, render_context)
    if isinstance(record, Venue):
        json["stateprovince"] = record.region
    json["json_ld"] = json_ld.companion(record, bundle, render_context) if single else None
    if bundle.more.json:
        json = with_more(kind, json, bundle.more, render_context.addresses)
    return form.present_only(json)


def _fill_post(kind: Kind, json: Json, record: Post, bundle: Bundle, render_context: RenderContext) -> None:
    """What the JSON of all kinds of post has in common, and no column as it is."""
    addresses, zone = render_context.addresses, render_context.timezone
    json["global_id"] = addresses.global_id(record.id)
    json["global_id_lineage"] = [json["global_id"]]
    json["author"] = str(record.author)
    json["date"] = local_time(record.date_utc, zone)
    json["modified"] = local_time(record.modified_utc, zone)
    json["url"] = addresses.page(kind, record.slug)
    found = bundle.image_of(record)
    json["image"] = None if found is None else image(found, render_context)


def term(kind: Kind, record: Term, count: int, render_context: RenderContext) -> Json:
    json = _TERMS[kind].plain(record)
    _fill_term(kind, json, record, render_context)
    json["count"], json["meta"] = count, []
    return json


def embedded_term(kind: Kind, record: Term, render_context: RenderContext) -> Json:
    """A term as an event shows it."""
    json = _EMBEDDED_TERMS[kind].plain(record)
    _fill_term(kind, json, record, render_context)
    return json


def _fill_term(kind: Kind, json: Json, record: Term, render_context: RenderContext) -> None:
    addresses = render_context.addresses
    json["taxonomy"] = kind.taxonomy
    json["url"] = addresses.page(kind, record.slug)
    json["urls"] = {"self": addresses.record(kind, record.id), "collection": addresses.collection(kind)}
    if kind is CATEGORY:
        json["color"] = record.color or colours.of_number(record.id)
        if record.parent:
            json["urls"]["up"] = addresses.record(kind, record.parent)


def image(record: Media, render_context: RenderContext) -> Json:
    sizes = {
        name: {
            "width": size["width"],
            "height": size["height"],
            "mime-type": size["mime-type"],
            "filesize": size["filesize"],
            "url": render_context.addresses.media(size["file"]),
        }
        for name, size in record.sizes.items()
    }
    json: Json = {
        "url": render_context.addresses.media(record.file),
        "id": record.id,
        "extension": record.extension,
        "width": record.width,
        "height": record.height,
        "filesize": record.filesize,
    }
    return json | {"sizes": sizes} if sizes else json


def image_in_size(json: Json, name: str) -> Json:
    """A size of an image, or the image itself, which is as small as that where the size is absent."""
    found: Json = json.get("sizes", {}).get(name, json)
    return found


def ticket(stored: Json) -> Json:
    """A ticket with all its keys."""
    return {name: stored.get(name, empty) for name, empty in NO_TICKET.items()}


def date_details(text: str) -> dict[str, str]:
    return {
        "year": text[:4],
        "month": text[5:7],
        "day": text[8:10],
        "hour": text[11:13],
        "minutes": text[14:16],
        "seconds": text[17:19],
    }


@lru_cache(1024)  # many occurrences have the same
def recurrence_of(stored: str) -> Json:
    """The rule, the dates and the exceptions of a series."""
    return dict(recurrence.from_text(stored).to_json())


@lru_cache(1024)  # what is written together has the same times
def local_time(utc: str, zone: str) -> str:
    return dates.text(zones.on_clock(dates.from_text(utc), zone))


@lru_cache(1024)
def _abbreviation(utc: str, zone: str) -> str:
    return zones.abbreviation(zones.to_local(dates.from_text(utc), zone), zone)
