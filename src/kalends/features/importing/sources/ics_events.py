"""Turns an iCalendar event into records: the event or its occurrences, and the venue and other records it names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from kalends.contract.kinds import COMPANIONS, EVENT, PEOPLE, VENUE, Kind
from kalends.contract.kinds.events import LINK_OF, LINKED_KINDS
from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, PRIVATE, PUBLISH, SCHEDULED
from kalends.features.exporting.fields import OCCURRENCE, identity_parts
from kalends.features.exporting.ics_export import EXTENSION, NOT_EXTENDED, USUAL
from kalends.features.importing.records.losses import found_in
from kalends.features.importing.records.messages import ImportMessage, at_line
from kalends.features.importing.records.record import ImageRef, Item, Record, Ref, ref_of
from kalends.features.importing.sources import ics_times
from kalends.features.importing.sources.by_name import RecordsByName, for_each, identifier
from kalends.features.importing.sources.ics_lines import Component
from kalends.features.importing.sources.ics_times import BadTime, Times
from kalends.features.importing.sources.ics_zones import ZoneNames
from kalends.languages import N_
from kalends.present import event_statuses
from kalends.present.ical_entries import EVENT_STATUSES, MAILED, ONCE
from kalends.values import foreign_json, zones
from kalends.values.foreign_json import NotJson
from kalends.values.recurrence import Recurrence

# What an export of Kalends says of an event beyond iCalendar: the property `X-KALENDS-EVENT`.

# What is left out is as usual.
FIELDS = {name: value for name, value in USUAL.items() if name not in NOT_EXTENDED | {"slug", "timezone"}}


@dataclass(frozen=True, slots=True)
class ComponentExtension:
    """The property of one entry; empty if it has none."""

    is_present: bool = False
    ref: Ref | None = None
    zone: str | None = None
    fields: dict[str, object] = field(default_factory=dict)
    tags: Sequence[str] = ()
    venues: Sequence[str] = ()
    people: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)  # names and e-mail, by kind
    statuses: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by kind; none if all are public


def extension_of(component: Component) -> ComponentExtension:
    found = component.first(EXTENSION)
    if found is None:
        return ComponentExtension()
    try:
        json: Any = foreign_json.read(found.text.encode())
    except NotJson:
        return ComponentExtension()
    if not isinstance(json, dict):
        return ComponentExtension()
    ref = ref_of(*identity_parts(str(json.get("id"))))
    return ComponentExtension(
        is_present=True,
        ref=ref if all(ref) else None,
        zone=zones.known_zone(str(json.get("timezone"))),
        fields=FIELDS | {name: value for name, value in json.items() if name in FIELDS or name == "slug"},
        tags=[str(one) for one in _list(json, "tags")],
        venues=[str(one) for one in _list(json, "venues")],
        statuses={kind.name: [str(one) for one in _list(json, f"{kind.name}_statuses")] for kind in COMPANIONS},
        people={
            kind.name: [(str(one[0]), str(one[1])) for one in _list(json, kind.plural) if _is_pair(one)]
            for kind in PEOPLE
        },
    )


def _list(json: dict[str, Any], name: str) -> list[Any]:
    found = json.get(name)
    return found if isinstance(found, list) else []


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2


# What is read; and what says nothing of the event itself.
CARRIED = {
    *("UID", "SUMMARY", "DESCRIPTION", "X-ALT-DESC", "URL", "LOCATION", "CLASS", "STATUS", "CREATED", "CATEGORIES"),
    *(
        "GEO",
        "X-APPLE-STRUCTURED-LOCATION",
        *(link.ical for link in MAILED),
        "IMAGE",
        "DTSTART",
        "DTEND",
        "DURATION",
        "RRULE",
        "RDATE",
    ),
    *("EXDATE", "RECURRENCE-ID", EXTENSION, "X-MICROSOFT-CDO-ALLDAYEVENT", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE"),
    "TRANSP",
}
UNTITLED = "Untitled event"
IS_CANCELLED = N_("it is cancelled there")
IMAGES = re.compile(r"\.(?:png|jpe?g|gif|webp|avif)(?:\?|$)", re.IGNORECASE)
_LINK = re.compile(r"https?://\S+")
_PAGE = re.compile(r"/event/([^/?#]+)/?$")
_GEO = re.compile(r"(?:geo:)?\s*(-?[0-9.]{1,20})\s*[;,]\s*(-?[0-9.]{1,20})")


class EventReader:
    """Reads the events of one calendar."""

    def __init__(
        self,
        source: str,
        names: ZoneNames,
        window: tuple[datetime, datetime],
        *,
        has_page_urls: bool = False,
        is_ours: bool = False,
    ) -> None:
        self._source = source
        self._has_page_urls = has_page_urls
        self._is_ours = is_ours
        self._names = names
        self._window = window
        self._named = RecordsByName(source)

    def read(self, component: Component, overrides: list[Component]) -> Iterator[Item]:
        """The records of an event, with what each is linked to. Raises BadTime."""
        entry = self._entry(component)
        times = entry.times
        if not ics_times.is_recurring(component):
            yield self._event(entry, times, entry.ref)
            return
        changed = {self._original(override, times): self._entry(override) for override in overrides}
        try:
            rule = ics_times.recurrence_of(component, times, self._names)
        except BadTime as bad:
            record = self._event(entry, times, entry.ref)
            record.notes.append(ImportMessage(N_("{reason}; only its first date is imported"), reason=bad.message))
            yield record
            return
        first, last = self._window
        later = max(last, times.start + (last - first))  # a series is filled from its start or from now on
        if ics_times.fits_a_series(rule, times, first, later):
            yield from self._series(entry, rule, changed)
        else:
            found = ics_times.occurrences(rule, times, first, last if times.start <= last else later)
            yield from self._single_events(entry, found, changed)

    def _entry(self, component: Component) -> "_Entry":
        extension = extension_of(component)
        times = ics_times.times_of(component, self._names.within(extension.zone))
        ref = extension.ref or Ref(self._source, identifier(uid_of(component)))
        return _Entry(component, extension, times, ref)

    def _series(self, entry: "_Entry", rule: Recurrence, changed: dict[datetime, "_Entry"]) -> Iterator[Item]:
        """One record for the series and one for each occurrence that differs from it."""
        record = self._event(entry, entry.times, entry.ref)
        record.fields["recurrence"] = rule.to_text()
        yield record
        for start, override in changed.items():
            record = self._event(override, override.times, entry.ref_of(start, override))
            record.occurrence = (entry.ref, start)
            yield record

    def _single_events(
        self, entry: "_Entry", starts: list[datetime], changed: dict[datetime, "_Entry"]
    ) -> Iterator[Item]:
        """The occurrences of a rule that no series can have."""
        for start in starts:
            if start not in changed:
                yield self._event(entry, entry.times.moved(start), entry.ref_of(start))
        for start, override in changed.items():
            yield self._event(override, override.times, entry.ref_of(start, override))

    def _event(self, entry: "_Entry", times: Times, ref: Ref) -> Record:
        component = entry.component
        where = at_line(component.line)
        record = Record(
            kind=EVENT,
            ref=ref,
            fields=self._fields(entry) | times.fields | entry.extension.fields,
            where=where,
            links=self._links(entry, where),
            image=_image(component),
            covers_recurrence=True,
            notes=[times.note] if times.note else [],
            old_id=ref.number if entry.extension.is_present else 0,
            is_gone=self._is_gone(entry),
        )
        record.lost = _lost(component, record.image, record.fields)
        if not record.fields.get("description") and not entry.extension.fields.get("excerpt"):
            record.fields["description"] = self._footed(entry)[0]
        record.named = self._named.pop_named()
        if record.is_gone:
            record.notes.append(ImportMessage(IS_CANCELLED))
        return record

    def _is_gone(self, entry: "_Entry") -> bool:
        """An event that will not take place is still an event where Kalends says so."""
        is_planned = entry.extension.is_present or (
            self._has_page_urls and entry.component.first("SUMMARY") is not None
        )
        return entry.component.text("STATUS").upper() == "CANCELLED" and not is_planned

    def _fields(self, entry: "_Entry") -> dict[str, object]:
        component = entry.component
        html = component.first("X-ALT-DESC")
        is_html = html is not None and "html" in html.parameters.get("FMTTYPE", "").lower()
        website = "" if self._has_page_urls else component.text("URL")
        location = component.text("LOCATION")
        if not website and _is_address(location):
            website = location
        is_private = component.text("CLASS").upper() in ("PRIVATE", "CONFIDENTIAL")
        fields: dict[str, object] = {
            "title": component.text("SUMMARY") or UNTITLED,
            "description": html.text if is_html and html is not None else "",
            "website": website if website.lower().startswith(("http://", "https://")) else "",
            "status": PRIVATE if is_private else PUBLISH,
        }
        if self._has_page_urls:
            page = _PAGE.search(component.text("URL"))
            if page and not ics_times.is_recurring(component):
                fields["slug"] = unquote(page[1])
            if found := self._footed(entry)[1]:
                *links, address = found
                fields["website"] = next((link[0] for one in links if (link := _LINK.search(one))), "")
                if not ics_times.is_recurring(component) and (page := _PAGE.search(address)):
                    fields["slug"] = unquote(page[1])
            status = component.text("STATUS").upper()
            fields["event_status"] = CANCELLED if status == "CANCELLED" else SCHEDULED
            state, title = event_statuses.untitled(str(fields["title"]))
            # A feed for readers has put the state before the title; an export has not.
            if self._is_ours and not entry.extension.is_present and status == EVENT_STATUSES.get(state, "CONFIRMED"):
                fields |= {"event_status": state, "title": title}
        created = component.first("CREATED")
        if created is not None and re.fullmatch(r"(?!1[0-8])[0-9]{8}T[0-9]{6}Z?", created.value.strip()):
            stamp = created.value.strip()
            fields["date_utc"] = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}"
        return fields

    def _footed(self, entry: "_Entry") -> tuple[str, list[str]]:
        """The description, and the lines that a feed of ours for readers has below it: the last is its page."""
        description = entry.component.text("DESCRIPTION")
        if not self._is_ours or entry.extension.is_present:
            return description, []
        own, _, foot = description.rpartition("\n\n")
        *links, page = lines = foot.split("\n")
        known = (entry.component.text("URL"), *links)
        is_ours = _PAGE.search(page) and (page in known or any(known[0] in link for link in links))
        return (own, lines) if is_ours else (description, [])

    def _links(self, entry: "_Entry", where: str) -> dict[str, list[Ref]]:
        component, tags = entry.component, list(entry.extension.tags)
        categories = [name for found in component.all("CATEGORIES") for name in found.texts]
        if tags and categories[-len(tags) :] == tags:  # other programs know no difference
            categories = categories[: -len(tags)]
        return {
            "categories": self._named.terms("categories", categories, where),
            "tags": self._named.terms("tags", tags, where),
            "venue": self._venues(entry, where),
            **{name: self._people(entry, where, kind) for name, kind in LINKED_KINDS.items() if kind in PEOPLE},
        }

    def _venues(self, entry: "_Entry", where: str) -> list[Ref]:
        component = entry.component
        if self._fields(entry).get("event_status") == MOVED_ONLINE and not entry.extension.is_present:
            return []  # a feed for readers names where it takes place by now
        structured = component.first("X-APPLE-STRUCTURED-LOCATION")
        geo = _GEO.match(component.text("GEO")) or (structured is not None and _GEO.match(structured.value)) or None
        places = entry.extension.venues or [_location(component, is_exact=entry.extension.is_present)]
        found = []
        for place, status in zip(places, for_each(entry.extension.statuses.get(VENUE.name, ()), places), strict=True):
            if place and not _is_address(place):
                first = geo if place == places[0] else None
                found.append(self._venue(place, first, where, entry.extension, status))
        return found

    def _venue(
        self, location: str, geo: re.Match[str] | None, where: str, extension: ComponentExtension, status: str
    ) -> Ref:
        name, _, address = location.partition(",")
        fields: dict[str, object] = {"address": address.strip()} if address.strip() else {}
        if geo:
            fields |= {"geo_lat": geo[1], "geo_lng": geo[2]}
        name, is_exact = name.strip() or location, extension.is_present
        return self._named.ref(VENUE, name, where, fields, location, status=status, is_exact=is_exact)

    def _people(self, entry: "_Entry", where: str, kind: Kind) -> list[Ref]:
        refs, extension = [], entry.extension
        people = extension.people.get(kind.name) or _mailed(entry.component, LINK_OF[kind.name].ical)
        statuses = for_each(extension.statuses.get(kind.name, ()), people)
        for (name, email), status in zip(people, statuses, strict=True):
            fields: dict[str, object] = {"email": email} if email else {}
            key = f"{name} {email}"
            is_exact = extension.is_present
            refs.append(self._named.ref(kind, name, where, fields, key, status=status, is_exact=is_exact))
        return refs

    def _original(self, override: Component, times: Times) -> datetime:
        """The start that the rule gives to a changed occurrence, on the clock of the event."""
        found = override.first("RECURRENCE-ID")
        if found is None:
            raise BadTime(N_("it has no {name}"), name="RECURRENCE-ID")
        return next(iter(ics_times.moments([found], times, self._names)))


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of the calendar with what was read of it."""

    component: Component
    extension: ComponentExtension
    times: Times
    ref: Ref

    def ref_of(self, start: datetime, override: "_Entry | None" = None) -> Ref:
        """The identity of an occurrence, by the start that the rule gives it."""
        if override is not None and override.extension.ref is not None:
            return override.extension.ref
        uid = self.ref.external_id if self.extension.ref else uid_of(self.component)
        return Ref(self.ref.source, identifier(f"{uid}{OCCURRENCE}{start:%Y%m%dT%H%M%S}"))


def uid_of(component: Component) -> str:
    """What names an event within its calendar."""
    uid = component.text("UID")
    if not uid:
        start = component.first("DTSTART")
        uid = f"{component.text('SUMMARY')} {start.value if start is not None else ''}"
    if component.first("RECURRENCE-ID") is not None:
        return f"{uid}{OCCURRENCE}{component.text('RECURRENCE-ID')}"
    return uid


def _location(component: Component, *, is_exact: bool) -> str:
    """Where an event takes place, in one line."""
    location = component.text("LOCATION")
    structured = component.first("X-APPLE-STRUCTURED-LOCATION")
    if structured is not None and not location:
        location = structured.parameters.get("X-TITLE", "").replace("\\n", ", ")
    return location if is_exact else " ".join(location.replace("\n", ", ").split())


def _mailed(component: Component, property: str) -> list[tuple[str, str]]:
    """Names and e-mail addresses of those that a property names."""
    people = []
    for found in component.all(property)[: 1 if property in ONCE else None]:
        email = found.value.strip().removeprefix("mailto:").removeprefix("MAILTO:")
        name = found.parameters.get("CN", "").strip() or email
        if " " not in name:
            name = name.partition("@")[0] or name
        # Calendars give themselves an address that nobody writes to.
        is_person = "@" in email and not email.endswith(("calendar.google.com", "@unknown", ".invalid"))
        if name:
            people.append((name, email if is_person else ""))
    return people


def _image(component: Component) -> ImageRef | None:
    for found in (*component.all("IMAGE"), *component.all("ATTACH")):
        is_image = found.parameters.get("FMTTYPE", "").lower().startswith("image/") or IMAGES.search(found.value)
        if is_image and _is_address(found.value) and "ENCODING" not in found.parameters:
            return ImageRef(url=found.value.strip())
    return None


def _lost(component: Component, image: ImageRef | None, fields: Mapping[str, object]) -> list[str]:
    """The names of the properties that no field has."""
    properties = {found.name: found.value.strip() for found in component.properties if found.name != "ATTACH"}
    lost = found_in(properties, CARRIED)
    taken = "" if image is None else image.url
    lost += ["ATTACH" for found in component.all("ATTACH") if found.value.strip() != taken]
    lost += ["IMAGE" for found in component.all("IMAGE") if found.value.strip() != taken]
    lost += [name for name in ONCE for _ in component.all(name)[1:]]
    if component.text("STATUS").upper() == "TENTATIVE":
        lost.append("STATUS")
    if component.text("URL") and not (fields.get("website") or fields.get("slug")):
        lost.append("URL")
    if component.first("X-ALT-DESC") is not None and not fields.get("description"):
        lost.append("X-ALT-DESC")
    return list(dict.fromkeys(lost))


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://")) and " " not in text.strip()
