"""Entries of iCalendar that are rendered when a record changes, and joined when a feed is read.

The template of an event has a placeholder for what it tells of what it is linked to, whose own fragments
say that. Its lines are in one piece each: how they are folded depends on the address of the site.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kalends.contract.kinds import CATEGORY, TERMS, VENUE
from kalends.contract.kinds.events import LINK_OF
from kalends.contract.statuses import MOVED_ONLINE
from kalends.present import event_statuses, ical_entries
from kalends.present.addresses import Addresses, RenderContext
from kalends.present.ical_entries import (
    BETWEEN_PLACES,
    LINE_END,
    MAILED,
    ONCE,
    PARAGRAPH,
    Entries,
    Escaped,
    Footer,
    added_lines,
    attached,
    folded,
    geo_line,
    location_line,
    mail_line,
    online_line,
    text,
)
from kalends.present.placeholders import BASE, PLACEHOLDER, PLACEHOLDER_ADDRESSES, SEPARATOR
from kalends.store.rows.fragments import EventLinks, FragmentSet, Keys
from kalends.store.rows.records import Bundle, Companion, Event, Post, Term, Venue, kind_of
from kalends.values.more import NOTHING_MORE, More

DESCRIPTION = b"DESCRIPTION:"
_BETWEEN_PLACES = text(BETWEEN_PLACES).encode()
STATE = "\x05"  # around the state of an event, before its title: no text has this character
FOOT, BETWEEN = "\x06", "\x07"  # around what readers find below a description, and between its parts
# Where `EventLinks` has the keys of venues, of terms, and of whom to write to, with how many of them an entry names.
_PLACES = [*LINK_OF].index(VENUE.name)
_TERMS = [[*LINK_OF].index(kind.name) for kind in TERMS]
_CATEGORIES = [[*LINK_OF].index(CATEGORY.name)]
_MAILED = [([*LINK_OF].index(link.kind.name), 1 if link.ical in ONCE else None) for link in MAILED]
_BASE_URL = PLACEHOLDER_ADDRESSES.base_url.encode()


class _TemplateEntries(Entries):
    """Entries in which the language is open in which the state is told."""

    def summary(self, record: Event, *, masked: bool) -> Escaped:
        state = event_statuses.visible_status(record.event_status, masked=masked)
        return Escaped(f"{STATE}{state}{STATE}{text(record.name)}") if state else text(record.name)

    def description(self, record: Event, footer: Footer) -> Escaped:
        facts = BETWEEN.join((footer.website, footer.cost, "1" if footer.is_free else "", footer.page))
        return Escaped(f"{FOOT}{facts}{FOOT}{super().description(record, footer)}")


_ENTRIES = _TemplateEntries("")
MOST_KEPT = 16 * 1024 * 1024  # bytes of entries that a worker keeps
_STATE, _FOOT = STATE.encode(), FOOT.encode()
_MOVED = f"{STATE}{MOVED_ONLINE}{STATE}".encode()
_URL = re.compile(rb"^URL:[^\r]*", re.MULTILINE)
_STATED = re.compile(f"{STATE}([a-z_]+){STATE}(.*)".encode())


def event_template(record: Event, bundle: Bundle, render_context: RenderContext) -> bytes:
    """The zone in which its times are told, if that is one, and its lines but the identity; rendered with
    PLACEHOLDER_ADDRESSES."""
    zone = ical_entries.zone_of(record)
    # Of a series that is told date by date, each is an event of its own.
    lines = [*ical_entries.times(record, zone), *_ENTRIES.changes(record)]
    lines += [*ical_entries.event_lines(record, _ENTRIES, render_context, masked=bundle.masked), PLACEHOLDER]
    if not bundle.masked:
        lines += ical_entries.image_lines(record, bundle, render_context)
    body = b"".join(lines).replace(_BASE_URL, BASE)
    return (record.timezone.encode() if zone else b"") + SEPARATOR + body


def post_entry(record: Post) -> bytes:
    """What the entries of events tell of a record that they are linked to."""
    if isinstance(record, Venue):
        return text(location_line(record)).encode() + SEPARATOR + geo_line(record)
    assert isinstance(record, Companion)
    property = LINK_OF[kind_of(record).name].ical
    return mail_line(property, record) if property else b""


def term_entry(record: Term) -> bytes:
    return text(record.name).encode()


@dataclass(frozen=True, slots=True)
class PrerenderedEntry:
    """An event of a feed with its fragment, and those of what it shows."""

    id: int
    start_local: str
    template: bytes
    links: EventLinks
    parts: FragmentSet
    more: More = NOTHING_MORE

    @property
    def zone(self) -> str:
        """The zone in which its times are told; "" for UTC and for days."""
        return self.template[: self.template.index(SEPARATOR)].decode()


class _Term(NamedTuple):
    sort_name: str
    id: int
    name: bytes


class KeptEntry(NamedTuple):
    """What a feed has written of an event, and what it was made of."""

    digest: bytes  # of the template
    links: EventLinks
    entry: bytes


class KeptEntries(dict[tuple[object, ...], KeptEntry]):
    """Entries of large feeds, for the next time: after a change of one event the others are as they were. They belong
    to one state of all that events show. When they are full, those that are here stay."""

    _size = 0

    @property
    def is_full(self) -> bool:
        return self._size >= MOST_KEPT

    def keep(self, key: tuple[object, ...], new: KeptEntry) -> None:
        old = self.get(key)
        self._size += len(new.entry) - (len(old.entry) if old else 0)
        self[key] = new


class EntryParts:
    """What entries tell of what events are linked to, joined once for each combination that is asked for."""

    def __init__(self, parts: FragmentSet) -> None:
        self._parts = parts
        self._venues: dict[Keys, bytes] = {}
        self._mailed: dict[tuple[int, Keys], bytes] = {}
        self._known_terms: dict[int, _Term] = {}
        self.joined = KeptEntries()

    @classmethod
    def of(cls, parts: FragmentSet) -> "EntryParts":
        known = parts.views.get(cls.__name__)
        if not isinstance(known, EntryParts):
            known = parts.views[cls.__name__] = EntryParts(parts)
        return known

    def lines(self, links: EventLinks, terms: Sequence[int] = _TERMS, *, with_place: bool = True) -> bytes:
        """The lines of what an event is linked to. Raises KeyError for a record that is not prerendered. `terms`:
        where the keys of those are that CATEGORIES names."""
        keys = links.linked
        venues = self._venues.get(keys[_PLACES])
        if venues is None:
            venues = self._venues[keys[_PLACES]] = self._location_lines(keys[_PLACES])
        lines = [venues if with_place else b"", self._names(*[keys[position] for position in terms])]
        for position, most in _MAILED:
            mailed = self._mailed.get((position, keys[position]))
            if mailed is None:
                mailed = b"".join(self._public(keys[position])[:most])
                self._mailed[position, keys[position]] = mailed
            lines.append(mailed)
        return b"".join(lines)

    def _location_lines(self, keys: Keys) -> bytes:
        found = [entry.partition(SEPARATOR) for entry in self._public(keys)]
        if not found:
            return b""
        return b"LOCATION:" + _BETWEEN_PLACES.join([where for where, _, _ in found]) + LINE_END + found[0][2]

    def _names(self, *kinds: Keys) -> bytes:
        names = [term.name for keys in kinds for term in sorted(map(self._term, keys)) if term.name]
        return b"CATEGORIES:" + b",".join(names) + LINE_END if names else b""

    def _public(self, keys: Keys) -> Sequence[bytes]:
        return [entry for key in keys if (entry := self._parts[key].entry)]

    def _term(self, key: int) -> _Term:
        found = self._known_terms.get(key)
        if found is None:
            fragment = self._parts[key]
            found = self._known_terms[key] = _Term(fragment.sort_name, -key, fragment.entry)
        return found


class JoinedEntries:
    """The entries of events from their fragments, as `ical_entries.event` writes them from the records."""

    def __init__(self, entries: Entries, addresses: Addresses) -> None:
        self._uid = f"@{entries.site_id}\r\n".encode()
        self._language = entries.language
        self._as_reference = entries.as_reference
        self._base_url = addresses.base_url
        self._base = addresses.base_url.encode()
        self._form = (self._uid, self._language, self._as_reference, self._base)

    def entry(self, found: PrerenderedEntry) -> bytes:
        if found.more.ical:  # which may change while the template stays
            return self._written(found)
        kept, key = EntryParts.of(found.parts).joined, (found.id, *self._form)
        known = kept.get(key)
        if known is None and kept.is_full:
            return self._written(found)
        digest = hashlib.blake2b(found.template, digest_size=16).digest()
        if known is None or known.digest != digest or known.links != found.links:
            known = KeptEntry(digest, found.links, self._written(found))
            kept.keep(key, known)
        return known.entry

    def _written(self, found: PrerenderedEntry) -> bytes:
        own, _, image = found.template[found.template.index(SEPARATOR) + 1 :].partition(PLACEHOLDER)
        is_moved = bool(self._language) and _MOVED in own
        place = b""
        if _STATE in own:
            own = _STATED.sub(self._titled, own)
        if _FOOT in own:
            before, facts, description = own.split(_FOOT)
            website, cost, is_free, page = facts.decode().split(BETWEEN)
            footer = Footer(website, cost, bool(is_free), page)
            if is_moved:
                place = online_line(footer.website, self._language)
                if footer.website:
                    before = _URL.sub(lambda _: b"URL:" + footer.website.encode(), before)
            own = before.removesuffix(DESCRIPTION) + self._description(footer, description, is_moved=is_moved)
        if self._as_reference and image:
            image = attached(image) + image
        terms = _CATEGORIES if self._as_reference else _TERMS
        joined = b"".join(
            (
                b"BEGIN:VEVENT\r\nUID:event-%d" % found.id,
                self._uid,
                own.replace(BASE, self._base),
                place,
                EntryParts.of(found.parts).lines(found.links, terms, with_place=not is_moved),
                image.replace(BASE, self._base),
                *added_lines(found.more, self._base_url),
                b"END:VEVENT\r\n",
            )
        )
        return folded(joined)

    def _description(self, footer: Footer, own: bytes, *, is_moved: bool) -> bytes:
        """What is left of the entry: the description, which is last."""
        text = own.removesuffix(LINE_END)
        if self._language:
            text += (PARAGRAPH.encode() if text else b"") + footer.written(self._language, is_moved=is_moved).encode()
        return DESCRIPTION + text + LINE_END if text else b""

    def _titled(self, found: re.Match[bytes]) -> bytes:
        """The state and the title, which is escaped already."""
        state, title = found[1].decode(), found[2].rstrip(b"\r")
        if not self._language:
            return found[2]
        before, _, after = event_statuses.titled(STATE, state, self._language).partition(STATE)
        return text(before).encode() + title + text(after).encode() + found[2][len(title) :]
