"""The routes for clients of WordPress, and all that the server is told of them."""

from collections.abc import Callable
from typing import Any

import falcon

from kalends.calendar.service import Calendar
from kalends.contract.kinds import POSTS, TERMS
from kalends.contract.operations import COMPAT_ROOT
from kalends.server.request_context import Environ
from kalends.server.service import Extension, Service
from kalends.server.web import feeds
from kalends.wordpress import (
    errors,
    rest_route,
    tec,
    wp_media,
    wp_posts,
    wp_search,
    wp_site,
    wp_terms,
    wp_users,
)
from kalends.wordpress import tec_operations as tec_contract
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.calendar_addresses import CalendarAddresses
from kalends.wordpress.interface import COMPAT, NAMESPACES
from kalends.wordpress.post_links import PostLinks


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    """Further addresses of the calendar are rewritten: see calendar_addresses.py."""
    app.add_route(COMPAT_ROOT, wp_site.SiteIndex(service))
    _add_wp_routes(app, service)
    _add_tec_routes(app, service)
    app.add_route("/", PostLinks(service))
    app.add_route("/index.php", PostLinks(service))
    app.add_route("/events/feed", feeds.Upcoming(service))


def rewrites(calendar: Calendar) -> list[Callable[[Environ], None]]:
    return [rest_route.rewrite, CalendarAddresses(calendar).rewrite]


def _add_wp_routes(app: falcon.App[Any, Any], service: Service) -> None:
    """The namespace `wp/v2`, for clients of WordPress."""
    root = f"{COMPAT_ROOT}{wp.ROOT}"
    app.add_route(root, wp_site.NamespaceIndex(service, wp.WP))
    for kind in POSTS:
        path = COMPAT_ROOT + wp.POSTS[kind][0].pattern
        app.add_route(path, wp_posts.Posts(service, kind))
        app.add_route(path + "/{id:digits}", wp_posts.Post(service, kind))
    for kind in TERMS:
        path = COMPAT_ROOT + wp.TERMS[kind][0].pattern
        app.add_route(path, wp_terms.Terms(service, kind))
        app.add_route(path + "/{id:digits}", wp_terms.Term(service, kind))
    app.add_route(f"{root}/media", wp_media.MediaList(service))
    app.add_route(f"{root}/media/{{id:digits}}", wp_media.MediaItem(service))
    app.add_route(f"{root}/users", wp_users.Users(service))
    app.add_route(f"{root}/users/me", wp_users.Me(service))
    app.add_route(f"{root}/users/{{id:digits}}", wp_users.User(service))
    app.add_route(f"{root}/types", wp_site.Types(service, wp.TYPES))
    app.add_route(f"{root}/types/{{name}}", wp_site.Types(service, wp.TYPE, errors.NO_TYPE))
    app.add_route(f"{root}/taxonomies", wp_site.Taxonomies(service, wp.SITE_TAXONOMIES))
    app.add_route(f"{root}/taxonomies/{{name}}", wp_site.Taxonomies(service, wp.TAXONOMY, errors.NO_TAXONOMY))
    app.add_route(f"{root}/statuses", wp_site.Statuses(service, wp.STATUSES))
    app.add_route(f"{root}/statuses/{{name}}", wp_site.Statuses(service, wp.STATUS, errors.NO_STATUS))
    app.add_route(f"{root}/settings", wp_site.SiteSettings(service))
    app.add_route(f"{root}/search", wp_search.Search(service))
    for route in wp.NOTHING:
        app.add_route(f"{root}/{route}", wp_site.EmptyList(service, route))
        app.add_route(f"{root}/{route}/{{id:digits}}", wp_site.EmptyItem(service, route))


def _add_tec_routes(app: falcon.App[Any, Any], service: Service) -> None:
    """The namespace `tec/v1`, for newer clients of The Events Calendar."""
    app.add_route(f"{COMPAT_ROOT}{tec_contract.ROOT}", wp_site.NamespaceIndex(service, tec_contract.TEC))
    for kind in POSTS:
        path = COMPAT_ROOT + tec_contract.COLLECTIONS[kind].pattern
        app.add_route(path, tec.Posts(service, kind))
        app.add_route(path + "/{id:digits}", tec.Post(service, kind))
    app.add_route(COMPAT_ROOT + tec_contract.DOCS.pattern, tec.Docs(service))


PREFIXES = [f"{COMPAT_ROOT}/{namespace.name}" for namespace in NAMESPACES]
WORDPRESS = Extension("compat", COMPAT, COMPAT_ROOT, PREFIXES, add_routes, rewrites)
