"""The WSGI application: the calendar, the routes and the middleware around them."""

import atexit
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import falcon

from kalends.bootstrap import collect_garbage_rarely, make_calendar
from kalends.calendar.service import Calendar
from kalends.contract.kinds import KINDS
from kalends.server import parent_process
from kalends.server.cache.prerender_worker import PrerenderWorker, no_gauge
from kalends.server.cache.response_cache import ResponseCache
from kalends.server.compat import rest_route
from kalends.server.compat.calendar_addresses import CalendarAddresses
from kalends.server.errors import add_error_handlers
from kalends.server.metrics.metrics import Metrics, MetricsFlush
from kalends.server.metrics.request_metrics import measured
from kalends.server.middleware.falcon_middleware import RequestMiddleware
from kalends.server.middleware.lanes import Lanes
from kalends.server.middleware.logs import RequestLogging
from kalends.server.middleware.query_encoding import escape_query
from kalends.server.middleware.rate_limit import RateLimit
from kalends.server.middleware.replica_retry import ReplicaRetry
from kalends.server.request_context import Application, Environ, StartResponse
from kalends.server.routes import Router, add_routes
from kalends.server.service import Service
from kalends.settings import load

# Seconds after which a thread hands the interpreter to the next. With Python's default of 5 ms, a cached response
# beside a long export took five times as long as alone; with 1 ms, one and a half times.
SWITCH_INTERVAL = 0.001

FILTER_NAMES = frozenset(field.name for kind in KINDS for field in kind.filters)  # can make a read slow


def application() -> Application:
    """The application of a worker process; the settings come from its environment."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    if master := os.environ.get(parent_process.MASTER):
        parent_process.follow(int(master))
    counts = os.environ.get(parent_process.COUNTS)
    calendar = make_calendar(load(None, {}, os.environ))
    app = make_app(calendar, Path(counts) if counts else None)
    if app.metrics is not None:
        MetricsFlush(app.metrics).start()
        atexit.register(app.metrics.flush)
    PrerenderWorker(calendar, set_gauge=app.metrics.set_gauge if app.metrics else no_gauge).start()
    collect_garbage_rarely()
    return app.wsgi


class KalendsApp:
    """The framework and the middleware around it. `wsgi` is the outermost, which is the application."""

    def __init__(self, calendar: Calendar, framework: Application, lanes: Lanes, counts: Path | None) -> None:
        settings = calendar.settings
        inner = ReplicaRetry(framework) if settings.database_replica else framework
        rewrites = [escape_query]
        if settings.compat:
            rewrites += [rest_route.rewrite, CalendarAddresses(calendar).rewrite]
        self.cache = ResponseCache(RequestLogging(inner, settings), calendar, lanes, rewrites)
        app: Application = self.cache.respond
        if settings.rate_limit:
            app = RateLimit(app, calendar)
        self.metrics = Metrics(counts, self.cache.kept, calendar) if settings.metrics else None
        self.wsgi = measured(app, settings, self.metrics)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        return self.wsgi(environ, start_response)


def make_app(calendar: Calendar, counts: Path | None = None) -> KalendsApp:
    """The application. `counts` is the folder of all workers' figures for /metrics."""
    service = Service(calendar)
    router = Router()
    app: falcon.App[Any, Any] = falcon.App(middleware=[RequestMiddleware(service)], router=router, cors_enable=False)
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.auto_parse_form_urlencoded = False
    add_error_handlers(app, service)
    add_routes(app, service)
    lanes = Lanes(router.lane_of, FILTER_NAMES, quick=calendar.store.parallel_reads)
    return KalendsApp(calendar, app, lanes, counts)
