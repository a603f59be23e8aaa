"""Fixtures of the page tests: those of a browser, calendars, and a parser for the API reference."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.site.calendar_html import Element, Reader, Visit, World, event, fetch
from tests.site.record_html import ORGANIZER, VENUE

VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})


@dataclass
class Article:
    """One entry of the page: its text, the names in its rows, and the parameters that a form can be made of."""

    text: str = ""
    names: list[str] = field(default_factory=list)
    parameters: dict[str, dict[str, str]] = field(default_factory=dict)


class Page(HTMLParser):
    """An HTML page: its attributes, its ids, its links, and its articles by id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root: dict[str, str] = {}
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.articles: dict[str, Article] = {}
        self.text = ""
        self._inside: list[str] = []
        self._article: Article | None = None
        self.feed(html)
        assert self._inside == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag == "html":
            self.root = found
        if tag == "article":
            self._article = self.articles.setdefault(found["id"], Article())
        if self._article is not None and "data-name" in found:
            self._article.parameters[f"{found['data-place']} {found['data-name']}"] = found
        if tag not in VOID:
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop() == tag, "an element is not closed where it was opened"
        if tag == "article":
            self._article = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._article is None:
            return
        self._article.text += data
        if self._inside[-2:] == ["dt", "code"]:
            self._article.names.append(data)

    def values(self, attribute: str) -> list[str]:
        return [found[attribute] for _, found in self.tags if attribute in found]


@pytest.fixture(scope="session")
def parse_page() -> Callable[[str], Page]:
    """Of a page that many tests read, the API reference, the parser is the greater part of the time."""
    return lru_cache(16)(Page)


@pytest.fixture
def visit(world: World) -> Visit:
    """Opens a page of the calendar and parses it."""

    def open_page(path: str, status: int = 200, **headers: str) -> Element:
        response = fetch(world, path, **headers)
        assert response.status_code == status, response.text
        assert response.headers["Content-Type"] == "text/html; charset=UTF-8"
        return Reader(response.text).page

    return open_page


@pytest.fixture
def chosen(world: World) -> dict[str, Any]:
    music = world.make("categories", name="Music")
    folk = world.make("categories", name="Folk", parent=music["id"])
    barn = world.make("venues", venue="The Barn", geo_lat=52.0, geo_lng=5.0)
    club = world.make("organizers", organizer="Folk club")
    event(
        world,
        "Fiddles",
        "2027-03-10 19:00",
        categories=[folk["id"]],
        tags=["outdoors"],
        venue=barn["id"],
        organizer=club["id"],
        featured=True,
    )
    event(world, "Chess", "2027-03-10 20:00")
    return {"music": music, "barn": barn, "club": club}


@pytest.fixture
def mill(world: Any) -> Any:
    """A calendar with one event that has every field."""
    category = world.make("categories", name="Music")
    world.make("categories", name="Jazz", parent=category["id"])
    world.make(
        "events",
        title="Night Concert",
        description="<h1>Bring</h1><p>A <b>coat</b>. <img src='https://far.example/a.png' alt='Plan'></p>",
        excerpt="Under the sky.",
        start_date="2027-03-10 19:30:00",
        end_date="2027-03-10 21:00:00",
        timezone="Europe/Berlin",
        cost="10-20",
        website="https://concert.example/night",
        venue=VENUE,
        organizer=[ORGANIZER],
        categories=["jazz"],
        tags=["Outdoors"],
        tickets=[
            {
                "name": "Early",
                "price": "10",
                "currency": "EUR",
                "url": "https://tickets.example/1",
                "starts": "2027-01-01 09:00",
                "ends": "2027-02-01 09:00",
            }
        ],
    )
    return world


@pytest.fixture(scope="module")
def publish() -> Iterator[Callable[..., str]]:
    """Serves a page from another origin whose security policy allows only the calendar."""
    pages: list[tuple[str, str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            html, calendar, more = pages[int(self.path[1:])]
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=UTF-8")
            policy = f"default-src 'none'; script-src {calendar}; connect-src {calendar}; img-src data:{more}"
            self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    def put(content: str, calendar: str, *, lang: str = "en", colors: str = "light dark", policy: str = "") -> str:
        head = (
            f'<meta charset="utf-8"><title>A club</title><meta name="color-scheme" content="{colors}">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
            f'<script src="{calendar}/embed.js" async></script>'
        )
        body = f"<main><h1>A club</h1>{content}</main>"
        html = f'<!doctype html><html lang="{lang}"><head>{head}</head><body>{body}</body></html>'
        pages.append((html, calendar, policy))
        return f"http://127.0.0.1:{server.server_port}/{len(pages) - 1}"

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield put
    server.shutdown()
    server.server_close()
