"""For search engines and other sites: sitemap, robots.txt and oEmbed."""

from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import falcon
import msgspec
from markupsafe import Markup

from kalends import languages
from kalends.calendar import single_records
from kalends.calendar.access import ANONYMOUS
from kalends.calendar.lists import page_views
from kalends.calendar.posts import old_slugs
from kalends.contract.errors import NO_ROUTE, NOT_FOUND, ApiError, ErrorType
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.contract.statuses import MOVED_ONLINE
from kalends.http.cache.cached_responses import FOREVER
from kalends.http.messages import responses
from kalends.http.request_context import context_of, keep_until
from kalends.http.service import NO_PARAMETERS, Resource
from kalends.languages import N_
from kalends.present import event_statuses
from kalends.present import json as representation
from kalends.site import times
from kalends.site.escaping import escaped
from kalends.site.events.listed_events import ONLINE
from kalends.site.pages.page_responses import EVENT_GONE, send_bytes
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event

XML_TYPE = "application/xml; charset=UTF-8"
TEXT_TYPE = "text/plain; charset=UTF-8"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
CALENDAR = "calendar-0"  # the part of the sitemap with the calendar itself
LARGEST_PART = 10**9
WIDTH, HEIGHT = 480, 140

NO_SUCH_FORM = ErrorType("oembed_unknown_format", 501, N_("The format must be json or xml."))

CARD = Markup(
    '<blockquote class="kalends-event"><p><a href="{page}">{title}</a></p><p>{when}{where}</p>'
    "<footer>{site}</footer></blockquote>"
)


class SeoResource(Resource):
    """A public document, the same for every reader."""

    query_parameters = NO_PARAMETERS

    def send(self, req: falcon.Request, resp: falcon.Response, content_type: str, data: bytes) -> None:
        keep_until(req, FOREVER)
        resp.content_type = content_type
        send_bytes(req, resp, data, f"public, max-age={self.service.settings.cache_age}")


class Sitemap(SeoResource):
    """The index of the sitemap."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        base = context_of(req).addresses.base_url
        found = self.service.calendar.read(ANONYMOUS, page_views.sitemap)
        entries = [(f"{base}/sitemap-{name}.xml", at) for name, at in [(CALENDAR, None), *found]]
        self.send(req, resp, XML_TYPE, _document("sitemapindex", "sitemap", entries))


class SitemapPart(SeoResource):
    """The addresses of one part."""

    def on_get(self, req: falcon.Request, resp: falcon.Response, part: str) -> None:
        addresses = context_of(req).addresses
        if part == CALENDAR:
            self.send(req, resp, XML_TYPE, _document("urlset", "url", [(f"{addresses.base_url}/events/", None)]))
            return
        name, _, number = part.partition("-")
        kind = KIND_OF.get(name)
        if kind is None or not (number.isascii() and number.isdigit()) or int(number[:12]) > LARGEST_PART:
            raise ApiError(NO_ROUTE)
        found = self.service.calendar.read(ANONYMOUS, page_views.sitemap_part, kind, int(number))
        if not found:
            raise ApiError(NO_ROUTE)
        entries = [(addresses.page(kind, slug), changed) for slug, changed in found]
        self.send(req, resp, XML_TYPE, _document("urlset", "url", entries))


class Robots(SeoResource):
    """What robots may read: everything that is public, the interface too, for importers that obey it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        base = context_of(req).addresses.base_url
        text = f"User-agent: *\nDisallow:\n\nSitemap: {base}/sitemap.xml\n"
        self.send(req, resp, TEXT_TYPE, text.encode())


class OEmbed(SeoResource):
    """An event as a card, for sites that show what is linked to."""

    query_parameters = frozenset({"format", "url", "maxwidth", "maxheight"})

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        form = req.get_param("format") or "json"
        if form not in ("json", "xml"):
            raise ApiError(NO_SUCH_FORM)
        slug = self._slug(req)
        try:
            post, bundle = single_records.read_post(self.service.calendar, ANONYMOUS, EVENT, slug)
        except ApiError as api_error:
            moved = self.service.calendar.read(ANONYMOUS, old_slugs.moved_to, EVENT, slug)
            if api_error.error_type.status != 404:
                raise
            if moved is None:
                if self.service.calendar.read(ANONYMOUS, page_views.of_gone_event, slug) is not None:
                    raise ApiError(EVENT_GONE) from None
                raise
            post, bundle = single_records.read_post(self.service.calendar, ANONYMOUS, EVENT, moved)
        shown = cast(tuple[Event, Bundle], (post, bundle))
        responses.in_language(resp, context_of(req).language)
        card = self._card(req, shown)
        if form == "json":
            self.send(req, resp, responses.JSON_TYPE, msgspec.json.encode(card))
            return
        root = ElementTree.Element("oembed")
        for name, value in card.items():
            ElementTree.SubElement(root, name).text = str(value)
        data = XML.encode() + ElementTree.tostring(root, encoding="utf-8", xml_declaration=False)
        self.send(req, resp, "text/xml; charset=UTF-8", data)

    def _slug(self, req: falcon.Request) -> str:
        """The event whose page the address is; http or https, both are ours."""
        try:
            asked, base = urlsplit(req.get_param("url") or ""), urlsplit(context_of(req).addresses.base_url)
        except ValueError:
            raise ApiError(NOT_FOUND[EVENT.name]) from None
        start = f"{base.path}/{EVENT.page}/"
        slug = asked.path.removeprefix(start).removesuffix("/")
        if asked.netloc.lower() != base.netloc.lower() or not asked.path.startswith(start) or not slug:
            raise ApiError(NOT_FOUND[EVENT.name])
        return unquote(slug)

    def _card(self, req: falcon.Request, bundled: tuple[Event, Bundle]) -> dict[str, Any]:
        event, bundle = bundled
        settings, language, render_context = (
            self.service.settings,
            context_of(req).language,
            context_of(req).render_context,
        )
        when = times.when(times.span_of(event), language, settings.timezone)
        page = render_context.addresses.page(EVENT, event.slug)
        title = event_statuses.titled(event.name, event.event_status, language, masked=bundle.masked)
        where = ", ".join(venue.name for venue in bundle.linked["venue"])
        if event.event_status == MOVED_ONLINE:
            where = languages.translate(ONLINE, language)
        html = CARD.format(
            page=page,
            title=title,
            when=" · ".join(part for part in (when.days, when.hours) if part),
            where=f" · {where}" if where else "",
            site=settings.site_name,
        )
        card: dict[str, Any] = {
            "version": "1.0",
            "type": "rich",
            "title": title,
            "provider_name": settings.site_name,
            "provider_url": f"{render_context.addresses.base_url}/",
            "cache_age": settings.cache_age,
            "html": str(html),
            "width": _most(req.get_param("maxwidth"), WIDTH),
            "height": _most(req.get_param("maxheight"), HEIGHT),
            "lang": languages.tag(language),
        }
        if bundle.linked["organizer"]:
            card["author_name"] = bundle.linked["organizer"][0].name
        image = bundle.image_of(event)
        if image is not None:
            size = representation.image_in_size(representation.image(image, render_context), "medium")
            card["thumbnail_url"] = size["url"]
            card["thumbnail_width"], card["thumbnail_height"] = size["width"], size["height"]
        return card


def _most(asked: str | None, usual: int) -> int:
    """The usual size, or less if less is asked for."""
    if asked and asked.isascii() and asked.isdigit():
        return max(min(int(asked[:6]), usual), 1)
    return usual


def _document(root: str, element: str, entries: Iterable[tuple[str, str | None]]) -> bytes:
    """Addresses, each with when it changed. A part of a sitemap has thousands."""
    written = [
        f"<{element}><loc>{escaped(address)}</loc>"
        f"{f'<lastmod>{changed[:10]}T{changed[11:]}Z</lastmod>' if changed else ''}</{element}>\n"
        for address, changed in entries
    ]
    return f'{XML}<{root} xmlns="{SITEMAPS}">\n{"".join(written)}</{root}>\n'.encode()
