"""Whether an address is a path of the site that shows it, as browsers read it.

They take a backslash for a slash, and pass over tabs and line ends: `/\\evil.example/` is an address of another site.
"""

import re
from typing import Final

_PASSED_OVER: Final = re.compile("[\t\n\r]")
_DOTS: Final = re.compile(r"/(?:\.|%2e){1,2}(?=[/?#]|$)", re.IGNORECASE)


def as_read(address: str) -> str:
    """What a browser reads, up to the query."""
    path, mark, rest = _PASSED_OVER.sub("", address).partition("?")
    return path.replace("\\", "/") + mark + rest


def is_path(address: str) -> bool:
    """Whether it begins at the root of the same site."""
    read = as_read(address)
    return read.startswith("/") and not read.startswith("//")


def climbs(address: str) -> bool:
    """Whether it has dots that lead to a folder above."""
    return _DOTS.search(as_read(address).partition("?")[0]) is not None
