"""The framework's middleware: limits, context and credentials before every handler, common headers after it."""

from typing import Any

import falcon

from kalends.calendar.admission import WORKER
from kalends.contract.errors import HEADERS_TOO_LARGE, ApiError
from kalends.http.messages import bodies, responses
from kalends.http.middleware import browser_sessions, unknown_parameters
from kalends.http.middleware.admitting import name_of
from kalends.http.middleware.credentials import identify
from kalends.http.middleware.cross_site import check_origin, has_ambient_credentials
from kalends.http.middleware.limits import HEALTH, are_too_large, check_address, check_host, check_path_length
from kalends.http.request_context import (
    ACCOUNT,
    ADMIN,
    REFUSAL,
    ROUTE,
    STATUS,
    RequestContext,
    addresses_for,
    client_address,
    discovery_root,
)
from kalends.http.service import Service
from kalends.present import conventions

READS = ("GET", "HEAD")
OVERRIDES = ("PUT", "PATCH", "DELETE")
CORS_REQUEST_HEADERS = (
    "Authorization, Content-Type, Content-Disposition, Idempotency-Key, If-Match, If-None-Match,"
    " X-HTTP-Method-Override, X-WP-Nonce, X-TEC-EEA"
)


class RequestMiddleware:
    """What happens to every request before its handler, and to every response after it."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        environ, settings = req.env, self.service.calendar.settings
        context = RequestContext(req, settings, addresses_for(req, settings))
        conventions.use_later(context.conventions)
        req.context.request_context = context
        req.context.allow = ""
        if are_too_large(environ):
            raise ApiError(HEADERS_TOO_LARGE)
        check_host(environ)
        check_address(req.path, req.query_string)
        if REFUSAL in environ:
            raise environ[REFUSAL]
        if req.method == "POST":
            if has_ambient_credentials(req):
                check_origin(req, context.addresses.base_url)
            override_method(req)
        # Who asks does not matter to a health check, and finding out would ask the store.
        if ("HTTP_AUTHORIZATION" in environ or "HTTP_COOKIE" in environ) and req.path not in HEALTH:
            self._identify(req, context)
            if account := context.caller.user:
                environ[ACCOUNT] = account
                WORKER.identify(name_of(account))

    def _identify(self, req: falcon.Request, context: RequestContext) -> None:
        """The caller: by the Authorization header, else by a session. The admin knows sessions only."""
        settings, calendar = context.settings, self.service.calendar
        header = req.env.get("HTTP_AUTHORIZATION")
        if header and not browser_sessions.is_admin(req.path):
            address = client_address(req, settings)
            context.caller = identify(header, calendar, self.service.authenticator, address)
        elif "HTTP_COOKIE" in req.env and browser_sessions.counts_at(req.path, settings):
            context.session = browser_sessions.find(req, calendar)
            if context.session is not None:
                context.caller = context.session.caller
                if not browser_sessions.is_admin(req.path):
                    browser_sessions.check_token(req, context.session)

    def process_resource(
        self, req: falcon.Request, resp: falcon.Response, resource: object, params: dict[str, Any]
    ) -> None:
        req.env[ROUTE] = req.uri_template
        check_path_length(req.path, resource)
        handler: Any = type(resource)
        req.context.allow = responses.methods_of(handler)
        if req.method not in falcon.COMBINED_METHODS:
            raise falcon.HTTPMethodNotAllowed([])

    def process_response(
        self, req: falcon.Request, resp: falcon.Response, resource: object, req_succeeded: bool
    ) -> None:
        status = resp.status_code
        req.env[STATUS] = str(status)
        context: RequestContext | None = getattr(req.context, "request_context", None)
        if context is None:
            resp.set_header("X-Content-Type-Options", "nosniff")
            return
        path, allow = req.path, req.context.allow
        cors = context.settings.cors and (path[: len(ADMIN)] != ADMIN or not browser_sessions.is_admin(path))
        root = discovery_root(path, context.addresses, context.settings)
        headers = responses.headers_of(resp)
        page_links = headers.get("link")
        headers.update(responses.common_headers(root, allow, cors=cors))
        if page_links:
            headers["link"] += f", {page_links}"
        if (req.query_string or req.method not in READS) and (warning := unknown_parameters.warning(req, resource)):
            resp.set_header("Warning", warning)
        if bodies.already_read(req):
            bodies.forget(req)
        if status >= 400 and bodies.is_unread(req):
            # What is left of the body would be taken for the next request, so the server closes the connection.
            resp.set_header("Connection", "close")
        if "cache-control" not in headers:
            headers["cache-control"] = responses.PRIVATE
        if cors and req.method == "OPTIONS":
            resp.set_header("Access-Control-Allow-Methods", f"{allow or 'GET'}, HEAD, OPTIONS")
            resp.set_header("Access-Control-Allow-Headers", CORS_REQUEST_HEADERS)
            resp.set_header("Access-Control-Max-Age", "600")


def override_method(req: falcon.Request) -> None:
    """`_method=DELETE` or X-HTTP-Method-Override, for clients that can only send POST."""
    wanted = req.get_param("_method") or req.get_header("X-HTTP-Method-Override") or ""
    if wanted.upper() in OVERRIDES:
        req.method = wanted.upper()
