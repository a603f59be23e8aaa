"""A calendar elsewhere, on this machine: what it answers with is set by the test, and it counts who asked."""

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.conftest import World

ICS = "text/calendar; charset=utf-8"


@dataclass
class Elsewhere:
    """One address. `answer` does whatever it wants with a request; without it, `body` is sent, with an ETag if there
    is one."""

    url: str = ""
    body: bytes = b""
    content_type: str = ICS
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    etag: str = ""
    answer: Callable[[BaseHTTPRequestHandler], None] | None = None
    asked: list[Mapping[str, str]] = field(default_factory=list)

    def show(self, *entries: str, **calendar: str) -> None:
        """A calendar file with these entries."""
        self.body = calendar_file(*entries, **calendar)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    elsewhere: Elsewhere

    def do_GET(self) -> None:
        remote = self.elsewhere
        remote.asked.append({"path": self.path} | {name.lower(): value for name, value in self.headers.items()})
        if remote.answer is not None:
            remote.answer(self)
            return
        if remote.etag and self.headers.get("If-None-Match") == remote.etag:
            self.send_response(304)
            self.end_headers()
            return
        self.send_response(remote.status)
        self.send_header("Content-Type", remote.content_type)
        self.send_header("Content-Length", str(len(remote.body)))
        for name, value in (({"ETag": remote.etag} if remote.etag else {}) | remote.headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(remote.body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def elsewhere(tls: ssl.SSLContext | None = None) -> Iterator[Elsewhere]:
    remote = Elsewhere()
    handler = type("OneHandler", (Handler,), {"elsewhere": remote})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    remote.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}/events"
    try:
        yield remote
    finally:
        server.shutdown()
        server.server_close()


def calendar_file(*entries: str, **properties: str) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Town hall//EN", "X-WR-TIMEZONE:Europe/Dublin"]
    lines += [f"{name}:{value}" for name, value in properties.items()]
    return "\r\n".join([*lines, *entries, "END:VCALENDAR", ""]).encode()


def entry(uid: str, start: str, title: str = "Concert", /, end: str = "", **more: str) -> str:
    """An event of a calendar file. `start` is such as `20270310T190000`; names have dashes for underscores."""
    lines = [f"UID:{uid}", f"DTSTART:{start}", f"SUMMARY:{title}"]
    lines += [f"DTEND:{end}"] if end else []
    lines += [f"{name.replace('_', '-')}:{value}" for name, value in more.items()]
    return "\r\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT"])


def add(world: World, remote: Elsewhere, **body: Any) -> dict[str, Any]:
    """A source of that address, which was not read yet."""
    response = world.post("/sources", json={"address": remote.url} | body)
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made


def read(world: World, source: Mapping[str, Any]) -> dict[str, Any]:
    """Reads it at once; how it is then."""
    response = world.post(f"/sources/{source['id']}/read")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def run(world: World) -> None:
    """Everything that is due now."""
    world.calendar.background.run_due()


def events(world: World, **query: str) -> list[dict[str, Any]]:
    """What an administrator finds, by start."""
    query = {"start_date": "2020-01-01", "end_date": "2040-01-01", "per_page": "50"} | query
    response = world.get("/events", "administrator", params=query)
    assert response.status_code == 200, response.text
    return list(response.json()["events"])


def titles(world: World, **query: str) -> list[str]:
    return [one["title"] for one in events(world, **query)]


def counts(source: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(source[name] for name in ("created", "changed", "unchanged", "gone", "held"))
