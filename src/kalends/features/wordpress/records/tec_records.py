"""Events and what they are linked to in the form of `tec/v1`: every key, with its schema and its value."""

from dataclasses import replace
from datetime import datetime
from urllib.parse import quote_plus

from kalends.contract.fields import ABSENT
from kalends.contract.json_schema import EMPTY_LIST, FLAG, OBJECT, TEXT, WHOLE, Schema, either, many, or_null, ref
from kalends.contract.kinds import COMPANIONS, EVENT, VENUE, Kind
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.features.wordpress.records.wp_records import POST_TABLES, added, cost_text, of_dates, unmasked
from kalends.features.wordpress.tables import (
    VIEW,
    Json,
    ResponseKey,
    ResponseSource,
    ResponseTable,
    Value,
    column,
    constant,
)
from kalends.languages import N_
from kalends.present.addresses import RenderContext
from kalends.present.json import values_json
from kalends.store.rows.records import Event
from kalends.values import dates, zones
from kalends.values.more import NOTHING_MORE

MAP = "https://maps.google.com/maps?q="
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
NOT_SHARED = frozenset({"meta", "_links", "_embedded"})
# Empty for a draft that has no dates yet.
MOMENT: Schema = {"type": "string", "pattern": r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})?$"}


def _table(kind: Kind, meaning: str, *rows: ResponseKey) -> ResponseTable:
    shared = [row for row in POST_TABLES[kind].rows if VIEW in row.contexts and row.name not in NOT_SHARED]
    in_view = [ResponseKey(row.name, row.schema, row.meaning, row.value, always=row.always) for row in shared]
    return ResponseTable(f"Tec{kind.name.capitalize()}", *in_view, *rows, meaning=meaning)


def _field(kind: Kind, name: str, value: Value | None = None, schema: Schema | None = None) -> ResponseKey:
    """A field of the core, with its meaning, from its column unless another value is given."""
    field = kind.field(name)
    shown = schema or (or_null(FLAG) if field.type.response_schema == FLAG else TEXT)
    return ResponseKey(field.tec, shown, field.shows or field.meaning, unmasked(field, value or column(field.stored)))


def _added(kind: Kind) -> list[ResponseKey]:
    """What features add to a record."""
    return [
        ResponseKey(field.tec, field.key().schema, field.shows or field.meaning, unmasked(field, added(field)))
        for field in (*kind.fields, *kind.shown)
        if field.is_added and field.tec
    ]


def _directions(source: ResponseSource) -> str:
    venue = source.record
    parts = [venue.address, venue.city, venue.region, venue.zip, venue.country]
    place = " ".join(part for part in parts if part)
    return MAP + quote_plus(place) if place else ""


_VENUE_ROWS = (
    *(_field(VENUE, name) for name in ("address", "country", "city")),
    _field(VENUE, "stateprovince", lambda source: source.record.region),
    *(_field(VENUE, name) for name in ("state", "province", "zip", "phone")),
    ResponseKey("directions_link", TEXT, N_("The address on a map; empty without an address."), _directions),
    _field(VENUE, "website"),
)
LINKED_TABLES = {
    kind: _table(
        kind,
        kind.says.about_tec,
        *(
            _VENUE_ROWS
            if kind is VENUE
            else (_field(kind, one.name) for one in kind.fields if one.tec and not one.wp)
        ),
        *_added(kind),
    )
    for kind in COMPANIONS
}
IN_ORDER = {VENUE: N_("The venues, in the order given.")}


def _seconds(source: ResponseSource) -> str:
    event = source.record
    return str(int((dates.from_text(event.end_utc) - dates.from_text(event.start_utc)).total_seconds()))


def _days(source: ResponseSource) -> int | bool:
    """On how many days it is; false for one."""
    event = source.record
    days = (dates.from_text(event.end_local).date() - dates.from_text(event.start_local).date()).days + 1
    return days if days > 1 else False


def _is_past(source: ResponseSource) -> bool:
    return bool(source.record.start_utc <= dates.text(source.now))


def _linked(kind: Kind) -> Value:
    table = LINKED_TABLES[kind]

    def found(source: ResponseSource) -> list[Json]:
        context, bundle = source.render_context, replace(source.companion, more=NOTHING_MORE)
        return [table.json(ResponseSource(record, context, companion=bundle)) for record in bundle.linked[kind.name]]

    return found


def _schedule_row(name: str, *, short: bool) -> ResponseKey:
    def value(source: ResponseSource) -> str:
        year = zones.to_local(source.now, source.render_context.timezone).year
        all_day = source.record.all_day and not source.companion.masked
        return _schedule(source.record, year, all_day=all_day, short=short)

    return ResponseKey(name, TEXT, N_("When the event takes place, as HTML in English."), of_dates(value))


EVENT_TABLE = _table(
    EVENT,
    N_("An event, in the form of tec/v1."),
    _field(EVENT, "start_date", of_dates(column("start_local")), MOMENT),
    ResponseKey("start_date_utc", MOMENT, N_("The start in UTC."), of_dates(column("start_utc"))),
    _field(EVENT, "end_date", of_dates(column("end_local")), MOMENT),
    ResponseKey("end_date_utc", MOMENT, N_("The end in UTC."), of_dates(column("end_utc"))),
    ResponseKey(
        "dates",
        OBJECT,
        N_("The start and the end in several time zones; not in lists."),
        of_dates(
            lambda source: _dates(source.record, source.render_context) if source.is_alone else ABSENT, without=ABSENT
        ),
        always=False,
    ),
    _field(EVENT, "timezone"),
    ResponseKey("duration", TEXT, N_("How many seconds the event lasts."), of_dates(_seconds, "0")),
    ResponseKey(
        "multiday",
        either(WHOLE, {"const": False}),
        N_("On how many days the event takes place; false for one."),
        of_dates(_days, without=False),
    ),
    ResponseKey("is_past", FLAG, N_("Whether the event has begun."), of_dates(_is_past, without=False)),
    ResponseKey(
        "is_now",
        FLAG,
        N_("Whether the event is going on."),
        of_dates(lambda source: _is_past(source) and dates.text(source.now) < source.record.end_utc, without=False),
    ),
    _field(EVENT, "all_day"),
    *(
        ResponseKey(name, {"type": "null"}, N_("Always null."), constant(None))
        for name in ("starts_this_week", "ends_this_week", "this_week_duration", "happens_this_week")
    ),
    ResponseKey("displays_on", EMPTY_LIST, N_("Always empty."), constant([])),
    *(_field(EVENT, name) for name in ("featured", "sticky")),
    _field(EVENT, "cost", cost_text),
    ResponseKey(
        "organizer_names",
        many(TEXT),
        N_("The names of the organizers."),
        lambda source: [organizer.name for organizer in source.companion.linked["organizer"]],
    ),
    *(
        ResponseKey(
            link.tec,
            many(ref(LINKED_TABLES[link.kind].name)),
            IN_ORDER.get(link.kind, link.shows),
            _linked(link.kind),
        )
        for link in reversed(EVENT_LINKS)
        if link.kind in LINKED_TABLES
    ),
    ResponseKey(
        "custom_fields",
        OBJECT,
        N_("The values of custom fields by their keys; absent without any."),
        lambda source: values_json(source.companion.defined) or ABSENT,
        always=False,
    ),
    *_added(EVENT),
    _schedule_row("schedule_details", short=False),
    _schedule_row("short_schedule_details", short=True),
)
TABLES = {EVENT: EVENT_TABLE, **LINKED_TABLES}


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
