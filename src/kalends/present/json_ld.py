"""JSON-LD for search engines: events, what they are linked to and their series, by the types of schema.org."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from kalends.contract.fields import RecordField
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, RESCHEDULED, SOLD_OUT, TRASH
from kalends.present.addresses import RenderContext
from kalends.present.event_details import details
from kalends.store.rows.records import Bundle, Event, Post, Series, Venue, kind_of
from kalends.values import cost, dates, markup, recurrence, zones
from kalends.values.more import add_properties, addressed
from kalends.values.recurrence import Recurrence, Rule, last_day
from kalends.values.recurrence.parsing import local_times
from kalends.values.recurrence.rules import WEEKDAYS

Json = dict[str, Any]

SCHEMA = "https://schema.org"
EVENT_STATUSES = {
    CANCELLED: "EventCancelled",
    POSTPONED: "EventPostponed",
    RESCHEDULED: "EventRescheduled",
    MOVED_ONLINE: "EventMovedOnline",
}
CONTACT = {"phone": "telephone", "email": "email", "website": "sameAs"}  # roles, by column
SYMBOL_CODES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "CHF": "CHF", "zł": "PLN"}
PRICES = ("price", "lowPrice", "highPrice")
UNITS = {"DAILY": "D", "WEEKLY": "W", "MONTHLY": "M", "YEARLY": "Y"}
ROLES = [(link.json_ld, link.kind.name) for link in EVENT_LINKS if link.json_ld]
_EMPTY: tuple[object, ...] = ("", None, [])
DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def event(record: Event, bundle: Bundle, render_context: RenderContext, *, brief: bool = False) -> Json:
    """`brief`: of what it is linked to only who they are."""
    linked = {
        role: _one_or_many([companion(one, bundle, render_context, nested=True, brief=brief) for one in found])
        for role, kind in ROLES
        if (found := bundle.linked[kind])
    }
    status = CANCELLED if record.status == TRASH else record.event_status
    about = _filled(
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
            **linked,
            "offers": _one_or_many(_offers(record, render_context)),
            "performer": "Organization",  # as The Events Calendar has it
            "additionalProperty": properties(details(record, bundle)),
        }
    )
    if bundle.more.json_ld:
        add_properties(about, addressed(bundle.more.json_ld, render_context.addresses.base_url))
    return about


def on_page(about: Json, website: str = "", *, is_online: bool = False, is_free: bool = False) -> Json:
    """The event as search engines want it on a page; `event` is as The Events Calendar has it. `website`: where to
    join an event that takes place online, besides its venue if it has one, unless it has moved."""
    shown = {name: value for name, value in about.items() if name != "performer"}
    places = shown.pop("location", [])
    places = [_addressed(place) for place in (places if isinstance(places, list) else [places])]
    is_moved = shown["eventStatus"] == f"{SCHEMA}/{EVENT_STATUSES[MOVED_ONLINE]}"
    if is_moved or is_online:
        virtual = {"@type": "VirtualLocation", "url": website or shown["url"]}
        places = [virtual] if is_moved else [*places, virtual]
        mode = "Online" if len(places) == 1 else "Mixed"
        shown["eventAttendanceMode"] = f"{SCHEMA}/{mode}EventAttendanceMode"
    if places:
        shown["location"] = _one_or_many(places)
    if is_free:
        shown["isAccessibleForFree"] = True
    if "offers" in shown:
        offers = shown["offers"] if isinstance(shown["offers"], list) else [shown["offers"]]
        offers = [_with_numbers(offer) for offer in offers]
        shown["offers"] = _one_or_many(offers)
        prices = [offer.get("highPrice", offer.get("price")) for offer in offers]
        if None not in prices:
            shown["isAccessibleForFree"] = not any(prices)
    return shown


def _addressed(place: Json) -> Json:
    return place if "address" in place else place | {"address": place["name"]}


def _with_numbers(offer: Json) -> Json:
    """Prices are numbers, or are not there."""
    shown = dict(offer)
    for name in PRICES:
        if name in shown:
            number = _number(str(shown.pop(name)))
            shown |= {} if number is None else {name: number}
    return shown


def _number(written: str) -> float | int | None:
    try:
        number = Decimal(written)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    return int(number) if number == number.to_integral_value() else float(number)


def properties(found: Iterable[tuple[RecordField, object]]) -> list[Json] | None:
    """What an event lists of its fields; None without any."""
    return [
        {"@type": "PropertyValue", "propertyID": row.property_id, "name": row.label, "value": value}
        for row, value in found
    ] or None


def companion(
    record: Post, bundle: Bundle, render_context: RenderContext, *, nested: bool = False, brief: bool = False
) -> Json:
    """A record that events are linked to; in short only who or where it is."""
    kind, place = kind_of(record), record if isinstance(record, Venue) else None
    who = {
        "@context": None if nested else SCHEMA,
        "@type": kind.schema,
        "name": record.name,
        "description": None if brief else markup.text_of(record.description),
        "image": None if brief else _image_url(record, bundle, render_context),
        "url": render_context.addresses.page(kind, record.slug),
        "address": None if place is None else _address(place),
    }
    if brief:
        return _filled(who)
    if place is not None and place.geo_lat is not None and place.geo_lng is not None:
        who["geo"] = {"@type": "GeoCoordinates", "latitude": place.geo_lat, "longitude": place.geo_lng}
    about = _filled(who | {role: getattr(record, column, "") for column, role in CONTACT.items()})
    if bundle.more.json_ld and not nested:  # else it is that of an event which has the record in it
        add_properties(about, addressed(bundle.more.json_ld, render_context.addresses.base_url))
    return about


def _address(record: Venue) -> Json | None:
    address = _filled(
        {
            "@type": "PostalAddress",
            "streetAddress": record.address,
            "addressLocality": record.city,
            "addressRegion": record.region,
            "postalCode": record.zip,
            "addressCountry": record.country,
        }
    )
    return address if len(address) > 1 else None


def _offers(record: Event, render_context: RenderContext) -> list[Json]:
    """One offer a ticket; without tickets, one for the cost when it has a number."""
    if not record.tickets and not record.cost:
        return []
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
    return {name: value for name, value in json.items() if value not in _EMPTY}


def _one_or_many(found: list[Json]) -> Json | list[Json] | None:
    return found[0] if len(found) == 1 else found or None


def series(found: Series, render_context: RenderContext) -> Json:
    """What an occurrence names as its superEvent."""
    json: Json = {
        "@type": "EventSeries",
        "name": found.template.event.name,
        "url": f"{render_context.addresses.base_url}/events/list/?series={found.id}",
    }
    parsed = recurrence.from_text(found.recurrence)
    # Schema.org has no words for further dates and for the rarer parts of a rule.
    if parsed.rule is not None and not parsed.dates and not _is_rare(parsed.rule):
        json["eventSchedule"] = _schedule(found, parsed, parsed.rule)
    return json


def _is_rare(rule: Rule) -> bool:
    return bool(rule.positions or rule.weeks or rule.year_days or rule.has_times)


def _schedule(found: Series, repeats: Recurrence, rule: Rule) -> Json:
    template = found.template.event
    start, end = dates.from_text(template.start_local), dates.from_text(template.end_local)
    json: Json = {
        "@type": "Schedule",
        "repeatFrequency": f"P{rule.interval}{UNITS[rule.frequency]}",
        "startDate": start.date().isoformat(),
        "scheduleTimezone": template.timezone,
    }
    if not template.all_day:
        json |= {"startTime": start.time().isoformat(), "endTime": end.time().isoformat()}
    if (last := last_day(rule, start, template.timezone)) is not None:
        json["endDate"] = last.isoformat()
    if rule.count is not None:
        json["repeatCount"] = rule.count
    if rule.days:
        json["byDay"] = [_day(which, weekday) for which, weekday in rule.days]
    if rule.months:
        json["byMonth"] = list(rule.months)
    if rule.month_days:
        json["byMonthDay"] = list(rule.month_days)
    if left_out := local_times(repeats.exceptions, start, template.timezone):
        json["exceptDate"] = [(when.date() if template.all_day else when).isoformat() for when in left_out]
    return json


def _day(which: int, weekday: int) -> str:
    """A day of the week, or as iCalendar writes the second Tuesday of a month: `2TU`."""
    return f"{which}{WEEKDAYS[weekday]}" if which else f"{SCHEMA}/{DAY_NAMES[weekday]}"
