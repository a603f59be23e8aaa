"""Refuses writes that a page of another site makes with credentials the visitor's browser adds by itself."""

from urllib.parse import urlsplit

import falcon

from kalends.contract.errors import CROSS_SITE, ApiError

# What a page may send anywhere without the browser asking the other side first; empty is no Content-Type at all.
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "")
OWN_PAGE = ("same-origin", "none")


def check_origin(req: falcon.Request, base_url: str) -> None:
    """For a request with ambient credentials, before they are checked: a refused one is no guess at a password."""
    if req.method == "POST" and _is_form(req) and is_foreign(req, base_url):
        raise ApiError(CROSS_SITE)


def has_ambient_credentials(req: falcon.Request) -> bool:
    """Whether a browser may have added the credentials without the page knowing them. It remembers Basic log-ins and
    cookies; a token has to be sent on purpose."""
    header = req.get_header("Authorization") or ""
    scheme = header.strip().partition(" ")[0].lower()
    return scheme == "basic" if scheme else req.get_header("Cookie") is not None


def _is_form(req: falcon.Request) -> bool:
    return (req.content_type or "").partition(";")[0].strip().lower() in FORM_TYPES


def is_foreign(req: falcon.Request, base_url: str) -> bool:
    """Whether a page of another site made the request, as far as the browser tells."""
    site = req.get_header("Sec-Fetch-Site")
    if site in OWN_PAGE:
        return False
    if site == "cross-site":
        return True
    origin = req.get_header("Origin")
    # The host alone: behind a proxy that ends TLS, the scheme seen here may be another one.
    return origin is not None and _host(origin) != _host(base_url)


def is_own_page(req: falcon.Request, base_url: str) -> bool:
    """Whether the browser tells that a page of this site made the request."""
    site, origin = req.get_header("Sec-Fetch-Site"), req.get_header("Origin")
    return site == "same-origin" or (site is None and origin is not None and _host(origin) == _host(base_url))


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).netloc.lower()
    except ValueError:
        return None
