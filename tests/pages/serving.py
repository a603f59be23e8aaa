"""A service for browsers in a thread of the test process: one of its own would take two seconds to start."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from tests.stores import Template, careless_store

from kalends.bootstrap import make_calendar
from kalends.settings import load
from kalends.worker import make_app


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Handler(WSGIRequestHandler):
    def get_environ(self) -> dict[str, Any]:
        """What the service is given elsewhere too: no type where none was sent, and a body that ends."""
        environ = super().get_environ()
        if "Content-Type" not in self.headers:
            del environ["CONTENT_TYPE"]
        return environ

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(template: Template, data: Path, **chosen: str) -> Iterator[str]:
    """The address of a calendar with users and no events, and with these settings."""
    template.fresh(data)
    settings = load(data, chosen, {})
    calendar = make_calendar(settings, store=careless_store(settings))
    app = make_app(calendar)

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        return app(environ | {"wsgi.input": BytesIO(body)}, start_response)

    with Server(("127.0.0.1", 0), Handler) as server:
        server.set_app(answer)
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        calendar.background.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        calendar.background.stop()
    template.give_back(calendar.store)
