"""Parses record pages; a venue and an organizer as test data."""

from html.parser import HTMLParser
from typing import Any

import httpx

BASE = "http://calendar.test"
VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "source"})

VENUE = {
    "venue": "Old Mill",
    "address": "1 Mill Lane",
    "city": "Merrow",
    "country": "Ireland",
    "zip": "P00",
    "phone": "+353 (0)20 1",
    "website": "https://www.mill.example/visit",
    "geo_lat": 51.83,
    "geo_lng": -8.01,
}
ORGANIZER = {
    "organizer": "Mill Friends",
    "phone": "555-1",
    "email": "hello@mill.example",
    "website": "http://m.example",
}


class Page(HTMLParser):
    """A page: its elements in order, the words that are seen, and its JSON-LD."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text, self.data = "", ""
        self._inside: list[str] = []
        self.feed(html)
        assert self._inside == []
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._inside[-1:] == ["script"]:
            self.data += data
        else:
            self.text += data

    def all(self, name: str, /, **wanted: str) -> list[dict[str, str]]:
        return [found for tag, found in self.tags if tag == name and wanted.items() <= found.items()]

    def links(self) -> list[str]:
        return [found["href"] for found in self.all("a")]


def get(world: Any, path: str, status: int = 200, **more: Any) -> httpx.Response:
    response = world.get(BASE + path, **more)
    assert response.status_code == status, response.text
    return response


def read(world: Any, path: str, status: int = 200, **more: Any) -> Page:
    return Page(get(world, path, status, **more).text)


def enter(world: Any, password: str, path: str = "/event/supper/") -> httpx.Response:
    return world.ask("POST", BASE + path, data={"password": password})
