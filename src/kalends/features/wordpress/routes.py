"""The routes for clients of WordPress, and all that the server is told of them."""

from collections.abc import Callable, Iterator
from typing import Any

import falcon

from kalends.calendar.service import Calendar
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.features.wordpress.addresses import site_addresses
from kalends.features.wordpress.addresses.record_addresses import MEDIA, RECORDS, TEC_RECORDS
from kalends.features.wordpress.handlers import site_handlers
from kalends.features.wordpress.handlers.collection_handlers import ItemWithPost, WordPressCollection, WordPressRecord
from kalends.features.wordpress.handlers.record_handlers import Images, Posts, Terms
from kalends.features.wordpress.handlers.resources import WordPressResource
from kalends.features.wordpress.handlers.tec_handlers import TecPosts
from kalends.features.wordpress.pages import rest_route
from kalends.features.wordpress.pages.calendar_addresses import PARTS, PARTS_AS_HTML, PARTS_AS_JSON, CalendarAddresses
from kalends.features.wordpress.pages.page_handlers import (
    Community,
    OccurrenceFeed,
    OccurrencePage,
    PostLinks,
)
from kalends.features.wordpress.pages.page_parts import PageParts
from kalends.http.request_context import Environ
from kalends.http.router import template_of
from kalends.http.service import Extension, Service
from kalends.site import feeds


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    """Further addresses of the calendar are rewritten: see calendar_addresses.py."""
    app.add_route("/", PostLinks(service))
    app.add_route("/index.php", PostLinks(service))
    app.add_route("/events/feed", feeds.Upcoming(service))
    app.add_route("/event/{slug}/{day}", OccurrencePage(service))
    app.add_route("/event/{slug}/{day}.ics", OccurrenceFeed(service))
    for path in ("/events/community", "/events/community/add"):
        app.add_route(path, Community(service))
    app.add_route(PARTS, PageParts(service))
    app.add_route(PARTS_AS_JSON, PageParts(service, is_json=True))
    app.add_route(PARTS_AS_HTML, PageParts(service, is_json=False))
    app.add_route(COMPAT_ROOT, site_handlers.SiteIndex(service))
    for resource in _described(service):
        app.add_route(COMPAT_ROOT + template_of(resource.address), resource)


def _described(service: Service) -> Iterator[WordPressResource]:
    """The resources below `/wp-json`, which know their own addresses."""
    yield from (site_handlers.NamespaceIndex(service, namespace) for namespace in site_addresses.NAMESPACES)
    for row in (*RECORDS.values(), MEDIA):
        handled = Images if row.kind is None else Terms if row.kind.is_term else Posts
        yield from (WordPressCollection(handled(service, row)), ItemWithPost(handled(service, row)))
    for row in TEC_RECORDS.values():
        yield from (WordPressCollection(TecPosts(service, row)), WordPressRecord(TecPosts(service, row)))
    yield from (site_handlers.WordPressUser(service, address) for address in (site_addresses.ME, site_addresses.USER))
    for part, pair in site_addresses.SITE.items():
        yield from (site_handlers.SitePart(service, address, part) for address in pair)
    for route, (listed, one) in site_addresses.EMPTY.items():
        yield from (
            site_handlers.Empty(service, listed),
            site_handlers.Empty(service, one, site_addresses.NOTHING[route]),
        )
    yield from (
        site_handlers.WordPressUsers(service),
        site_handlers.WordPressSettings(service),
        site_handlers.WordPressSearch(service),
    )
    yield from (site_handlers.WordPressBatch(service), site_handlers.Docs(service))


def rewrites(calendar: Calendar) -> list[Callable[[Environ], None]]:
    return [rest_route.rewrite, CalendarAddresses(calendar).rewrite]


PREFIXES = [
    *(f"{COMPAT_ROOT}/{namespace.name}" for namespace in site_addresses.NAMESPACES),
    COMPAT_ROOT + site_addresses.BATCH.pattern,
]
WORDPRESS = Extension("compat", site_addresses.COMPAT, COMPAT_ROOT, PREFIXES, add_routes, rewrites)
