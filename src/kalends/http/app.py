"""The WSGI application: the calendar, the routes and the middleware around them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import falcon

from kalends.calendar.service import Calendar
from kalends.contract.kinds import KINDS
from kalends.http import asking_again
from kalends.http.cache.response_cache import ResponseCache
from kalends.http.messages import bodies
from kalends.http.messages.responses import Header
from kalends.http.metrics.metrics import Metrics
from kalends.http.metrics.request_metrics import measured
from kalends.http.middleware.admitting import AdmittedRequests
from kalends.http.middleware.logs import RequestLogging
from kalends.http.middleware.rate_limit import RateLimit, with_headers
from kalends.http.middleware.request_middleware import RequestMiddleware
from kalends.http.request_context import ADMIN, Application, Environ, StartResponse, requested_base
from kalends.http.router import Router, add_converters
from kalends.http.service import Extension, Service
from kalends.settings import Settings

# Tells browsers that came by https to stay with it (`Strict-Transport-Security`). It is added when a response is
# sent and not kept with it: with a `base_url`, requests by http and https share what is kept.

HEADERS = [("Strict-Transport-Security", "max-age=31536000")]  # a year; other hosts of the domain are not ours
FORWARDED = ("HTTP_X_FORWARDED_PROTO", "HTTP_FORWARDED")


class TransportSecurity:
    """Middleware, the outermost but for the metrics."""

    def __init__(self, app: Application, calendar: Calendar) -> None:
        self.app = app
        self.settings = calendar.settings  # which proxies are trusted is not changed while it runs
        self._is_behind_proxy = bool(self.settings.trusted_proxies)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        headers = self.headers_for(environ)
        return self.app(environ, with_headers(headers, start_response) if headers else start_response)

    def headers_for(self, environ: Environ) -> list[Header]:
        """What is added to the response."""
        # Every request passes here: without a proxy, the connection itself says it.
        if came_by_https(environ, self.settings) if self._is_behind_proxy else environ["wsgi.url_scheme"] == "https":
            return HEADERS
        return []


def came_by_https(environ: Environ, settings: Settings) -> bool:
    """Whether the client used https: as the connection itself says, or a proxy that is trusted."""
    if not settings.trusted_proxies or not any("https" in environ.get(name, "").lower() for name in FORWARDED):
        return bool(environ.get("wsgi.url_scheme") == "https")
    return requested_base(falcon.Request({"wsgi.input": None, **environ}), settings).startswith("https:")


# Repeats reads during which a replica failed: another replica or the primary will answer.

LOST = "kalends.lost"  # set by the error handler when a replica was lost


class ReplicaRetry:
    """Reads survive the loss of a replica."""

    def __init__(self, app: Application) -> None:
        self.app = app

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self.app(environ, start_response)
        started: list[tuple[Any, ...]] = []
        first = dict(environ)  # the framework adds to what it is given
        body = self.app(first, lambda *response: started.append(response))
        if first.pop(LOST, False):
            return self.app(environ, start_response)
        environ.update(first)
        start_response(*started[-1])
        return body


# Query strings with raw UTF-8, which many clients send: escaped here, so that everything behind reads one form.

QUERY = "QUERY_STRING"
ASCII = "".join(map(chr, range(0x21, 0x7F)))


def escape_query(environ: Environ) -> None:
    query = environ.get(QUERY, "")
    if not query.isascii():
        environ[QUERY] = escaped(query)


def escaped(query: str) -> str:
    """A query string with every character outside ASCII as the percent-encoded bytes of its UTF-8."""
    try:
        # WSGI hands bytes over as Latin-1.
        sent = query.encode("latin-1")
    except UnicodeEncodeError:  # a server that decoded them already
        sent = query.encode("utf-8", "replace")
    return quote(sent, safe=ASCII)


AddRoutes = Callable[[falcon.App[Any, Any], Service], None]

FILTER_NAMES = frozenset(field.name for kind in KINDS for field in kind.filters)  # can make a read slow


SUBMIT = "/submit"
LARGEST_TIMES = 10  # of a form, a picture's largest size
LARGEST_BODY = 1024**3  # that anybody may send; what may be sent to an address is less


class KalendsApp:
    """The framework and the middleware around it. `wsgi` is the outermost, which is the application."""

    def __init__(
        self,
        service: Service,
        framework: Application,
        router: Router,
        middleware: RequestMiddleware,
        counts: Path | None,
    ) -> None:
        self._middleware = middleware
        # Of a body that does not tell its length: files that are larger than pictures have to.
        self.largest_in_chunks = max(service.settings.max_body, service.settings.max_image + bodies.AROUND_FILE)
        calendar, settings = service.calendar, service.settings
        inner = ReplicaRetry(framework) if settings.database_replica else framework
        added = [rewrite for extension in service.extensions for rewrite in extension.rewrites(calendar)]
        requests = AdmittedRequests(calendar, router.template_of, FILTER_NAMES)
        rewrites = [escape_query, *added]
        self.cache = ResponseCache(
            RequestLogging(inner, settings), calendar, requests, rewrites, router.resource_of, service.data_prefixes
        )
        app: Application = self.cache.respond
        self.rate_limit = RateLimit(app, calendar) if settings.rate_limit else None
        app = self.transport_security = TransportSecurity(self.rate_limit or app, calendar)
        self.metrics = Metrics(counts, self.cache.kept, calendar) if settings.metrics else None
        self.wsgi = measured(app, settings, self.metrics)

    largest_body = LARGEST_BODY

    def is_known(self, environ: Environ) -> bool:
        """Whether a request comes with valid credentials."""
        return self._middleware.is_known(environ)

    def largest_of_anybody(self, environ: Environ) -> int:
        """How large a body may be that comes without credentials: forms with pictures, as people send them who are
        not signed in, or not any more."""
        if not environ["PATH_INFO"].startswith((ADMIN, SUBMIT)):
            return 0
        return LARGEST_TIMES * self.cache.calendar.settings.max_image

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Without a front: who waits for something holds a thread."""
        return asking_again.respond(self.wsgi, self.cache.calendar.revisions, environ, start_response)


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
    middleware = RequestMiddleware(service)
    app: falcon.App[Any, Any] = falcon.App(middleware=[middleware], router=router, cors_enable=False)
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.auto_parse_form_urlencoded = False
    add_converters(app)
    for add in parts:
        add(app, service)
    return KalendsApp(service, app, router, middleware, counts)
