"""Addresses of sites: their servers, whether others can read along, and how messages show them."""

import ipaddress
import re
from urllib.parse import urlsplit

from kalends.features.importing.records.messages import ImportMessage
from kalends.languages import N_

UNENCRYPTED = N_(
    "the password is sent to {address} without encryption, so others can read it; use https:// if you can"
)
_LOGIN = re.compile(r"^((?:[a-z]+:)?(?://)?)[^/]*@", re.IGNORECASE)


def unencrypted(url: str) -> ImportMessage | None:
    """A warning, if others could read the credentials on their way to an address."""
    parts = urlsplit(url)
    if parts.scheme != "http" or _is_loopback(parts.hostname or ""):
        return None
    return ImportMessage(UNENCRYPTED, address=origin(url))


def origin(url: str) -> str:
    """Scheme, host and port. A port that goes without saying is left out."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port not in (None, usual) else "")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def without_secrets(url: str) -> str:
    """An address for messages, without a login and parameters, which may be secret."""
    return _LOGIN.sub(r"\1", url.partition("?")[0])
