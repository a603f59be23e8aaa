"""Turns an iCalendar event into records: the event or its occurrences, and the venue and other records it names."""

import re
from collections.abc import Iterator
from datetime import datetime

from kalends.contract.kinds import EVENT, ORGANIZER, VENUE
from kalends.contract.statuses import PRIVATE, PUBLISH
from kalends.importing.record import OCCURRENCE, ImageRef, Item, Record, Ref
from kalends.importing.sources import ics_times
from kalends.importing.sources.ics_lines import Component
from kalends.importing.sources.ics_times import BadTime, Times
from kalends.importing.sources.ics_zones import ZoneNames
from kalends.importing.sources.named import NamedRecords, identifier
from kalends.values.recurrence import Recurrence

UNTITLED = "Untitled event"
IMAGES = re.compile(r"\.(?:png|jpe?g|gif|webp|avif)(?:\?|$)", re.IGNORECASE)
_GEO = re.compile(r"(?:geo:)?\s*(-?[0-9.]{1,20})\s*[;,]\s*(-?[0-9.]{1,20})")


class EventReader:
    """Reads the events of one calendar."""

    def __init__(
        self, source: str, names: ZoneNames, window: tuple[datetime, datetime], *, tells_pages: bool = False
    ) -> None:
        self._source = source
        self._tells_pages = tells_pages
        self._names = names
        self._window = window
        self._named = NamedRecords(source)

    def read(self, component: Component, overrides: list[Component]) -> Iterator[Item]:
        """The records of an event, after those that it is linked to. Raises BadTime."""
        times = ics_times.times_of(component, self._names)
        if not ics_times.is_recurring(component):
            yield from self._event(component, times, identifier(self._uid(component)))
            return
        changed = {self._original(override, times): override for override in overrides}
        try:
            rule = ics_times.recurrence_of(component, times, self._names)
        except BadTime as bad:
            for item in self._event(component, times, identifier(self._uid(component))):
                if isinstance(item, Record) and item.kind is EVENT:
                    item.notes.append(f"{bad}; only its first date is imported")
                yield item
            return
        if ics_times.fits_a_series(rule, times, self._window[1]):
            yield from self._series(component, times, rule, changed)
        else:
            yield from self._single_events(component, times, rule, changed)

    def _series(
        self, component: Component, times: Times, rule: Recurrence, changed: dict[datetime, Component]
    ) -> Iterator[Item]:
        """One record for the series and one for each occurrence that differs from it."""
        ref = Ref(self._source, identifier(self._uid(component)))
        for item in self._event(component, times, ref.external_id):
            if isinstance(item, Record) and item.kind is EVENT:
                item.fields["recurrence"] = rule.to_text()
            yield item
        for start, override in changed.items():
            moved = ics_times.times_of(override, self._names)
            for item in self._event(override, moved, self._occurrence_id(component, start)):
                if isinstance(item, Record) and item.kind is EVENT:
                    item.occurrence = (ref, start)
                yield item

    def _single_events(
        self, component: Component, times: Times, rule: Recurrence, changed: dict[datetime, Component]
    ) -> Iterator[Item]:
        """The occurrences of a rule that no series can have, within the window."""
        for start in ics_times.occurrences(rule, times, *self._window):
            if start not in changed:
                yield from self._event(component, times.moved(start), self._occurrence_id(component, start))
        for start, override in changed.items():
            moved = ics_times.times_of(override, self._names)
            yield from self._event(override, moved, self._occurrence_id(component, start))

    def _event(self, component: Component, times: Times, external_id: str) -> Iterator[Item]:
        where = f"line {component.line}"
        record = Record(
            kind=EVENT,
            ref=Ref(self._source, external_id),
            fields=self._fields(component) | times.fields,
            where=where,
            links=self._links(component, where),
            image=_image(component),
            tells_recurrence=True,
            notes=[times.note] if times.note else [],
            is_gone=component.text("STATUS").upper() == "CANCELLED",
        )
        yield from self._named.waiting()
        yield record

    def _fields(self, component: Component) -> dict[str, object]:
        html = component.first("X-ALT-DESC")
        is_html = html is not None and "html" in html.parameters.get("FMTTYPE", "").lower()
        website = "" if self._tells_pages else component.text("URL")
        location = component.text("LOCATION")
        if not website and _is_address(location):
            website = location
        is_private = component.text("CLASS").upper() in ("PRIVATE", "CONFIDENTIAL")
        fields: dict[str, object] = {
            "title": component.text("SUMMARY") or UNTITLED,
            "description": html.text if is_html and html is not None else component.text("DESCRIPTION"),
            "website": website if website.lower().startswith(("http://", "https://")) else "",
            "status": PRIVATE if is_private else PUBLISH,
        }
        created = component.first("CREATED")
        if created is not None and re.fullmatch(r"(?!1[0-8])[0-9]{8}T[0-9]{6}Z?", created.value.strip()):
            stamp = created.value.strip()
            fields["date_utc"] = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}"
        return fields

    def _links(self, component: Component, where: str) -> dict[str, list[Ref]]:
        categories = [name for found in component.all("CATEGORIES") for name in found.texts]
        return {
            "categories": self._named.terms("categories", categories, where),
            "tags": [],
            "venue": self._venue(component, where),
            "organizer": self._organizer(component, where),
        }

    def _venue(self, component: Component, where: str) -> list[Ref]:
        location = " ".join(component.text("LOCATION").replace("\n", ", ").split())
        structured = component.first("X-APPLE-STRUCTURED-LOCATION")
        if structured is not None and not location:
            location = structured.parameters.get("X-TITLE", "").replace("\\n", ", ")
        if not location or _is_address(location):
            return []
        name, _, address = location.partition(",")
        fields: dict[str, object] = {"address": address.strip()} if address.strip() else {}
        geo = _GEO.match(component.text("GEO")) or (structured is not None and _GEO.match(structured.value)) or None
        if geo:
            fields |= {"geo_lat": geo[1], "geo_lng": geo[2]}
        return [self._named.ref(VENUE, name.strip() or location, where, fields)]

    def _organizer(self, component: Component, where: str) -> list[Ref]:
        found = component.first("ORGANIZER")
        if found is None:
            return []
        email = found.value.strip().removeprefix("mailto:").removeprefix("MAILTO:")
        name = found.parameters.get("CN", "").strip() or email.partition("@")[0]
        # Calendars give themselves an address that nobody writes to.
        is_person = "@" in email and not email.endswith(("calendar.google.com", "@unknown", ".invalid"))
        fields: dict[str, object] = {"email": email} if is_person else {}
        return [self._named.ref(ORGANIZER, name.partition("@")[0] or name, where, fields)] if name else []

    def _original(self, override: Component, times: Times) -> datetime:
        """The start that the rule gives to a changed occurrence, on the clock of the event."""
        found = override.first("RECURRENCE-ID")
        if found is None:
            raise BadTime("it has no RECURRENCE-ID")
        return next(iter(ics_times.moments([found], times, self._names)))

    def _uid(self, component: Component) -> str:
        uid = component.text("UID")
        if not uid:
            start = component.first("DTSTART")
            uid = f"{component.text('SUMMARY')} {start.value if start is not None else ''}"
        if component.first("RECURRENCE-ID") is not None:
            return f"{uid}{OCCURRENCE}{component.text('RECURRENCE-ID')}"
        return uid

    def _occurrence_id(self, component: Component, start: datetime) -> str:
        return identifier(f"{self._uid(component)}{OCCURRENCE}{start:%Y%m%dT%H%M%S}")


def _image(component: Component) -> ImageRef | None:
    for found in (*component.all("IMAGE"), *component.all("ATTACH")):
        is_image = found.parameters.get("FMTTYPE", "").lower().startswith("image/") or IMAGES.search(found.value)
        if is_image and _is_address(found.value) and "ENCODING" not in found.parameters:
            return ImageRef(url=found.value.strip())
    return None


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://")) and " " not in text.strip()
