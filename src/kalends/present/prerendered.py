"""Responses from prerendered representations, which are templates: filled in and joined when they are read.

A template is the JSON of `present/json.py` with placeholders for the addresses of the request and, in an event, for
the records that it embeds. So a venue can be renamed without rendering its events again. The result is, byte for
byte, what a rendering from the records would be.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import compress
from operator import attrgetter, getitem
from typing import NamedTuple, cast

import msgspec

from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.defined_fields import DefinedField, Settings, Value, defined_fields, filled, kept_with
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.present.addresses import Addresses
from kalends.present.json import values_json, with_more
from kalends.present.json_ld import Json, properties
from kalends.present.placeholders import (
    BASE,
    ESCAPE_PERCENT,
    FORMAT_FIELD,
    NAMESPACE,
    PLACEHOLDER,
    PROPERTIES,
    ROLES,
    SEPARATOR,
    SITE,
    encode,
)
from kalends.store.rows.fragments import EventFragment, EventLinks, Fragment, FragmentSet, Keys
from kalends.values.more import More, add_properties, addressed

MAX_VIEWS = 3  # of one set of fragments, each with other addresses
MAX_JOINED = 2000  # of one kind that are kept
LARGEST_VALUES = 16 * 1024  # bytes of the defined fields of one event that are kept
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


_HAS_ROLE = [bool(link.json_ld) for link in EVENT_LINKS]  # in the JSON-LD of an event
WHO = ("@type", "name", "url", "address")  # keys of JSON-LD
_decoded = msgspec.json.Decoder(list[Json]).decode
_parts_of = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode  # values stay as they are written
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
        self.addresses = addresses
        self.fill_in = filler(addresses)
        self.fill_in_template = filler(addresses, escaped=True)
        # For each link: in a list, in an event that is read alone, in its JSON-LD, and in that of a list, which only
        # says who they are.
        self.listed, self.alone, self.about, self.brief = (list[JoinedFragments]() for _ in range(4))
        for link in EVENT_LINKS:
            join, is_term = _one_or_list if link.one_alone else b",".join, link.kind.is_term
            self.listed.append(JoinedFragments(self, LISTED, join, by_name=is_term))
            self.alone.append(self.listed[-1] if is_term else JoinedFragments(self, ALONE, join))
            if link.json_ld:
                about = partial(_in_role, ROLES[link.kind.name])
                self.about.append(JoinedFragments(self, ABOUT, about))
                self.brief.append(JoinedFragments(self, _brief, about))

    def __missing__(self, key: int) -> EmbeddedFragment:
        """Raises KeyError for a record that is not prerendered."""
        fragment = self.fragments[key]
        details = fragment.detail.split(SEPARATOR) if key > 0 and fragment.body else ()
        filled_in = map(self.fill_in, (fragment.body, *details))
        embedded = self[key] = EmbeddedFragment(fragment.sort_name, abs(key), *filled_in)
        return embedded


class ShownValues(NamedTuple):
    """What an event shows of its values of fields that people have defined."""

    listed: bytes
    about: bytes  # in its JSON-LD, where that lists nothing else
    more: bytes  # the same after other properties


class KeptValues(dict[str, ShownValues]):
    """What events show of them, by the digests of the values, for the next request."""

    def __init__(self, rows: Sequence[DefinedField]) -> None:
        self._rows = rows

    def show(self, digest: str, values: Mapping[str, Value]) -> ShownValues:
        found = filled(self._rows, values)
        about = encode(properties(found) or [])
        listed = encode(values_json(found))
        shown = (
            ShownValues(listed, PROPERTIES + about, b"," + about[1:-1]) if found else ShownValues(listed, b"", b"")
        )
        if len(shown.listed) <= LARGEST_VALUES:
            if len(self) >= MAX_JOINED:
                self.clear()
            self[digest] = shown
        return shown


def kept_values(settings: Settings) -> KeptValues:
    """Those of the fields as they are defined now, kept with the definition."""
    kept = kept_with(settings)
    if "shown" not in kept:
        kept["shown"] = KeptValues([row for row in defined_fields(settings) if row.is_public])
    return cast(KeptValues, kept["shown"])


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
Shown = Mapping[str, ShownValues]  # by the digests of the values
NO_VALUES: Shown = {}
Added = Sequence[More | None]  # what features add to each record; empty if they add nothing to any


def events(
    found: Sequence[EventFragment],
    embedded: EmbeddedFragments,
    parents: Parents = (),
    values: Shown = NO_VALUES,
    more: Added = (),
    *,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Events as a list shows them, between `before` and `after`. Raises KeyError for an embedded record that is not
    prerendered, and ListTooLarge."""
    inserted, templates = [before], [template for template, _ in found]
    size, listed = sum(map(len, templates)), embedded.listed
    for first in range(0, len(found), CHECKED_TOGETHER):
        for place, (_, links) in enumerate(found[first : first + CHECKED_TOGETHER], first):
            if more and (added := more[place]) is not None:  # it is filled in by itself
                one = events([found[place]], embedded, parents, values)[1:-1]
                inserted.append(_with_more(EVENT, one, added, embedded.addresses, masked=links.masked))
                templates[place] = FORMAT_FIELD
                continue
            inserted += map(getitem, listed, links.linked)
            if links.values:
                inserted.append(values[links.values].listed)
            inserted += _above(links, embedded, parents) if links.series or links.parent else NOTHING_ABOVE
        check_size(size + sum(map(len, inserted)))
    inserted.append(after)
    # One template for the whole response, which is long: every copy of it takes time.
    template = b"%b[" + b",".join(templates) + b"]%b"
    return embedded.fill_in_template(template) % tuple(inserted)


def events_alone(
    found: Sequence[EventFragment],
    details: Sequence[bytes],
    embedded: EmbeddedFragments,
    parents: Parents = (),
    values: Shown = NO_VALUES,
    more: Added = (),
) -> list[bytes]:
    """Events that are read alone, each with its JSON-LD, which is what `details` have. One without it is masked, and
    is what lists show of it. Raises KeyError like `events`."""
    # Each by itself: records of some kilobytes are copied within the caches of the processor.
    joined: list[bytes] = []
    fill_in = embedded.fill_in_template
    for (template, links), detail in zip(found, details, strict=True):
        if not detail:
            joined.append(events([(template, links)], embedded, parents, values)[1:-1])
            continue
        named = tuple(map(getitem, embedded.alone, links.linked))
        above = _above(links, embedded, parents) if links.series or links.parent else NOTHING_ABOVE
        about = tuple(map(getitem, embedded.about, compress(links.linked, _HAS_ROLE)))
        if links.values:
            shown = values[links.values]
            named, about = (*named, shown.listed), (*about, shown.more if PROPERTIES in detail else shown.about)
        whole = b"".join((template[:-1], b',"json_ld":', detail, b"}"))
        joined.append(fill_in(whole) % (named + above + about))
    if any(more):
        return [
            _with_more(EVENT, one, added, embedded.addresses, masked=links.masked)
            for one, (_, links), added in zip(joined, found, more, strict=True)
        ]
    return joined


def _with_more(kind: Kind, record: bytes, more: More | None, addresses: Addresses, *, masked: bool = False) -> bytes:
    """A record with what features add to it."""
    if more is None:
        return record
    json = with_more(kind, _parts_of(record), more, addresses, masked=masked)
    if more.json_ld and "json_ld" in json and not masked:
        about = msgspec.json.decode(json["json_ld"])
        add_properties(about, addressed(more.json_ld, addresses.base_url))
        json["json_ld"] = about
    return encode(json)


def briefly(
    found: Sequence[EventFragment],
    details: Sequence[bytes],
    embedded: EmbeddedFragments,
    values: Shown = NO_VALUES,
    more: Added = (),
) -> list[Json]:
    """The JSON-LD of events in a list, as `json_ld.event` has it of those that are not masked; its texts are whole.
    Raises KeyError like `events`."""
    joined: list[bytes] = []
    fill_in = embedded.fill_in_template
    for (_, links), detail in zip(found, details, strict=True):
        if detail:
            about = tuple(map(getitem, embedded.brief, compress(links.linked, _HAS_ROLE)))
            if links.values:
                shown = values[links.values]
                about += (shown.more if PROPERTIES in detail else shown.about,)
            joined.append(fill_in(detail) % about)
    described = _decoded(b"[" + b",".join(joined) + b"]")
    if any(more):
        open_ones = [added for added, detail in zip(more, details, strict=True) if detail]
        for about_one, added in zip(described, open_ones, strict=True):
            add_properties(about_one, addressed(added.json_ld if added else {}, embedded.addresses.base_url))
    return described


def _brief(record: EmbeddedFragment) -> bytes:
    """Who somebody is."""
    if not record.about:
        return b""
    about: Json = msgspec.json.decode(record.about)
    return encode({key: value for key, value in about.items() if key in WHO})


def companions(
    kind: Kind,
    fragments: Sequence[Fragment],
    addresses: Addresses,
    more: Added = (),
    *,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """Records that events are linked to, as a list shows them. Raises ListTooLarge."""
    bodies = [fragment.body for fragment in fragments]
    if any(more):
        fill_in = filler(addresses)
        bodies = [_with_more(kind, fill_in(body), added, addresses) for body, added in zip(bodies, more, strict=True)]
    return _list(bodies, addresses, before, after)


def companions_alone(
    kind: Kind, fragments: Sequence[Fragment], addresses: Addresses, more: Added = ()
) -> list[bytes]:
    """The same, each as it is read alone."""
    fill_in = filler(addresses)
    alone = [fill_in(fragment.detail.partition(SEPARATOR)[0]) for fragment in fragments]
    if not any(more):
        return alone
    return [_with_more(kind, one, added, addresses) for one, added in zip(alone, more, strict=True)]


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


def _in_role(role: bytes, bodies: Sequence[bytes]) -> bytes:
    """A key of JSON-LD with its value; nothing if there is none."""
    return role + _one_or_list(bodies) if bodies else b""


def _with_count(fragment: Fragment, count: int) -> bytes:
    return fragment.detail.replace(PLACEHOLDER, b"%d" % count)
