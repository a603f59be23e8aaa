"""Representations made ready: rendered once when a record changes, joined when it is read.

A ready record is the JSON of `present/json.py` with bytes that JSON cannot contain where something else belongs: the
addresses through which a request came, and in an event the records that it shows. So a venue can be renamed without
touching the events there. Whatever is joined is, byte for byte, what a rendering from the records would be.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

import msgspec

from kalends import __version__, values
from kalends.contract.kinds import EVENT, KINDS, ORGANIZER, VENUE, Kind
from kalends.present import json as representation
from kalends.present import json_ld
from kalends.present.addresses import Addresses
from kalends.present.outlook import Outlook
from kalends.store.bundles import Bundle
from kalends.store.ready import NOTHING, Linked, Ready
from kalends.store.records import Event, Media, Organizer, Post, Term, Venue
from kalends.store.sight import Sight
from kalends.values import names
from kalends.values.cost import Currency

# What takes the place of the site's address, of the namespace's, and of the site's name in a global id.
BASE, NAMESPACE, SITE = b"\x01", b"\x02", b"\x03"
# What takes the place of other records and of counts, and what stands between two forms of one record.
SLOT, BREAK = b"\x00", b"\x04"
LOCATION, ORGANIZERS = b',"location":' + SLOT, b',"organizer":' + SLOT

_slot, _slots = msgspec.Raw(SLOT), msgspec.Raw(b"[" + SLOT + b"]")
_encode = msgspec.json.encode

# The addresses while rendering. No text of a record can contain them, since nobody ever sees them.
_site, _namespace = secrets.token_hex(16), secrets.token_hex(16)
_unknown = Addresses(f"http://{_site}", "", _namespace)


@cache
def made_with(timezone: str, currency: Currency) -> str:
    """What renderings depend on besides their records, in short: code, zone rules and settings."""
    digest = hashlib.blake2b(digest_size=8)
    for room in (Path(__file__).parent, Path(values.__file__).parent):
        for module in sorted(room.glob("*.py")):
            digest.update(module.read_bytes())
    kinds = [(kind.name, kind.plural, kind.page, kind.name_field, kind.taxonomy) for kind in KINDS]
    digest.update(repr((__version__, version("tzdata"), kinds, timezone, currency)).encode())
    return digest.hexdigest()


class Rendering:
    """Makes records ready, for a site with this zone and this money."""

    def __init__(self, timezone: str, currency: Currency) -> None:
        self.made = made_with(timezone, currency)
        self.outlook = Outlook(_unknown, timezone, currency)

    def post(self, record: Post, images: dict[int, Media], linked: Linked, seen: Sight) -> Ready:
        """A post as it is seen by strangers, whose sight this is."""
        if not seen.admits(record):
            return NOTHING
        bundle = Bundle(images=images)
        match record:
            case Event():
                return self._event(record, replace(bundle, masked=not seen.opens(record)), linked)
            case Venue():
                kind = VENUE
                nested = json_ld.venue(record, bundle, self.outlook, nested=True)
            case Organizer():
                kind = ORGANIZER
                nested = json_ld.organizer(record, bundle, self.outlook, nested=True)
            case _:
                raise TypeError(type(record))
        body = representation.post(record, bundle, self.outlook)
        alone = representation.post(record, bundle, self.outlook, single=True)
        detail = _without_addresses(alone) + BREAK + _without_addresses(nested)
        return Ready(kind.name, _without_addresses(body), detail)

    def term(self, kind: Kind, record: Term) -> Ready:
        """A term as events show it, and as it is shown by itself with its count."""
        embedded = representation.embedded_term(kind, record, self.outlook)
        counted = representation.term(kind, record, 0, self.outlook) | {"count": _slot}
        sort_name = names.sort_key(record.name)
        return Ready(kind.name, _without_addresses(embedded), _without_addresses(counted), sort_name)

    def _event(self, record: Event, bundle: Bundle, linked: Linked) -> Ready:
        json = representation.event(record, bundle, self.outlook) | {"post_parent": _slot}
        shown = {"categories": _slots, "tags": _slots, "venue": _slot, "organizer": _slots}
        if bundle.masked:  # so it is linked to nothing that could be shown
            return Ready(EVENT.name, _template(json | shown), linked=Linked(parent=linked.parent))
        about = json_ld.event(record, bundle, self.outlook)
        offers = about.pop("offers", None)
        about |= {"location": _slot, "organizer": _slot} | ({"offers": offers} if offers else {})
        return Ready(EVENT.name, _template(json | shown), _without_addresses(about), linked=linked)


Parts = Mapping[int, Ready]  # what events show, by its key


def events(found: Sequence[Ready], parts: Parts, addresses: Addresses) -> bytes:
    """Events as a list shows them."""
    return filled(b"[" + b",".join([_listed(event, parts) for event in found]) + b"]", addresses)


def event(found: Ready, parts: Parts, addresses: Addresses) -> bytes:
    """An event by itself."""
    linked, detail = found.linked, found.detail
    venues = _shown(linked.venue, parts)
    organizers = _shown(linked.organizer, parts)
    for slot, nested in ((LOCATION, venues), (ORGANIZERS, organizers)):
        inner = [forms[1] for forms in nested]
        detail = detail.replace(slot, slot[:-1] + _one_or_many(inner) if inner else b"")
    outside = _put(found, parts, [forms[0] for forms in venues], [forms[0] for forms in organizers])
    return filled(outside[:-1] + b',"json_ld":' + detail + b"}", addresses)


def places(found: Sequence[Ready], addresses: Addresses) -> bytes:
    """Venues or organizers as a list shows them."""
    return filled(b"[" + b",".join([place.body for place in found]) + b"]", addresses)


def place(found: Ready, addresses: Addresses) -> bytes:
    """A venue or organizer by itself."""
    return filled(found.detail.partition(BREAK)[0], addresses)


def terms(found: Sequence[tuple[Ready, int]], addresses: Addresses) -> bytes:
    """Terms as a list shows them, each with its count."""
    return filled(b"[" + b",".join([_counted(term, count) for term, count in found]) + b"]", addresses)


def term(found: Ready, count: int, addresses: Addresses) -> bytes:
    """A term by itself."""
    return filled(_counted(found, count), addresses)


def filled(ready: bytes, addresses: Addresses) -> bytes:
    """With the addresses through which a request came."""
    base, namespace, site = _written(addresses)
    return ready.replace(BASE, base).replace(NAMESPACE, namespace).replace(SITE, site)


@lru_cache(64)
def _written(addresses: Addresses) -> tuple[bytes, bytes, bytes]:
    site = addresses.global_id(0).removesuffix("?id=0")
    base, namespace, site_name = (_encode(text)[1:-1] for text in (addresses.base_url, addresses.ns, site))
    return base, namespace, site_name


def _without_addresses(json: representation.Json) -> bytes:
    encoded = _encode(json).replace(_unknown.base_url.encode(), BASE).replace(_namespace.encode(), NAMESPACE)
    return encoded.replace(_site.encode(), SITE)


def _template(json: representation.Json) -> bytes:
    """An event to be filled by Python's own formatting, which is the quickest."""
    return _without_addresses(json).replace(b"%", b"%%").replace(SLOT, b"%b")


def _listed(found: Ready, parts: Parts) -> bytes:
    linked = found.linked
    venues = [body for id in linked.venue if (body := parts[id].body)]
    organizers = [body for id in linked.organizer if (body := parts[id].body)]
    return _put(found, parts, venues, organizers)


def _put(found: Ready, parts: Parts, venues: Sequence[bytes], organizers: Sequence[bytes]) -> bytes:
    """An event with what it shows in its place."""
    linked = found.linked
    return found.body % (
        _by_name(linked.category, parts),
        _by_name(linked.tag, parts),
        _one_or_many(venues),
        b",".join(organizers),
        b"%d" % linked.parent if linked.parent and parts[linked.parent].body else b"0",
    )


def _shown(ids: Sequence[int], parts: Parts) -> list[Sequence[bytes]]:
    """The places that strangers see, each by itself and as JSON-LD within an event."""
    return [detail.split(BREAK) for id in ids if (detail := parts[id].detail)]


def _by_name(ids: Sequence[int], parts: Parts) -> bytes:
    if len(ids) < 2:
        return parts[-ids[0]].body if ids else b""
    found = sorted((part.sort_name, id, part.body) for id in ids if (part := parts[-id]).body)
    return b",".join([body for _, _, body in found])


def _one_or_many(bodies: Sequence[bytes]) -> bytes:
    return bodies[0] if len(bodies) == 1 else b"[" + b",".join(bodies) + b"]"


def _counted(found: Ready, count: int) -> bytes:
    return found.detail.replace(SLOT, b"%d" % count)
