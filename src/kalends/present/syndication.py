"""Events for feed readers: RSS 2.0 and JSON Feed 1.1."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from html import escape
from typing import Any

from kalends import languages
from kalends.contract.kinds import EVENT
from kalends.present.addresses import RenderContext
from kalends.present.event_statuses import titled
from kalends.present.recurrence_words import series_in_words
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates, markup

PREFIXES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "ev": "http://purl.org/rss/1.0/modules/event/",
}

Guid = Callable[[Event, RenderContext], str]


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


def page_guid(record: Event, render_context: RenderContext) -> str:
    return render_context.addresses.page(EVENT, record.slug)


def id_guid(record: Event, render_context: RenderContext) -> str:
    """The identifier that WordPress gives, from which its clients take the id."""
    return f"{render_context.addresses.base_url}/?post_type={EVENT.wp}&p={record.id}"


def rss(about: Channel, guid: Guid = page_guid) -> bytes:
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
        *(_item(record, bundle, about, guid) for record, bundle in about.bundled),
        "</channel></rss>",
    ]
    return "".join(parts).encode("utf-8", "xmlcharrefreplace")


def _item(record: Event, bundle: Bundle, about: Channel, guid: Guid) -> str:
    page, named = page_guid(record, about.render_context), guid(record, about.render_context)
    parts = [
        _element("title", about.title(record, bundle)),
        _element("link", page),
        _element("guid", named, f' isPermaLink="{"true" if named == page else "false"}"'),
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
            parts.append(_element("content:encoded", record.description))
        parts += [_element("category", term.name) for term in (*bundle.linked["category"], *bundle.linked["tag"])]
    return f"<item>{''.join(parts)}</item>"


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
    page = page_guid(record, render_context)
    item: dict[str, Any] = {
        "id": page,
        "url": page,
        "title": about.title(record, bundle),
        "date_published": _iso(record.date_utc),
        "date_modified": _iso(record.modified_utc),
        "content_html": f"<p>{escape(' · '.join(_when(record, bundle, language)), quote=False)}</p>",
    }
    if bundle.masked:
        return item
    item["content_html"] += record.description
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
