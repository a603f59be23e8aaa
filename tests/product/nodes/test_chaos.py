"""Two nodes, a primary and a streaming replica under load while each of them fails once: nothing acknowledged is
lost, nobody reads less than they wrote, and no failure is worse than a 503."""

import random
import signal
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.effort import effort
from tests.product.nodes.conftest import PASSWORD, Node, event
from tests.product.nodes.test_nodes import in_parallel

CLIENTS = 16
OPERATIONS = effort(800, 10_000)


@dataclass
class Known:
    """An event of a client: what it was told last, or None after a deletion; unsure when an answer never came."""

    id: int
    title: str | None
    sure: bool = True


@dataclass
class Calls:
    """What all clients count together."""

    left: int = OPERATIONS
    unavailable: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> bool:
        with self.lock:
            self.left -= 1
            return self.left >= 0


class Client:
    """Somebody who writes events of their own and reads them back, on whichever node."""

    def __init__(self, number: int, nodes: list[Node], token: str, calls: Calls) -> None:
        self.number = number
        self.nodes = nodes
        self.calls = calls
        self.random = random.Random(number)
        self.known: list[Known] = []
        self.http = httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=30)

    def run(self) -> None:
        while self.calls.take():
            doing = self.random.random()
            if doing < 0.25 or not self.known:
                self.create()
            elif doing < 0.45:
                self.update(self.random.choice(self.known))
            elif doing < 0.5:
                self.delete(self.random.choice(self.known))
            elif doing < 0.85:
                self.read(self.random.choice(self.known))
            else:
                self.list()
        self.http.close()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response | None:
        """An answer from some node; None if it is not known what came of the request."""
        node = self.random.choice(self.nodes)
        try:
            answer = self.http.request(method, node.ns + path, **more)
        except httpx.TransportError:
            time.sleep(0.1)
            return None
        if answer.status_code == 503:
            assert int(answer.headers["Retry-After"]) > 0
            self.calls.unavailable += 1
            time.sleep(0.5)
            return None
        assert answer.status_code < 500, f"{method} {path}: {answer.text}"
        return answer

    def create(self) -> None:
        title = f"Event {self.number} {self.random.random()}"
        answer = self.ask("POST", "/events", json=event(title, tags=[f"client-{self.number}"]))
        if answer is not None:
            assert answer.status_code == 201, answer.text
            self.known.append(Known(answer.json()["id"], title))

    def update(self, known: Known) -> None:
        if known.title is None:
            return
        title = f"Event {self.number} {self.random.random()}"
        answer = self.ask("POST", f"/events/{known.id}", json={"title": title})
        if answer is None:
            known.sure = False
        elif known.sure:
            assert answer.status_code == 200, answer.text
            known.title = title

    def delete(self, known: Known) -> None:
        answer = self.ask("DELETE", f"/events/{known.id}?force=true")
        if answer is None:
            known.sure = False
        elif known.sure:
            assert answer.status_code == (404 if known.title is None else 200), answer.text
            known.title = None

    def read(self, known: Known) -> None:
        answer = self.ask("GET", f"/events/{known.id}")
        if answer is not None and known.sure:
            check(known, answer)

    def list(self) -> None:
        query = {"tags": f"client-{self.number}", "per_page": 50, "page": 1, "start_date": "2027-01-01"}
        answer = self.ask("GET", "/events", params=query)
        if answer is None or answer.status_code == 400:  # the tag comes with the first event
            return
        page = answer.json()
        shown = {found["id"]: found["title"] for found in page["events"]}
        for known in self.known:
            if known.sure and known.title is None:
                assert known.id not in shown
            elif known.sure and (known.id in shown or page["total_pages"] == 1):
                assert shown[known.id] == known.title


def check(known: Known, answer: httpx.Response) -> None:
    if known.title is None:
        assert answer.status_code == 404, answer.text
    else:
        assert (answer.status_code, answer.json().get("title")) == (200, known.title)


def test_failures_of_every_part_lose_nothing(clusters: Any, nodes: Any) -> None:
    primary = clusters(careful=True)
    primary.execute("CREATE DATABASE calendar")
    replica = clusters(copy_of=primary, settings="hot_standby = on\nhot_standby_feedback = on\n")
    # Each node reads from the replica and writes to the primary.
    both = [nodes(primary.url("calendar"), database_replica=replica.url("calendar")) for _ in range(2)]
    made = httpx.post(f"{both[0].ns}/users/1/tokens", auth=("admin", PASSWORD), json={"name": "chaos"})
    calls = Calls()
    clients = [Client(number, both, made.json()["token"], calls) for number in range(CLIENTS)]

    def at(done: float) -> None:
        """Waits until a part of the operations is over."""
        while calls.left > OPERATIONS * (1 - done):
            time.sleep(0.05)

    def fail() -> None:
        at(0.1)
        both[0].kill()
        at(0.2)
        both[0].start()
        at(0.35)
        replica.stop(signal.SIGQUIT)
        at(0.5)
        replica.start()
        at(0.65)
        primary.stop(signal.SIGQUIT)
        time.sleep(1)
        primary.start()
        at(0.8)
        both[1].kill()
        at(0.85)
        both[1].start()

    in_parallel(fail, *(client.run for client in clients))
    known = [known for client in clients for known in client.known]
    assert len(known) > OPERATIONS / 8
    assert sum(not found.sure for found in known) < len(known) / 2
    for node in both:
        with httpx.Client(headers=clients[0].http.headers, timeout=30) as http:
            for found in known:
                if found.sure:
                    check(found, http.get(f"{node.ns}/events/{found.id}"))
        assert "Traceback" not in node.log.read_text()
