"""What a client sent and does not wait for any more: a service as a process, and clients that leave it."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import pytest
from tests.conftest import World
from tests.product.nodes.conftest import Node
from tests.waiting import until

from kalends.calendar.admission import LONGEST_UNASKED

SECONDS = 60
BATCH = "/api/calendar/events/v1/batch"
GONE, STAYS = "127.0.0.2", "127.0.0.3"  # clients are known by their addresses

pytestmark = [
    pytest.mark.both_stores,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs what Linux says of sockets"),
]


@contextmanager
def served(world: World) -> Iterator[Node]:
    settings = world.calendar.settings
    node = Node(settings.data, settings.database, metrics="127.0.0.1", database_timeout=str(SECONDS))
    try:
        yield node.start()
    finally:
        node.kill()


def send(node: Node, world: World, address: str, who: str, title: str, *, atomic: bool = True) -> socket.socket:
    """The connection over which a batch was sent."""
    event = {"title": title, "start_date": "2027-03-01 10:00:00", "end_date": "2027-03-01 11:00:00"}
    writes = [{"method": "POST", "path": "/events", "body": event | {"status": "publish"}}] * 3
    body = json.dumps({"requests": writes, "atomic": atomic}).encode()
    lines = [f"POST {BATCH} HTTP/1.1", "Host: calendar.test", f"Authorization: Bearer {world.tokens[who]}"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}", "", ""]
    connection = socket.create_connection(("127.0.0.1", node.port), SECONDS, source_address=(address, 0))
    connection.sendall("\r\n".join(lines).encode() + body)
    return connection


def writes(node: Node) -> tuple[int, int]:
    """How many have a place, and how many wait for one."""
    lines = httpx.get(f"{node.url}/metrics", timeout=SECONDS).text.splitlines()
    found = dict(line.rsplit(" ", 1) for line in lines if 'class="write"' in line)
    running, waiting = (found[f'kalends_work_{what}{{class="write"}}'] for what in ("running", "waiting"))
    return int(float(running)), int(float(waiting))


def test_what_nobody_waits_for_does_not_begin(world: World) -> None:
    with served(world) as node, ExitStack() as opened:
        with world.calendar.store.write():
            # Four of them wait for the writers' lock, and the others for a place.
            gone = [
                send(node, world, GONE, "administrator", f"Gone {number}", atomic=number % 2 == 0)
                for number in range(8)
            ]
            stays = opened.enter_context(closing(send(node, world, STAYS, "editor", "Stays")))
            until(lambda: writes(node) == (5, 4))
            for connection in gone:
                connection.close()
            left = time.monotonic()
            until(lambda: time.monotonic() - left > 2 * LONGEST_UNASKED)
        assert stays.recv(100).startswith(b"HTTP/1.1 207 ")
        until(lambda: writes(node) == (0, 0))
        found = httpx.get(f"{node.ns}/events", params={"start_date": "2027-01-01", "per_page": 50}, timeout=SECONDS)
        assert [event["title"] for event in found.json()["events"]] == ["Stays"] * 3
        assert "unavailable" not in node.log.read_text()
