"""Prerendered representations: rendered to templates when a record changes, filled in and joined when it is read.

A template is the JSON of `present/json.py` with placeholders, bytes that JSON cannot contain, for the addresses of
the request and, in an event, for the records that it embeds. So a venue can be renamed without rendering its events
again. The result is, byte for byte, what a rendering from the records would be.
"""

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import version
from operator import attrgetter
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
from kalends.store.rows.fragments import NOTHING, SERIES, EventFragment, EventLinks, Fragment, FragmentSet, Keys
from kalends.store.rows.records import Event, Media, Organizer, Post, Series, Term, Venue
from kalends.values import names
from kalends.values.cost import Currency

# Placeholders of the site's address, of the namespace's, and of the site's name in a global id.
BASE, NAMESPACE, SITE = b"\x01", b"\x02", b"\x03"
# The placeholder of an embedded record or a count, and what separates two representations of one record.
PLACEHOLDER, SEPARATOR = b"\x00", b"\x04"
# Keys of JSON-LD that are there only with a value.
LOCATION, ORGANIZERS = b',"location":', b',"organizer":'
# The templates of events are filled in by Python's % operator, which is the fastest.
ESCAPE_PERCENT, FORMAT_FIELD = (b"%", b"%%"), b"%b"

MAX_VIEWS = 3  # of one set of fragments, each with other addresses
LARGEST_LIST = 32 * 1024 * 1024  # bytes of the records of a list

_one, _many = msgspec.Raw(PLACEHOLDER), msgspec.Raw(b"[" + PLACEHOLDER + b"]")
_encode = msgspec.json.encode

# The addresses while rendering: random and never shown, so that no text of a record can contain them.
_site, _namespace = secrets.token_hex(16), secrets.token_hex(16)
_placeholder_addresses = Addresses(f"http://{_site}", "", _namespace)


@cache
def render_version(timezone: str, currency: Currency) -> str:
    """A digest of what fragments depend on besides their records: code, zone rules and settings."""
    digest = hashlib.blake2b(digest_size=8)
    for package in (Path(__file__).parent, Path(values.__file__).parent):
        for module in sorted(package.glob("*.py")):
            digest.update(module.read_bytes())
    kinds = [(kind.name, kind.plural, kind.page, kind.name_field, kind.taxonomy) for kind in KINDS]
    digest.update(repr((__version__, version("tzdata"), kinds, timezone, currency)).encode())
    return digest.hexdigest()


class Rendering:
    """Renders records to fragments, for a site with this time zone and currency."""

    def __init__(self, timezone: str, currency: Currency) -> None:
        self.version = render_version(timezone, currency)
        self.render_context = RenderContext(_placeholder_addresses, timezone, currency)

    def post(self, record: Post, images: dict[int, Media], links: EventLinks, visibility: Visibility) -> Fragment:
        """A post as anonymous readers see it, whose visibility this is."""
        if not visibility.can_read(record):
            return NOTHING
        bundle = Bundle(images=images)
        match record:
            case Event():
                return self._event(record, replace(bundle, masked=not visibility.can_unmask(record)), links)
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
        detail = _without_addresses(alone) + SEPARATOR + _without_addresses(nested)
        return Fragment(kind.name, _without_addresses(body), detail)

    def term(self, kind: Kind, record: Term) -> Fragment:
        """A term as events show it, and as it is shown by itself with its count."""
        embedded = representation.embedded_term(kind, record, self.render_context)
        counted = representation.term(kind, record, 0, self.render_context) | {"count": _one}
        sort_name = names.sort_key(record.name)
        return Fragment(kind.name, _without_addresses(embedded), _without_addresses(counted), sort_name)

    def series(self, series: Series, first_event: int) -> Fragment:
        """The recurrence, as occurrences show it, and their parent: the first event, 0 if it is not public."""
        recurrence = representation.recurrence_of(series.recurrence)
        return Fragment(SERIES, _without_addresses(recurrence), b"%d" % first_event)

    def _event(self, record: Event, bundle: Bundle, links: EventLinks) -> Fragment:
        json = representation.event(record, bundle, self.render_context) | {"post_parent": _one}
        if links.series:
            json |= {"series": links.series, "recurrence": _one, "original_start": record.original_start}
        embedded = {"categories": _many, "tags": _many, "venue": _one, "organizer": _many}
        if bundle.masked:  # its links are not shown
            shown = EventLinks(parent=links.parent, series=links.series)
            return Fragment(EVENT.name, _template(json | embedded), links=_encoded(shown))
        about = json_ld.event(record, bundle, self.render_context)
        after_links = {key: about.pop(key) for key in ("offers", "performer") if key in about}
        about |= {"location": _one, "organizer": _one} | after_links
        detail = _template(about)
        for key in (LOCATION, ORGANIZERS):
            detail = detail.replace(key + FORMAT_FIELD, FORMAT_FIELD)
        return Fragment(EVENT.name, _template(json | embedded), detail, links=_encoded(links))


class ListTooLarge(Exception):
    """The records of a list would take more than LARGEST_LIST bytes."""


class EmbeddedFragment(NamedTuple):
    """A record as events embed it; empty when anonymous readers do not see it."""

    sort_name: str
    id: int
    listed: bytes  # in a list
    alone: bytes = b""  # in an event that is read alone
    about: bytes = b""  # in the JSON-LD of an event


LISTED, ALONE, ABOUT = attrgetter("listed"), attrgetter("alone"), attrgetter("about")


class JoinedFragments(dict[Keys, bytes]):
    """What a template shows for some keys of one kind. Single ones are kept; combinations hardly ever repeat."""

    def __init__(
        self,
        embedded: "EmbeddedFragments",
        part: Callable[[EmbeddedFragment], bytes],
        join: Callable[[Sequence[bytes]], bytes],
        *,
        by_name: bool = False,
    ) -> None:
        self._embedded = embedded
        self._part = part
        self._join = join
        self._by_name = by_name

    def __missing__(self, keys: Keys) -> bytes:
        found = [self._embedded[key] for key in keys]
        if self._by_name:
            found.sort()
        joined = self._join(list(filter(None, map(self._part, found))))
        if len(keys) < 2:
            self[keys] = joined
        return joined


class EmbeddedFragments(dict[int, EmbeddedFragment]):
    """The records that events embed, by their keys, with the addresses of a request filled in."""

    def __init__(self, fragments: Mapping[int, Fragment], addresses: Addresses) -> None:
        self.fragments = fragments
        self.addresses = addresses
        self.terms = JoinedFragments(self, LISTED, b",".join, by_name=True)
        self.venues = JoinedFragments(self, LISTED, _one_or_list)
        self.organizers = JoinedFragments(self, LISTED, b",".join)
        # Those of an event that is read alone, and of its JSON-LD.
        self.venues_alone = JoinedFragments(self, ALONE, _one_or_list)
        self.organizers_alone = JoinedFragments(self, ALONE, b",".join)
        self.locations = JoinedFragments(self, ABOUT, lambda found: LOCATION + _one_or_list(found) if found else b"")
        self.hosts = JoinedFragments(self, ABOUT, lambda found: ORGANIZERS + _one_or_list(found) if found else b"")

    def __missing__(self, key: int) -> EmbeddedFragment:
        """Raises KeyError for a record that is not prerendered."""
        fragment = self.fragments[key]
        details = fragment.detail.split(SEPARATOR) if key > 0 and fragment.body else ()
        filled_in = (fill_in(template, self.addresses) for template in (fragment.body, *details))
        embedded = self[key] = EmbeddedFragment(fragment.sort_name, abs(key), *filled_in)
        return embedded


def check_size(size: int) -> None:
    if size > LARGEST_LIST:
        raise ListTooLarge


def embedded_fragments(fragments: FragmentSet, addresses: Addresses) -> EmbeddedFragments:
    """The records of a set, filled in once for all requests with the same addresses."""
    view = fragments.views.get(addresses)
    if not isinstance(view, EmbeddedFragments):
        if len(fragments.views) >= MAX_VIEWS:  # a client can send any host name
            fragments.views.clear()
        view = fragments.views[addresses] = EmbeddedFragments(fragments, addresses)
    return view


Parents = Collection[int]  # the events that are shown as the parents of others


def events(
    found: Sequence[EventFragment],
    embedded: EmbeddedFragments,
    parents: Parents = (),
    *,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Events as a list shows them, between `before` and `after`. Raises KeyError for an embedded record that is not
    prerendered, and ListTooLarge."""
    values, size = [before], 0
    terms, venues, organizers = embedded.terms, embedded.venues, embedded.organizers
    for template, links in found:
        filled = [
            terms[links.category],
            terms[links.tag],
            venues[links.venue],
            organizers[links.organizer],
        ]
        if links.series:
            filled += _series_values(links, embedded)
        else:
            filled.append(_parent(links, parents) if links.parent else b"0")
        values += filled
        size += len(template) + sum(map(len, filled))
        check_size(size)  # before the next event: what one of them can show is limited
    values.append(after)
    # One template for the whole response, which is long: every copy of it takes time.
    template = b"%b[" + b",".join([template for template, _ in found]) + b"]%b"
    return _fill_in_template(template, embedded.addresses) % tuple(values)


def event(found: EventFragment, detail: bytes, embedded: EmbeddedFragments, parents: Parents = ()) -> bytes:
    """An event that is read alone, with its JSON-LD. Raises KeyError like `events`."""
    template, links = found
    values = (
        embedded.terms[links.category],
        embedded.terms[links.tag],
        embedded.venues_alone[links.venue],
        embedded.organizers_alone[links.organizer],
        *(_series_values(links, embedded) if links.series else (_parent(links, parents),)),
        embedded.locations[links.venue],
        embedded.hosts[links.organizer],
    )
    return _fill_in_template(template[:-1] + b',"json_ld":' + detail + b"}", embedded.addresses) % values


def venues_or_organizers(
    fragments: Sequence[Fragment], addresses: Addresses, *, before: bytes = b"", after: bytes = b""
) -> bytes:
    """Venues or organizers as a list shows them. Raises ListTooLarge."""
    return _list([fragment.body for fragment in fragments], addresses, before, after)


def venue_or_organizer(fragment: Fragment, addresses: Addresses) -> bytes:
    """A venue or organizer that is read alone."""
    return fill_in(fragment.detail.partition(SEPARATOR)[0], addresses)


def terms(
    counted: Sequence[tuple[Fragment, int]], addresses: Addresses, *, before: bytes = b"", after: bytes = b""
) -> bytes:
    """Terms as a list shows them, each with its count. Raises ListTooLarge."""
    return _list([_with_count(fragment, count) for fragment, count in counted], addresses, before, after)


def _list(bodies: Sequence[bytes], addresses: Addresses, before: bytes, after: bytes) -> bytes:
    check_size(sum([len(body) for body in bodies]))
    return b"%b[%b]%b" % (before, fill_in(b",".join(bodies), addresses), after)


def term(fragment: Fragment, count: int, addresses: Addresses) -> bytes:
    """A term that is read alone."""
    return fill_in(_with_count(fragment, count), addresses)


def fill_in(template: bytes, addresses: Addresses) -> bytes:
    """The template with the addresses of a request."""
    base, namespace, site = _encoded_addresses(addresses)
    return template.replace(BASE, base).replace(NAMESPACE, namespace).replace(SITE, site)


def _fill_in_template(template: bytes, addresses: Addresses) -> bytes:
    """The same of a template that is then filled in by %."""
    base, namespace, site = _encoded_addresses(addresses, escaped=True)
    return template.replace(BASE, base).replace(NAMESPACE, namespace).replace(SITE, site)


@lru_cache(64)
def _encoded_addresses(addresses: Addresses, *, escaped: bool = False) -> tuple[bytes, bytes, bytes]:
    site = addresses.global_id(0).removesuffix("?id=0")
    base, namespace, site_name = (_encode(text)[1:-1] for text in (addresses.base_url, addresses.ns, site))
    if escaped:
        return base.replace(*ESCAPE_PERCENT), namespace.replace(*ESCAPE_PERCENT), site_name.replace(*ESCAPE_PERCENT)
    return base, namespace, site_name


def _without_addresses(json: representation.Json) -> bytes:
    encoded = (
        _encode(json).replace(_placeholder_addresses.base_url.encode(), BASE).replace(_namespace.encode(), NAMESPACE)
    )
    return encoded.replace(_site.encode(), SITE)


def _encoded(links: EventLinks) -> str:
    return _encode(links).decode()


def _template(json: representation.Json) -> bytes:
    return _without_addresses(json).replace(*ESCAPE_PERCENT).replace(PLACEHOLDER, FORMAT_FIELD)


def _parent(links: EventLinks, parents: Parents) -> bytes:
    return b"%d" % links.parent if links.parent in parents else b"0"


def _series_values(links: EventLinks, embedded: EmbeddedFragments) -> tuple[bytes, bytes]:
    """The parent and the recurrence of an occurrence."""
    series = embedded[links.series]
    return series.alone if links.parent else b"0", series.listed


def _one_or_list(bodies: Sequence[bytes]) -> bytes:
    """One by itself, none or many as a list."""
    return bodies[0] if len(bodies) == 1 else b"[" + b",".join(bodies) + b"]"


def _with_count(fragment: Fragment, count: int) -> bytes:
    return fragment.detail.replace(PLACEHOLDER, b"%d" % count)
