"""The routes for clients of WordPress, and all that the server is told of them."""

from collections.abc import Callable
from typing import Any

import falcon

from kalends.calendar.service import Calendar
from kalends.contract.kinds import POSTS, TERMS
from kalends.contract.operations.model import COMPAT_ROOT
from kalends.server.request_context import Environ
from kalends.server.service import Extension, Service
from kalends.server.web import feeds
from kalends.wordpress import addresses, media_handlers, record_handlers, rest_route, site_handlers, tec_handlers
from kalends.wordpress.batch_handler import BatchHandler
from kalends.wordpress.calendar_addresses import CalendarAddresses
from kalends.wordpress.collection_handlers import Collection, Item, ItemWithPost, Records
from kalends.wordpress.post_links import PostLinks
from kalends.wordpress.series_pages import Community, OccurrenceFeed, OccurrencePage

BY_ID = "/{id:digits}"


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    """Further addresses of the calendar are rewritten: see calendar_addresses.py."""
    app.add_route("/", PostLinks(service))
    app.add_route("/index.php", PostLinks(service))
    app.add_route("/events/feed", feeds.Upcoming(service))
    app.add_route("/event/{slug}/{day}", OccurrencePage(service))
    app.add_route("/event/{slug}/{day}.ics", OccurrenceFeed(service))
    for path in ("/events/community", "/events/community/add"):
        app.add_route(path, Community(service))
    app.add_route(COMPAT_ROOT, site_handlers.SiteIndex(service))
    for namespace in addresses.NAMESPACES:
        app.add_route(f"{COMPAT_ROOT}/{namespace.name}", site_handlers.NamespaceIndex(service, namespace))

    app.add_route(COMPAT_ROOT + addresses.BATCH.pattern, BatchHandler(service))
    wp, tec = COMPAT_ROOT + addresses.WP_ROOT, COMPAT_ROOT + addresses.TEC_ROOT
    kinds: list[Records] = [
        *(record_handlers.Posts(service, kind) for kind in POSTS),
        *(record_handlers.Terms(service, kind) for kind in TERMS),
        media_handlers.Images(service),
    ]
    for records in kinds:
        app.add_route(f"{wp}/{records.row.route}", Collection(records))
        app.add_route(f"{wp}/{records.row.route}{BY_ID}", ItemWithPost(records))
    app.add_route(f"{wp}/users", site_handlers.Users(service))
    app.add_route(f"{wp}/users/me", site_handlers.User(service, is_caller=True))
    app.add_route(f"{wp}/users{BY_ID}", site_handlers.User(service))
    for part, (all_rows, one_row) in addresses.SITE.items():
        app.add_route(f"{wp}/{part.route}", site_handlers.SitePart(service, all_rows, part))
        app.add_route(f"{wp}/{part.route}/{{name}}", site_handlers.SitePart(service, one_row, part))
    app.add_route(f"{wp}/settings", site_handlers.SiteSettings(service))
    app.add_route(f"{wp}/search", site_handlers.Search(service))
    for route, unknown in addresses.NOTHING.items():
        app.add_route(f"{wp}/{route}", site_handlers.Empty(service, route))
        app.add_route(f"{wp}/{route}{BY_ID}", site_handlers.Empty(service, route, unknown))

    for kind in POSTS:
        posts = tec_handlers.TecPosts(service, kind)
        app.add_route(f"{tec}/{kind.plural}", Collection(posts))
        app.add_route(f"{tec}/{kind.plural}{BY_ID}", Item(posts))
    app.add_route(f"{tec}/docs", tec_handlers.Docs(service))


def rewrites(calendar: Calendar) -> list[Callable[[Environ], None]]:
    return [rest_route.rewrite, CalendarAddresses(calendar).rewrite]


PREFIXES = [
    *(f"{COMPAT_ROOT}/{namespace.name}" for namespace in addresses.NAMESPACES),
    COMPAT_ROOT + addresses.BATCH.pattern,
]
WORDPRESS = Extension("compat", addresses.COMPAT, COMPAT_ROOT, PREFIXES, add_routes, rewrites)
