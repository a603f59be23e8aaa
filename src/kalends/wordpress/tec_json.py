"""Records in the form of `tec/v1`; `tec_keys.py` lists the same keys in the same order."""

from datetime import datetime
from typing import Any
from urllib.parse import quote_plus

from kalends.contract.kinds import EVENT, ORGANIZER, VENUE, Kind
from kalends.present.regions import state_or_province
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Organizer, Post, Venue
from kalends.values import cost, dates, zones
from kalends.values.dates import is_undated
from kalends.wordpress import wp_json
from kalends.wordpress.model import VIEW
from kalends.wordpress.tec_keys import SHARED

Json = dict[str, Any]

MAP = "https://maps.google.com/maps?q="
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
TIMES = (
    *("start_date", "start_date_utc", "end_date", "end_date_utc"),
    *("schedule_details", "short_schedule_details"),
)
NEVER = ("starts_this_week", "ends_this_week", "this_week_duration", "happens_this_week")


def post(record: Post, bundle: Bundle, context: RenderContext, now: datetime, *, single: bool = False) -> Json:
    """Any of the three kinds of post. `single`: not within a list."""
    match record:
        case Event():
            return event(record, bundle, context, now, single=single)
        case Venue():
            return venue(record, bundle, context)
        case Organizer():
            return organizer(record, bundle, context)
        case _:
            raise TypeError(type(record))


def event(record: Event, bundle: Bundle, context: RenderContext, now: datetime, *, single: bool = False) -> Json:
    """Of an event with a password, the title, the slug and the times are all that a reader without it gets."""
    if is_undated(record.start_local, record.end_local):
        return _undated(_dated(record, bundle, context, now, single=False))
    return _dated(record, bundle, context, now, single=single)


def _dated(record: Event, bundle: Bundle, context: RenderContext, now: datetime, *, single: bool) -> Json:
    is_open, present = not bundle.masked, dates.text(now)
    seconds = (dates.from_text(record.end_utc) - dates.from_text(record.start_utc)).total_seconds()
    days = (dates.from_text(record.end_local).date() - dates.from_text(record.start_local).date()).days + 1
    shown_cost, _ = cost.describe(record.cost, context.currency)
    year = zones.to_local(now, context.timezone).year
    return {
        **_post(EVENT, record, bundle, context),
        "start_date": record.start_local,
        "start_date_utc": record.start_utc,
        "end_date": record.end_local,
        "end_date_utc": record.end_utc,
        **({"dates": _dates(record, context)} if single else {}),
        "timezone": record.timezone,
        "duration": str(int(seconds)),
        "multiday": days if days > 1 else False,
        "is_past": record.start_utc <= present,
        "is_now": record.start_utc <= present < record.end_utc,
        "all_day": record.all_day if is_open else None,
        **dict.fromkeys(NEVER),
        "displays_on": [],
        "featured": record.featured if is_open else None,
        "sticky": record.sticky if is_open else None,
        "cost": shown_cost if is_open else "",
        "organizer_names": [found.name for found in bundle.organizers],
        "organizers": [organizer(found, bundle, context) for found in bundle.organizers],
        "venues": [venue(found, bundle, context) for found in bundle.venues],
        "schedule_details": _schedule(record, year, all_day=record.all_day and is_open),
        "short_schedule_details": _schedule(record, year, all_day=record.all_day and is_open, short=True),
    }


def venue(record: Venue, bundle: Bundle, context: RenderContext) -> Json:
    region = state_or_province(record)
    place = [record.address, record.city, region, record.zip, record.country]
    return {
        **_post(VENUE, record, bundle, context),
        "address": record.address,
        "country": record.country,
        "city": record.city,
        "state_province": region,
        "state": record.state,
        "province": record.province,
        "zip": record.zip,
        "phone": record.phone,
        "directions_link": MAP + quote_plus(" ".join(part for part in place if part)) if any(place) else "",
        "website": record.website,
    }


def organizer(record: Organizer, bundle: Bundle, context: RenderContext) -> Json:
    return {
        **_post(ORGANIZER, record, bundle, context),
        "phone": record.phone,
        "website": record.website,
        "email": record.email,
    }


def _post(kind: Kind, record: Post, bundle: Bundle, context: RenderContext) -> Json:
    """What `wp/v2` shows too."""
    json = wp_json.post(record, bundle, context, VIEW, editable=False)
    return {key: json[key] for key in SHARED[kind]}


def _undated(json: Json) -> Json:
    """A draft that has no dates yet."""
    return json | dict.fromkeys(TIMES, "") | {"duration": "0", "multiday": False, "is_past": False, "is_now": False}


def _dates(record: Event, context: RenderContext) -> Json:
    """The start and the end on the clocks of the event, of UTC and of the site, as PHP writes them."""
    found = {}
    for name, local, utc in (
        ("start", record.start_local, record.start_utc),
        ("end", record.end_local, record.end_utc),
    ):
        site = _on_clock(utc, context)
        for suffix, text, zone in (
            ("", local, record.timezone),
            ("_utc", utc, "UTC"),
            ("_site", site, context.timezone),
            ("_display", local, record.timezone),
        ):
            found[name + suffix] = {"date": f"{text}.000000", "timezone_type": 3, "timezone": zone}
    return found


def _schedule(record: Event, year: int, *, all_day: bool, short: bool = False) -> str:
    start, end = dates.from_text(record.start_local), dates.from_text(record.end_local)
    first, last = _day(start, year), _day(end, year)
    if all_day:
        return _span("date-start", first) + ("" if first == last else f" - {_span('date-end', last)}")
    if start.date() == end.date():
        begin = _time(start) if short else f"{first} @ {_time(start)}"
        return f"{_span('date-start', begin)} - {_span('time', _time(end))}"
    return f"{_span('date-start', f'{first} @ {_time(start)}')} - {_span('date-end', f'{last} @ {_time(end)}')}"


def _span(name: str, text: str) -> str:
    return f'<span class="tribe-event-{name}">{text}</span>'


def _day(at: datetime, year: int) -> str:
    """The year is told where it is not the present one."""
    return f"{MONTHS[at.month - 1]} {at.day}" + ("" if at.year == year else f", {at.year}")


def _time(at: datetime) -> str:
    return f"{at.hour % 12 or 12}:{at.minute:02} {'am' if at.hour < 12 else 'pm'}"


def _on_clock(utc: str, context: RenderContext) -> str:
    """A moment on the site's clock; at the very end of the calendar that clock may have no such time."""
    try:
        return dates.text(zones.to_local(dates.from_text(utc), context.timezone))
    except zones.OutOfRange:
        return utc
