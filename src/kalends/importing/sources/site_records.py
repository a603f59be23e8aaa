"""Turns the JSON of the interface into records, whatever the habits of the site that sent it."""

import html
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from kalends.contract.fields import RecordField
from kalends.contract.kinds import CATEGORY, EVENT, Kind
from kalends.exporting.fields import is_flag
from kalends.importing.record import LINKED_KINDS, ImageRef, Member, Record, Ref, number_in, ref_of
from kalends.importing.sources import wordpress
from kalends.values import dates
from kalends.values.recurrence import RecurrenceError, parse

Json = dict[str, Any]


class SiteRecords:
    """The records of one site. `zone` is that of events without one."""

    def __init__(self, source: str, zone: str) -> None:
        self._source = source
        self._zone = zone

    def record(self, kind: Kind, json: Json, where: str) -> Record:
        if kind.is_term:
            return self._term(kind, json, where)
        record = self._post(kind, json, where)
        record.fields |= wordpress.told_fields(kind, lambda field: _told(field, json))
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
        return Record(
            kind,
            self._ref(json["id"]),
            fields,
            where,
            parent=self._ref(parent) if parent and kind is CATEGORY else None,
            old_id=number_in(json["id"]),
            tells_image=False,
        )

    def _post(self, kind: Kind, json: Json, where: str) -> Record:
        status = json.get("status")
        fields = wordpress.post_fields(
            kind,
            name=html.unescape(str(json.get(kind.name_field) or "")),
            description=json.get("description"),
            excerpt=json.get("excerpt"),
            slug=json.get("slug"),
            status=status,
            published=json.get("date_utc"),
        )
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
            "cost": html.unescape(str(json.get("cost") or "")),
        }
        if "custom_fields" in json:  # with their labels; none are an empty array
            custom = json["custom_fields"]
            record.fields["custom_fields"] = custom if isinstance(custom, dict) else {}
        if isinstance(json.get("tickets"), list):
            record.fields["tickets"] = json["tickets"]
        record.links = {
            field: [self._ref(inner["id"]) for inner in _objects(json.get(field)) if inner.get("id")]
            for field in LINKED_KINDS
        }
        parent = json.get("post_parent")
        record.tells_series = "series" in json
        if json.get("series") is not None:
            with suppress(ValueError, RecurrenceError):  # what cannot be read is a single event
                start = dates.text(datetime.fromisoformat(str(json.get("original_start"))))
                record.member = Member(self._ref(json["series"]), start, parse(json.get("recurrence")))
        elif parent:
            record.parent = self._ref(parent)

    def _ref(self, id: object) -> Ref:
        return ref_of(self._source, str(id))


def _told(field: RecordField, json: Json) -> object:
    value = json.get(field.name)
    return bool(value) if is_flag(field) and value is not None else value


def _objects(value: object) -> list[Json]:
    """One object or a list of them, whichever the site sends."""
    found = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [one for one in found if isinstance(one, dict)]
