"""Turns the events of web pages (schema.org) and feeds into records of the import."""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urljoin

from kalends.contract.kinds import EVENT, ORGANIZER, VENUE
from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, RESCHEDULED, SCHEDULED
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import ImageRef, Item, Record, Ref, Unreadable
from kalends.features.importing.sources import wordpress
from kalends.features.importing.sources.by_name import RecordsByName, identifier
from kalends.features.importing.sources.ics_events import UNTITLED
from kalends.features.sources.remote.json_ld import JsonLdNodes, types_of
from kalends.languages import N_
from kalends.values import dates, zones
from kalends.values.zones import OutOfRange

STATES = {
    "EventScheduled": SCHEDULED,
    "EventCancelled": CANCELLED,
    "EventPostponed": POSTPONED,
    "EventRescheduled": RESCHEDULED,
    "EventMovedOnline": MOVED_ONLINE,
}
NO_START = N_("its start is no date: {written}")
LONGEST_NAME = 500
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Json = Mapping[str, Any]


class WebEvents:
    """The records of one source. `zone` is that of this calendar, on whose clock its times are shown."""

    def __init__(self, source: str, zone: str) -> None:
        self._source = source
        self._zone = zone
        self._named = RecordsByName(source)

    def of_page(self, found: JsonLdNodes, address: str) -> Iterator[Item]:
        """The events of a page. Several of them may have one address: then their starts tell them apart."""
        pages = Counter(_page(node, address) for node in found.events)
        for number, node in enumerate(found.events, 1):
            page, start = _page(node, address), _text(node.get("startDate"))
            title, where = _text(node.get("name")), ImportMessage(N_("event {number}"), number=number)
            id = page if page and pages[page] == 1 else f"{page or title} {start}"
            place = found.whole(_first(node.get("location")))
            yield self.record(id, title, self._fields(node, page), where, place=place, found=found, node=node)

    def record(
        self,
        id: str,
        title: str,
        fields: dict[str, object],
        where: str,
        *,
        place: object = None,
        found: JsonLdNodes | None = None,
        node: Json | None = None,
    ) -> Item:
        """A record, of which `fields` has the start and the end as they are written there."""
        try:
            fields |= self._times(_text(fields.pop("start")), _text(fields.pop("end", "")))
        except (ValueError, OverflowError, OutOfRange):
            written = _text((node or {}).get("startDate"))[:60]
            return Unreadable(EVENT, where, title, ImportMessage(NO_START, written=written))
        known = found or JsonLdNodes()
        links: dict[str, list[Ref]] = {"venue": self._venue(place, where, known)}
        if node is not None:
            links["organizer"] = list(self._organizers(node, where, known))
        image = _image(known.whole(_first((node or {}).get("image"))), str(fields.get("website") or ""))
        record = Record(
            EVENT,
            Ref(self._source, identifier(id)),
            {"title": title or UNTITLED, **fields},
            where,
            links={name: refs for name, refs in links.items() if refs},
            image=image,
            covers_image=image is not None,
        )
        record.named = self._named.pop_named()
        return record

    def _fields(self, node: Json, page: str) -> dict[str, object]:
        found: dict[str, object] = {
            "description": wordpress.html_of(html.unescape(_text(node.get("description")))),
            "website": page if page.startswith(("http://", "https://")) else "",
            "start": node.get("startDate"),
            "end": node.get("endDate"),
        }
        if cost := _cost(node):
            found["cost"] = cost
        state = _text(_first(node.get("eventStatus"))).rpartition("/")[2]
        if state in STATES:
            found["event_status"] = STATES[state]
        return found

    def _times(self, start: str, end: str) -> dict[str, object]:
        """Raises ValueError where the start is none. An end before the start, or none, is the start."""
        first, all_day = self._moment(start)
        try:
            last, _ = self._moment(end)
        except (ValueError, OverflowError, OutOfRange):
            last = first
        last = last if last >= first else first
        return {
            "start_date": f"{first:%Y-%m-%d}" if all_day else self._written(first),
            "end_date": f"{last:%Y-%m-%d}" if all_day else self._written(last),
            "all_day": all_day,
            "timezone": self._zone,
        }

    def _moment(self, written: str) -> tuple[datetime, bool]:
        """In UTC, or the day of an event that lasts for whole days."""
        text = written.strip()
        if _DAY.fullmatch(text):
            return datetime.fromisoformat(text), True
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            return zones.to_utc(found.replace(microsecond=0), self._zone), False
        return (found - (found.utcoffset() or timedelta())).replace(tzinfo=None, microsecond=0), False

    def _written(self, utc: datetime) -> str:
        """On the clock of this calendar; in UTC where that shows a time twice and the second one is meant."""
        local = zones.to_local(utc, self._zone)
        return dates.text(local) if zones.to_utc(local, self._zone) == utc else f"{utc:%Y-%m-%dT%H:%M:%S}Z"

    # What it names

    def _venue(self, place: object, where: str, found: JsonLdNodes) -> list[Ref]:
        if isinstance(place, str):
            name, _, address = html.unescape(place).strip().partition(",")
            fields: dict[str, object] = {"address": address.strip()} if address.strip() else {}
        elif isinstance(place, Mapping) and "VirtualLocation" not in types_of(place):
            name, fields = _text(place.get("name")), _address(found.whole(place.get("address")))
            name = name or str(fields.get("address") or fields.get("city") or "")
            geo = found.whole(place.get("geo"))
            if isinstance(geo, Mapping) and _text(geo.get("latitude")) and _text(geo.get("longitude")):
                fields |= {"geo_lat": _text(geo["latitude"]), "geo_lng": _text(geo["longitude"])}
        else:
            return []
        if not name.strip() or name.strip().lower().startswith(("http://", "https://")):
            return []
        key = " ".join([name, *map(str, fields.values())])
        return [self._named.ref(VENUE, name.strip()[:LONGEST_NAME], where, fields, key)]

    def _organizers(self, node: Json, where: str, found: JsonLdNodes) -> Iterator[Ref]:
        written = node.get("organizer")
        for one in (written if isinstance(written, list) else [written])[:10]:
            whole = found.whole(one)
            name = _text(whole.get("name")) if isinstance(whole, Mapping) else _text(whole)
            if name and not name.lower().startswith(("http://", "https://")):
                email = _text(whole.get("email")).removeprefix("mailto:") if isinstance(whole, Mapping) else ""
                fields: dict[str, object] = {"email": email} if "@" in email else {}
                yield self._named.ref(ORGANIZER, name[:LONGEST_NAME], where, fields, f"{name} {email}")


def _page(node: Json, address: str) -> str:
    for written in (node.get("url"), node.get("@id"), node.get("mainEntityOfPage")):
        text = _text(_first(written))
        if text.startswith(("http://", "https://", "/")):
            try:
                return urljoin(address, text)
            except ValueError:
                continue
    return ""


def _address(written: object) -> dict[str, object]:
    if isinstance(written, str):
        return {"address": html.unescape(written).strip()} if written.strip() else {}
    if not isinstance(written, Mapping):
        return {}
    country = written.get("addressCountry")
    fields = {
        "address": written.get("streetAddress"),
        "city": written.get("addressLocality"),
        "zip": written.get("postalCode"),
        "stateprovince": written.get("addressRegion"),
        "country": country.get("name") if isinstance(country, Mapping) else country,
    }
    return {name: text for name, value in fields.items() if (text := _text(value))}


def _cost(node: Json) -> str:
    """The lowest and the highest price, with the code of their currency."""
    offers = node.get("offers")
    listed = [one for one in (offers if isinstance(offers, list) else [offers]) if isinstance(one, Mapping)][:50]
    prices = [price for one in listed for price in _prices(one)]
    if not prices:
        return "0" if _text(node.get("isAccessibleForFree")).lower() == "true" else ""
    code = next((code for one in listed if (code := _text(one.get("priceCurrency")))), "")
    low, high = min(prices), max(prices)
    amounts = f"{low:g}" if low == high else f"{low:g} - {high:g}"
    return f"{amounts} {code}".strip() if high else "0"


def _prices(offer: Json) -> Iterable[float]:
    for name in ("price", "lowPrice", "highPrice"):
        try:
            yield abs(float(_text(offer.get(name)).replace(",", ".")))
        except ValueError:
            continue


def _image(written: object, address: str) -> ImageRef | None:
    if isinstance(written, Mapping):
        written = written.get("url") or written.get("contentUrl") or written.get("@id")
    text = _text(_first(written))
    try:
        url = urljoin(address, text) if text else ""
    except ValueError:
        return None
    return ImageRef(url=url) if url.startswith(("http://", "https://")) else None


def _first(written: object) -> object:
    return next(iter(written), None) if isinstance(written, list) else written


def _text(value: object) -> str:
    """A text, a number or a flag; of a list the first, and of a text in some languages any."""
    value = _first(value)
    if isinstance(value, Mapping):
        value = value.get("@value") or value.get("name") or ""
    if value is None or isinstance(value, list | Mapping):
        return ""
    return " ".join(html.unescape(str(value)).split()) if not isinstance(value, str) else html.unescape(value).strip()
