"""Who opens the admin at another address than `base_url`: led to it where that is safe, told of it elsewhere.

The admin works there too, except that cookies of an https site are kept over https only, that passkeys belong to a
name, and that a provider sends people back to `base_url`. A proxy may hide what the browser asked for, or `base_url`
may not be reachable from where the reader is: so only another scheme of the same name and `www.` lead there, once.
"""

import re
from typing import ClassVar
from urllib.parse import parse_qsl, urlsplit

import falcon
import msgspec

from kalends.http.app import FORWARDED
from kalends.http.request_context import forwarders, requested_base
from kalends.languages import N_
from kalends.settings import Settings
from kalends.site.layout.frame import with_query

LED = "led"  # marks an address that was led to: who comes back with it has a proxy that rewrites what was asked
DEFAULT_PORTS = {"http": 80, "https": 443}
LOOPBACK = re.compile(r"localhost|127\.[0-9.]+|::1")  # where browsers keep the cookies of https sites over http too
TITLE = N_("At another address")
WORKS_TOO = N_("The address of this calendar is {address}. Passkeys and the links in messages belong to it.")
ONLY_ENCRYPTED = N_(
    "The address of this calendar is {address}. Elsewhere you can sign in only if the address begins with https."
)
ONLY_THERE = N_("This works only at {address}.")


class OtherAddressPage(msgspec.Struct):
    """In place of the answer to a form whose cookies the browser would drop."""

    template: ClassVar[str] = "admin/other_address.html"

    href: str
    address: str


class OtherAddress(msgspec.Struct, frozen=True):
    """Where the browser is, as far as it is known, when that is not where the calendar is."""

    settings: Settings
    scheme: str  # empty where a proxy may have ended TLS
    host: str
    here: str  # the path and the query of the page, for which the calendar has the same
    is_said: bool  # by the browser itself, and not only seen

    @property
    def address(self) -> str:
        return self.settings.base_url

    @property
    def own_host(self) -> str:
        """The address without a path, as CSP names it."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def href(self) -> str:
        return self.address + self.here

    @property
    def sentence(self) -> str:
        return ONLY_ENCRYPTED if self.address.startswith("https:") and self.scheme != "https" else WORKS_TOO

    @property
    def drops_cookies(self) -> bool:
        """Whether the browser surely does not keep the session."""
        is_loopback = LOOPBACK.fullmatch(urlsplit(f"//{self.host}").hostname or "") is not None
        return self.is_said and self.scheme == "http" and self.address.startswith("https:") and not is_loopback

    @property
    def is_near(self) -> bool:
        """Whether who came here reaches the address of the calendar as well, and loses nothing by it."""
        scheme, own = _place(self.address)
        if self.scheme == "https" != scheme:
            return False
        return self.host == own or self.host.removeprefix("www.") == own.removeprefix("www.")


def find(req: falcon.Request, settings: Settings) -> OtherAddress | None:
    """None where the browser is at the address of the calendar, or may be."""
    if not settings.base_url:
        return None
    origin = req.get_header("Origin") if req.method == "POST" else None
    is_said = bool(origin and origin != "null")
    if not is_said and LED in req.query_string and req.get_param(LED):
        return None
    try:
        scheme, host = _place(origin if is_said and origin else requested_base(req, settings))
    except ValueError:
        return None
    if not is_said and not _is_scheme_known(req, settings):
        scheme = ""
    own_scheme, own_host = _place(settings.base_url)
    if host == own_host and scheme in ("", own_scheme):
        return None
    query = [pair for pair in parse_qsl(req.query_string, keep_blank_values=True) if pair[0] != LED]
    here = with_query(req.path, [*query, (LED, "1")] if req.method in ("GET", "HEAD") else [])
    return OtherAddress(settings, scheme, host, here, is_said)


def is_led(req: falcon.Request, other: OtherAddress) -> bool:
    """Whether a page with a form is answered with the way to its right address. After a form of this address the
    browser would not go there (CSP, `form-action`), and after a link of it the reader was told already."""
    try:
        _, came = _place(req.get_header("Referer") or "")
    except ValueError:
        came = ""
    return other.is_near and came != other.host and req.get_header("Sec-Fetch-Site") != "same-origin"


def _place(address: str) -> tuple[str, str]:
    """The scheme and the host, without a port that goes without saying."""
    parts = urlsplit(address.lower())
    port, name = parts.port, parts.hostname or ""
    name = f"[{name}]" if ":" in name else name
    return parts.scheme, f"{name}:{port}" if port and port != DEFAULT_PORTS.get(parts.scheme) else name


def _is_scheme_known(req: falcon.Request, settings: Settings) -> bool:
    """What a proxy that is not trusted has done with TLS is unknown."""
    if req.env["wsgi.url_scheme"] == "https":
        return True
    return bool(forwarders(req.env, settings)) and any(req.env.get(name) for name in FORWARDED)
