"""Where a request may go: a URL that somebody named in its parts, and why it is refused."""

import ipaddress
import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from http.client import HTTPResponse
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

DEFAULT_PORTS: Final = frozenset({80, 443, 8080, 8443})


class TargetReason(Enum):
    """Why a URL is not fetched, for a sentence that fits what it should have been."""

    BAD_URL = "it is not a plain http or https URL"
    BAD_PORT = "it has a port that is not allowed"
    # One reason for every refused address, so that it reveals nothing about what is there.
    NOT_PUBLIC = "it does not lead to a public address"
    FAILED = "it could not be fetched"
    UNTRUSTED = "its certificate is not trusted"
    SLOW = "it took too long to fetch"
    TOO_LARGE = "it is too large"
    NO_CONTENT = "it did not answer with content"
    REDIRECTS = "it redirects too often"
    DOWNGRADE = "it redirects from https to http"


class TargetRefused(Exception):
    """The URL is not fetched."""

    def __init__(self, reason: TargetReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class Target:
    """One hop: the parts of a URL that is well formed."""

    url: str
    secure: bool
    host: str
    port: int
    path: str

    def has_same_origin(self, other: "Target") -> bool:
        """Whether both have the same origin."""
        return (self.secure, self.host, self.port) == (other.secure, other.host, other.port)

    @property
    def host_header(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == (443 if self.secure else 80) else f"{name}:{self.port}"


def target_of(url: str, ports: Collection[int] | None) -> Target:
    if len(url) > 2048 or not url.isprintable() or any(character in url for character in " \\"):
        raise TargetRefused(TargetReason.BAD_URL)
    try:
        parts = urlsplit(url)
        port = parts.port
        host = _ascii_host(parts)
    except ValueError:
        raise TargetRefused(TargetReason.BAD_URL) from None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc:
        raise TargetRefused(TargetReason.BAD_URL)
    secure = parts.scheme == "https"
    if port is None:
        port = 443 if secure else 80
    if port == 0 or (ports is not None and port not in ports):
        raise TargetRefused(TargetReason.BAD_PORT)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    query = "?" + quote(parts.query, safe="/%:@!$&'()*+,;=~?") if parts.query else ""
    return Target(url, secure, host, port, path + query)


def _ascii_host(parts: SplitResult) -> str:
    """The host name as it is sent; numbers in unusual notations are left to the resolver."""
    host = (parts.hostname or "").removesuffix(".")
    if len(host) > 253:
        raise ValueError("The name is too long.")
    if ":" in host:
        address = ipaddress.IPv6Address(host)
        if address.scope_id is not None:
            raise ValueError("A zone is only valid on this machine.")
        return str(address)
    # After the mapping of full-width digits and dots the name may end in a dot once more.
    host = host.encode("idna").decode("ascii").lower().removesuffix(".")
    if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host):
        raise ValueError("Not a host name.")
    return host


def redirected(target: Target, response: HTTPResponse, ports: Collection[int] | None) -> Target:
    # Header bytes come as Latin-1; servers mean UTF-8.
    location = (response.getheader("Location") or "").encode("latin-1", "replace").decode("utf-8", "replace")
    if not location:
        raise TargetRefused(TargetReason.NO_CONTENT)
    # Checked before joining, which silently drops line breaks.
    if not location.isprintable():
        raise TargetRefused(TargetReason.BAD_URL)
    try:
        joined = urljoin(target.url, location)
    except ValueError:
        raise TargetRefused(TargetReason.BAD_URL) from None
    following = target_of(joined, ports)
    if target.secure and not following.secure:
        raise TargetRefused(TargetReason.DOWNGRADE)
    return following
