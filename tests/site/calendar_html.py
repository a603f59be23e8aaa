"""Parses calendar pages: elements, days of a month, titles and links."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import httpx

BASE_URL = "http://calendar.test"
NS = f"{BASE_URL}/api/calendar/events/v1"
World = Any  # the fixture's
Visit = Callable[..., "Element"]
VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})


class Element:
    """A part of a page: its name, attributes, parts and text."""

    def __init__(self, name: str, attributes: dict[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.parts: list[Element] = []
        self.words: list[str] = []

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words)).strip()

    def all(self, name: str, word: str = "") -> "list[Element]":
        """The parts of a name, and of a class when one is given."""
        found = []
        for part in self.parts:
            if part.name == name and (not word or word in part.attributes.get("class", "").split()):
                found.append(part)
            found += part.all(name, word)
        return found

    def one(self, name: str, word: str = "") -> "Element":
        (found,) = self.all(name, word)
        return found


class Reader(HTMLParser):
    """Reads a page and holds it to closing what it opens."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.page = Element("page", {})
        self._open = [self.page]
        self.feed(html)
        assert self._open == [self.page]

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        made = Element(name, {key: value or "" for key, value in attributes})
        self._open[-1].parts.append(made)
        if name not in VOID:
            self._open.append(made)

    def handle_endtag(self, name: str) -> None:
        assert self._open.pop().name == name

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words.append(data)


def fetch(world: World, path: str, **headers: str) -> httpx.Response:
    return world.get(BASE_URL + path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def event(world: World, title: str, start: str, end: str = "", **more: Any) -> dict[str, Any]:
    return world.make("events", title=title, start_date=start, end_date=end or start, **more)


def cell(page: Element, day: int) -> Element:
    """The cell of a day of the month that the page shows."""
    inside = [td for td in page.all("td") if "outside" not in td.attributes.get("class", "")]
    return inside[day - 1]


def titles(page: Element) -> list[str]:
    return [name.one("bdi").text for name in page.one("main").all("a", "name")]


def link(page: Element, way: str) -> str:
    return next(a.attributes["href"] for a in page.one("main").all("a") if way in a.attributes.get("rel", "").split())
