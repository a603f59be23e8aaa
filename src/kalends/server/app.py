"""The composition root: settings, store, calendar and routes become one WSGI application."""

import atexit
import gc
import os
import sys
import time
from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import falcon
import falcon.routing
from falcon.routing import CompiledRouter

from kalends.calendar.service import Calendar, Clock
from kalends.contract.errors import (
    HEADERS_TOO_LARGE,
    INTERNAL,
    INVALID_BODY,
    N_,
    NO_METHOD,
    NO_ROUTE,
    STORAGE_FULL,
    TOO_LARGE,
    UNAVAILABLE,
    ApiError,
    FieldError,
)
from kalends.contract.kinds import KINDS
from kalends.server import parent_process
from kalends.server.api import bodies, responses, route_advice, unknown_parameters
from kalends.server.cache.prerender_worker import PrerenderWorker, no_gauge
from kalends.server.cache.response_cache import ResponseCache
from kalends.server.compat.rest_route import RestRoute
from kalends.server.metrics.metrics import Metrics, MetricsFlush
from kalends.server.metrics.request_metrics import measured
from kalends.server.middleware.credentials import identify
from kalends.server.middleware.cross_site import check_origin, has_ambient_credentials
from kalends.server.middleware.lanes import Lanes
from kalends.server.middleware.limits import check_address, check_headers, check_host, check_path_length
from kalends.server.middleware.logs import RequestLogging, log
from kalends.server.middleware.query_encoding import EscapedQuery
from kalends.server.middleware.rate_limit import RateLimit
from kalends.server.middleware.replica_retry import LOST, ReplicaRetry
from kalends.server.request_context import (
    REFUSAL,
    REQUEST_ID,
    ROUTE,
    STATUS,
    Application,
    Environ,
    RequestContext,
    StartResponse,
    addresses_for,
    client_address,
    context_of,
    language_of,
)
from kalends.server.routes import add_routes
from kalends.server.service import Service
from kalends.settings import SettingError, Settings, load
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import ReplicaLost, Store, StoreUnavailable
from kalends.store.files.media_files import MediaFiles, MediaFolder, MediaFull

COUNTS = "_KALENDS_COUNTS"  # the variable that tells a worker where all of them count
# How long a thread keeps the interpreter from the others. With Python's own 5 ms, a ready answer beside a long export
# took five times as long as alone; with 1 ms, one and a half times.
SWITCH_INTERVAL = 0.001
# When to look for garbage that goes round in circles. A request makes hardly any, and with Python's own numbers the
# search took a tenth of the time of a list.
GC_THRESHOLDS = (5_000, 10, 10)

OVERRIDES = ("PUT", "PATCH", "DELETE")
FILTER_NAMES = frozenset(field.name for kind in KINDS for field in kind.filters)  # that can make a request slow
CORS_REQUEST_HEADERS = (
    "Authorization, Content-Type, Content-Disposition, If-Match, If-None-Match, X-HTTP-Method-Override,"
    " X-WP-Nonce, X-TEC-EEA"
)


def application() -> "KalendsApp":
    """What a server's worker runs; the settings come from its environment."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    if master := os.environ.get(parent_process.MASTER):
        parent_process.follow(int(master))
    counts = os.environ.get(COUNTS)
    calendar = make_calendar(load(None, {}, os.environ))
    app = make_app(calendar, Path(counts) if counts else None)
    if app.metrics is not None:
        MetricsFlush(app.metrics).start()
        atexit.register(app.metrics.flush)
    PrerenderWorker(calendar, set_gauge=app.metrics.set_gauge if app.metrics else no_gauge).start()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    return app


def make_calendar(settings: Settings, clock: Clock | None = None, store: Store | None = None) -> Calendar:
    return Calendar(store or make_store(settings), media_files(settings), settings, clock or system_clock)


def make_store(settings: Settings) -> Store:
    """Where the records lie: a file of SQLite's, unless the settings name a PostgreSQL server."""
    if settings.is_embedded:
        return SqliteStore(settings.database_path)
    # Only who has a server needs the driver in memory.
    from kalends.store.engine.postgresql import PostgresStore

    return PostgresStore(
        settings.database,
        settings.database_replica,
        size=settings.database_connections,
        timeout=settings.database_timeout,
    )


def media_files(settings: Settings) -> MediaFiles:
    """Where the images lie: a folder, unless the settings name a bucket."""
    if not settings.media:
        return MediaFolder(settings.data / "media")
    try:
        # Only who keeps images in a bucket needs boto3.
        from kalends.store.files.media_bucket import MediaBucket
    except ModuleNotFoundError as missing:
        raise SettingError(
            f"the setting media names a bucket, and {missing.name} is not installed: pip install 'kalends[s3]'"
        ) from None
    return MediaBucket(settings.media, settings.media_endpoint, settings.media_region)


class KalendsApp:
    """The WSGI application: the framework and the middleware around it."""

    def __init__(self, calendar: Calendar, framework: Application, lanes: Lanes, counts: Path | None) -> None:
        settings = calendar.settings
        inner = ReplicaRetry(framework) if settings.database_replica else framework
        self.cache = ResponseCache(RequestLogging(inner, settings), calendar, lanes)
        app: Application = RestRoute(self.cache) if settings.compat else self.cache
        app = EscapedQuery(app)
        if settings.rate_limit:
            app = RateLimit(app, calendar)
        self.metrics = Metrics(counts, self.cache.kept, calendar.store) if settings.metrics else None
        self._app = measured(app, settings, self.metrics)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        return self._app(environ, start_response)


def make_app(calendar: Calendar, counts: Path | None = None) -> KalendsApp:
    """The application. `counts` is the folder in which its workers count together."""
    service = Service(calendar, calendar.settings)
    router = CompiledRouter()
    app: falcon.App[Any, Any] = falcon.App(middleware=[RequestMiddleware(service)], router=router, cors_enable=False)
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.auto_parse_form_urlencoded = False
    app.router_options.converters["digits"] = DigitsConverter
    app.add_error_handler(Exception, handle_crash)
    app.add_error_handler(StoreUnavailable, handle_unavailable)
    app.add_error_handler(falcon.HTTPError, handle_http_error)
    app.add_error_handler(ApiError, handle_api_error)
    add_routes(app, service)
    quick = calendar.store.parallel_reads
    return KalendsApp(calendar, app, Lanes(route_finder(router), FILTER_NAMES, quick=quick), counts)


def route_finder(router: CompiledRouter) -> Callable[[str], tuple[str, bool]]:
    """Tells of a path the template of its route and whether its handler is known to be slow."""

    def find(path: str) -> tuple[str, bool]:
        found = router.find(path.rstrip("/") or "/")
        return (found[3] or "", getattr(found[0], "is_slow", False)) if found else ("", False)

    return find


class SystemClock:
    """The present to the second, which is made once for all who ask within it."""

    def __init__(self) -> None:
        self._known = (0, datetime.min)

    def __call__(self) -> datetime:
        second, known = int(time.time()), self._known
        if known[0] != second:
            known = self._known = (second, datetime.fromtimestamp(second, UTC).replace(tzinfo=None))
        return known[1]


system_clock = SystemClock()


class DigitsConverter(falcon.routing.BaseConverter):
    """An id in a path: decimal digits and nothing else."""

    def convert(self, value: str) -> int | None:
        # A longer number than any id is cut short; zeros in front do not count.
        return int(value.lstrip("0")[:40] or "0") if value.isascii() and value.isdigit() else None


class RequestMiddleware:
    """What happens to every request before its handler, and to every answer after it."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings = self.service.settings
        req.context.request_context = RequestContext(addresses_for(req, settings), language_of(req, settings))
        req.context.allow = ""
        check_headers(req.env)
        check_host(req.env)
        check_address(req.path, req.query_string)
        if REFUSAL in req.env:
            raise req.env[REFUSAL]
        if req.method == "POST":
            if has_ambient_credentials(req):
                check_origin(req, context_of(req).addresses.base_url)
            self._override_method(req)
        header = req.get_header("Authorization")
        if header:
            store, now = self.service.calendar.store, self.service.calendar.clock()
            address = client_address(req, settings)
            req.context.request_context.caller = identify(header, store, self.service.authenticator, address, now)

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        req.env[ROUTE] = req.uri_template
        check_path_length(req.path, resource)
        req.context.allow = responses.methods_of(cast(Hashable, type(resource)))
        if req.method not in falcon.COMBINED_METHODS:
            raise falcon.HTTPMethodNotAllowed([])

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        req.env[STATUS] = str(resp.status_code)
        if not hasattr(req.context, "request_context"):
            resp.set_header("X-Content-Type-Options", "nosniff")
            return
        settings, allow = self.service.settings, req.context.allow
        for name, value in responses.standing_headers(context_of(req).addresses.api_url, allow, settings):
            beside = resp.get_header(name) if name == "Link" else None  # to the pages of a list
            resp.set_header(name, f"{value}, {beside}" if beside else value)
        if req.method in ("GET", "HEAD") and (warning := unknown_parameters.warning(req, resource)):
            resp.set_header("Warning", warning)
        if resp.status_code >= 400 and bodies.is_unread(req):
            # What is left of the body would be taken for the next request, so the server closes; the client is told.
            resp.set_header("Connection", "close")
        if resp.get_header("Cache-Control") is None:
            resp.set_header("Cache-Control", responses.PRIVATE)
        if settings.cors and req.method == "OPTIONS":
            resp.set_header("Access-Control-Allow-Methods", f"{allow or 'GET'}, HEAD, OPTIONS")
            resp.set_header("Access-Control-Allow-Headers", CORS_REQUEST_HEADERS)
            resp.set_header("Access-Control-Max-Age", "600")

    def _override_method(self, req: falcon.Request) -> None:
        wanted = req.get_param("_method") or req.get_header("X-HTTP-Method-Override") or ""
        if wanted.upper() in OVERRIDES:
            req.method = wanted.upper()


def handle_api_error(req: falcon.Request, resp: falcon.Response, api_error: ApiError, params: Any) -> None:
    responses.refuse(req, resp, api_error)


def handle_http_error(req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: Any) -> None:
    """The framework's own errors, in our shape."""
    match error.status_code:
        case 404:
            api_error = ApiError(NO_ROUTE, advice=route_advice.advice(req))
        case 405:
            allow = req.context.allow
            api_error = ApiError(NO_METHOD, headers={"Allow": allow}, method=req.method, allow=allow)
        case 413:
            api_error = ApiError(TOO_LARGE, limit="")
        case 431:
            api_error = ApiError(HEADERS_TOO_LARGE)
        case _:
            api_error = ApiError(INVALID_BODY, reason=FieldError("", N_("the request is malformed.")))
    responses.refuse(req, resp, api_error)


def handle_unavailable(req: falcon.Request, resp: falcon.Response, error: Exception, params: Any) -> None:
    req.env[LOST] = isinstance(error, ReplicaLost)
    log.warning("the store is unavailable: %s", error)
    if isinstance(error, MediaFull):
        responses.refuse(req, resp, ApiError(STORAGE_FULL))
        return
    responses.refuse(req, resp, ApiError(UNAVAILABLE, headers={"Retry-After": "2"}))


def handle_crash(req: falcon.Request, resp: falcon.Response, error: Exception, params: Any) -> None:
    log.exception("unexpected error")
    # Who reports it can say which line of the log it is.
    responses.refuse(req, resp, ApiError(INTERNAL, {"request_id": req.env[REQUEST_ID]}))
