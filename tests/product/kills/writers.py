"""Clients that create events under a key each, and repeat a request that was cut off until it is answered."""

import threading
import time
from itertools import count

import httpx
from tests.product.soak.servers import PASSWORD

DATES = {"start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"}
PAUSE = 0.1  # seconds between two events of one client
BEFORE_AGAIN = 0.2  # seconds until a request is repeated


class Writer(threading.Thread):
    def __init__(self, name: str, ns: str) -> None:
        super().__init__(name=name, daemon=True)
        self._ns = ns
        self._ended = threading.Event()
        self.created: dict[str, set[int]] = {}  # the ids that were answered for each title
        self.cut_off = 0  # requests without an answer
        self.replayed = 0  # answers that were stored before
        self.problems: list[str] = []

    def run(self) -> None:
        with httpx.Client(auth=("admin", PASSWORD), timeout=30) as client:
            for number in count():
                if self._ended.wait(PAUSE):
                    return
                self._create(client, f"{self.name}-{number}")

    def _create(self, client: httpx.Client, title: str) -> None:
        tries = 0
        while tries < 1000:
            tries += 1
            try:
                answer = client.post(
                    f"{self._ns}/events", json={"title": title} | DATES, headers={"Idempotency-Key": title}
                )
            except httpx.TransportError:
                self.cut_off += 1
                time.sleep(BEFORE_AGAIN)
                continue
            if answer.status_code == 201:
                self.created.setdefault(title, set()).add(answer.json()["id"])
                self.replayed += answer.headers.get("Idempotency-Replayed") == "true"
                return
            if answer.status_code < 500:
                self.problems.append(f"{title}: {answer.status_code} {answer.text[:200]}")
                return
            time.sleep(BEFORE_AGAIN)
        self.problems.append(f"{title} was never answered")

    def end(self) -> None:
        """After its last request was answered."""
        self._ended.set()
        self.join(120)
