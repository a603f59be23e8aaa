"""Newly published events for feed readers: RSS 2.0 and JSON Feed 1.1."""

from collections.abc import Sequence
from email.utils import format_datetime
from typing import Any
from xml.etree import ElementTree

from kalends import languages
from kalends.contract.kinds import EVENT
from kalends.present.recurrence_words import series_in_words
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates, markup

Shown = Sequence[tuple[Event, Bundle]]

ATOM = "http://www.w3.org/2005/Atom"


def rss(name: str, about: str, source: str, language: str, shown: Shown, render_context: RenderContext) -> bytes:
    ElementTree.register_namespace("atom", ATOM)
    root = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(root, "channel")
    _text(channel, "title", name)
    _text(channel, "link", f"{render_context.addresses.base_url}/events/")
    _text(channel, "description", about or name)
    _text(channel, "language", language)
    ElementTree.SubElement(channel, f"{{{ATOM}}}link", href=source, rel="self", type="application/rss+xml")
    for record, bundle in shown:
        item = ElementTree.SubElement(channel, "item")
        page = render_context.addresses.page(EVENT, record.slug)
        _text(item, "title", record.name)
        _text(item, "link", page)
        _text(item, "guid", page)
        _text(item, "pubDate", format_datetime(dates.from_text(record.date_utc)).replace("-0000", "GMT"))
        _text(item, "description", _summary(record, bundle, language))
        for term in (*bundle.categories, *bundle.tags):
            _text(item, "category", term.name)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def json_feed(
    name: str, about: str, source: str, language: str, shown: Shown, render_context: RenderContext
) -> dict[str, Any]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": name,
        "description": about or name,
        "home_page_url": f"{render_context.addresses.base_url}/events/",
        "feed_url": source,
        "language": language,
        "items": [_json_item(record, bundle, language, render_context) for record, bundle in shown],
    }


def _json_item(record: Event, bundle: Bundle, language: str, render_context: RenderContext) -> dict[str, Any]:
    page = render_context.addresses.page(EVENT, record.slug)
    item: dict[str, Any] = {
        "id": page,
        "url": page,
        "title": record.name,
        "date_published": _iso(record.date_utc),
        "date_modified": _iso(record.modified_utc),
        "content_html": f"<p>{' · '.join(_when(record, bundle, language))}</p>",
    }
    if bundle.masked:
        return item
    item["content_html"] += record.description
    image = bundle.images.get(record.image) if record.image is not None else None
    if image is not None:
        item["image"] = render_context.addresses.media(image.file)
    tags = [term.name for term in (*bundle.categories, *bundle.tags)]
    return item | ({"tags": tags} if tags else {})


def _summary(record: Event, bundle: Bundle, language: str) -> str:
    parts = _when(record, bundle, language)
    if not bundle.masked:
        parts += [venue.name for venue in bundle.venues]
        parts.append(markup.text_of(record.excerpt or record.description))
    return " · ".join(part for part in parts if part)


def _when(record: Event, bundle: Bundle, language: str) -> list[str]:
    """The time, and how it repeats: a series is announced once, by its first occurrence."""
    known = languages.known(language) or languages.SOURCE
    repeats = [] if bundle.series is None else [series_in_words(bundle.series, known)]
    if not record.all_day:
        return [f"{record.start_local[:16]} – {record.end_local[:16]} ({record.timezone})", *repeats]
    first, last = record.start_local[:10], record.end_local[:10]
    return [first if first == last else f"{first} – {last}", *repeats]


def _iso(utc: str) -> str:
    return f"{dates.from_text(utc).isoformat()}Z"


def _text(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = text
