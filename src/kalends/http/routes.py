"""The route table. Routes of the namespace exist under each of its prefixes."""

import re
from typing import Any

import falcon
from falcon.routing import BaseConverter, CompiledRouter

from kalends.admin.routes import add_admin_routes
from kalends.contract.kinds import COMPANIONS, KINDS, TERMS
from kalends.contract.operations.model import Address
from kalends.contract.operations.record_addresses import FEED, collection, item, item_by_external, item_by_slug
from kalends.features.assistants import api as mcp
from kalends.features.changes import api as changes
from kalends.features.changes import batch_api as batch
from kalends.features.changes import idempotency_keys as repetition
from kalends.features.custom_fields import api as custom_fields
from kalends.features.mail import following, follows
from kalends.features.webhooks import api as webhooks
from kalends.http import health
from kalends.http.api import index, media, resources, users
from kalends.http.request_context import ALIVE, MCP, Environ, prefixes
from kalends.http.service import Service
from kalends.site import (
    discovery,
    embedding,
    feeds,
    seo,
    static_files,
    submitting,
    subscribe_page,
    subscribing,
    web_app,
)
from kalends.site.appearance import PATH as APPEARANCE
from kalends.site.calendar import calendar_pages
from kalends.site.calendar.calendar_days import VIEWS
from kalends.site.layout import DIRECTORIES, FOLLOW, QR_CODE, SUBMIT
from kalends.site.records import event_pages, record_pages

# Besides the five kinds; the contract has their paths.
DESCRIBED = (
    index.Document,
    batch.BatchHandler,
    changes.Changes,
    *(media.Uploads, media.Image),
    *(custom_fields.Definitions, custom_fields.Definition),
    *(users.Users, users.Me, users.User, users.Tokens, users.Token),
    *(webhooks.Webhooks, webhooks.Webhook, webhooks.Test, webhooks.Rotate, webhooks.Deliveries, webhooks.Resend),
)
NAMED = re.compile(r"\(\?P<(\w+)>([^)]+)\)")  # a part of a pattern

PLURALS = frozenset(kind.plural for kind in KINDS)

FOUND = "kalends.found"  # key of the environ: the path, and what the router found for it
NOT_YET = ("", None)
Route = tuple[object, dict[str, Any], dict[str, Any], str | None]


class DigitsConverter(BaseConverter):
    """An id in a path: decimal digits and nothing else."""

    def convert(self, value: str) -> int | None:
        # Longer numbers than any id are cut short; leading zeros do not count.
        return int(value.lstrip("0")[:40] or "0") if value.isascii() and value.isdigit() else None


class PluralConverter(BaseConverter):
    """The name of a kind in a path."""

    def convert(self, value: str) -> str | None:
        return value if value in PLURALS else None


class Router(CompiledRouter):
    """Finds the route of a request once: admission asks for it before the framework does. Every write of the
    interface may come with an Idempotency-Key."""

    def map_http_methods(self, resource: object, **more: Any) -> dict[str, Any]:
        responders: dict[str, Any] = super().map_http_methods(resource, **more)
        if isinstance(resource, index.DescribedResource):
            for method in responders.keys() & repetition.METHODS:
                responders[method] = repetition.repeatable(resource.service, responders[method])
        return responders

    def template_of(self, environ: Environ) -> str:
        """The template of a request's route."""
        path = environ["PATH_INFO"]
        if path[-1:] == "/":
            path = path.rstrip("/") or "/"
        found: Route | None
        if FOUND in environ and environ[FOUND][0] == path:
            found = environ[FOUND][1]
        else:
            found = super().find(path)
            environ[FOUND] = path, found
        return (found[3] or "") if found else ""

    def resource_of(self, environ: Environ) -> object:
        """The handler of a request."""
        self.template_of(environ)
        found: Route | None = environ[FOUND][1]
        return found[0] if found else None

    def find(self, uri: str, req: falcon.Request | None = None) -> Route | None:
        path, found = req.env.get(FOUND, NOT_YET) if req is not None else NOT_YET
        return found if path == uri else super().find(uri, req)


def template_of(address: Address) -> str:
    """The path of an address as the router writes it."""
    return NAMED.sub(lambda part: f"{{{part[1]}:digits}}" if part[2] == r"\d+" else f"{{{part[1]}}}", address.pattern)


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    app.router_options.converters["digits"] = DigitsConverter
    app.router_options.converters["plural"] = PluralConverter
    settings = service.settings

    app.add_route(settings.api_root, index.Root(service))
    for ns in prefixes(settings):
        app.add_route(ns, index.Namespace(service))
        for kind in KINDS:
            path = f"{ns}/{kind.plural}"
            app.add_route(path, resources.Collection(service, kind, collection(kind)))
            app.add_route(path + "/{id:digits}", resources.Item(service, kind, item(kind)))
            if not kind.is_term:
                app.add_route(path + "/by-slug/{slug}", resources.Item(service, kind, item_by_slug(kind)))
            by_external = resources.ItemByExternalId(service, kind, item_by_external(kind))
            app.add_route(path + "/by-external/{source}/{external_id:path}", by_external)
        app.add_route(ns + FEED.pattern, feeds.ChosenEvents(service))
        for resource in DESCRIBED:
            app.add_route(ns + template_of(resource.address), resource(service))

    app.add_route(MCP, mcp.Endpoint(service))

    app.add_route("/events.ics", feeds.EveryEvent(service))
    app.add_route("/events.rss", feeds.Newest(service, "rss"))
    app.add_route("/events.json", feeds.Newest(service, "json"))
    app.add_route("/event/{slug}.ics", feeds.OneEvent(service))
    app.add_route("/series/{id:digits}.ics", feeds.OneSeries(service))
    for kind in (*COMPANIONS, *TERMS):
        app.add_route(f"/{kind.page}/{{slug}}.ics", feeds.EventsOf(service, kind))

    app.add_route("/event/{slug}", event_pages.EventHandler(service))
    app.add_route("/preview/{slug}", event_pages.PreviewHandler(service))
    app.add_route("/preview/{slug}/media/{file:path}", media.PreviewFile(service))
    for kind in (*COMPANIONS, *TERMS):
        app.add_route(f"/{kind.page}/{{slug}}", record_pages.RecordEventsHandler(service, kind))
    for kind in DIRECTORIES:
        app.add_route(f"/{kind.plural}", record_pages.DirectoryHandler(service, kind))
    app.add_route("/sitemap.xml", seo.Sitemap(service))
    app.add_route("/sitemap-{part}.xml", seo.SitemapPart(service))
    app.add_route("/robots.txt", seo.Robots(service))
    app.add_route("/oembed", seo.OEmbed(service))
    app.add_route(discovery.LLMS, discovery.LlmsText(service))
    app.add_route(discovery.CATALOG, discovery.ApiCatalog(service))
    app.add_route(discovery.SECURITY, discovery.SecurityText(service))

    app.add_route("/", calendar_pages.Home(service))
    app.add_route(SUBMIT, submitting.Submit(service))
    app.add_route(FOLLOW, following.Follow(service))
    app.add_route(follows.CONFIRM_PATH, following.Confirm(service))
    app.add_route(follows.END_PATH, following.End(service))
    app.add_route(subscribe_page.PATH, subscribing.Subscribe(service))
    app.add_route(QR_CODE, subscribing.QrCode(service))
    app.add_route(web_app.MANIFEST, subscribing.Manifest(service))
    app.add_route(web_app.TOUCH_ICON, subscribing.TouchIcon(service))
    app.add_route(web_app.SCRIPT, subscribing.ServiceWorker(service))
    app.add_route(web_app.OFFLINE, subscribing.Offline(service))
    app.add_route("/events", calendar_pages.FirstPage(service))
    for view in VIEWS:
        page = calendar_pages.CalendarHandler(service, view)
        app.add_route(f"/events/{view}", page)
        app.add_route(f"/events/{view}/{{when}}", page)

    add_admin_routes(app, service)
    app.add_route("/docs", static_files.ApiReference(service))
    app.add_route(embedding.PATH, static_files.EmbedScript(service))
    app.add_route(APPEARANCE + "/{version}/{file}", static_files.AppearanceFile(service))
    app.add_route("/static/{version}/{file}", static_files.StaticFile(service))
    app.add_route("/media/{file:path}", media.ImageFile(service))
    app.add_route(ALIVE, health.Alive(service))
    app.add_route("/readyz", health.Ready(service))

    for extension in service.extensions:
        extension.add_routes(app, service)
