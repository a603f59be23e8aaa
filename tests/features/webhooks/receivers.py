"""A receiver of webhooks on this machine, which answers as it is told and remembers what came."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import msgspec


class Message(NamedTuple):
    """What came: headers in lower case, and the body."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def changes(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json["data"]["changes"]
        return found


class Answer(NamedTuple):
    status: int = 200
    headers: Mapping[str, str] = {}
    body: bytes = b"thank you"


Respond = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Receiver:
    """`answers` come first, one after the other; then `usual`. A function does whatever it wants with a request.
    `connections`: how many were opened."""

    url: str = ""
    messages: list[Message] = field(default_factory=list)
    answers: list[Answer | Respond] = field(default_factory=list)
    usual: Answer | Respond = field(default_factory=Answer)
    connections: int = 0

    @property
    def ids(self) -> list[str]:
        return [message.id for message in self.messages]


@contextmanager
def receiving(*, keeps_open: bool = False) -> Iterator[Receiver]:
    """`keeps_open`: a connection stays open after an answer, as it does with most servers."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1" if keeps_open else "HTTP/1.0"

        def setup(self) -> None:
            receiver.connections += 1
            super().setup()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.messages.append(Message({name.lower(): value for name, value in self.headers.items()}, body))
            answer = receiver.answers.pop(0) if receiver.answers else receiver.usual
            if not isinstance(answer, Answer):
                answer(self)
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body if answer.status != 204 else b"")

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
