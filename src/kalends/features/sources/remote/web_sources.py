"""Sources that are web pages and feeds, as sources of the import: what they tell of events themselves, and what the
pages tell that they link to."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import Item, Record, SourceError
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.wxr_elements import Element, elements
from kalends.features.sources.remote.json_ld import events_in
from kalends.features.sources.remote.linked_pages import MOST_PAGES, LinkedPages
from kalends.features.sources.remote.web_events import WebEvents
from kalends.languages import N_

NO_CALENDAR = N_("{site} has no calendar at this address: no events were found in what it answers with")
NO_DATES = N_("{site} has a feed that does not tell when something takes place, and neither do the pages it links to")
BROKEN = N_("{site} has a feed that cannot be read to its end")
# Elements with the start of an event, its end and its place: of RSS' event module, of xCal, and of Google.
STARTS, ENDS, PLACES = {"startdate", "dtstart"}, {"enddate", "dtend"}, {"location", "where"}
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?")


class WebSource(FileSource):
    """What was fetched, and the way to the pages of its events. `last`: the last day on which one of those that have
    no page begins; a list that goes on beyond is not all that there is."""

    def __init__(self, path: Path, zone: str, address: str, name: str, label: str, pages: LinkedPages) -> None:
        super().__init__(path, name, label)
        self.pages = pages
        self.last = ""
        self._address = address
        self._events = WebEvents(self.name, zone)
        self._items: list[Item] = []

    def read(self) -> Iterator[Item]:
        return iter(self._items)

    def page_of(self, external_id: str) -> str:
        """The page that an event has there, which can be asked for; empty if it has none."""
        page = external_id.partition(" ")[0]
        return page if page.startswith(("http://", "https://")) and self.pages.is_of_site(page) else ""

    def covers(self, external_id: str, day: str) -> bool:
        """Whether the list would have an event of this day, if there were one, and nothing else can be asked."""
        return not self.page_of(external_id) and day < self.last

    def _keep(self, items: Iterator[Item]) -> None:
        for item in items:
            self._items.append(item)
            if isinstance(item, Record):
                self.last = max(self.last, str(item.fields["start_date"])[:10])

    def _follow(self, links: list[str]) -> int:
        """Reads what these pages have; how many events that were."""
        before = len(self._items)
        for page, found in self.pages.read(links, self.label):
            # A page about one event may show others, which are on their own pages.
            own = [one for one in found.events if one.get("url") in (None, "", page)] or found.events[:1]
            found.events = [{**one, "url": page} for one in own]
            self._keep(self._events.of_page(found, page))
        if len(links) > MOST_PAGES:
            sentence = N_("only the first {count} pages of events are read; the others are not followed")
            self.remarks = [ImportMessage(sentence, count=MOST_PAGES)]
        return len(self._items) - before


class PageSource(WebSource):
    """A page with JSON-LD, or a document of it."""

    def prepare(self) -> int:
        found = events_in(self.path.read_bytes(), self._address)
        self._keep(self._events.of_page(found, self._address))
        addresses = {str(one.get("url")) for one in found.events}
        if links := [one for one in found.links if one not in addresses]:
            self._follow(links)
        if not self._items:
            raise SourceError(NO_CALENDAR, site=self.label)
        return len(self._items)


class FeedSource(WebSource):
    """RSS or Atom. A feed has only the newest entries, so what it does not list any more may still be there."""

    def prepare(self) -> int:
        links, entries = list[str](), 0
        for entry in self._entries():
            entries += 1
            times = _times(entry)
            link = _link(entry)
            if times.get("start"):
                self._keep(iter([self._record(entry, times, link, entries)]))
            elif link:
                links.append(link)
        if entries and not self._items and not (links and self._follow(links)):
            raise SourceError(NO_DATES, site=self.label)
        return len(self._items)

    def covers(self, external_id: str, day: str) -> bool:
        return False

    def _entries(self) -> Iterator[Element]:
        try:
            (root,) = elements(self, 1)
        except (SourceError, ValueError):
            raise SourceError(BROKEN, site=self.label) from None
        lists = [root, *root.all("channel")]
        if not any(one.name in ("rss", "feed", "rdf:RDF", "channel") for one in lists):
            raise SourceError(NO_CALENDAR, site=self.label)
        for one in lists:
            yield from (*one.all("item"), *one.all("entry"))

    def _record(self, entry: Element, times: Mapping[str, str], link: str, number: int) -> Item:
        text = entry.child("content:encoded") or entry.child("description") or entry.child("content")
        fields: dict[str, object] = {"description": text or entry.child("summary"), "website": link, **times}
        place = _module(entry, PLACES)
        return self._events.record(
            link or entry.child("guid") or entry.child("id") or f"{entry.child('title')} {times['start']}",
            " ".join(entry.child("title").split()),
            fields,
            ImportMessage(N_("entry {number}"), number=number),
            place=place,
        )


def _times(entry: Element) -> dict[str, str]:
    """When it takes place, by the modules that feeds have for that."""
    for one in entry.children:
        if one.name == "gd:when" and one.attributes.get("startTime"):
            return {"start": one.attributes["startTime"], "end": one.attributes.get("endTime", "")}
    return {"start": _moment(_module(entry, STARTS)), "end": _moment(_module(entry, ENDS))}


def _module(entry: Element, names: set[str]) -> str:
    """The text of the first element with a prefix and one of these names, here or in what describes the event."""
    waiting = list(entry.children)
    while waiting:
        one = waiting.pop(0)
        _, prefixed, name = one.name.partition(":")
        if prefixed and name.lower() in names:
            return one.text.strip() or one.attributes.get("valueString", "")
        if prefixed:
            waiting += one.children
    return ""


def _moment(written: str) -> str:
    """`20270310T190000` as other programs write it."""
    found = _COMPACT.fullmatch(written)
    if found is None:
        return written
    year, month, day, hour, minute, second, zone = found.groups()
    time = f"T{hour}:{minute}:{second or '00'}{'+00:00' if zone else ''}" if hour else ""
    return f"{year}-{month}-{day}{time}"


def _link(entry: Element) -> str:
    for one in entry.all("link"):
        address = one.attributes.get("href", "") or one.text.strip()
        if address.startswith(("http://", "https://")) and one.attributes.get("rel", "alternate") == "alternate":
            return address
    return ""
