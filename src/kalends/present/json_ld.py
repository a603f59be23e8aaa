"""JSON-LD for search engines: records as schema.org Event, Place and Organization."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from kalends.contract.kinds import EVENT, ORGANIZER, VENUE
from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, SOLD_OUT, TRASH
from kalends.features.custom_fields import present as custom_fields
from kalends.present.addresses import RenderContext
from kalends.present.conventions import state_or_province
from kalends.store.rows.bundle import Bundle
from kalends.store.rows.records import Event, Organizer, Post, Venue
from kalends.values import cost, dates, markup, zones

Json = dict[str, Any]

SCHEMA = "https://schema.org"
EVENT_STATUSES = {CANCELLED: "EventCancelled", POSTPONED: "EventPostponed", MOVED_ONLINE: "EventMovedOnline"}
SYMBOL_CODES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "CHF": "CHF", "zł": "PLN"}


def event(record: Event, bundle: Bundle, render_context: RenderContext, *, brief: bool = False) -> Json:
    """`brief`: of its places and organizers only who they are."""
    if brief:
        venues = [brief_venue(found, render_context) for found in bundle.venues]
        organizers = [brief_organizer(found, render_context) for found in bundle.organizers]
    else:
        venues = [venue(found, bundle, render_context, nested=True) for found in bundle.venues]
        organizers = [organizer(found, bundle, render_context, nested=True) for found in bundle.organizers]
    status = CANCELLED if record.status == TRASH else record.event_status
    return _filled(
        {
            "@context": SCHEMA,
            "@type": "Event",
            "name": record.name,
            "description": markup.text_of(record.short_text),
            "image": _image_url(record, bundle, render_context),
            "url": render_context.addresses.page(EVENT, record.slug),
            "eventAttendanceMode": f"{SCHEMA}/{'Online' if status == MOVED_ONLINE else 'Offline'}EventAttendanceMode",
            "eventStatus": f"{SCHEMA}/{EVENT_STATUSES.get(status, 'EventScheduled')}",
            "startDate": _when(record, record.start_local, record.start_utc),
            "endDate": _when(record, record.end_local, record.end_utc),
            "location": _one_or_many(venues),
            "organizer": _one_or_many(organizers),
            "offers": _one_or_many(_offers(record, render_context)),
            "performer": "Organization",  # as The Events Calendar has it
            "additionalProperty": custom_fields.as_properties(bundle.custom),
        }
    )


def venue(record: Venue, bundle: Bundle, render_context: RenderContext, *, nested: bool = False) -> Json:
    geo = None
    if record.geo_lat is not None and record.geo_lng is not None:
        geo = {"@type": "GeoCoordinates", "latitude": record.geo_lat, "longitude": record.geo_lng}
    return _filled(
        {
            "@context": None if nested else SCHEMA,
            "@type": "Place",
            "name": record.name,
            "description": markup.text_of(record.description),
            "image": _image_url(record, bundle, render_context),
            "url": render_context.addresses.page(VENUE, record.slug),
            "address": _address(record),
            "geo": geo,
            "telephone": record.phone,
            "sameAs": record.website,
        }
    )


def brief_venue(record: Venue, render_context: RenderContext) -> Json:
    found = {"@type": "Place", "name": record.name, "url": render_context.addresses.page(VENUE, record.slug)}
    return _filled(found | {"address": _address(record)})


def _address(record: Venue) -> Json | None:
    address = _filled(
        {
            "@type": "PostalAddress",
            "streetAddress": record.address,
            "addressLocality": record.city,
            "addressRegion": state_or_province(record),
            "postalCode": record.zip,
            "addressCountry": record.country,
        }
    )
    return address if len(address) > 1 else None


def organizer(record: Organizer, bundle: Bundle, render_context: RenderContext, *, nested: bool = False) -> Json:
    return _filled(
        {
            "@context": None if nested else SCHEMA,
            "@type": "Organization",
            "name": record.name,
            "description": markup.text_of(record.description),
            "image": _image_url(record, bundle, render_context),
            "url": render_context.addresses.page(ORGANIZER, record.slug),
            "telephone": record.phone,
            "email": record.email,
            "sameAs": record.website,
        }
    )


def brief_organizer(record: Organizer, render_context: RenderContext) -> Json:
    url = render_context.addresses.page(ORGANIZER, record.slug)
    return _filled({"@type": "Organization", "name": record.name, "url": url})


def _offers(record: Event, render_context: RenderContext) -> list[Json]:
    """One offer a ticket; without tickets, one for the cost when it has a number."""
    page = render_context.addresses.page(EVENT, record.slug)
    sold_out = f"{SCHEMA}/SoldOut" if record.event_status == SOLD_OUT else None
    if record.tickets:
        return [
            _filled(
                {
                    "@type": "Offer",
                    "name": ticket["name"],
                    "price": ticket.get("price"),
                    "priceCurrency": ticket.get("currency") or _currency_code(render_context),
                    "availability": sold_out,
                    "url": ticket.get("url") or page,
                    "validFrom": _ticket_time(record, ticket.get("starts")),
                    "validThrough": _ticket_time(record, ticket.get("ends")),
                }
            )
            for ticket in record.tickets
        ]
    _, details = cost.describe(record.cost, render_context.currency)
    numbers = [value for value in details["values"] if value[:1].isdigit()]  # type: ignore[attr-defined]
    if not numbers:
        return []
    offer: Json = {"@type": "Offer", "price": numbers[0]}
    if len(numbers) > 1:
        offer = {"@type": "AggregateOffer", "lowPrice": numbers[0], "highPrice": numbers[-1]}
    code = (
        details["currency_code"]
        or SYMBOL_CODES.get(str(details["currency_symbol"]))
        or _currency_code(render_context)
    )
    return [_filled(offer | {"priceCurrency": code, "availability": sold_out, "url": page})]


def _currency_code(render_context: RenderContext) -> str:
    """Search engines want a code; a site that says none is taken by its symbol."""
    return render_context.currency.code or SYMBOL_CODES.get(render_context.currency.symbol, "USD")


def _ticket_time(record: Event, local: str | None) -> str | None:
    if not local:
        return None
    moment = dates.from_text(local)
    try:
        return _iso(moment, zones.to_utc(moment, record.timezone))
    except zones.OutOfRange:  # the event moved to another zone since, at the very end of the calendar
        return None


def _when(record: Event, local: str, utc: str) -> str:
    """A day for an all-day event, else a moment with its offset."""
    return local[:10] if record.all_day else _moment(local, utc)


@lru_cache(256)  # a write shows what it has changed several times
def _moment(local: str, utc: str) -> str:
    return _iso(dates.from_text(local), dates.from_text(utc))


def _iso(local: datetime, utc: datetime) -> str:
    minutes = round((local - utc).total_seconds() / 60)
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    return f"{local.isoformat()}{sign}{minutes // 60:02}:{minutes % 60:02}"


def _image_url(record: Post, bundle: Bundle, render_context: RenderContext) -> str | None:
    found = bundle.image_of(record)
    return None if found is None else render_context.addresses.media(found.file)


def _filled(json: Json) -> Json:
    return {name: value for name, value in json.items() if value not in ("", None, [])}


def _one_or_many(found: list[Json]) -> Json | list[Json] | None:
    return found[0] if len(found) == 1 else found or None
