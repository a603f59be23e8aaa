"""Which addresses of the network are public, so that a client may have something fetched from them."""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver = Callable[[str, int], Sequence[Address]]


def _networks(*texts: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


# Python versions differ in what they call global: what must never be reached is listed here.
_INTERNAL_V4: Final = _networks(
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
    *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
    *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    "168.63.129.16/32",  # the host of a virtual machine at a large provider, on an address that looks public
)
_UNICAST_V6: Final = ipaddress.IPv6Network("2000::/3")
_INTERNAL_V6: Final = _networks("2001::/23", "2001:db8::/32", "3fff::/20")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Whether the address is one that anybody on the internet could reach."""
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not any(address in internal for internal in _INTERNAL_V4)
    if address.scope_id is not None:
        return False
    if address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    if address.sixtofour is not None and not is_public(address.sixtofour):
        return False
    # Mapped, compatible, local and unassigned addresses all lie outside the global unicast space.
    return address in _UNICAST_V6 and address.is_global and not any(address in internal for internal in _INTERNAL_V6)


def system_resolver(host: str, port: int) -> Sequence[Address]:
    """The addresses of a name as the operating system knows them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(entry[4][0])) for entry in dict.fromkeys(found)]
