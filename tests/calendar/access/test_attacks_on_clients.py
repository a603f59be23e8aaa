"""Attacks that similar systems were open to, one test each: header injection, SSRF, script in texts."""

import http.server
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from tests.pictures import png

from kalends.calendar.fetching.reach import Reach
from kalends.calendar.images import fetching, image_store

DAYS = {"start_date": "2027-03-10", "end_date": "2027-03-10"}
NAMES = {"events": "title", "venues": "venue", "organizers": "organizer", "categories": "name", "tags": "name"}
BREAKS = (
    "\r\nX-Injected: yes",
    "\nX-Injected: yes",
    "\rX-Injected: yes",
    "\u0085X-Injected: yes",
    "\u2028X-Injected: yes",
)


@pytest.mark.parametrize("line", BREAKS)
def test_line_breaks_do_not_inject_headers(world: Any, line: str) -> None:
    name = f"name{line}"
    answers = []
    for kind, field in NAMES.items():
        body = {field: name, "slug": f"slug{line}"} | (DAYS if kind == "events" else {})
        answers.append(world.post(f"/{kind}", json=body))
        answers.append(world.get(f"/{kind}?search={quote(name)}&_fields={quote(line)}&lang={quote(line)}"))
    answers.append(world.get(f"/venues?status={quote(line)}"))
    if line.isascii():
        answers.append(world.get(f"/events/by-slug/{quote(name, safe='')}"))
    out = png(8, 8)
    answers.append(world.post("/media", files={"file": (f"a{line}.png", out, "image/png")}))
    assert answers[-1].status_code == 201
    answers.append(world.get(answers[-1].json()["url"], "administrator"))
    for answer in answers:
        assert answer.status_code < 500
        assert "x-injected" not in answer.headers
        for header, value in answer.headers.items():
            assert value.isascii(), header
            assert value.isprintable(), header
    assert "X-Injected" not in answers[-2].headers["location"]


class InternalService(http.server.BaseHTTPRequestHandler):
    """A service in the internal network; it records the requests that reach it."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(302 if self.path == "/redirect" else 200)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_address[1]}/internal.png")
        self.send_header("Content-Type", "image/png")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def internal() -> Iterator[tuple[int, list[str]]]:
    handler = type("Handler", (InternalService,), {"asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server.server_address[1], handler.asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def fetching_world(world: Any, internal: tuple[int, list[str]], monkeypatch: Any) -> Any:
    """The calendar with the real fetcher, which may use the port of the internal service."""
    world.calendar.fetch = image_store.fetch
    monkeypatch.setattr(fetching.fetch_image, "__defaults__", (Reach(ports={internal[0]}),))
    return world


HOSTS = (
    "127.0.0.1",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "internal.test",
    "127.0.0.1.",
    "LOCALHOST",
    "①②⑦.0.0.1",
    "[::]",
    "10.0.0.1",
    "169.254.169.254",
    "192.168.1.1",
)


@pytest.mark.parametrize("host", HOSTS)
def test_images_at_internal_addresses_are_not_fetched(
    fetching_world: Any, internal: Any, host: str, monkeypatch: Any
) -> None:
    port, asked = internal
    real = socket.getaddrinfo
    names = {"internal.test": "127.0.0.1"}
    monkeypatch.setattr(socket, "getaddrinfo", lambda name, *a, **k: real(names.get(name, name), *a, **k))
    before = fetching_world.count()
    for body in (
        {"image": f"http://{host}:{port}/x.png"},
        {"venue": {"venue": "V", "image": f"http://{host}:{port}/x.png"}},
    ):
        response = fetching_world.post("/events", json={"title": "T", **DAYS, **body})
        assert response.status_code == 400
        assert response.json()["code"] == "rest_invalid_param"
    assert asked == []
    assert fetching_world.count() == before
    folder = fetching_world.calendar.settings.data / "media"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_redirects_to_internal_addresses_are_not_followed(
    fetching_world: Any, internal: Any, monkeypatch: Any
) -> None:
    """The first address counts as public; the target of its redirect is checked again and not requested."""
    port, asked = internal
    allowed: list[Any] = []

    def public_at_first(address: Any) -> bool:
        allowed.append(address)
        return len(allowed) == 1

    reach = Reach(allow=public_at_first, ports={port})
    monkeypatch.setattr(fetching.fetch_image, "__defaults__", (reach,))
    body = {"title": "T", **DAYS, "image": f"http://127.0.0.1:{port}/redirect"}
    response = fetching_world.post("/events", json=body)
    assert response.status_code == 400
    assert asked == ["/redirect"]
    assert len(allowed) == 2
    assert fetching_world.get("/events").json()["total"] == 0
    assert urlsplit(body["image"]).netloc not in response.json()["message"]


ATTACKS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<iframe src='https://evil.test'></iframe>",
    "<style>*{display:none}</style>",
    "<p style='color:red' onclick='x()'>x</p>",
    "<math><mi xlink:href='data:x,<script>alert(1)</script>'></math>",
    "<<script>script>alert(1)<</script>/script>",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "<form action='//evil.test'><input></form>",
    "<scr\0ipt>alert(1)</scr\0ipt>",
)
FORBIDDEN = (
    "<script",
    "onerror",
    "onload",
    "onclick",
    "javascript:",
    "<iframe",
    "<style",
    "style=",
    "<svg",
    "<math",
    "<form",
)


@pytest.mark.parametrize("attack", ATTACKS)
def test_script_is_removed_from_every_text(world: Any, attack: str) -> None:
    texts = {
        "events": ("title", "description", "excerpt", "cost"),
        "venues": (
            "venue",
            "description",
            "excerpt",
            "address",
            "city",
            "country",
            "province",
            "state",
            "zip",
            "phone",
            "stateprovince",
        ),
        "organizers": ("organizer", "description", "excerpt", "phone"),
        "categories": ("name", "description"),
        "tags": ("name", "description"),
    }
    for kind, fields in texts.items():
        body = dict.fromkeys(fields, f"word {attack} end") | (DAYS if kind == "events" else {})
        body |= {"tickets": [{"name": f"word {attack}"}]} if kind == "events" else {}
        made = world.make(kind, "administrator", **body)
        said = world.get(f"/{kind}/{made['id']}")
        assert said.headers["content-type"].startswith("application/json")
        assert said.headers["x-content-type-options"] == "nosniff"
        found = [word for word in FORBIDDEN if word in said.text.lower().replace("\\u003c", "<")]
        assert not found, (kind, found, said.text)
        assert "word" in said.text
    for name in ("website", "image"):
        response = world.post("/events", json=DAYS | {"title": "x", name: f"javascript:{attack}"})
        assert response.status_code == 400
