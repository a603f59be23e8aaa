"""The calendar as a file that WordPress' importer reads: posts of The Events Calendar with their meta, and terms."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from kalends.contract.kinds import COMPANIONS, EVENT, TERMS, Kind
from kalends.contract.kinds.events import EVENT_LINKS
from kalends.contract.types.texts import Html
from kalends.features.exporting.fields import EXPORTED, status_without_password
from kalends.features.exporting.json_export import ImageName
from kalends.features.exporting.selection import ExportSelection
from kalends.present.addresses import Addresses
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Post, Term
from kalends.values import cost

NAMESPACES = {
    "excerpt": "http://wordpress.org/export/1.2/excerpt/",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "wp": "http://wordpress.org/export/1.2/",
}
TEXTS = [field for field in EXPORTED[EVENT.name] if field.element and isinstance(field.type, Html)]
NOT_XML = {code: None for code in range(32) if chr(code) not in "\t\n\r"}
Meta = Sequence[tuple[str, str]]


def write(selection: ExportSelection, base_url: str, image_name: ImageName | None) -> Iterator[bytes]:
    """The document, in pieces. A series is the events of its dates; images are named by their addresses."""
    settings = selection.calendar.settings
    names = "".join(f' xmlns:{name}="{address}"' for name, address in NAMESPACES.items())
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"{names}>\n<channel>\n'.encode()
    yield _joined(
        ("title", settings.site_name),
        ("link", base_url),
        ("wp:wxr_version", "1.2"),
        ("wp:base_site_url", base_url),
        ("wp:base_blog_url", base_url),
    ).encode()
    for kind in TERMS:
        found = selection.terms(kind)
        slugs = {term.id: term.slug for term in found}
        for term in found:
            yield _term(kind, term, slugs.get(term.parent, "")).encode()
    writer = _Posts(Addresses(base_url, "", ""), image_name)
    for kind in COMPANIONS:
        for post, _ in selection.posts(kind):
            yield writer.item(kind, post, _plain_meta(kind, post)).encode()
    money = settings.currency
    for event, bundle in selection.events():
        meta = [*_plain_meta(EVENT, event), ("_EventCost", cost.describe(event.cost, money)[0])]
        yield writer.event(event, bundle, [(key, value) for key, value in meta if value]).encode()
    yield b"</channel>\n</rss>\n"


class _Posts:
    def __init__(self, addresses: Addresses, image_name: ImageName | None) -> None:
        self.addresses = addresses
        self.image_name = image_name

    def event(self, event: Event, bundle: Bundle, meta: Meta) -> str:
        linked = [
            (str(link.meta), str(found.id))
            for link in EVENT_LINKS
            if link.meta
            for found in bundle.linked[link.kind.name]
        ]
        linked += [(str(row.meta), str(value)) for row, value in bundle.defined]
        image = bundle.image_of(event)
        if image is not None and self.image_name is not None:
            linked.append(("_thumbnail_url", self.image_name(image)))
        terms = [(kind, term) for kind in TERMS for term in bundle.linked[kind.name]]
        return self.item(EVENT, event, [*meta, *linked], terms)

    def item(self, kind: Kind, post: Post, meta: Meta, terms: Sequence[tuple[Kind, Term]] = ()) -> str:
        status = status_without_password(post) if isinstance(post, Event) else post.status
        parts = [
            "<item>\n",
            _joined(
                ("title", post.name),
                ("link", self.addresses.page(kind, post.slug)),
                ("dc:creator", str(post.author)),
                *((field.element, getattr(post, field.stored)) for field in TEXTS),
                ("wp:post_id", str(post.id)),
                ("wp:post_date", post.date_utc),
                ("wp:post_date_gmt", post.date_utc),
                ("wp:post_name", post.slug),
                ("wp:status", status),
                ("wp:post_parent", "0"),
                ("wp:menu_order", "-1" if isinstance(post, Event) and post.sticky else "0"),
                ("wp:post_type", kind.wp),
                ("wp:is_sticky", "0"),
            ),
        ]
        for of, term in terms:
            domain, nicename = quoteattr(of.wp), quoteattr(term.slug)
            parts.append(f"<category domain={domain} nicename={nicename}>{_data(term.name)}</category>\n")
        for key, value in meta:
            inner = _joined(("wp:meta_key", key), ("wp:meta_value", value))
            parts.append(f"<wp:postmeta>\n{inner}</wp:postmeta>\n")
        return "".join([*parts, "</item>\n"])


def _plain_meta(kind: Kind, post: Post) -> list[tuple[str, str]]:
    """The fields that are one value, under the names of the plugin."""
    found = [
        (str(field.meta), getattr(post, field.stored))
        for field in EXPORTED[kind.name]
        if field.meta and field.name != "cost"
    ]
    meta = [(key, _written(value)) for key, value in found]
    if isinstance(post, Event):
        meta += [("_EventStartDateUTC", post.start_utc), ("_EventEndDateUTC", post.end_utc)]
    return [(key, value) for key, value in meta if value]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None or isinstance(value, list | dict) else str(value)


def _term(kind: Kind, term: Term, parent: str) -> str:
    inner = _joined(
        ("wp:term_id", str(term.id)),
        ("wp:term_taxonomy", kind.wp),
        ("wp:term_slug", term.slug),
        ("wp:term_parent", parent),
        ("wp:term_name", term.name),
        ("wp:term_description", term.description),
    )
    return f"<wp:term>\n{inner}</wp:term>\n"


def _joined(*elements: tuple[str, str]) -> str:
    return "".join(f"<{name}>{_data(value)}</{name}>\n" for name, value in elements)


def _data(text: str) -> str:
    clean = text.translate(NOT_XML)
    if clean.isascii() and clean.replace("-", "").replace(":", "").replace(" ", "").isalnum():
        return escape(clean)
    return "<![CDATA[" + clean.replace("]]>", "]]]]><![CDATA[>") + "]]>"
