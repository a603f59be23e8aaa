"""How far a request reaches: what it may connect to. Every function that makes one takes it as one value."""

import ssl
from collections.abc import Callable, Collection
from dataclasses import dataclass

from kalends.calendar.fetching.public_networks import Address, Resolver, is_public, system_resolver
from kalends.calendar.fetching.targets import DEFAULT_PORTS


def is_any(_address: Address) -> bool:
    """Of an administrator who lets a request go inside of the network."""
    return True


@dataclass(frozen=True, slots=True)
class Reach:
    """How names are resolved, which of their addresses and ports are allowed (None: every port), and the certificates
    that are trusted (None: those of the system)."""

    resolve: Resolver = system_resolver
    allow: Callable[[Address], bool] = is_public
    ports: Collection[int] | None = DEFAULT_PORTS
    tls: ssl.SSLContext | None = None


PUBLIC = Reach()
ANYWHERE = Reach(allow=is_any, ports=None)
