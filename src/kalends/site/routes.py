"""The routes of the public pages and feeds."""

from typing import Any

import falcon

from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.contract.operations.record_addresses import FEED
from kalends.http.api import media
from kalends.http.request_context import prefixes
from kalends.http.service import Service
from kalends.site import discovery, embedding, feeds, seo, static_files, submitting, subscribing, suggesting, web_app
from kalends.site.calendar import calendar_pages
from kalends.site.calendar.calendar_days import VIEWS
from kalends.site.docs import api_reference
from kalends.site.layout.appearance import PATH as APPEARANCE
from kalends.site.layout.frame import DIRECTORIES, QR_CODE, SUBMIT, SUGGESTIONS
from kalends.site.records import event_pages, record_pages


def add_routes(app: falcon.App[Any, Any], service: Service) -> None:
    for ns in prefixes(service.settings):
        app.add_route(ns + FEED.pattern, feeds.ChosenEvents(service))
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
    app.add_route(subscribing.PATH, subscribing.Subscribe(service))
    app.add_route(QR_CODE, subscribing.QrCode(service))
    app.add_route(web_app.MANIFEST, web_app.AppManifest(service))
    app.add_route(web_app.TOUCH_ICON, web_app.TouchIcon(service))
    app.add_route(web_app.SCRIPT, web_app.ServiceWorker(service))
    app.add_route(web_app.OFFLINE, web_app.Offline(service))
    app.add_route(SUGGESTIONS, suggesting.Suggestions(service))
    app.add_route("/events", calendar_pages.FirstPage(service))
    for view in VIEWS:
        page = calendar_pages.CalendarHandler(service, view)
        app.add_route(f"/events/{view}", page)
        app.add_route(f"/events/{view}/{{when}}", page)
    app.add_route("/docs", api_reference.ApiReference(service))
    app.add_route(embedding.PATH, embedding.EmbedScript(service))
    app.add_route(APPEARANCE + "/{version}/{file}", static_files.AppearanceFile(service))
    app.add_route("/static/{version}/{file}", static_files.StaticFile(service))
