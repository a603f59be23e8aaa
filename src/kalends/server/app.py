"""The composition root: settings, store, calendar and routes become one WSGI application."""

import atexit
import gc
import os
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import falcon
from falcon.routing import CompiledRouter

from kalends.calendar.service import Calendar, Clock
from kalends.contract.kinds import KINDS
from kalends.server import parent_process
from kalends.server.cache.prerender_worker import PrerenderWorker, no_gauge
from kalends.server.cache.response_cache import ResponseCache
from kalends.server.compat.rest_route import RestRoute
from kalends.server.errors import add_error_handlers
from kalends.server.metrics.metrics import Metrics, MetricsFlush
from kalends.server.metrics.request_metrics import measured
from kalends.server.middleware.falcon_middleware import RequestMiddleware
from kalends.server.middleware.lanes import Lanes
from kalends.server.middleware.logs import RequestLogging
from kalends.server.middleware.query_encoding import EscapedQuery
from kalends.server.middleware.rate_limit import RateLimit
from kalends.server.middleware.replica_retry import ReplicaRetry
from kalends.server.request_context import Application, Environ, StartResponse
from kalends.server.routes import add_routes, route_finder
from kalends.server.service import Service
from kalends.settings import SettingError, Settings, load
from kalends.store.engine.sqlite import SqliteStore
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles, MediaFolder

COUNTS = "_KALENDS_COUNTS"  # the variable with the folder of all workers' figures for /metrics
# Seconds after which a thread hands the interpreter to the next. With Python's default of 5 ms, a cached response
# beside a long export took five times as long as alone; with 1 ms, one and a half times.
SWITCH_INTERVAL = 0.001
# Requests create hardly any reference cycles; with Python's defaults the collector took a tenth of a list's time.
GC_THRESHOLDS = (5_000, 10, 10)

FILTER_NAMES = frozenset(field.name for kind in KINDS for field in kind.filters)  # can make a read slow


def application() -> "KalendsApp":
    """The application of a worker process; the settings come from its environment."""
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
    """The application. `counts` is the folder of all workers' figures for /metrics."""
    service = Service(calendar, calendar.settings)
    router = CompiledRouter()
    app: falcon.App[Any, Any] = falcon.App(middleware=[RequestMiddleware(service)], router=router, cors_enable=False)
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.auto_parse_form_urlencoded = False
    add_error_handlers(app)
    add_routes(app, service)
    lanes = Lanes(route_finder(router), FILTER_NAMES, quick=calendar.store.parallel_reads)
    return KalendsApp(calendar, app, lanes, counts)


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
