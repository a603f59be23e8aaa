"""Representations made ready: rendered once when a record changes, joined when it is read.

A ready record is the JSON of `present/json.py` with bytes that JSON cannot contain where something else belongs: the
addresses through which a request came, and in an event the records that it shows. So a venue can be renamed without
touching the events there. Whatever is joined is, byte for byte, what a rendering from the records would be.
"""

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import msgspec

from kalends import __version__, values
from kalends.contract.kinds import EVENT, KINDS, ORGANIZER, VENUE, Kind
from kalends.present import json as representation
from kalends.present import json_ld
from kalends.present.addresses import Addresses
from kalends.present.render_context import RenderContext
from kalends.store.query.visibility import Visibility
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.fragments import NOTHING, EventLinks, Fragment, FragmentSet, links_from
from kalends.store.rows.records import Event, Media, Organizer, Post, Term, Venue
from kalends.values import names
from kalends.values.cost import Currency

# What takes the place of the site's address, of the namespace's, and of the site's name in a global id.
BASE, NAMESPACE, SITE = b"\x01", b"\x02", b"\x03"
# What takes the place of other records and of counts, and what stands between two forms of one record.
SLOT, BREAK = b"\x00", b"\x04"
# Keys of JSON-LD that are there only if something is shown under them.
LOCATION, ORGANIZERS = b',"location":', b',"organizer":'
# Python's own formatting fills the slots of events: nothing is quicker.
PERCENT, GAP = (b"%", b"%%"), b"%b"

MOST_VIEWS = 3  # of one shelf, through as many addresses

_slot, _slots = msgspec.Raw(SLOT), msgspec.Raw(b"[" + SLOT + b"]")
_encode = msgspec.json.encode

# The addresses while rendering. No text of a record can contain them, since nobody ever sees them.
_site, _namespace = secrets.token_hex(16), secrets.token_hex(16)
_unknown = Addresses(f"http://{_site}", "", _namespace)


@cache
def render_version(timezone: str, currency: Currency) -> str:
    """What renderings depend on besides their records, in short: code, zone rules and settings."""
    digest = hashlib.blake2b(digest_size=8)
    for filled_links in (Path(__file__).parent, Path(values.__file__).parent):
        for module in sorted(filled_links.glob("*.py")):
            digest.update(module.read_bytes())
    kinds = [(kind.name, kind.plural, kind.page, kind.name_field, kind.taxonomy) for kind in KINDS]
    digest.update(repr((__version__, version("tzdata"), kinds, timezone, currency)).encode())
    return digest.hexdigest()


class Rendering:
    """Makes records ready, for a site with this zone and this money."""

    def __init__(self, timezone: str, currency: Currency) -> None:
        self.version = render_version(timezone, currency)
        self.render_context = RenderContext(_unknown, timezone, currency)

    def post(self, record: Post, images: dict[int, Media], linked: EventLinks, visibility: Visibility) -> Fragment:
        """A post as it is seen by strangers, whose sight this is."""
        if not visibility.can_read(record):
            return NOTHING
        bundle = Bundle(images=images)
        match record:
            case Event():
                return self._event(record, replace(bundle, masked=not visibility.can_unmask(record)), linked)
            case Venue():
                kind = VENUE
                nested = json_ld.venue(record, bundle, self.render_context, nested=True)
            case Organizer():
                kind = ORGANIZER
                nested = json_ld.organizer(record, bundle, self.render_context, nested=True)
            case _:
                raise TypeError(type(record))
        body = representation.post(record, bundle, self.render_context)
        alone = representation.post(record, bundle, self.render_context, single=True)
        detail = _without_addresses(alone) + BREAK + _without_addresses(nested)
        return Fragment(kind.name, _without_addresses(body), detail)

    def term(self, kind: Kind, record: Term) -> Fragment:
        """A term as events show it, and as it is shown by itself with its count."""
        embedded = representation.embedded_term(kind, record, self.render_context)
        counted = representation.term(kind, record, 0, self.render_context) | {"count": _slot}
        sort_name = names.sort_key(record.name)
        return Fragment(kind.name, _without_addresses(embedded), _without_addresses(counted), sort_name)

    def _event(self, record: Event, bundle: Bundle, linked: EventLinks) -> Fragment:
        json = representation.event(record, bundle, self.render_context) | {"post_parent": _slot}
        shown = {"categories": _slots, "tags": _slots, "venue": _slot, "organizer": _slots}
        if bundle.masked:  # so it is linked to nothing that could be shown
            return Fragment(EVENT.name, _template(json | shown), links=_links(EventLinks(parent=linked.parent)))
        about = json_ld.event(record, bundle, self.render_context)
        offers = about.pop("offers", None)
        about |= {"location": _slot, "organizer": _slot} | ({"offers": offers} if offers else {})
        detail = _template(about)
        for key in (LOCATION, ORGANIZERS):
            detail = detail.replace(key + GAP, GAP)
        return Fragment(EVENT.name, _template(json | shown), detail, links=_links(linked))


class EmbeddedFragment(NamedTuple):
    """A record as events show it. What strangers do not see is empty."""

    sort_name: str
    listed: bytes  # in a list
    alone: bytes = b""  # in an event by itself
    about: bytes = b""  # in the JSON-LD of an event


class FilledLinks(NamedTuple):
    """What an event leaves room for, and what belongs there in a list: its categories, tags, venues, organizers."""

    linked: EventLinks
    slots: tuple[bytes, bytes, bytes, bytes]


class EmbeddedFragments(dict[int, EmbeddedFragment]):
    """What events show, by its key, with the addresses of some requests in it."""

    MOST_FILLED_LINKS = 8_000  # of one or two kilobytes

    def __init__(self, ready: Mapping[int, Fragment], addresses: Addresses) -> None:
        self.ready = ready
        self.addresses = addresses
        self._filled_links: dict[str, FilledLinks] = {}

    def __missing__(self, key: int) -> EmbeddedFragment:
        """Raises KeyError for what is not ready either."""
        ready = self.ready[key]
        forms = ready.detail.split(BREAK) if key > 0 and ready.body else ()
        part = EmbeddedFragment(ready.sort_name, *(filled(form, self.addresses) for form in (ready.body, *forms)))
        self[key] = part
        return part

    def filled_links_of(self, found: Sequence[tuple[bytes, str]]) -> list[FilledLinks]:
        """What belongs into each of these events. The same events are listed all the time."""
        filled = self._filled_links
        return [filled.get(links) or self._fill_links(links) for _, links in found]

    def _fill_links(self, links: str) -> FilledLinks:
        linked = links_from(links)
        venues, organizers = linked.venue, linked.organizer
        slots = (
            _by_name(linked.category, self),
            _by_name(linked.tag, self),
            (self[venues[0]].listed or b"[]") if len(venues) == 1 else _several([self[id].listed for id in venues]),
            self[organizers[0]].listed if len(organizers) == 1 else _joined([self[id].listed for id in organizers]),
        )
        if len(self._filled_links) >= self.MOST_FILLED_LINKS:
            self._filled_links.clear()
        filled_links = self._filled_links[links] = FilledLinks(linked, slots)
        return filled_links


def embedded_fragments(fragment_cache: FragmentSet, addresses: Addresses) -> EmbeddedFragments:
    """Those on a shelf, filled once for all requests that come the same way."""
    found = fragment_cache.views.get(addresses)
    if not isinstance(found, EmbeddedFragments):
        if len(fragment_cache.views) >= MOST_VIEWS:  # anybody can come with any name of a host
            fragment_cache.views.clear()
        found = fragment_cache.views[addresses] = EmbeddedFragments(fragment_cache, addresses)
    return found


Parents = Collection[int]  # the events that are shown as the parents of others


def events(
    found: Sequence[tuple[bytes, str]],
    parts: EmbeddedFragments,
    parents: Parents = (),
    *,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Events as a list shows them, each given with its links, and what stands before and after them. Raises KeyError
    for a part that is not ready."""
    slots: list[bytes] = [before]
    for linked, filling in parts.filled_links_of(found):
        slots += filling
        slots.append(b"%d" % linked.parent if linked.parent in parents else b"0")
    slots.append(after)
    # The whole answer at once, since every copy of it takes its time.
    templates = b"%b[" + b",".join([template for template, _ in found]) + b"]%b"
    return _filled_template(templates, parts.addresses) % tuple(slots)


def event(template: bytes, links: str, detail: bytes, parts: EmbeddedFragments, parents: Parents = ()) -> bytes:
    """An event by itself, with its JSON-LD. Raises KeyError for a part that is not ready."""
    linked = links_from(links)
    venues = [part for id in linked.venue if (part := parts[id]).listed]
    organizers = [part for id in linked.organizer if (part := parts[id]).listed]
    slots = (
        _by_name(linked.category, parts),
        _by_name(linked.tag, parts),
        _several([venue.alone for venue in venues]),
        _joined([organizer.alone for organizer in organizers]),
        b"%d" % linked.parent if linked.parent in parents else b"0",
        LOCATION + _several([venue.about for venue in venues]) if venues else b"",
        ORGANIZERS + _several([organizer.about for organizer in organizers]) if organizers else b"",
    )
    return _filled_template(template[:-1] + b',"json_ld":' + detail + b"}", parts.addresses) % slots


def places(found: Sequence[Fragment], addresses: Addresses) -> bytes:
    """Venues or organizers as a list shows them."""
    return filled(b"[" + b",".join([place.body for place in found]) + b"]", addresses)


def place(found: Fragment, addresses: Addresses) -> bytes:
    """A venue or organizer by itself."""
    return filled(found.detail.partition(BREAK)[0], addresses)


def terms(found: Sequence[tuple[Fragment, int]], addresses: Addresses) -> bytes:
    """Terms as a list shows them, each with its count."""
    return filled(b"[" + b",".join([_counted(term, count) for term, count in found]) + b"]", addresses)


def term(found: Fragment, count: int, addresses: Addresses) -> bytes:
    """A term by itself."""
    return filled(_counted(found, count), addresses)


def filled(ready: bytes, addresses: Addresses) -> bytes:
    """With the addresses through which a request came."""
    base, namespace, site = _written(addresses)
    return ready.replace(BASE, base).replace(NAMESPACE, namespace).replace(SITE, site)


def _filled_template(ready: bytes, addresses: Addresses) -> bytes:
    base, namespace, site = _written(addresses, template=True)
    return ready.replace(BASE, base).replace(NAMESPACE, namespace).replace(SITE, site)


@lru_cache(64)
def _written(addresses: Addresses, *, template: bool = False) -> tuple[bytes, bytes, bytes]:
    site = addresses.global_id(0).removesuffix("?id=0")
    base, namespace, site_name = (_encode(text)[1:-1] for text in (addresses.base_url, addresses.ns, site))
    if template:
        return base.replace(*PERCENT), namespace.replace(*PERCENT), site_name.replace(*PERCENT)
    return base, namespace, site_name


def _without_addresses(json: representation.Json) -> bytes:
    encoded = _encode(json).replace(_unknown.base_url.encode(), BASE).replace(_namespace.encode(), NAMESPACE)
    return encoded.replace(_site.encode(), SITE)


def _links(linked: EventLinks) -> str:
    return _encode(linked).decode()


def _template(json: representation.Json) -> bytes:
    return _without_addresses(json).replace(*PERCENT).replace(SLOT, GAP)


def _by_name(ids: Sequence[int], parts: EmbeddedFragments) -> bytes:
    """Terms in the order of their names."""
    if len(ids) < 2:
        return parts[-ids[0]].listed if ids else b""
    found = sorted([(part.sort_name, id, part.listed) for id in ids if (part := parts[-id]).listed])
    return b",".join([listed for _, _, listed in found])


def _joined(bodies: Sequence[bytes]) -> bytes:
    return b",".join([body for body in bodies if body])


def _several(bodies: Sequence[bytes]) -> bytes:
    """One by itself, none or many as a list."""
    visibility = [body for body in bodies if body]
    return visibility[0] if len(visibility) == 1 else b"[" + b",".join(visibility) + b"]"


def _counted(found: Fragment, count: int) -> bytes:
    return found.detail.replace(SLOT, b"%d" % count)
