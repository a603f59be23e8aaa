"""Every page for people goes out from here: public pages, errors, the admin and signing in, with one set of headers.

No page tells another site where its reader comes from: addresses may hold the key of a preview or of an invitation.
Within the site the referrer stays: only then do browsers name the origin of a form, and over plain HTTP nothing else
tells it from a form of another site.
"""

from collections.abc import Mapping

import falcon

from kalends.contract.errors import NO_LONGER_AVAILABLE, ErrorType
from kalends.http.messages import responses
from kalends.http.messages.responses import matches
from kalends.http.request_context import keep_until
from kalends.http.service import Service
from kalends.site.pages.public_page import PublicPage

HTML_TYPE = "text/html; charset=UTF-8"
EVENT_GONE = ErrorType("event-gone", 410, NO_LONGER_AVAILABLE.message)  # of feeds and pages of the web


def _policy(images: str = "", *more: str) -> str:
    """Scripts, styles and requests of the own origin only."""
    own = ("script-src", "style-src", "connect-src")
    parts = ["default-src 'none'", *(f"{source} 'self'" for source in own), f"img-src 'self'{images}", *more]
    return "; ".join([*parts, "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])


PUBLIC_POLICY = _policy("", "manifest-src 'self'", "worker-src 'self'")
# Pictures that were chosen but not sent yet are blobs; a preview is a frame.
ADMIN_POLICY = _policy(" blob:", "frame-src 'self'")


def send(service: Service, req: falcon.Request, resp: falcon.Response, page: PublicPage, until: str) -> None:
    """A page for everybody, which may be kept until a moment in UTC, with its validators and where programs find the
    same in the interface."""
    keep_until(req, until)
    set_headers(resp, page.frame.language, map_host=page.map_host)
    resp.set_header("X-TEC-API-VERSION", "v1")
    resp.set_header("X-TEC-API-ROOT", page.frame.api_link)
    resp.set_header("X-TEC-API-ORIGIN", page.frame.base_url)
    send_bytes(req, resp, page.html(), responses.cache_control(service.settings.cache_age))


def send_once(
    resp: falcon.Response, page: PublicPage, status: int = 200, headers: Mapping[str, str] | None = None
) -> None:
    """A page for this reader alone, such as one that says why there is no other."""
    set_headers(resp, page.frame.language, map_host=page.map_host)
    resp.status = falcon.code_to_http_status(status)
    resp.data = page.html()
    resp.set_header("Cache-Control", responses.PRIVATE)
    resp.set_headers(dict(headers or {}))


def set_headers(resp: falcon.Response, language: str, policy: str = PUBLIC_POLICY, map_host: str = "") -> None:
    """The headers of every page. One with a map may show images of one more host."""
    resp.content_type = HTML_TYPE
    shown = policy.replace("img-src 'self'", f"img-src 'self' {map_host}") if map_host else policy
    resp.set_header("Content-Security-Policy", shown)
    resp.set_header("Referrer-Policy", "same-origin")
    responses.in_language(resp, language)


def set_admin_headers(resp: falcon.Response, language: str, own_host: str = "") -> None:
    """Of a page of the admin: nothing of it is kept, framed, found by search engines or held on to by other sites.
    At another address than that of the calendar, pictures within texts are at `own_host`."""
    set_headers(resp, language, ADMIN_POLICY, own_host)
    resp.set_header("X-Frame-Options", "DENY")
    resp.set_header("Cross-Origin-Opener-Policy", "same-origin")
    resp.set_header("Cache-Control", responses.PRIVATE)
    resp.set_header("X-Robots-Tag", "noindex")


def send_bytes(req: falcon.Request, resp: falcon.Response, data: bytes, cache_control: str) -> None:
    """Sends bytes with their ETag; 304 when the client has them already."""
    etag = responses.etag_of(data)
    resp.data = data
    resp.set_header("ETag", etag)
    resp.set_header("Cache-Control", cache_control)
    if matches(req.get_header("If-None-Match") or "", etag):
        resp.status, resp.data = falcon.HTTP_304, None
