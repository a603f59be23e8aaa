"""The framework's middleware: limits, context and credentials before every handler, common headers after it."""

import base64
import binascii
import secrets
from typing import Any
from urllib.parse import urlsplit

import falcon

from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.accounts import sessions
from kalends.calendar.accounts.credentials import Authenticator
from kalends.calendar.accounts.sessions import LONG, SignedIn
from kalends.calendar.admission import WORKER
from kalends.calendar.service import Calendar
from kalends.contract.errors import (
    BAD_CREDENTIALS,
    BAD_HOST,
    CROSS_SITE,
    HEADERS_TOO_LARGE,
    INVALID_TOKEN,
    MARKS_IN_ADDRESS,
    NO_ROUTE,
    NOT_FOUND,
    SESSION_TOKEN,
    WRONG_PASSWORD,
    ApiError,
)
from kalends.contract.kinds import Kind
from kalends.http.messages import bodies, parameters, responses
from kalends.http.messages.parameters import unquoted
from kalends.http.middleware.admitting import name_of
from kalends.http.request_context import (
    ACCOUNT,
    ADMIN,
    HEALTH,
    MEDIA,
    REFUSAL,
    ROUTE,
    SESSION_COOKIE,
    STATUS,
    Environ,
    RequestContext,
    addresses_for,
    client_address,
    context_of,
    discovery_root,
    prefixes,
    requested_base,
)
from kalends.http.service import Service
from kalends.present import conventions
from kalends.settings import Settings
from kalends.values import marks

# Sessions of browsers: who a cookie belongs to, where it counts, and what a change needs besides it.

TOKEN_HEADER = "X-Kalends-Token"  # noqa: S105
BROWSER_COOKIE, KEY_LENGTH = "kalends_browser", 43
BROWSER_SECONDS = 400 * 86_400  # as long as browsers keep a cookie
SAFE = ("GET", "HEAD", "OPTIONS")


def is_admin(path: str) -> bool:
    return path == ADMIN or path.startswith(ADMIN + "/")


def counts_at(path: str, settings: Settings) -> bool:
    """Whether a session makes a difference at this path. The public pages show everybody the same."""
    return is_admin(path) or path.startswith((*prefixes(settings), MEDIA))


def find(req: falcon.Request, calendar: Calendar) -> SignedIn | None:
    """The session of a request, if it has a valid one. With several cookies of that name, none counts: one of them
    may have been planted by a neighbouring host."""
    if SESSION_COOKIE not in req.env.get("HTTP_COOKIE", ""):
        return None
    values = req.get_cookie_values(SESSION_COOKIE) or []
    return sessions.find(calendar, values[0]) if len(values) == 1 else None


def check_token(req: falcon.Request, session: SignedIn) -> None:
    """A change by the interface needs the token of the page, which a page of another site cannot know."""
    if req.method not in SAFE and not session.has_token(req.get_header(TOKEN_HEADER) or ""):
        raise ApiError(SESSION_TOKEN)


def set_cookie(resp: falcon.Response, session: SignedIn, base_url: str, *, stay: bool) -> None:
    """`stay`: the browser keeps it when it is closed."""
    resp.set_cookie(
        SESSION_COOKIE,
        session.secret,
        max_age=int(LONG.total_seconds()) if stay else None,
        path="/",
        secure=base_url.startswith("https:"),
        http_only=True,
        same_site="Lax",
    )


def browser_key(req: falcon.Request) -> str:
    """What this browser is known by when somebody signs in again. One without the cookie gets a new key, which stays
    the same for this request."""
    if "kalends.browser" not in req.env:
        values = req.get_cookie_values(BROWSER_COOKIE) or []
        is_ours = len(values) == 1 and len(values[0]) == KEY_LENGTH and values[0].isascii()
        req.env["kalends.browser"] = values[0] if is_ours else secrets.token_urlsafe(32)
    return str(req.env["kalends.browser"])


def set_browser_cookie(resp: falcon.Response, key: str, base_url: str) -> None:
    """It opens nothing: with it, somebody who signs in is not told of a new browser."""
    resp.set_cookie(
        BROWSER_COOKIE,
        key,
        max_age=BROWSER_SECONDS,
        path="/admin",
        secure=base_url.startswith("https:"),
        http_only=True,
        same_site="Lax",
    )


def clear_cookie(resp: falcon.Response) -> None:
    resp.unset_cookie(SESSION_COOKIE, path="/", same_site="Lax")


# Refuses writes that a page of another site makes with credentials the visitor's browser adds by itself.

# What a page may send anywhere without the browser asking the other side first; empty is no Content-Type at all.
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "")
OWN_PAGE = ("same-origin", "none")


def check_origin(req: falcon.Request) -> None:
    """For a request with ambient credentials, before they are checked: a refused one is no guess at a password."""
    if req.method == "POST" and _is_form(req) and is_foreign(req):
        raise ApiError(CROSS_SITE)


def has_ambient_credentials(req: falcon.Request) -> bool:
    """Whether a browser may have added the credentials without the page knowing them. It remembers Basic log-ins and
    cookies; a token has to be sent on purpose."""
    header = req.get_header("Authorization") or ""
    scheme = header.strip().partition(" ")[0].lower()
    return scheme == "basic" if scheme else req.get_header("Cookie") is not None


def _is_form(req: falcon.Request) -> bool:
    return (req.content_type or "").partition(";")[0].strip().lower() in FORM_TYPES


def is_foreign(req: falcon.Request) -> bool:
    """Whether a page of another site made the request, as far as the browser tells."""
    site = req.get_header("Sec-Fetch-Site")
    if site in OWN_PAGE:
        return False
    if site == "cross-site":
        return True
    origin = req.get_header("Origin")
    # The host alone: behind a proxy that ends TLS, the scheme seen here may be another one.
    return origin is not None and _host(origin) not in _own_hosts(req)


def is_same_site(req: falcon.Request) -> bool:
    """Whether the browser tells that a page of this site made the request."""
    site, origin = req.get_header("Sec-Fetch-Site"), req.get_header("Origin")
    return site == "same-origin" or (site is None and origin is not None and _host(origin) in _own_hosts(req))


def _own_hosts(req: falcon.Request) -> set[str | None]:
    """The host of the calendar, and the one that was asked, which may be another name of it: what a browser adds by
    itself belongs to a name. Basic log-ins are no cookies, which stay within their site: they count at the first."""
    context = context_of(req)
    hosts = {_host(context.addresses.base_url)}
    return hosts if req.get_header("Authorization") else hosts | {_host(requested_base(req, context.settings))}


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return None


# The caller of a request, by its Authorization header.


def identify(header: str | None, calendar: Calendar, authenticator: Authenticator, address: str) -> Caller:
    """The caller of a request. An unknown scheme is anonymous; a known one must be right."""
    if not header or not header.strip():
        return ANONYMOUS
    scheme, _, rest = header.strip().partition(" ")
    match scheme.lower():
        case "basic":
            calendar.throttle.check_address(address, calendar.clock())
            name, password = _basic(rest.strip())
            caller = authenticator.by_password(calendar, name, password, address)
            if caller is None:
                raise ApiError(WRONG_PASSWORD)
            return caller
        case "bearer":
            token = rest.strip()
            if not token or not token.isascii() or " " in token:
                raise ApiError(BAD_CREDENTIALS)
            caller = authenticator.by_token(calendar, token)
            if caller is None:
                raise ApiError(INVALID_TOKEN)
            return caller
        case _:
            return ANONYMOUS


def _basic(encoded: str) -> tuple[str, str]:
    try:
        decoded = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise ApiError(BAD_CREDENTIALS) from None
    name, colon, password = decoded.partition(":")
    if not colon or not name or "\0" in decoded:
        raise ApiError(BAD_CREDENTIALS)
    return name, password


# Limits that are checked before a request is handled: size of the headers, length of the path, the host.

LARGEST_HEADERS = 32 * 1024
LONGEST_PATH = 2000  # characters; no slug and no file has so many


def check_address(path: str, query: str) -> None:
    """Refuses runs of combining marks, which are slow to normalize, before anything else reads the address."""
    if path.isascii() and query.isascii() and "%" not in query:
        return
    written = path + unquoted(query)
    # A server hands over raw UTF-8 in a query as one character for each byte.
    if marks.has_long_run(written) or marks.has_long_run(_as_utf8(query)):
        raise ApiError(MARKS_IN_ADDRESS, maximum=marks.LONGEST_RUN)


def check_path_length(path: str, resource: object) -> None:
    """Refuses a path that is longer than any slug, with the error of the kind that its route is about. The router
    alone has read it: it splits and compares."""
    if len(path) > LONGEST_PATH:
        kind = getattr(resource, "kind", None)
        raise ApiError(NOT_FOUND[kind.name] if isinstance(kind, Kind) else NO_ROUTE)


def check_host(environ: Environ) -> None:
    """Requires one Host header: several arrive joined by commas, and it is unknown which of them a proxy used. Health
    checks may leave it out."""
    host: str = environ.get("HTTP_HOST", "")
    if (not host or host.isspace() or "," in host) and environ.get("PATH_INFO") not in HEALTH:
        raise ApiError(BAD_HOST)


def _as_utf8(query: str) -> str:
    return "" if query.isascii() else query.encode("latin-1", "replace").decode("utf-8", "replace")


def are_too_large(environ: Environ) -> bool:
    """Whether the headers of a request are larger than allowed."""
    names = [name for name in environ if name[:5] == "HTTP_"]
    return sum(map(len, names)) + sum(map(len, map(environ.__getitem__, names))) > LARGEST_HEADERS


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
        environ, calendar = req.env, self.service.calendar
        settings = calendar.settings
        context = RequestContext(req, settings, addresses_for(req, settings), calendar.clock)
        conventions.CURRENT.set(context.conventions)
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
                check_origin(req)
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
        if header and not is_admin(req.path):
            address = client_address(req, settings)
            context.caller = identify(header, calendar, self.service.authenticator, address)
        elif "HTTP_COOKIE" in req.env and counts_at(req.path, settings):
            context.session = find(req, calendar)
            if context.session is not None:
                context.caller = context.session.caller
                if not is_admin(req.path):
                    check_token(req, context.session)

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
        cors = context.settings.cors and (path[: len(ADMIN)] != ADMIN or not is_admin(path))
        root = discovery_root(path, context.addresses, context.settings)
        headers = responses.headers_of(resp)
        page_links = headers.get("link")
        headers.update(responses.common_headers(root, allow, cors=cors))
        if page_links:
            headers["link"] += f", {page_links}"
        if (req.query_string or req.method not in READS) and (warning := parameters.warning(req, resource)):
            resp.append_header("Warning", warning)
        if bodies.already_read(req):
            bodies.forget(req)
        if status >= 400 and bodies.is_unread(req):
            # What is left of the body would be taken for the next request, so the server closes the connection.
            resp.set_header("Connection", "close")
            bodies.drop(req)
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
