"""The WSGI application: the calendar, the routes and the middleware around them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import falcon

from kalends.calendar.service import Calendar
from kalends.contract.kinds import KINDS
from kalends.http.cache.response_cache import ResponseCache
from kalends.http.metrics.metrics import Metrics
from kalends.http.metrics.request_metrics import measured
from kalends.http.middleware.admitting import AdmittedRequests
from kalends.http.middleware.falcon_middleware import RequestMiddleware
from kalends.http.middleware.logs import RequestLogging
from kalends.http.middleware.query_encoding import escape_query
from kalends.http.middleware.rate_limit import RateLimit
from kalends.http.middleware.replica_retry import ReplicaRetry
from kalends.http.middleware.transport_security import TransportSecurity
from kalends.http.request_context import Application, Environ, StartResponse
from kalends.http.router import Router, add_converters
from kalends.http.service import Extension, Service

AddRoutes = Callable[[falcon.App[Any, Any], Service], None]

FILTER_NAMES = frozenset(field.name for kind in KINDS for field in kind.filters)  # can make a read slow


class KalendsApp:
    """The framework and the middleware around it. `wsgi` is the outermost, which is the application."""

    def __init__(self, service: Service, framework: Application, router: Router, counts: Path | None) -> None:
        calendar, settings = service.calendar, service.settings
        inner = ReplicaRetry(framework) if settings.database_replica else framework
        added = [rewrite for extension in service.extensions for rewrite in extension.rewrites(calendar)]
        requests = AdmittedRequests(calendar, router.template_of, FILTER_NAMES)
        rewrites = [escape_query, *added]
        self.cache = ResponseCache(
            RequestLogging(inner, settings), calendar, requests, rewrites, router.resource_of, service.data_prefixes
        )
        app: Application = self.cache.respond
        if settings.rate_limit:
            app = RateLimit(app, calendar)
        app = TransportSecurity(app, calendar)
        self.metrics = Metrics(counts, self.cache.kept, calendar) if settings.metrics else None
        self.wsgi = measured(app, settings, self.metrics)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        return self.wsgi(environ, start_response)


def build_app(
    calendar: Calendar,
    extensions: Sequence[Extension],
    parts: Iterable[AddRoutes],
    counts: Path | None = None,
) -> KalendsApp:
    """The application. `parts` add their routes and what belongs to these; `counts` is the folder of all workers'
    figures for /metrics."""
    router = Router()
    service = Service(calendar, extensions, find_route=router.find)
    app: falcon.App[Any, Any] = falcon.App(middleware=[RequestMiddleware(service)], router=router, cors_enable=False)
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.auto_parse_form_urlencoded = False
    add_converters(app)
    for add in parts:
        add(app, service)
    return KalendsApp(service, app, router, counts)
