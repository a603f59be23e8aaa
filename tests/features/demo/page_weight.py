"""What a visitor of a page loads, and how much of it."""

import re
from typing import Any

from tests.conftest import BASE_URL

REFERENCES = re.compile(
    r'<(?:link rel="(?:stylesheet|icon|manifest|apple-touch-icon)"|script|img|source|iframe)[^>]*>'
)
ADDRESSES = re.compile(r'(?:href|src|srcset)="([^"]+)"')
IMPORTS = re.compile(r'(?:from|import) "\./([\w.]+)"')


def loaded_addresses(html: str) -> list[str]:
    """What a browser loads with a page, pictures too."""
    return [address for element in REFERENCES.findall(html) for address in ADDRESSES.findall(element)]


def parts_of(world: Any, html: str) -> dict[str, int]:
    """The style sheets and scripts of a page, also those that scripts import, by their sizes on the wire."""
    waiting = re.findall(r'<link rel="stylesheet" href="([^"]+)"|<script[^>]* src="([^"]+)"', html)
    addresses, sizes = [sheet or script for sheet, script in waiting], {}
    while addresses:
        address = addresses.pop()
        if address not in sizes:
            text, sizes[address] = load(world, address)
            addresses += [address.rpartition("/")[0] + f"/{name}" for name in IMPORTS.findall(text)]
    return sizes


def load(world: Any, path: str) -> tuple[str, int]:
    """A text, and how many bytes a browser receives for it."""
    with world.client.stream("GET", BASE_URL + path, headers={"Accept-Encoding": "gzip"}) as response:
        assert response.status_code == 200, path
        text = response.read().decode()
        return text, response.num_bytes_downloaded
