"""The composition root: settings, store, calendar and routes become one WSGI application."""

import logging
import os
from datetime import UTC, datetime
from typing import Any

import falcon
import falcon.routing

from kalends.calendar.service import Calendar, Clock
from kalends.contract.errors import (
    HEADERS_TOO_LARGE,
    INTERNAL,
    INVALID_BODY,
    N_,
    NO_METHOD,
    NO_ROUTE,
    TOO_LARGE,
    UNAVAILABLE,
    Invalid,
    Refusal,
)
from kalends.server import answers
from kalends.server.asking import Asking, addresses_for, asking, client_address, language_of
from kalends.server.credentials import identify
from kalends.server.front import Front
from kalends.server.limits import RequestLimit, check_headers
from kalends.server.routes import add_routes
from kalends.server.service import Service
from kalends.settings import Settings, load
from kalends.store.media_files import MediaFolder
from kalends.store.sqlite import Store, StoreUnavailable

log = logging.getLogger("kalends")

METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")
OVERRIDES = ("PUT", "PATCH", "DELETE")
CORS_REQUEST_HEADERS = (
    "Authorization, Content-Type, Content-Disposition, If-Match, If-None-Match, X-HTTP-Method-Override"
)


def application() -> Front:
    """What a server's worker runs; the settings come from its environment."""
    return make_app(make_calendar(load(None, {}, os.environ)))


def make_calendar(settings: Settings, clock: Clock | None = None) -> Calendar:
    return Calendar(
        Store(settings.database_path), MediaFolder(settings.data / "media"), settings, clock or system_clock
    )


def make_app(calendar: Calendar) -> Front:
    service = Service(calendar, calendar.settings)
    app: falcon.App[Any, Any] = falcon.App(middleware=[Entrance(service)], cors_enable=False)
    app.req_options.strip_url_path_trailing_slash = True
    app.req_options.auto_parse_form_urlencoded = False
    app.router_options.converters["digits"] = DigitsConverter
    app.add_error_handler(Exception, handle_crash)
    app.add_error_handler(StoreUnavailable, handle_unavailable)
    app.add_error_handler(falcon.HTTPError, handle_http_error)
    app.add_error_handler(Refusal, handle_refusal)
    add_routes(app, service)
    return Front(app, calendar)


def system_clock() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


class DigitsConverter(falcon.routing.BaseConverter):
    """An id in a path: decimal digits and nothing else."""

    def convert(self, value: str) -> int | None:
        # A longer number than any id is cut short; zeros in front do not count.
        return int(value.lstrip("0")[:40] or "0") if value.isascii() and value.isdigit() else None


class Entrance:
    """What happens to every request before its handler, and to every answer after it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.limit = RequestLimit(service.settings.rate_limit)

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings = self.service.settings
        req.context.asking = Asking(addresses_for(req, settings), language_of(req, settings))
        req.context.allow = ""
        check_headers(req.env)
        address, now = client_address(req, settings), self.service.calendar.clock()
        self.limit.check(address, now)
        if req.method == "POST":
            self._override_method(req)
        header = req.get_header("Authorization")
        if header:
            store = self.service.calendar.store
            req.context.asking.caller = identify(header, store, self.service.doorkeeper, address, now)

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        req.context.allow = ", ".join(m for m in METHODS if hasattr(resource, f"on_{m.lower()}"))
        if req.method not in falcon.COMBINED_METHODS:
            raise falcon.HTTPMethodNotAllowed([])

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        resp.set_header("X-Content-Type-Options", "nosniff")
        if not hasattr(req.context, "asking"):
            return
        resp.set_header("Link", f'<{asking(req).addresses.api_url}/>; rel="https://api.w.org/"')
        if req.context.allow:
            resp.set_header("Allow", req.context.allow)
        if resp.get_header("Cache-Control") is None:
            resp.set_header("Cache-Control", answers.PRIVATE)
        if self.service.settings.cors:
            self._allow_other_origins(req, resp)

    def _allow_other_origins(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Any site may read us, and none with the visitor's cookies: we have none."""
        resp.set_header("Access-Control-Allow-Origin", "*")
        resp.set_header("Access-Control-Expose-Headers", answers.EXPOSED)
        if req.method == "OPTIONS":
            resp.set_header("Access-Control-Allow-Methods", f"{req.context.allow or 'GET'}, HEAD, OPTIONS")
            resp.set_header("Access-Control-Allow-Headers", CORS_REQUEST_HEADERS)
            resp.set_header("Access-Control-Max-Age", "600")

    def _override_method(self, req: falcon.Request) -> None:
        wanted = req.get_param("_method") or req.get_header("X-HTTP-Method-Override") or ""
        if wanted.upper() in OVERRIDES:
            req.method = wanted.upper()


def handle_refusal(req: falcon.Request, resp: falcon.Response, refusal: Refusal, params: Any) -> None:
    answers.refuse(req, resp, refusal)


def handle_http_error(req: falcon.Request, resp: falcon.Response, error: falcon.HTTPError, params: Any) -> None:
    """The framework's own errors, in our shape."""
    match error.status_code:
        case 404:
            refusal = Refusal(NO_ROUTE)
        case 405:
            allow = req.context.allow
            refusal = Refusal(NO_METHOD, headers={"Allow": allow}, method=req.method, allow=allow)
        case 413:
            refusal = Refusal(TOO_LARGE, limit="")
        case 431:
            refusal = Refusal(HEADERS_TOO_LARGE)
        case _:
            refusal = Refusal(INVALID_BODY, reason=Invalid("", N_("the request is malformed.")))
    answers.refuse(req, resp, refusal)


def handle_unavailable(req: falcon.Request, resp: falcon.Response, error: Exception, params: Any) -> None:
    log.warning("the store is unavailable: %s", error)
    answers.refuse(req, resp, Refusal(UNAVAILABLE, headers={"Retry-After": "2"}))


def handle_crash(req: falcon.Request, resp: falcon.Response, error: Exception, params: Any) -> None:
    # The query string stays out of the log: it may hold an event's password.
    log.exception("unexpected error in %s %s", req.method, req.path)
    answers.refuse(req, resp, Refusal(INTERNAL))
