"""Clients besides wrk: concurrent readers, a writer at a steady rate, and an import."""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from servers import Running

TIMEOUT = 120  # seconds


class Readers:
    """Concurrent clients, each of which requests the next of the paths; counts the response statuses."""

    def __init__(self, server: Running, clients: int, paths: Iterator[str]) -> None:
        self.base = urlsplit(server.base)
        self.clients = clients
        self.statuses: Counter[int] = Counter()
        self._paths = paths
        self._lock = threading.Lock()

    @contextmanager
    def reading(self) -> Iterator[None]:
        stop = threading.Event()
        threads = [threading.Thread(target=self._read, args=(stop,)) for _ in range(self.clients)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)  # until all of them wait for a response
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def _read(self, stop: threading.Event) -> None:
        while not stop.is_set():
            with self._lock:
                path = next(self._paths)
            # A connection for each request reaches either worker.
            connection = http.client.HTTPConnection(self.base.netloc, timeout=TIMEOUT)
            connection.request("GET", path)
            response = connection.getresponse()
            while not stop.is_set() and response.read(65536):
                pass
            connection.close()
            with self._lock:
                self.statuses[response.status] += 1
            if response.status == 503:
                stop.wait(float(response.headers.get("Retry-After", 1)))

    def summary(self) -> str:
        return ", ".join(f"{count} × {status}" for status, count in sorted(self.statuses.items()))


def new_event(title: str) -> dict[str, object]:
    """What a client sends to create a plain event."""
    times = {"start_date": "2027-03-10 19:00:00", "end_date": "2027-03-10 21:00:00"}
    return {"title": title, "description": "An evening.", "status": "publish", **times}


class Writer:
    """A client that creates and updates events with a token, on one connection."""

    def __init__(self, server: Running, token: str) -> None:
        base = urlsplit(server.base)
        self._path = base.path
        self._connection = http.client.HTTPConnection(base.netloc, timeout=TIMEOUT)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object],
        expected: int,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Sends a request that must have this status; the JSON of the response."""
        self._connection.request(method, self._path + path, json.dumps(body), {**self._headers, **headers})
        response = self._connection.getresponse()
        content = response.read()
        if response.status != expected:
            raise RuntimeError(f"{method} {path}: {response.status} {content[:300]!r}")
        found: dict[str, Any] = json.loads(content)
        return found

    def close(self) -> None:
        self._connection.close()


class SteadyWriter:
    """Updates these events in turn, at a number of writes a second."""

    def __init__(self, server: Running, token: str, events: Sequence[int]) -> None:
        self._server, self._token, self._events = server, token, events
        self.rate = 0.0

    @contextmanager
    def writing(self, a_second: int) -> Iterator[None]:
        stop, done, begun = threading.Event(), 0, time.monotonic()

        def write() -> None:
            nonlocal done
            writer = Writer(self._server, self._token)
            while not stop.wait(max(0.0, begun + done / a_second - time.monotonic())):
                event = self._events[done % len(self._events)]
                writer.send("PUT", f"/events/{event}", {"website": f"https://example.org/{begun}/{done}"}, 200)
                done += 1
            writer.close()

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self.rate = done / (time.monotonic() - begun)


def import_events(server: Running, token: str, events: int, clients: int, title: str) -> None:
    """Creates a number of public events through the API."""

    def create(numbers: range) -> None:
        writer = Writer(server, token)
        for number in numbers:
            day = f"2027-{number % 12 + 1:02}-{number % 28 + 1:02}"
            body = {
                "title": f"{title} {number}",
                "description": "An evening.",
                "start_date": f"{day} 19:00:00",
                "end_date": f"{day} 21:00:00",
                "status": "publish",
            }
            writer.send("POST", "/events", body, 201)
        writer.close()

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(create, [range(first, events, clients) for first in range(clients)]))
