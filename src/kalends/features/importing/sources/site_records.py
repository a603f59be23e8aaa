"""Turns the JSON of the interface into records, whatever the habits of the site that sent it."""

import html
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from kalends.contract.fields import RecordField
from kalends.contract.kinds import CATEGORY, EVENT, POSTS, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.types.tickets import TICKET_TYPES
from kalends.features.exporting.fields import is_flag
from kalends.features.importing.records import custom_values
from kalends.features.importing.records.adopted_fields import AdoptedField
from kalends.features.importing.records.losses import found_in
from kalends.features.importing.records.record import ImageRef, Member, Record, Ref, number_in, ref_of
from kalends.features.importing.sources import wordpress
from kalends.values import dates
from kalends.values.recurrence import RecurrenceError, parse

Json = dict[str, Any]
# What follows from other keys, or is different here in any case.
DERIVED = {
    *(
        "id",
        "global_id",
        "global_id_lineage",
        "date",
        "modified",
        "modified_utc",
        "url",
        "rest_url",
        "json_ld",
        "rev",
    ),
    *("start_date_details", "end_date_details", "utc_start_date", "utc_start_date_details", "utc_end_date"),
    *("utc_end_date_details", "timezone_abbr", "cost_details", "ticketed", "occurrences", "source", "external_id"),
}
OF_EVENTS = {
    *("start_date", "end_date", "timezone", "all_day", "cost", "tickets", "event_status", "website"),
    *custom_values.OF_SITES,
    *("post_parent", "series", "series_of", "recurrence", "original_start", *LINKED_KINDS),
}
TERM_KEYS = {
    *("id", "name", "slug", "description", "color", "parent", "count", "taxonomy", "urls", "term_group", "rev"),
    *("term_taxonomy_id", "filter", "source", "external_id", "url", "rest_url"),
}
CARRIED = {
    kind.name: {
        kind.name_field,
        *(field.name for field in wordpress.OF_POSTS),
        "image",
        *DERIVED,
        *(OF_EVENTS if kind is EVENT else ()),
        *(field.name for field in wordpress.PLAIN[kind.name]),
    }
    for kind in POSTS
}


class SiteRecords:
    """The records of one site. `zone` is that of events without one."""

    def __init__(self, source: str, zone: str) -> None:
        self._source = source
        self._zone = zone
        self.defined: dict[str, AdoptedField] = {}  # the site's custom fields by their keys, if it tells them

    def record(self, kind: Kind, json: Json, where: str) -> Record:
        if kind.is_term:
            return self._term(kind, json, where)
        record = self._post(kind, json, where)
        record.lost = found_in(json, CARRIED[kind.name])
        record.fields |= wordpress.plain_fields(kind, lambda field: _value_of(field, json))
        if kind is EVENT:
            self._add_event(record, json)
        return record

    def embedded(self, json: Json) -> Iterator[tuple[Kind, Json]]:
        """The records inside of an event: some are in no list."""
        for field, kind in LINKED_KINDS.items():
            for inner in _objects(json.get(field)):
                yield kind, inner

    def _term(self, kind: Kind, json: Json, where: str) -> Record:
        parent = json.get("parent")
        fields: dict[str, object] = {
            "name": html.unescape(str(json.get("name") or "")),
            "slug": wordpress.slug_of(json.get("slug")),
            "description": str(json.get("description") or ""),
        }
        if "color" in json:  # of another Kalends
            fields["color"] = str(json["color"] or "")
        lost = found_in(json, TERM_KEYS)
        return Record(
            kind,
            self._ref(json["id"]),
            fields,
            where,
            parent=self._ref(parent) if parent and kind is CATEGORY else None,
            old_id=number_in(json["id"]),
            covers_image=False,
            lost=lost,
        )

    def _post(self, kind: Kind, json: Json, where: str) -> Record:
        status = json.get("status")
        name = html.unescape(str(json.get(kind.name_field) or ""))
        fields = wordpress.post_fields(kind, name, lambda field: json.get(field.name))
        image = json.get("image")
        url = image.get("url") if isinstance(image, dict) else image if isinstance(image, str) else None
        return Record(
            kind,
            self._ref(json["id"]),
            fields,
            where,
            image=ImageRef(url=str(url)) if url else None,
            old_id=number_in(json["id"]),
            is_gone=wordpress.is_gone(status),
        )

    def _add_event(self, record: Record, json: Json) -> None:
        start = wordpress.date_of(json.get("start_date"))
        if str(json.get("website") or "") == str(json.get("url")):
            record.fields["website"] = ""  # without a website the plugin tells the page of the event
        record.fields |= {
            # The local time counts: for fixed offsets the UTC of the plugin is wrong.
            "start_date": start,
            "end_date": wordpress.date_of(json.get("end_date")) or start,
            "timezone": wordpress.zone_of(json.get("timezone"), self._zone),
            "all_day": bool(json.get("all_day")),
            "cost": _cost(json),
        }
        record.defined = self.defined
        if json.keys() & custom_values.OF_SITES:  # none are an empty array
            record.fields["custom_fields"], unread = custom_values.from_site(json)
            record.lost += unread
        if isinstance(json.get("tickets"), list):
            record.fields["tickets"] = [_ticket(one, record.lost) for one in _objects(json["tickets"])]
        status = wordpress.event_status_of(json.get("event_status"))
        if status is not None:
            record.fields["event_status"] = status
        elif json.get("event_status"):
            record.lost.append("event_status")
        record.links = {
            field: [self._ref(inner["id"]) for inner in _objects(json.get(field)) if inner.get("id")]
            for field in LINKED_KINDS
        }
        parent = json.get("post_parent")
        record.covers_series = "series" in json
        if json.get("series") is not None:
            try:
                start = dates.text(datetime.fromisoformat(str(json.get("original_start"))))
                is_part = json.get("series_of") not in (None, json["series"])
                course = self._ref(json["series_of"]) if is_part else None
                record.member = Member(self._ref(json["series"]), start, parse(json.get("recurrence")), course)
            except (ValueError, RecurrenceError):  # what cannot be read is a single event
                record.lost += found_in(json, set(json) - {"series", "series_of", "recurrence", "original_start"})
        elif json.get("recurrence"):
            record.lost.append("recurrence")
        if record.member is None and parent and not json.get("series"):
            record.parent = self._ref(parent)

    def _ref(self, id: object) -> Ref:
        return ref_of(self._source, str(id))


def _cost(json: Json) -> object:
    """What it costs. Of several prices the text has the ends; where there are more, each is one."""
    written, details = html.unescape(str(json.get("cost") or "")), json.get("cost_details")
    values = details.get("values") if isinstance(details, dict) else None
    if not isinstance(values, list) or len(values) <= 2 or not all(_is_amount(value) for value in values):
        return written
    symbol = html.unescape(str(details.get("currency_symbol") or ""))  # type: ignore[union-attr]
    position = str(details.get("currency_position"))  # type: ignore[union-attr]
    return [wordpress.priced(str(value), symbol, position) for value in values]


def _is_amount(value: object) -> bool:
    return str(value).replace(".", "", 1).isdigit()


def _ticket(json: Json, lost: list[str]) -> Json:
    """A ticket with the keys that tickets have here."""
    found = {key: value for key, value in json.items() if key in TICKET_TYPES}
    found.setdefault("name", html.unescape(str(json.get("title") or json.get("name") or "")))
    details = json.get("cost_details")
    values = details.get("values") if isinstance(details, dict) else None
    if "price" not in found and isinstance(values, list) and len(values) == 1 and _is_amount(values[0]):
        found["price"] = str(values[0])
    lost += found_in(
        json, {*TICKET_TYPES, "title", *(("cost", "cost_details") if "price" in found else ())}, "tickets."
    )
    return found


def _value_of(field: RecordField, json: Json) -> object:
    value = json.get(field.name)
    return bool(value) if is_flag(field) and value is not None else value


def _objects(value: object) -> list[Json]:
    """One object or a list of them, whichever the site sends."""
    found = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, dict)]
