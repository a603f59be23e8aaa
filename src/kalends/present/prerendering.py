"""Renders records to templates when they change; `prerendered.py` fills them in when they are read."""

import hashlib
from functools import cache

import msgspec

from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import CUSTOM_VALUES, EVENT_LINKS
from kalends.contract.statuses import PUBLISH
from kalends.present import ical_fragments, json_ld
from kalends.present import json as representation
from kalends.present.addresses import RenderContext
from kalends.present.placeholders import (
    BASE,
    ESCAPE_PERCENT,
    FORMAT_FIELD,
    NAMESPACE,
    PLACEHOLDER,
    PLACEHOLDER_ADDRESSES,
    PROPERTIES,
    RANDOM_NAMESPACE,
    RANDOM_SITE,
    ROLES,
    SEPARATOR,
    SITE,
    encode,
)
from kalends.present.rendering_code import digest_of
from kalends.store.rows.fragments import NOTHING, SERIES, EventLinks, Fragment
from kalends.store.rows.records import Bundle, Event, Media, Post, Series, Term, kind_of
from kalends.store.rows.visibility import Visibility
from kalends.values import names
from kalends.values.cost import Currency

_one, _many = msgspec.Raw(PLACEHOLDER), msgspec.Raw(b"[" + PLACEHOLDER + b"]")
_EMBEDDED = {link.name: _one if link.one_alone else _many for link in EVENT_LINKS}
_LINKED_ABOUT = {role: _one for role, _ in json_ld.ROLES}


@cache
def code_version() -> str:
    """A digest of the code that renders, whatever the settings are, and of the keys, which features add to."""
    keys = [(key.name, key.column, key.always, key.masked) for key in EVENT.keys]
    return hashlib.blake2b(repr((digest_of(__name__), keys)).encode(), digest_size=16).hexdigest()


@cache
def render_version(timezone: str, currency: Currency) -> str:
    """A digest of what fragments depend on besides their records: code, zone rules and settings."""
    digest = hashlib.blake2b(repr((code_version(), timezone, currency)).encode(), digest_size=8)
    return digest.hexdigest()


class Rendering:
    """Renders records to fragments, for a site with this time zone and currency."""

    def __init__(self, timezone: str, currency: Currency) -> None:
        self.version = render_version(timezone, currency)
        self.render_context = RenderContext(PLACEHOLDER_ADDRESSES, timezone, currency)

    def post(self, record: Post, images: dict[int, Media], links: EventLinks, visibility: Visibility) -> Fragment:
        """A post as anonymous readers see it, whose visibility this is."""
        if not visibility.can_read(record):
            return NOTHING
        if isinstance(record, Event):
            if visibility.can_unmask(record):
                return self._event(record, Bundle(images=images), links)
            return self._event(record.masked(), Bundle(images=images, masked=True), links)
        bundle = Bundle(images=images)
        nested = json_ld.companion(record, bundle, self.render_context, nested=True)
        body = representation.post(record, bundle, self.render_context)
        alone = representation.post(record, bundle, self.render_context, single=True)
        detail = _without_addresses(alone) + SEPARATOR + _without_addresses(nested)
        entry = ical_fragments.post_entry(record)
        return Fragment(kind_of(record).name, _without_addresses(body), detail, entry=entry)

    def term(self, kind: Kind, record: Term) -> Fragment:
        """A term as events show it, and as it is shown by itself with its count."""
        embedded = representation.embedded_term(kind, record, self.render_context)
        counted = representation.term(kind, record, 0, self.render_context) | {"count": _one}
        sort_name = names.sort_key(record.name)
        entry = ical_fragments.term_entry(record)
        return Fragment(kind.name, _without_addresses(embedded), _without_addresses(counted), sort_name, entry=entry)

    def series(self, series: Series, first_event: int, status: str) -> Fragment:
        """The recurrence, as occurrences show it; their parent: the first event, 0 if it is not public by its status;
        and the first series of the course."""
        recurrence = representation.recurrence_of(series.recurrence)
        detail = b"%d%b%d" % (first_event if status == PUBLISH else 0, SEPARATOR, series.series_of)
        return Fragment(SERIES, _without_addresses(recurrence), detail)

    def _event(self, record: Event, bundle: Bundle, links: EventLinks) -> Fragment:
        json = representation.event(record, bundle, self.render_context)
        json["post_parent"] = _one
        if links.series:
            json |= {"series": links.series, "series_of": _one, "recurrence": _one}
            json["original_start"] = record.original_start
        entry = ical_fragments.event_template(record, bundle, self.render_context)
        json |= _EMBEDDED
        if bundle.masked:  # its links are not shown
            shown = EventLinks(parent=links.parent, series=links.series, masked=True)
            return Fragment(EVENT.name, _template(json), links=_encoded(shown), entry=entry)
        if links.values:  # which of them are public, and their labels, may change
            json[CUSTOM_VALUES.name] = _one
        about = json_ld.event(record, bundle, self.render_context)
        after_links = {key: about.pop(key) for key in ("offers", "performer", "additionalProperty") if key in about}
        about |= _LINKED_ABOUT | after_links
        if links.values:
            others = encode(about.get("additionalProperty", []))[1:-1]
            about["additionalProperty"] = msgspec.Raw(b"[" + others + PLACEHOLDER + b"]") if others else _one
        detail = _template(about)
        for key in (*ROLES.values(), PROPERTIES):
            detail = detail.replace(key + FORMAT_FIELD, FORMAT_FIELD)
        return Fragment(EVENT.name, _template(json), detail, links=_encoded(links), entry=entry)


def _encoded(links: EventLinks) -> str:
    return encode(links).decode()


def _template(json: representation.Json) -> bytes:
    """The JSON of an event as a template for %."""
    return _without_addresses(json).replace(*ESCAPE_PERCENT).replace(PLACEHOLDER, FORMAT_FIELD)


def _without_addresses(json: representation.Json) -> bytes:
    """JSON that was rendered with PLACEHOLDER_ADDRESSES."""
    encoded = encode(json).replace(PLACEHOLDER_ADDRESSES.base_url.encode(), BASE)
    return encoded.replace(RANDOM_NAMESPACE.encode(), NAMESPACE).replace(RANDOM_SITE.encode(), SITE)
