"""What it costs to rename a venue that many events show. The next list of its events must show the new name."""

import http.client
import json
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from contestants import Running
from data import Sample
from tokens import token_for

FEWEST = 10


@dataclass(frozen=True)
class Renames:
    """Milliseconds of each, and how many events show the venue."""

    events: int
    taken: Sequence[float]

    @property
    def p50(self) -> float:
        return median(self.taken)

    @property
    def p99(self) -> float:
        return sorted(self.taken)[int(len(self.taken) * 0.99)]


def rename(server: Running, of: Sample, database: str, seconds: int) -> Renames:
    """Renames for so long, and gives the venue its name back. Only the renames are timed."""
    headers = {"Authorization": f"Bearer {token_for(of, database)}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(urlsplit(server.base).netloc, timeout=60)
    listed = f"{server.base}/events?venue={of.venue}&start_date=2020-01-01&end_date=2030-01-01"
    before, taken = _json(listed), []

    def put(name: str) -> float:
        path, body = f"{urlsplit(server.base).path}/venues/{of.venue}", json.dumps({"venue": name})
        begun = time.perf_counter()
        connection.request("PUT", path, body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"a rename was answered with {answer.status}")
        return (time.perf_counter() - begun) * 1000

    until = time.monotonic() + seconds
    try:
        while len(taken) < FEWEST or time.monotonic() < until:
            name = f"Hall {len(taken)}"
            taken.append(put(name))
            # On a connection of its own, which goes to either worker.
            if _names(_json(listed)) != {name}:
                raise RuntimeError("the list after a rename does not show the new name")
    finally:
        put(*_names(before))
        connection.close()
    return Renames(before["total"], taken)


def _names(found: dict[str, Any]) -> set[str]:
    return {event["venue"]["venue"] for event in found["events"]}


def _json(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(address) as answer:
        found: dict[str, Any] = json.load(answer)
        return found
