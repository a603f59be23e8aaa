"""What a WordPress site says about itself: its index, post types, taxonomies, statuses and settings."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import falcon

from kalends.calendar.access import Caller, may_ask_for_any_status, may_manage_users
from kalends.calendar.lists.pages import Page
from kalends.contract.errors import FORBIDDEN, LOGIN_NEEDED, ApiError, ErrorType
from kalends.contract.operations import COMPAT_NAMESPACE, COMPAT_ROOT, Address, addresses
from kalends.languages import tag
from kalends.pages.api_reference import PATH as DOCS
from kalends.present import description
from kalends.server.api.index import DescribedRoot
from kalends.server.cache.kept_responses import FOREVER
from kalends.server.http import responses
from kalends.server.request_context import context_of
from kalends.server.service import Service
from kalends.values import dates, zones
from kalends.wordpress import responses as wp_answers
from kalends.wordpress import wp_filters
from kalends.wordpress import wp_operations as wp
from kalends.wordpress.error_translation import refuse
from kalends.wordpress.interface import NAMESPACES
from kalends.wordpress.model import EDIT, Namespace
from kalends.wordpress.resource import CompatResource, route_of
from kalends.wordpress.site_tables import (
    POST_STATUSES,
    POST_TYPES,
    TAXONOMIES,
    WP_NAMESPACE,
    PostType,
    Status,
    Taxonomy,
)
from kalends.wordpress.wp_keys import TAXONOMY_KEYS, TYPE_KEYS, contexts
from kalends.wordpress.wp_links import WpAddresses, items_links

Json = dict[str, Any]

TYPE_CONTEXTS, TAXONOMY_CONTEXTS = contexts(TYPE_KEYS), contexts(TAXONOMY_KEYS)
HALF_HOUR = timedelta(minutes=30)
CAPABILITY_ACTIONS = ("edit", "edit_others", "publish", "read_private", "delete", "delete_others")


class SiteIndex(DescribedRoot):
    """`/wp-json/`: the site, its namespaces and all their routes."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings, found, language = self.service.settings, context_of(req).addresses, context_of(req).language
        clock = self.service.calendar.clock()
        now = zones.to_local(clock, settings.timezone)
        root, ns = f"{found.base_url}{COMPAT_ROOT}", f"{found.base_url}{COMPAT_ROOT}/{COMPAT_NAMESPACE}"
        routes = {
            f"/{COMPAT_NAMESPACE}{address.pattern}": description.route(address, COMPAT_NAMESPACE, ns, {}, language)
            for address in addresses()
        }
        for namespace in NAMESPACES:
            routes |= {address.pattern: route_of(address, root, language) for address in namespace.addresses}
        json: Json = {
            "name": settings.site_name,
            "description": settings.site_description,
            "url": found.base_url,
            "home": found.base_url,
            "gmt_offset": _hours(zones.offset(now, settings.timezone).total_seconds()),
            "timezone_string": settings.timezone,
            "page_for_posts": 0,
            "page_on_front": 0,
            "show_on_front": "posts",
            "namespaces": [COMPAT_NAMESPACE, *(namespace.name for namespace in NAMESPACES)],
            # Where a person finds how to get one.
            "authentication": {"application-passwords": {"endpoints": {"authorization": f"{found.base_url}{DOCS}"}}},
            "routes": routes,
            "site_logo": 0,
            "site_icon": 0,
            "site_icon_url": "",
            "_links": {"help": [{"href": f"{found.base_url}{DOCS}"}]},
        }
        # Clocks are changed at full hours or halves of them.
        wp_answers.keep(req, dates.text(clock.replace(minute=clock.minute // 30 * 30, second=0) + HALF_HOUR))
        wp_answers.send_read(self.service, req, resp, json)
        responses.in_language(resp, language)

    on_head = on_get


class NamespaceIndex(CompatResource):
    """The routes of one namespace."""

    def __init__(self, service: Service, namespace: Namespace) -> None:
        super().__init__(service)
        self.namespace = namespace
        self.address = namespace.addresses[0]

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        root, language = f"{context_of(req).addresses.base_url}{COMPAT_ROOT}", context_of(req).language
        routes = {address.pattern: route_of(address, root, language) for address in self.namespace.addresses}
        json = {"namespace": self.namespace.name, "routes": routes, "_links": {"up": [{"href": f"{root}/"}]}}
        wp_answers.send_read(self.service, req, resp, json)
        responses.in_language(resp, language)

    on_head = on_get


class SiteTable(CompatResource):
    """A table of the site: all its rows, or one by its name."""

    def __init__(self, service: Service, address: Address, unknown: ErrorType | None = None) -> None:
        super().__init__(service)
        self.address = address
        self.unknown = unknown

    def on_get(self, req: falcon.Request, resp: falcon.Response, name: str | None = None) -> None:
        caller, reading = context_of(req).caller, wp_answers.query_reading(req, self.address.operations[0].parameters)
        reading.problems.raise_any()
        context = wp_answers.context(reading)
        if context == EDIT and not may_ask_for_any_status(caller):
            raise refuse("view", caller)
        rows = self.rows(req, caller, context, str(reading.values.get("type", "")))
        wp_answers.keep(req, FOREVER)
        if self.unknown is None:
            wp_answers.send_read(self.service, req, resp, rows)
        elif name is not None and name in rows:
            wp_answers.send_read(self.service, req, resp, rows[name])
        else:
            raise ApiError(self.unknown)

    on_head = on_get

    def rows(self, req: falcon.Request, caller: Caller, context: str, type_: str) -> Mapping[str, Json]:
        raise NotImplementedError


class Types(SiteTable):
    """The post types."""

    def rows(self, req: falcon.Request, caller: Caller, context: str, type_: str) -> Mapping[str, Json]:
        at = WpAddresses(context_of(req).addresses.base_url)
        return {row.slug: _type(row, at, TYPE_CONTEXTS[context]) for row in POST_TYPES}


class Taxonomies(SiteTable):
    """The taxonomies, all or those of one post type."""

    def rows(self, req: falcon.Request, caller: Caller, context: str, type_: str) -> Mapping[str, Json]:
        at = WpAddresses(context_of(req).addresses.base_url)
        return {
            row.slug: _taxonomy(row, at, TAXONOMY_CONTEXTS[context])
            for row in TAXONOMIES
            if not type_ or type_ in row.types
        }


class Statuses(SiteTable):
    """The statuses: those that are public, and all for callers who can edit something."""

    def rows(self, req: falcon.Request, caller: Caller, context: str, type_: str) -> Mapping[str, Json]:
        at = WpAddresses(context_of(req).addresses.base_url)
        sees_all = may_ask_for_any_status(caller)
        return {row.slug: _status(row, at) for row in POST_STATUSES if row.is_public or sees_all}


class SiteSettings(CompatResource):
    """The settings, for administrators; they are changed elsewhere."""

    address = wp.SETTINGS

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        caller = context_of(req).caller
        if not may_manage_users(caller):
            raise ApiError(LOGIN_NEEDED if caller.is_anonymous else FORBIDDEN)
        settings = self.service.settings
        json: Json = {
            "title": settings.site_name,
            "description": settings.site_description,
            "url": context_of(req).addresses.base_url,
            "email": "",
            "timezone": settings.timezone,
            "date_format": "F j, Y",
            "time_format": "g:i a",
            "start_of_week": 1,
            "language": tag(settings.language).replace("-", "_"),
            "use_smilies": False,
            "default_category": 0,
            "default_post_format": "0",
            "posts_per_page": wp_filters.DEFAULT_PER_PAGE,
            "show_on_front": "posts",
            "page_on_front": 0,
            "page_for_posts": 0,
            "default_ping_status": "closed",
            "default_comment_status": "closed",
            "site_logo": None,
            "site_icon": 0,
        }
        wp_answers.send_read(self.service, req, resp, json)

    on_head = on_get


class EmptyList(CompatResource):
    """What WordPress has and a calendar has not."""

    def __init__(self, service: Service, route: str) -> None:
        super().__init__(service)
        self.address = wp.EMPTY[route][0]

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        reading = wp_answers.query_reading(req, self.address.operations[0].parameters)
        reading.problems.raise_any()
        wp_answers.send_list(self.service, req, resp, Page([], 0, 1, wp_filters.DEFAULT_PER_PAGE), [])

    on_head = on_get


class EmptyItem(CompatResource):
    """One of those: it is never there."""

    def __init__(self, service: Service, route: str) -> None:
        super().__init__(service)
        self.address = wp.EMPTY[route][1]
        self.unknown = wp.NOTHING[route]

    def on_get(self, req: falcon.Request, resp: falcon.Response, id: int) -> None:
        raise ApiError(self.unknown)

    on_head = on_get


def _hours(seconds: float) -> int | float:
    """-5, or 5.5, as PHP writes it."""
    hours = seconds / 3600
    return int(hours) if hours.is_integer() else hours


def _type(row: PostType, at: WpAddresses, keys: frozenset[str]) -> Json:
    json: Json = {
        "capabilities": {f"{action}_posts": f"{action}_{row.slug}" for action in CAPABILITY_ACTIONS},
        "description": "",
        "hierarchical": row.is_hierarchical,
        "has_archive": row.has_archive,
        "labels": {"name": row.name, "singular_name": row.singular},
        "name": row.name,
        "slug": row.slug,
        "icon": row.icon,
        "taxonomies": list(row.taxonomies),
        "rest_base": row.route,
        "rest_namespace": WP_NAMESPACE,
        "template": [],
        "template_lock": False,
        "_links": items_links(at, "types", [row.route]),
    }
    return {name: value for name, value in json.items() if name in keys}


def _taxonomy(row: Taxonomy, at: WpAddresses, keys: frozenset[str]) -> Json:
    json: Json = {
        "name": row.name,
        "slug": row.slug,
        "capabilities": {f"{action}_terms": f"{action}_{row.slug}" for action in ("manage", "edit", "delete")},
        "description": "",
        "labels": {"name": row.name, "singular_name": row.singular},
        "types": list(row.types),
        "show_cloud": True,
        "hierarchical": row.is_hierarchical,
        "rest_base": row.route,
        "rest_namespace": WP_NAMESPACE,
        "_links": items_links(at, "taxonomies", [row.route]),
    }
    return {name: value for name, value in json.items() if name in keys}


def _status(row: Status, at: WpAddresses) -> Json:
    return {
        "name": row.name,
        "public": row.is_public,
        "queryable": row.is_public,
        "slug": row.slug,
        "date_floating": row.is_floating,
        "_links": {"archives": [{"href": at.collection("tribe_events")}]},
    }
