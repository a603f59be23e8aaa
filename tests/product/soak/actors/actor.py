"""What all clients share: a random choice of their own, requests to any node, and the pause after a failure."""

import random
from typing import Any

import httpx
from tests.product.soak.results import Results
from tests.product.soak.servers import Server

TIMEOUT = 60


class Actor:
    """A client that goes on until the run is over."""

    name = ""
    pause = 0.0  # seconds between two steps

    def __init__(self, number: int, seed: int, servers: list[Server], token: str, results: Results) -> None:
        self.number = number
        self.random = random.Random(f"{seed} {self.name} {number}")
        self.servers = servers
        self.results = results
        self.http = httpx.Client(timeout=TIMEOUT, limits=httpx.Limits(max_keepalive_connections=4))
        self.log_in = {"Authorization": f"Bearer {token}"}

    def run(self) -> None:
        try:
            while not self.results.over.is_set():
                self.step()
                self.results.over.wait(self.pause)
        except Exception as error:
            self.results.fail(f"{self.name}: {error!r}")
            raise
        finally:
            self.http.close()

    def step(self) -> None:
        raise NotImplementedError

    def ask(self, method: str, path: str, *, page: bool = False, **more: Any) -> httpx.Response | None:
        """The answer of some node; None when it is not known what came of the request."""
        server = self.random.choice(self.servers)
        try:
            answer = self.http.request(method, (server.url if page else server.ns) + path, **more)
        except httpx.TransportError:
            self.results.note_broken(self.name)
            self.results.over.wait(0.2)
            return None
        self.results.note(self.name, answer.status_code, f"{method} {path}: {answer.text[:300]}")
        if answer.status_code in (503, 507):
            self.results.over.wait(0.3)
            return None
        return answer
