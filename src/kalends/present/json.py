"""The JSON of the five kinds and of images; `contract/representations.py` lists the same keys in the same order."""

from functools import lru_cache
from typing import Any

from kalends.contract.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, Kind
from kalends.present import json_ld
from kalends.present.regions import state_or_province
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundle import Bundle
from kalends.store.rows.records import Event, Media, Organizer, Post, Term, Venue
from kalends.values import colours, cost, dates, recurrence, zones

Json = dict[str, Any]

NO_COST: Json = {"currency_symbol": "", "currency_code": "", "currency_position": "", "values": []}
MASKED_FLAGS = (
    "all_day",
    "show_map",
    "show_map_link",
    "hide_from_listings",
    "sticky",
    "featured",
    "ticketed",
)


def post(record: Post, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    """Any of the three kinds of post. `single`: a read of this one record, which adds its JSON-LD."""
    match record:
        case Event():
            return event(record, bundle, render_context, single=single)
        case Venue():
            return venue(record, bundle, render_context, single=single)
        case Organizer():
            return organizer(record, bundle, render_context, single=single)
        case _:
            raise TypeError(type(record))


def event(record: Event, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    shown, details = cost.describe(record.cost, render_context.currency)
    global_id = render_context.addresses.global_id(record.id)
    json: Json = {
        "id": record.id,
        "global_id": global_id,
        "global_id_lineage": [global_id],
        "author": str(record.author),
        "status": record.status,
        **_published(record, render_context),
        "url": render_context.addresses.page(EVENT, record.slug),
        "rest_url": render_context.addresses.record(EVENT, record.id),
        "title": record.name,
        "description": record.description,
        "excerpt": record.excerpt,
        "slug": record.slug,
        "image": _image_of(record, bundle, render_context) or False,
        "all_day": record.all_day,
        "start_date": record.start_local,
        "start_date_details": date_details(record.start_local),
        "end_date": record.end_local,
        "end_date_details": date_details(record.end_local),
        "utc_start_date": record.start_utc,
        "utc_start_date_details": date_details(record.start_utc),
        "utc_end_date": record.end_utc,
        "utc_end_date_details": date_details(record.end_utc),
        "timezone": record.timezone,
        "timezone_abbr": _abbreviation(record.start_utc, record.timezone),
        "cost": shown,
        "cost_details": details,
        "website": record.website,
        "show_map": record.show_map,
        "show_map_link": record.show_map_link,
        "hide_from_listings": record.hide_from_listings,
        "sticky": record.sticky,
        "featured": record.featured,
        "categories": [embedded_term(CATEGORY, term, render_context) for term in bundle.categories],
        "tags": [embedded_term(TAG, term, render_context) for term in bundle.tags],
        "venue": _one_or_many([venue(found, bundle, render_context, single=single) for found in bundle.venues]),
        "organizer": [organizer(found, bundle, render_context, single=single) for found in bundle.organizers],
        "custom_fields": [],
        "event_status": record.event_status,
        "ticketed": record.ticketed,
        "tickets": [ticket(found) for found in record.tickets],
        "post_parent": bundle.parent,
        "series": None if bundle.series is None else bundle.series.id,
        "recurrence": None if bundle.series is None else recurrence_of(bundle.series.recurrence),
        "original_start": None if bundle.series is None else record.original_start,
        "source": record.source,
        "external_id": record.external_id,
        "rev": record.rev,
    }
    if bundle.masked:
        return mask(json)
    if single:
        json["json_ld"] = json_ld.event(record, bundle, render_context)
    return json


def mask(json: Json) -> Json:
    """A protected event as a list shows it: dates, title and slug stay."""
    json |= {
        "description": "",
        "excerpt": "",
        "image": False,
        "cost": "",
        "cost_details": NO_COST,
        "website": "",
        "source": "",
        "external_id": "",
        "event_status": None,
    }
    json |= dict.fromkeys(MASKED_FLAGS)
    json |= {name: [] for name in ("categories", "tags", "venue", "organizer", "custom_fields", "tickets")}
    return json


def venue(record: Venue, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    json = _post_start(VENUE, record, bundle, render_context)
    json |= {
        "address": record.address,
        "city": record.city,
        "country": record.country,
        "province": record.province,
        "state": record.state,
        "zip": record.zip,
        "phone": record.phone,
        "website": record.website,
        "stateprovince": state_or_province(record),
        "geo_lat": record.geo_lat,
        "geo_lng": record.geo_lng,
        "source": record.source,
        "external_id": record.external_id,
        "json_ld": json_ld.venue(record, bundle, render_context) if single else None,
    }
    json = _present_only(json)
    json |= {"show_map": record.show_map, "show_map_link": record.show_map_link}
    return json | _post_end(record, render_context)


def organizer(record: Organizer, bundle: Bundle, render_context: RenderContext, *, single: bool = False) -> Json:
    json = _post_start(ORGANIZER, record, bundle, render_context)
    json |= {
        "phone": record.phone,
        "website": record.website,
        "email": record.email,
        "source": record.source,
        "external_id": record.external_id,
        "json_ld": json_ld.organizer(record, bundle, render_context) if single else None,
    }
    return _present_only(json) | _post_end(record, render_context)


def term(kind: Kind, record: Term, count: int, render_context: RenderContext) -> Json:
    inner = embedded_term(kind, record, render_context)
    json = {"id": inner.pop("id"), "count": count, "description": inner.pop("description")}
    for name in ("name", "slug", "taxonomy", "parent", "color"):
        if name in inner:
            json[name] = inner.pop(name)
    external = {"source": record.source, "external_id": record.external_id}
    return json | {"meta": []} | inner | external | {"rev": record.rev}


def embedded_term(kind: Kind, record: Term, render_context: RenderContext) -> Json:
    """A term as an event shows it."""
    urls = {
        "self": render_context.addresses.record(kind, record.id),
        "collection": render_context.addresses.collection(kind),
    }
    json: Json = {
        "id": record.id,
        "description": record.description,
        "name": record.name,
        "slug": record.slug,
        "taxonomy": kind.taxonomy,
    }
    if kind is CATEGORY:
        json["parent"] = record.parent
        json["color"] = record.color or colours.of_number(record.id)
        if record.parent:
            urls["up"] = render_context.addresses.record(kind, record.parent)
    return json | {"url": render_context.addresses.page(kind, record.slug), "urls": urls}


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
    return {
        "name": stored["name"],
        "price": stored.get("price", ""),
        "currency": stored.get("currency", ""),
        "url": stored.get("url", ""),
        "capacity": stored.get("capacity"),
        "starts": stored.get("starts", ""),
        "ends": stored.get("ends", ""),
    }


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


def _post_start(kind: Kind, record: Post, bundle: Bundle, render_context: RenderContext) -> Json:
    return {
        "id": record.id,
        "author": str(record.author),
        "status": record.status,
        **_published(record, render_context),
        "url": render_context.addresses.page(kind, record.slug),
        kind.name_field: record.name,
        "description": record.description,
        "excerpt": record.excerpt,
        "slug": record.slug,
        "image": _image_of(record, bundle, render_context),
    }


def _post_end(record: Post, render_context: RenderContext) -> Json:
    global_id = render_context.addresses.global_id(record.id)
    return {"global_id": global_id, "global_id_lineage": [global_id], "rev": record.rev}


def _published(record: Post, render_context: RenderContext) -> Json:
    return {
        "date": local_time(record.date_utc, render_context.timezone),
        "date_utc": record.date_utc,
        "modified": local_time(record.modified_utc, render_context.timezone),
        "modified_utc": record.modified_utc,
    }


@lru_cache(1024)  # what is written together has the same times
def local_time(utc: str, zone: str) -> str:
    return dates.text(zones.to_local(dates.from_text(utc), zone))


@lru_cache(1024)
def _abbreviation(utc: str, zone: str) -> str:
    return zones.abbreviation(zones.to_local(dates.from_text(utc), zone), zone)


def _image_of(record: Post, bundle: Bundle, render_context: RenderContext) -> Json | None:
    found = bundle.images.get(record.image) if record.image is not None else None
    return None if found is None else image(found, render_context)


def _present_only(json: Json) -> Json:
    return {name: value for name, value in json.items() if value not in ("", None)}


def _one_or_many(found: list[Json]) -> Json | list[Json]:
    return found[0] if len(found) == 1 else found
