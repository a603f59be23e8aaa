"""A service for browsers in a thread of the test process: one of its own would take two seconds to start."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote

from tests.stores import Template, careless_store

from kalends.bootstrap import make_calendar
from kalends.http.app import KalendsApp
from kalends.settings import load
from kalends.worker import make_app

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")


class Server(ThreadingHTTPServer):
    """Connections stay open: a page asks for dozens of files."""

    app: KalendsApp
    request_queue_size = 128


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def answer(self) -> None:
        started: list[Any] = []
        body = self.server.app(self.environ(), lambda *status_and_headers: started.extend(status_and_headers))
        content = b"".join(body)
        if close := getattr(body, "close", None):
            close()
        status, headers = started[0], started[1]
        code, _, reason = status.partition(" ")
        self.send_response_only(int(code), reason)
        for name, value in headers:
            self.send_header(name, value)
        if "content-length" not in {name.lower() for name, _ in headers}:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def environ(self) -> dict[str, Any]:
        path, _, query = self.path.partition("?")
        length = self.headers.get("Content-Length", "")
        found = {
            "REQUEST_METHOD": self.command,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote(path, "latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": self.server.server_name,
            "SERVER_PORT": str(self.server.server_port),
            "SERVER_PROTOCOL": self.request_version,
            "REMOTE_ADDR": self.client_address[0],
            "CONTENT_LENGTH": length,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(self.rfile.read(int(length or 0))),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        if kind := self.headers.get("Content-Type"):
            found["CONTENT_TYPE"] = kind
        return found | {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in self.headers.items()}

    def log_message(self, *_: object) -> None:
        pass


for method in METHODS:
    setattr(Handler, f"do_{method}", Handler.answer)


@contextmanager
def served(template: Template, data: Path, **chosen: str) -> Iterator[str]:
    """The address of a calendar with users and no events, and with these settings."""
    template.fresh(data)
    settings = load(data, chosen, {})
    calendar = make_calendar(settings, store=careless_store(settings))
    with Server(("127.0.0.1", 0), Handler) as server:
        server.app = make_app(calendar)
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        calendar.background.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        calendar.background.stop()
    template.give_back(calendar.store)
