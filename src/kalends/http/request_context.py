"""The context of a request: base address, proxies, language and caller."""

import ipaddress
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import takewhile
from typing import Any, TypeVar

import falcon

from kalends import languages
from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.accounts.sessions import SignedIn
from kalends.contract.operations.model import COMPAT_NAMESPACE, COMPAT_ROOT, NAMESPACE
from kalends.present.addresses import Addresses, RenderContext
from kalends.present.conventions import Conventions
from kalends.settings import Settings

# WSGI types.
Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

# Keys of the environ with which middleware and handlers talk to each other.
REQUEST_ID = "kalends.request_id"
ROUTE = "kalends.route"  # the template of its address
STATUS = "kalends.status"  # of its response
LOOKUP = "kalends.lookup"  # whether the response was in the cache
HIT, MISS = "hit", "miss"
ACCOUNT = "kalends.account"  # the id of the caller, if it is somebody
MORE_REQUESTS = "kalends.more_requests"  # counts the requests of a batch, where there is a rate limit
REFUSAL = "kalends.refusal"  # an error found before the framework, which sends it
REQUESTED = "kalends.requested"  # the path and the query string as sent, when the address was rewritten
VALID_UNTIL = (
    "kalends.valid_until"  # the moment in UTC at which the clock changes the response; absent: do not cache it
)
UNDATED = "kalends.undated"  # the date of the last change does not tell the response from an earlier one
LONGEST_HOST = 270  # more than HOST takes

ADMIN, MEDIA = "/admin", "/media/"  # paths
ALIVE = "/healthz"  # says that the process runs, and asks no store
HEALTH = (ALIVE, "/readyz")
SESSION_COOKIE = "kalends_session"

T = TypeVar("T")

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
WRITTEN_ADDRESS = re.compile(
    r"""(?P<quote>"?)(?:\[?(?P<v6>[0-9a-f:]*:[0-9a-f:.]*)(?:%[\w.~-]*)?(?:\](?::[0-9]*)?)?|(?P<v4>[0-9.]+)(?::[0-9]*)?)(?P=quote)""",
    re.ASCII | re.IGNORECASE,
)
HOST = re.compile(r"(?:[A-Za-z0-9._~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


@dataclass(slots=True)
class RequestContext:
    """Set by the framework's middleware for each request."""

    req: falcon.Request
    settings: Settings
    addresses: Addresses
    clock: Callable[[], datetime]  # of the calendar
    caller: Caller = ANONYMOUS
    session: SignedIn | None = None
    chosen_language: str | None = None  # which a person who is signed in has chosen
    _asked: tuple[str, str] | None = None  # language and region of the request; a page asks for them at every date

    @property
    def render_context(self) -> RenderContext:
        """What records are shown with."""
        return RenderContext(self.addresses, self.settings.timezone, self.settings.currency)

    @property
    def language(self) -> str:
        """That of errors and pages."""
        return self.chosen_language or self._asked_for()[0]

    @property
    def region(self) -> str:
        """That of the reader, such as `GB`; "" when it is not known."""
        return self._asked_for()[1]

    def conventions(self) -> Conventions:
        """The habits of the reader's region, and what the site has chosen instead."""
        return Conventions(self.settings.week_start, self.settings.hour_format, lambda: self.region)

    def _asked_for(self) -> tuple[str, str]:
        if self._asked is None:
            asked = self.req.get_param("lang") if "lang" in self.req.query_string else None
            accepted = self.req.get_header("Accept-Language")
            self._asked = languages.choose_with_region(asked, accepted, self.settings.language)
        return self._asked


def context_of(req: falcon.Request) -> RequestContext:
    found: RequestContext = req.context.request_context
    return found


def keep_until(req: falcon.Request, moment: str | None) -> None:
    """Lets the response cache keep this response until something public changes or a moment in UTC comes: "" is
    never, None forbids it. Only for responses that depend on nothing but the calendar as anonymous readers see it,
    the settings and the request."""
    if moment is not None:
        req.env[VALID_UNTIL] = moment


def addresses_for(req: falcon.Request, settings: Settings) -> Addresses:
    """Links use the prefix through which the request came."""
    base = settings.base_url or requested_base(req, settings)
    if settings.compat and req.path[: len(COMPAT_ROOT) + 1] == f"{COMPAT_ROOT}/":
        return _addresses(base, COMPAT_ROOT, COMPAT_NAMESPACE)
    return _addresses(base, settings.api_root, NAMESPACE)


def prefixes(settings: Settings) -> tuple[str, ...]:
    """The paths of the interface."""
    ours = f"{settings.api_root}/{NAMESPACE}"
    return (ours, _COMPAT_PREFIX) if settings.compat else (ours,)


_COMPAT_PREFIX = f"{COMPAT_ROOT}/{COMPAT_NAMESPACE}"


def discovery_root(path: str, addresses: Addresses, settings: Settings) -> str:
    """Where a client learns what there is. Pages lead to the root of WordPress, as its clients expect, while it is
    there; within the interface it is the root through which the request came."""
    if settings.compat and not f"{path}/".startswith(f"{settings.api_root}/"):
        return addresses.base_url + COMPAT_ROOT
    return addresses.api_url


@lru_cache(256)
def _addresses(base: str, root: str, namespace: str) -> Addresses:
    return Addresses(base, base + root, f"{base}{root}/{namespace}")


def requested_base(req: falcon.Request, settings: Settings) -> str:
    """The site's address as the client wrote it; forwarded headers count only from a trusted proxy."""
    scheme, host = req.env["wsgi.url_scheme"], req.env.get("HTTP_HOST", "")
    hops = len(forwarders(req.env, settings)) if settings.trusted_proxies else 0
    if hops:
        forwarded = _of_hop(req.forwarded or (), hops)
        scheme = (forwarded and forwarded.scheme) or _written(req.get_header("X-Forwarded-Proto"), hops) or scheme
        host = (forwarded and forwarded.host) or _written(req.get_header("X-Forwarded-Host"), hops) or host
    return _base_at(scheme[:LONGEST_HOST], host[:LONGEST_HOST])


@lru_cache(256)
def _base_at(scheme: str, host: str) -> str:
    if scheme not in ("http", "https"):
        scheme = "http"
    if HOST.fullmatch(host) is None:
        host = "localhost"
    return f"{scheme}://{host}"


def client_address(req: falcon.Request, settings: Settings) -> str:
    return address_of_client(req.env, settings)


def address_of_client(environ: Environ, settings: Settings) -> str:
    """The address of the client: the last one in the chain that is not a proxy of ours. Where that is no address, the
    proxy that wrote it counts instead: nobody can invent clients with it."""
    if not settings.trusted_proxies:
        return _one_client(environ.get("REMOTE_ADDR", ""))
    chain = _chain(environ)
    place = min(len(forwarders(environ, settings)), len(chain) - 1)
    while place and parsed_address(chain[place]) is None:
        place -= 1
    return _one_client(chain[place])


def forwarders(environ: Environ, settings: Settings) -> list[str]:
    """The proxies of ours that a request came through, the nearest first."""
    if not settings.trusted_proxies:
        return []
    return list(takewhile(lambda address: is_trusted(address, settings), _chain(environ)))


def _chain(environ: Environ) -> list[str]:
    """The addresses of the request, from the peer of the connection back to the claimed client."""
    forwarded = [part for part in environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    return [str(environ.get("REMOTE_ADDR", "")), *reversed(forwarded)]


@lru_cache(1024)
def parsed_address(written: str) -> IpAddress | None:
    """An address as proxies write it: with a port, in brackets, in quotes, with the zone of a link, or IPv4 as a
    socket for both versions shows it. None if it is none."""
    found = WRITTEN_ADDRESS.fullmatch(written.strip())
    try:
        parsed = ipaddress.ip_address(found["v6"] or found["v4"]) if found else None
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


@lru_cache(1024)
def _one_client(written: str) -> str:
    """What counts as one client: an IPv6 client has a whole /64 network."""
    parsed = parsed_address(written)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((int(parsed), 64), strict=False))
    return written if parsed is None else str(parsed)


def is_trusted(address: str, settings: Settings) -> bool:
    return is_within(address, settings.trusted_proxies)


def is_within(address: str, networks: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    if not networks:
        return False
    parsed = parsed_address(address)
    return parsed is not None and any(parsed in network for network in networks)


def _written(header: str | None, hops: int) -> str | None:
    """What the farthest trusted proxy wrote into a header to which each proxy adds."""
    return (_of_hop(header.split(","), hops) or "").strip().lower() or None if header else None


def _of_hop(entries: Sequence[T], hops: int) -> T | None:
    """Counted from the end: earlier entries were sent by the client. A proxy may also replace the others."""
    return entries[-min(hops, len(entries))] if entries else None
