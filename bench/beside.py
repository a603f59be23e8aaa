"""What goes on beside a measurement: a writer at a steady pace, and readers of slow things."""

import http.client
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from contestants import Running
from data import COMMON, Sample
from tokens import token_for

# A phrase, for which the texts themselves are looked through, and all events as one file.
SLOW = (f"/events?search=%22e%20{COMMON}%22&start_date=2020-01-01&end_date=2030-01-01", "/events.ics")


class Writer:
    """Changes events of the past, one after the other."""

    def __init__(self, server: Running, of: Sample) -> None:
        self.server = server
        self.rate = 0.0
        self._token = token_for(of)
        connection = sqlite3.connect(of.folder / "kalends.db")
        chosen = "SELECT id FROM event WHERE reach = 2 AND end_local < '2022' LIMIT 500"
        self._ids = [id for (id,) in connection.execute(chosen)]
        connection.close()

    @contextmanager
    def writing(self, a_second: int) -> Iterator[None]:
        stop, done, begun = threading.Event(), [0], time.monotonic()

        def write() -> None:
            connection = http.client.HTTPConnection(urlsplit(self.server.base).netloc)
            headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
            while not stop.wait(max(0.0, begun + done[0] / a_second - time.monotonic())):
                body = json.dumps({"website": f"https://example.org/{done[0]}"})
                path = f"{urlsplit(self.server.base).path}/events/{self._ids[done[0] % len(self._ids)]}"
                connection.request("PUT", path, body, headers)
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    raise RuntimeError(f"a write was answered with {answer.status}")
                done[0] += 1
            connection.close()

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self.rate = done[0] / (time.monotonic() - begun)


class SlowReaders:
    """So many clients who ask for something slow, and ask again when they have it."""

    def __init__(self, server: Running, clients: int) -> None:
        self.server = server
        self.clients = clients
        self.done = self.refused = 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        stop = threading.Event()
        threads = [
            threading.Thread(target=self._read, args=(SLOW[number % len(SLOW)], stop), daemon=True)
            for number in range(self.clients)
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def _read(self, path: str, stop: threading.Event) -> None:
        base = urlsplit(self.server.base)
        number = 0
        while not stop.is_set():
            number += 1
            connection = http.client.HTTPConnection(base.netloc, timeout=120)
            # Another question each time, so that no answer is ready.
            under = path if path.endswith(".ics") else f"{base.path}{path}&per_page={number % 50 + 1}"
            connection.request("GET", under)
            answer = connection.getresponse()
            while not stop.is_set() and answer.read(65536):
                pass
            if answer.status == 503:
                self.refused += 1
                stop.wait(float(answer.headers.get("Retry-After", 1)))
            else:
                self.done += 1
            connection.close()
