"""A server on loopback whose responses the tests choose, and fetches from it."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Sequence

import pytest

from kalends.calendar.fetching.public_networks import Address
from kalends.calendar.fetching.reach import Reach
from kalends.calendar.images.fetching import FetchLimits, FetchRefused, fetch_image

IMAGE = b"\x89PNG not decoded here"
GOOD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: %d\r\n\r\n%b" % (len(IMAGE), IMAGE)
LOOPBACK = ipaddress.ip_address("127.0.0.1")
PUBLIC = ipaddress.ip_address("93.184.216.34")
NOT_PUBLIC = "The image URL does not lead to a public address."
Answer = bytes | Callable[[socket.socket], None]


class Server:
    """Answers on 127.0.0.1 by path with the bytes that a test has set, and records the requests."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.answers: dict[str, Answer] = {"/image.png": GOOD}
        self.requests: list[str] = []
        self.connections = 0
        self._tls = tls
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def url(self, path: str = "/image.png", host: str = "images.test", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(2)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                try:
                    self._answer(connection)
                except OSError:
                    continue  # the client went away, as it should

    def _answer(self, connection: socket.socket) -> None:
        if self._tls is not None:
            connection = self._tls.wrap_socket(connection, server_side=True)
        with connection:
            request = b""
            while b"\r\n\r\n" not in request and (piece := connection.recv(4096)):
                request += piece
            self.requests.append(request.decode())
            answer = self.answers[request.split()[1].decode()]
            if callable(answer):
                answer(connection)
            else:
                connection.sendall(answer)


class Names:
    """A resolver that knows a few names and records them; each further lookup takes the next answer."""

    def __init__(self, **answers: Sequence[Sequence[Address]]) -> None:
        self.answers = {name.replace("_", "."): list(replies) for name, replies in answers.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[Address]:
        self.asked.append(host)
        replies = self.answers.get(host)
        if replies is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return replies.pop(0) if len(replies) > 1 else replies[0]


def local(address: Address) -> bool:
    return address.is_loopback


def fetch(url: str, limits: FetchLimits | None = None, names: Names | None = None) -> bytes:
    """With loopback addresses allowed."""
    names = names or Names(images_test=[[LOOPBACK]])
    return fetch_image(url, limits or FetchLimits(timeout=5), Reach(names, local, ports=None))


def refusal_of(fetching: Callable[[], bytes]) -> str:
    with pytest.raises(FetchRefused) as refused:
        fetching()
    return str(refused.value)


def redirect(location: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
