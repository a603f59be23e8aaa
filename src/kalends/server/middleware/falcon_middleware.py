"""The framework's middleware: limits, context and credentials before every handler, common headers after it."""

from collections.abc import Hashable
from typing import Any, cast

import falcon

from kalends.pages import conventions
from kalends.server.http import bodies, responses
from kalends.server.middleware import sessions, unknown_parameters
from kalends.server.middleware.credentials import identify
from kalends.server.middleware.cross_site import check_origin, has_ambient_credentials
from kalends.server.middleware.limits import HEALTH, check_address, check_headers, check_host, check_path_length
from kalends.server.request_context import (
    ACCOUNT,
    REFUSAL,
    ROUTE,
    STATUS,
    RequestContext,
    addresses_for,
    client_address,
    context_of,
    discovery_root,
)
from kalends.server.service import Service

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
        settings = self.service.settings
        context = RequestContext(req, settings, addresses_for(req, settings))
        conventions.use(settings.week_start, settings.hour_format, lambda: context.region)
        req.context.request_context = context
        req.context.allow = ""
        check_headers(req.env)
        check_host(req.env)
        check_address(req.path, req.query_string)
        if REFUSAL in req.env:
            raise req.env[REFUSAL]
        if req.method == "POST":
            if has_ambient_credentials(req):
                check_origin(req, context.addresses.base_url)
            override_method(req)
        if req.path not in HEALTH:  # who asks does not matter there, and finding out would ask the store
            self._identify(req, context)
        req.env[ACCOUNT] = context.caller.user

    def _identify(self, req: falcon.Request, context: RequestContext) -> None:
        """The caller: by the Authorization header, else by a session. The admin knows sessions only."""
        settings, calendar = context.settings, self.service.calendar
        header = req.env.get("HTTP_AUTHORIZATION")
        if header and not sessions.is_admin(req.path):
            address = client_address(req, settings)
            context.caller = identify(header, calendar, self.service.authenticator, address)
        elif "HTTP_COOKIE" in req.env and sessions.counts_at(req.path, settings):
            context.session = sessions.find(req, calendar)
            if context.session is not None:
                context.caller = context.session.caller
                if not sessions.is_admin(req.path):
                    sessions.check_token(req, context.session)

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
        status = resp.status_code
        req.env[STATUS] = str(status)
        if not hasattr(req.context, "request_context"):
            resp.set_header("X-Content-Type-Options", "nosniff")
            return
        context, allow = context_of(req), req.context.allow
        cors = context.settings.cors and not sessions.is_admin(req.path)
        root = discovery_root(req.path, context.addresses, context.settings)
        page_links = resp.get_header("Link")
        resp.set_headers(responses.common_headers(root, allow, cors=cors))
        if page_links:
            resp.set_header("Link", f"{resp.get_header('Link')}, {page_links}")
        if (req.query_string or req.method not in READS) and (warning := unknown_parameters.warning(req, resource)):
            resp.set_header("Warning", warning)
        if status >= 400 and bodies.is_unread(req):
            # What is left of the body would be taken for the next request, so the server closes the connection.
            resp.set_header("Connection", "close")
        if resp.get_header("Cache-Control") is None:
            resp.set_header("Cache-Control", responses.PRIVATE)
        if cors and req.method == "OPTIONS":
            resp.set_header("Access-Control-Allow-Methods", f"{allow or 'GET'}, HEAD, OPTIONS")
            resp.set_header("Access-Control-Allow-Headers", CORS_REQUEST_HEADERS)
            resp.set_header("Access-Control-Max-Age", "600")


def override_method(req: falcon.Request) -> None:
    """`_method=DELETE` or X-HTTP-Method-Override, for clients that can only send POST."""
    wanted = req.get_param("_method") or req.get_header("X-HTTP-Method-Override") or ""
    if wanted.upper() in OVERRIDES:
        req.method = wanted.upper()
