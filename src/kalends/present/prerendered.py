"""Responses from prerendered representations, which are templates: filled in and joined when they are read.

A template is the JSON of `present/json.py` with placeholders for the addresses of the request and, in an event, for
the records that it embeds. So a venue can be renamed without rendering its events again. The result is, byte for
byte, what a rendering from the records would be.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

import msgspec

from kalends.present.addresses import Addresses
from kalends.present.custom_values import as_properties, of_event, shown
from kalends.present.json_ld import Json
from kalends.present.placeholders import (
    BASE,
    ESCAPE_PERCENT,
    LOCATION,
    NAMESPACE,
    ORGANIZERS,
    PLACEHOLDER,
    PROPERTIES,
    SEPARATOR,
    SITE,
    encode,
)
from kalends.store.rows.fragments import EventFragment, EventLinks, Fragment, FragmentSet, Keys
from kalends.values.custom_fields import NONE, CustomFields

MAX_VIEWS = 3  # of one set of fragments, each with other addresses
MAX_JOINED = 2000  # of one kind that are kept
LARGEST_JOINED = 4096  # bytes of several records together that are kept
LARGEST_LIST = 32 * 1024 * 1024  # bytes of the records of a list
CHECKED_TOGETHER = 10  # events; what one of them can show is limited


class ListTooLarge(Exception):
    """The records of a list would take more than LARGEST_LIST bytes."""


class EmbeddedFragment(NamedTuple):
    """A record as events embed it; empty when anonymous readers do not see it."""

    sort_name: str
    id: int
    listed: bytes  # in a list
    alone: bytes = b""  # in an event that is read alone
    about: bytes = b""  # in the JSON-LD of an event; of a series the number of the first of its course


WHO = ("@type", "name", "url", "address")  # keys of JSON-LD
_decoded = msgspec.json.Decoder(list[Json]).decode
LISTED, ALONE, ABOUT = attrgetter("listed"), attrgetter("alone"), attrgetter("about")
FillIn = Callable[[bytes], bytes]


@lru_cache(64)
def filler(addresses: Addresses, *, escaped: bool = False) -> FillIn:
    """Fills in the addresses of a request. `escaped`: the template is then filled in by %."""
    site = addresses.global_id(0).removesuffix("?id=0")
    base, namespace, name = (encode(text)[1:-1] for text in (addresses.base_url, addresses.ns, site))
    if escaped:
        base, namespace, name = (text.replace(*ESCAPE_PERCENT) for text in (base, namespace, name))

    def fill_in(template: bytes) -> bytes:
        return template.replace(BASE, base).replace(NAMESPACE, namespace).replace(SITE, name)

    return fill_in


class JoinedFragments(dict[Keys, bytes]):
    """What a template shows for some keys of one kind, kept for the next event that names the same."""

    def __init__(
        self,
        embedded: "EmbeddedFragments",
        part: Callable[[EmbeddedFragment], bytes],
        join: Callable[[Sequence[bytes]], bytes],
        *,
        by_name: bool = False,
    ) -> None:
        self._embed = embedded.__getitem__
        self._part = part
        self.join = join
        self._by_name = by_name

    def __missing__(self, keys: Keys) -> bytes:
        found: Iterable[EmbeddedFragment] = map(self._embed, keys)
        if self._by_name:
            found = sorted(found)
        joined = self.join([*filter(None, map(self._part, found))])
        if keys[1:] and len(joined) > LARGEST_JOINED:
            return joined
        if len(self) >= MAX_JOINED:  # others come with every event
            self.clear()
        self[keys] = joined
        return joined


class EmbeddedFragments(dict[int, EmbeddedFragment]):
    """The records that events embed, by their keys, with the addresses of a request filled in."""

    def __init__(self, fragments: Mapping[int, Fragment], addresses: Addresses) -> None:
        self.fragments = fragments
        self.fill_in = filler(addresses)
        self.fill_in_template = filler(addresses, escaped=True)
        self.terms = JoinedFragments(self, LISTED, b",".join, by_name=True)
        self.venues = JoinedFragments(self, LISTED, _one_or_list)
        self.organizers = JoinedFragments(self, LISTED, b",".join)
        # Those of an event that is read alone, and of its JSON-LD.
        self.venues_alone = JoinedFragments(self, ALONE, _one_or_list)
        self.organizers_alone = JoinedFragments(self, ALONE, b",".join)
        self.locations = JoinedFragments(self, ABOUT, lambda found: LOCATION + _one_or_list(found) if found else b"")
        self.hosts = JoinedFragments(self, ABOUT, lambda found: ORGANIZERS + _one_or_list(found) if found else b"")
        # The same in the JSON-LD of a list, which only says who they are.
        self.brief_locations = JoinedFragments(self, _brief, self.locations.join)
        self.brief_hosts = JoinedFragments(self, _brief, self.hosts.join)

    def __missing__(self, key: int) -> EmbeddedFragment:
        """Raises KeyError for a record that is not prerendered."""
        fragment = self.fragments[key]
        details = fragment.detail.split(SEPARATOR) if key > 0 and fragment.body else ()
        filled_in = map(self.fill_in, (fragment.body, *details))
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
    custom_fields: CustomFields = NONE,
    *,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Events as a list shows them, between `before` and `after`. Raises KeyError for an embedded record that is not
    prerendered, and ListTooLarge."""
    values, templates = [before], [template for template, _ in found]
    size = sum(map(len, templates))
    terms, venues, organizers = embedded.terms, embedded.venues, embedded.organizers
    for first in range(0, len(found), CHECKED_TOGETHER):
        for _, links in found[first : first + CHECKED_TOGETHER]:
            values += terms[links.category], terms[links.tag], venues[links.venue], organizers[links.organizer]
            if links.custom:
                values.append(encode(of_event(shown(custom_fields.public(), links.custom))))
            values += _above(links, embedded, parents) if links.series or links.parent else NOTHING_ABOVE
        check_size(size + sum(map(len, values)))
    values.append(after)
    # One template for the whole response, which is long: every copy of it takes time.
    template = b"%b[" + b",".join(templates) + b"]%b"
    return embedded.fill_in_template(template) % tuple(values)


def events_alone(
    found: Sequence[EventFragment],
    details: Sequence[bytes],
    embedded: EmbeddedFragments,
    parents: Parents = (),
    custom_fields: CustomFields = NONE,
) -> list[bytes]:
    """Events that are read alone, each with its JSON-LD, which is what `details` have. One without it is masked, and
    is what lists show of it. Raises KeyError like `events`."""
    # Each by itself: records of some kilobytes are copied within the caches of the processor.
    joined: list[bytes] = []
    terms, fill_in = embedded.terms, embedded.fill_in_template
    venues, locations = embedded.venues_alone, embedded.locations
    organizers, hosts = embedded.organizers_alone, embedded.hosts
    for (template, links), detail in zip(found, details, strict=True):
        if not detail:
            joined.append(events([(template, links)], embedded, parents, custom_fields)[1:-1])
            continue
        venue, organizer = links.venue, links.organizer
        named: tuple[bytes, ...]
        named = terms[links.category], terms[links.tag], venues[venue], organizers[organizer]
        above = _above(links, embedded, parents) if links.series or links.parent else NOTHING_ABOVE
        about: tuple[bytes, ...] = locations[venue], hosts[organizer]
        if links.custom:
            custom = shown(custom_fields.public(), links.custom)
            properties = as_properties(custom)
            named += (encode(of_event(custom)),)
            about += (PROPERTIES + encode(properties) if properties else b"",)
        whole = b"".join((template[:-1], b',"json_ld":', detail, b"}"))
        joined.append(fill_in(whole) % (named + above + about))
    return joined


def briefly(
    found: Sequence[EventFragment],
    details: Sequence[bytes],
    embedded: EmbeddedFragments,
    custom_fields: CustomFields = NONE,
) -> list[Json]:
    """The JSON-LD of events in a list, as `json_ld.event` has it of those that are not masked; its texts are whole.
    Raises KeyError like `events`."""
    joined: list[bytes] = []
    fill_in, locations, hosts = embedded.fill_in_template, embedded.brief_locations, embedded.brief_hosts
    for (_, links), detail in zip(found, details, strict=True):
        if detail:
            about: tuple[bytes, ...] = locations[links.venue], hosts[links.organizer]
            if links.custom:
                properties = as_properties(shown(custom_fields.public(), links.custom))
                about += (PROPERTIES + encode(properties) if properties else b"",)
            joined.append(fill_in(detail) % about)
    return _decoded(b"[" + b",".join(joined) + b"]")


def _brief(record: EmbeddedFragment) -> bytes:
    """Who a venue or organizer is."""
    if not record.about:
        return b""
    about: Json = msgspec.json.decode(record.about)
    return encode({key: value for key, value in about.items() if key in WHO})


def venues_or_organizers(
    fragments: Sequence[Fragment], addresses: Addresses, *, before: bytes = b"", after: bytes = b""
) -> bytes:
    """Venues or organizers as a list shows them. Raises ListTooLarge."""
    return _list([fragment.body for fragment in fragments], addresses, before, after)


def venue_or_organizer(fragment: Fragment, addresses: Addresses) -> bytes:
    """A venue or organizer that is read alone."""
    return filler(addresses)(fragment.detail.partition(SEPARATOR)[0])


def terms(
    counted: Sequence[tuple[Fragment, int]], addresses: Addresses, *, before: bytes = b"", after: bytes = b""
) -> bytes:
    """Terms as a list shows them, each with its count. Raises ListTooLarge."""
    return _list([_with_count(fragment, count) for fragment, count in counted], addresses, before, after)


def _list(bodies: Sequence[bytes], addresses: Addresses, before: bytes, after: bytes) -> bytes:
    check_size(sum([len(body) for body in bodies]))
    return b"%b[%b]%b" % (before, filler(addresses)(b",".join(bodies)), after)


def term(fragment: Fragment, count: int, addresses: Addresses) -> bytes:
    """A term that is read alone."""
    return filler(addresses)(_with_count(fragment, count))


NOTHING_ABOVE: tuple[bytes, ...] = (b"0",)


def _above(links: EventLinks, embedded: EmbeddedFragments, parents: Parents) -> tuple[bytes, ...]:
    """The parent; of an occurrence also the first series of its course, and the recurrence."""
    if links.series:
        series = embedded[links.series]
        return series.alone if links.parent else b"0", series.about, series.listed
    return (b"%d" % links.parent,) if links.parent in parents else NOTHING_ABOVE


def _one_or_list(bodies: Sequence[bytes]) -> bytes:
    """One by itself, none or many as a list."""
    return bodies[0] if len(bodies) == 1 else b"[" + b",".join(bodies) + b"]"


def _with_count(fragment: Fragment, count: int) -> bytes:
    return fragment.detail.replace(PLACEHOLDER, b"%d" % count)
