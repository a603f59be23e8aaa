"""Events for feed readers: RSS 2.0 and JSON Feed 1.1."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from html import escape
from typing import Any
from urllib.parse import urljoin

from kalends import languages
from kalends.contract.kinds import EVENT
from kalends.present.addresses import RenderContext
from kalends.present.event_statuses import titled
from kalends.present.recurrence_words import series_in_words
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates, markup

TAG, ADDRESS = re.compile("<(?:a|img) [^>]*>"), re.compile(r'\b(href|src)="([^"]*)"')
PREFIXES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "ev": "http://purl.org/rss/1.0/modules/event/",
}


@dataclass(frozen=True, slots=True)
class Channel:
    """A page of events and what is said about all of them."""

    name: str
    about: str
    source: str  # its own address
    language: str
    reader: str  # the language of its reader, in which states are told; without one they are not
    bundled: Sequence[tuple[Event, Bundle]]
    render_context: RenderContext

    @property
    def home(self) -> str:
        return f"{self.render_context.addresses.base_url}/events/"

    def title(self, record: Event, bundle: Bundle) -> str:
        """The state comes first of an event that does not take place as planned."""
        return (
            titled(record.name, record.event_status, self.reader, masked=bundle.masked)
            if self.reader
            else record.name
        )


def _guid(record: Event, render_context: RenderContext) -> str:
    """What readers know an entry by, also after its page got another address: what WordPress gives, whose
    clients take the id from it."""
    return f"{render_context.addresses.base_url}/?post_type={EVENT.wp}&p={record.id}"


def rss(about: Channel) -> bytes:
    """Written as text, since ElementTree took half of the time of a feed to write the same."""
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>\n<rss ',
        *(f'xmlns:{prefix}="{namespace}" ' for prefix, namespace in PREFIXES.items()),
        'version="2.0"><channel>',
        _element("title", about.name),
        _element("link", about.home),
        _element("description", about.about or about.name),
        _element("language", about.language),
        f'<atom:link href="{escape(about.source)}" rel="self" type="application/rss+xml" />',
        *(_item(record, bundle, about) for record, bundle in about.bundled),
        "</channel></rss>",
    ]
    return "".join(parts).encode("utf-8", "xmlcharrefreplace")


def _item(record: Event, bundle: Bundle, about: Channel) -> str:
    parts = [
        _element("title", about.title(record, bundle)),
        _element("link", about.render_context.addresses.page(EVENT, record.slug)),
        _element("guid", _guid(record, about.render_context), ' isPermaLink="false"'),
        # Readers sort by it: when the event takes place has elements of its own.
        _element("pubDate", format_datetime(dates.from_text(record.date_utc)).replace("-0000", "GMT")),
        _element("ev:startdate", _iso(record.start_utc)),
        _element("ev:enddate", _iso(record.end_utc)),
        # Readers take it as HTML: what looks like a tag in a text would become one.
        _element("description", escape(_summary(record, bundle, about.language), quote=False)),
    ]
    if not bundle.masked:
        if bundle.linked["venue"]:
            parts.append(_element("ev:location", ", ".join([venue.name for venue in bundle.linked["venue"]])))
        if record.description:
            parts.append(_element("content:encoded", _description(record, about.render_context)))
        parts += [_element("category", term.name) for term in (*bundle.linked["category"], *bundle.linked["tag"])]
    return f"<item>{''.join(parts)}</item>"


def _description(record: Event, render_context: RenderContext) -> str:
    """Readers show it elsewhere, where a relative address would lead nowhere."""
    if '="' not in record.description:
        return record.description
    page = render_context.addresses.page(EVENT, record.slug)

    def absolute(found: re.Match[str]) -> str:
        try:
            return f'{found[1]}="{urljoin(page, found[2])}"'
        except ValueError:  # what is no address leads nowhere anyhow
            return found[0]

    return TAG.sub(lambda tag: ADDRESS.sub(absolute, tag[0]), record.description)


def json_feed(about: Channel) -> dict[str, Any]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": about.name,
        "description": about.about or about.name,
        "home_page_url": about.home,
        "feed_url": about.source,
        "language": about.language,
        "items": [_json_item(record, bundle, about) for record, bundle in about.bundled],
    }


def _json_item(record: Event, bundle: Bundle, about: Channel) -> dict[str, Any]:
    language, render_context = about.language, about.render_context
    item: dict[str, Any] = {
        "id": _guid(record, render_context),
        "url": render_context.addresses.page(EVENT, record.slug),
        "title": about.title(record, bundle),
        "date_published": _iso(record.date_utc),
        "date_modified": _iso(record.modified_utc),
        "content_html": f"<p>{escape(' · '.join(_when(record, bundle, language)), quote=False)}</p>",
    }
    if bundle.masked:
        return item
    item["content_html"] += _description(record, render_context)
    image = bundle.image_of(record)
    if image is not None:
        item["image"] = render_context.addresses.media(image.file)
    tags = [term.name for term in (*bundle.linked["category"], *bundle.linked["tag"])]
    return item | ({"tags": tags} if tags else {})


def _summary(record: Event, bundle: Bundle, language: str) -> str:
    parts = _when(record, bundle, language)
    if not bundle.masked:
        parts += [venue.name for venue in bundle.linked["venue"]]
        parts.append(markup.text_of(record.short_text))
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


def _element(name: str, text: str, attributes: str = "") -> str:
    return f"<{name}{attributes}>{escape(text, quote=False)}</{name}>"
