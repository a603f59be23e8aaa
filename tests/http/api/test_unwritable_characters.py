"""Noncharacters and control characters are removed from texts on write."""

from typing import Any
from xml.etree import ElementTree

import pytest

UNWRITABLE = [
    *map(chr, range(0x09)),
    "\x0b",
    *map(chr, range(0x0E, 0x20)),
    "\x7f",
    "\ufdd0",
    "\ufffe",
    "\uffff",
    "\U0010ffff",
]


@pytest.mark.parametrize("written", ["raw", "entity"])
def test_texts_are_stored_without_them(world: Any, written: str) -> None:
    signs = "".join(
        char if written == "raw" else f"&#{ord(char)};" for char in UNWRITABLE if char != "\0" or written == "raw"
    )
    made = world.make(
        "events",
        title=f"Ti{signs[:900]}tle",
        description=f"<p>In{signs}side\f</p>",
        excerpt=f"Sh{signs}ort",
        venue={"venue": f"Ha{signs[:900]}ll"},
        categories=[f"Mu{signs[:60]}sic"],
    )
    assert made["title"] == "Title"
    assert made["venue"]["venue"] == "Hall"
    for char in [*UNWRITABLE, "\f"]:
        assert char not in made["description"] + made["excerpt"] + made["categories"][0]["name"]
    assert "Inside" in made["description"]
    for feed in ("/events.rss", "/sitemap-event-0.xml"):
        answer = world.get(f"http://calendar.test{feed}")
        if answer.status_code == 200:
            ElementTree.fromstring(answer.content)  # noqa: S314 (our own answer)
