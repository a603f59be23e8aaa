"""Reads the export file of WordPress (Tools > Export): events, what they are linked to, and images."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from kalends.calendar.admission import WORKER
from kalends.contract.fields import RecordField
from kalends.contract.kinds import CATEGORY, EVENT, POSTS, TAG, TERMS, Kind
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.types.numbers import Flag
from kalends.contract.types.tickets import MOST_TICKETS
from kalends.features.importing.records import custom_values
from kalends.features.importing.records.losses import MOST_NAMES, found_in
from kalends.features.importing.records.messages import ImportMessage, at_line
from kalends.features.importing.records.record import ImageRef, Item, Record, Ref, Unreadable, ref_of
from kalends.features.importing.sources import wordpress
from kalends.features.importing.sources.files import FileSource
from kalends.features.importing.sources.wxr_elements import Element, elements
from kalends.languages import N_
from kalends.values.custom_fields import FIELD

# The tickets of events in an export of WordPress, where each is a post of its own that names its event.

# By the type of post: the meta value that names the event.
EVENT_OF = {
    "tribe_rsvp_tickets": "_tribe_rsvp_for_event",
    "tribe_tpp_tickets": "_tribe_tpp_for_event",
    "tec_tc_ticket": "_tec_tickets_commerce_event",
    "product": "_tribe_wooticket_for_event",
    "download": "_tribe_eddticket_for_event",
}
PRICES = ("_price", "_regular_price", "edd_price")
CAPACITY = "_tribe_ticket_capacity"
TIMES = {"starts": ("_ticket_start_date", "_ticket_start_time"), "ends": ("_ticket_end_date", "_ticket_end_time")}
CARRIED_BY_TICKETS = {
    *(*EVENT_OF.values(), *PRICES, CAPACITY, *(name for names in TIMES.values() for name in names)),
    *("_edit_last", "_edit_lock", "_ticket_end_date_utc", "_ticket_start_date_utc"),
}
MOST_OF_ALL = 200_000

Ticket = dict[str, object]


class TicketsOfFile:
    """What is known of them after a file was read, by the ids of events."""

    def __init__(self) -> None:
        self._found: dict[str, list[Ticket]] = {}
        self._lost: dict[str, list[str]] = {}
        self._count = 0

    def learn(self, post_type: str, title: str, status: str, meta: Mapping[str, Sequence[str]]) -> bool:
        """Whether a post is a ticket of an event. One that nobody can buy is none."""
        event = meta.get(EVENT_OF.get(post_type, ""), ("",))[0]
        known = self._found.setdefault(event, []) if event and status == "publish" else None
        if known is None or len(known) >= MOST_TICKETS or self._count >= MOST_OF_ALL:
            return False
        first = {key: values[0] for key, values in meta.items()}
        known.append(_ticket(title, first))
        self._lost.setdefault(event, []).extend(found_in(first, CARRIED_BY_TICKETS, "tickets."))
        self._count += 1
        return True

    def of(self, event: str) -> tuple[list[Ticket], list[str]]:
        """Those of an event, and the names of what they have that has no place here."""
        return self._found.get(event, []), self._lost.get(event, [])


def _ticket(title: str, meta: Mapping[str, str]) -> Ticket:
    price = next((meta[name] for name in PRICES if meta.get(name)), "")
    ticket: Ticket = {"name": title, "price": price}
    if meta.get(CAPACITY, "").isdigit():  # -1 is without a limit
        ticket["capacity"] = int(meta[CAPACITY])
    for key, (day, time) in TIMES.items():
        if written := meta.get(day, ""):
            ticket[key] = written if " " in written.strip() else f"{written} {meta.get(time, '')}".strip()
    return ticket


ITEM_DEPTH = 3  # rss, channel, item
POST_TYPES = {kind.wp: kind for kind in POSTS}
TAXONOMIES = {kind.wp: kind for kind in TERMS}
STATUS = "_tribe_events_status"
# Meta values that are read by name, that follow from others, or that WordPress keeps for itself.
CARRIED = {
    *("_EventStartDate", "_EventEndDate", "_EventTimezone", "_EventAllDay", "_EventCost", "_EventCurrencySymbol"),
    *("_EventCurrencyPosition", "_thumbnail_id", STATUS, *(str(link.meta) for link in EVENT_LINKS)),
    *("_EventStartDateUTC", "_EventEndDateUTC", "_EventDuration", "_EventTimezoneAbbr", "_EventCurrencyCode"),
    *("_edit_last", "_edit_lock", *(f"_{kind.name.title()}Origin" for kind in POSTS), "_tribe_modified_fields"),
    *("_wp_old_date", "_tribe_events_control_status", "_pingme", "_encloseme"),
}
MOST_KEPT = 500_000  # ids of images and terms, which events refer to


class WxrFile(FileSource):
    """An export file. It is read twice: first what events refer to, wherever it stands, and then the events."""

    def __init__(self, path: Path, zone: str, name: str = "", label: str = "") -> None:
        super().__init__(path, name, label)
        self._zone = zone
        self._has_name = bool(name)
        self._images: dict[str, str] = {}  # addresses of attachments, by id
        self._terms: dict[tuple[str, str], str] = {}  # external ids by taxonomy and slug
        self._tickets = TicketsOfFile()

    def prepare(self) -> int:
        """Reads the whole file, so that a file that was cut off is not imported in part."""
        count, is_export, lost, self._tickets = 0, False, Counter[str](), TicketsOfFile()
        for element in elements(self, ITEM_DEPTH):
            WORKER.pause()
            match element.name:
                case "wp:wxr_version":
                    is_export = True
                case "wp:base_blog_url" | "link" if not self._has_name and element.text.strip():
                    self.name = wordpress.source_of(element.text.strip())
                case "wp:term" | "wp:tag":
                    self._learn_term(element)
                    count += 1
                case "item":
                    self._learn_image(element)
                    post_type = element.child("wp:post_type").strip()
                    count += post_type in POST_TYPES
                    is_known = post_type in (*POST_TYPES, "attachment") or self._learn_ticket(post_type, element)
                    if not is_known and len(lost) < MOST_NAMES:
                        lost[f"post_type {post_type}"] += 1
        if not is_export:
            raise self.refused(N_("{file}: this is not an export of WordPress; Tools > Export makes one"))
        sentence = N_("an export of {site}; times without a zone are taken as {zone}")
        self.remarks = [ImportMessage(sentence, site=self.name, zone=self._zone)]
        self.lost = lost
        return count

    def read(self) -> Iterator[Item]:
        for element in elements(self, ITEM_DEPTH):
            if element.name in ("wp:term", "wp:tag") and (term := self._term(element)) is not None:
                yield term
        brought: set[str] = set()
        yield from self._posts(lambda kind: kind is not EVENT, brought)
        yield from self._posts(lambda kind: kind is EVENT, brought)

    def _posts(self, wanted: Callable[[Kind], bool], seen: set[str]) -> Iterator[Item]:
        for element in elements(self, ITEM_DEPTH):
            kind = POST_TYPES.get(element.child("wp:post_type")) if element.name == "item" else None
            if kind is not None and wanted(kind) and element.child("wp:status") != "auto-draft":
                # A file of events alone names its terms only inside of them.
                yield from self._inner_terms(element, seen)
                yield self._post(kind, element)

    def _ref(self, id: str) -> Ref:
        return ref_of(self.name, id)

    # What events refer to

    def _learn_image(self, element: Element) -> None:
        url = element.child("wp:attachment_url").strip()
        if element.child("wp:post_type") == "attachment" and url and len(self._images) < MOST_KEPT:
            self._images[element.child("wp:post_id").strip()] = url

    def _learn_ticket(self, post_type: str, element: Element) -> bool:
        title, status = element.child("title"), element.child("wp:status")
        return post_type in EVENT_OF and self._tickets.learn(post_type, title, status, _meta(element))

    def _learn_term(self, element: Element) -> None:
        taxonomy, slug, id = _term_of(element)
        if taxonomy in TAXONOMIES and len(self._terms) < MOST_KEPT:
            self._terms[taxonomy, slug] = id

    def _term(self, element: Element) -> Record | None:
        taxonomy, slug, id = _term_of(element)
        kind = TAXONOMIES.get(taxonomy)
        if kind is None:
            return None
        name = element.child("wp:term_name") or element.child("wp:tag_name") or slug
        text = element.child("wp:term_description") or element.child("wp:tag_description")
        above = element.child("wp:term_parent").strip()
        parent = self._terms.get((taxonomy, above)) if above and kind is CATEGORY else None
        ref = self._ref(id)
        return Record(
            kind,
            ref,
            {"name": name, "slug": wordpress.slug_of(slug), "description": text},
            at_line(element.line),
            parent=self._ref(parent) if parent else None,
            old_id=ref.number,
            covers_image=False,
        )

    def _inner_terms(self, element: Element, seen: set[str]) -> Iterator[Record]:
        for found in element.all("category"):
            taxonomy, slug = found.attributes.get("domain", ""), found.attributes.get("nicename", "")
            kind = TAXONOMIES.get(taxonomy)
            if kind is None or (taxonomy, slug) in self._terms or f"{taxonomy} {slug}" in seen:
                continue
            seen.add(f"{taxonomy} {slug}")
            fields: dict[str, object] = {"name": found.text or slug, "slug": wordpress.slug_of(slug)}
            yield Record(kind, self._ref(f"slug:{slug}"), fields, at_line(found.line), covers_image=False)

    # Posts

    def _post(self, kind: Kind, element: Element) -> Item:
        meta = _meta(element)
        ref = self._ref(element.child("wp:post_id"))
        if not ref.external_id:
            return Unreadable(kind, at_line(element.line), element.child("title"), ImportMessage(N_("it has no id")))
        status = element.child("wp:status")
        fields = wordpress.post_fields(kind, element.child("title"), lambda field: element.child(field.element))
        record = Record(
            kind,
            ref,
            fields,
            at_line(element.line),
            author=element.child("dc:creator").strip(),
            old_id=ref.number,
            is_gone=wordpress.is_gone(status),
        )
        thumbnail = meta.get("_thumbnail_id", [""])[0]
        if thumbnail:
            url = self._images.get(thumbnail, "")
            record.image = ImageRef(url=url) if url else None
            record.covers_image = bool(url)
            if not url:
                sentence = N_("left out: its image is not in the file; export all content, or import the site")
                record.notes.append(ImportMessage(sentence))
        record.fields |= wordpress.plain_fields(kind, lambda field: _value_of(field, meta))
        first = {key: values[0] for key, values in meta.items()}
        known = {*CARRIED, *(field.meta for field in kind.fields if field.meta)}
        custom = custom_values.from_meta(meta, known) if kind is EVENT else {}
        record.lost = found_in(first, {*known, *custom, *filter(custom_values.follows(meta), first)})
        record.lost += [f"taxonomy {name}" for name in _other_taxonomies(element)]
        record.lost += ["comments"] if element.all("wp:comment") else []
        if kind is EVENT:
            record.fields[FIELD] = custom
            self._add_event(record, element, meta)
        return record

    def _add_event(self, record: Record, element: Element, meta: dict[str, list[str]]) -> None:
        tickets, lost = self._tickets.of(record.ref.external_id)
        if tickets:
            record.fields["tickets"] = tickets
            record.lost += lost
        start = wordpress.date_of(_first(meta, "_EventStartDate"))
        record.fields |= {
            "start_date": start,
            "end_date": wordpress.date_of(_first(meta, "_EventEndDate")) or start,
            "timezone": wordpress.zone_of(_first(meta, "_EventTimezone"), self._zone),
            "all_day": wordpress.flag_of(_first(meta, "_EventAllDay")),
            "cost": _cost(meta),
            "sticky": element.child("wp:menu_order").strip() == "-1",
        }
        status = wordpress.event_status_of(_first(meta, STATUS))
        if status is not None:
            record.fields["event_status"] = status
        elif _first(meta, STATUS):
            record.lost.append(STATUS)
        if password := element.child("wp:post_password"):
            record.fields["post_password"] = password
        parent = element.child("wp:post_parent").strip()
        if _is_id(parent):
            record.parent = self._ref(parent)
        record.links = {
            link.name: [self._ref(id) for id in _ids(meta, link.meta)] if link.meta else [] for link in EVENT_LINKS
        }
        for found in element.all("category"):
            taxonomy, slug = found.attributes.get("domain", ""), found.attributes.get("nicename", "")
            if taxonomy in TAXONOMIES:
                id = self._terms.get((taxonomy, slug), f"slug:{slug}")
                record.links[TAXONOMIES[taxonomy].plural].append(self._ref(id))


def _other_taxonomies(element: Element) -> list[str]:
    found = (one.attributes.get("domain", "") for one in element.all("category"))
    return [taxonomy for taxonomy in found if taxonomy and taxonomy not in TAXONOMIES]


def _value_of(field: RecordField, meta: dict[str, list[str]]) -> object:
    """The value of a field; None if the file has none. WordPress keeps no flag that is not set."""
    value = meta.get(field.meta or "", [None])[0]
    if isinstance(field.type, Flag):
        return False if value is None and not field.type.default else value
    return value or None


def _term_of(element: Element) -> tuple[str, str, str]:
    """Taxonomy, slug and id of a term."""
    taxonomy = element.child("wp:term_taxonomy").strip() or TAG.wp
    slug = (element.child("wp:term_slug") or element.child("wp:tag_slug")).strip()
    return taxonomy, slug, element.child("wp:term_id").strip() or f"slug:{slug}"


def _meta(element: Element) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in element.all("wp:postmeta"):
        found.setdefault(one.child("wp:meta_key").strip(), []).append(one.child("wp:meta_value").strip())
    return found


def _first(meta: dict[str, list[str]], key: str) -> str:
    return meta.get(key, [""])[0]


def _ids(meta: dict[str, list[str]], key: str) -> list[str]:
    return [id for id in dict.fromkeys(meta.get(key, ())) if _is_id(id)]


def _cost(meta: dict[str, list[str]]) -> list[str]:
    symbol, position = _first(meta, "_EventCurrencySymbol"), _first(meta, "_EventCurrencyPosition")
    return [wordpress.priced(cost, symbol, position) for cost in meta.get("_EventCost", ()) if cost]


def _is_id(written: str) -> bool:
    return written.strip("0").isdigit()
