"""A node that freezes in the middle of a write: the others write again, and it does not acknowledge what is undone;
and a database that restarts under batches and writes with keys."""

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest
from tests.clusters import Cluster
from tests.effort import EVERYTHING, effort
from tests.product.nodes.conftest import Node, client, event
from tests.waiting import until

from kalends.store.engine.postgresql import LOCK

HELD = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = {LOCK} AND granted"
SERIES = event("frozen", recurrence="RRULE:FREQ=DAILY;COUNT=900", description="a long text " * 40)


def stop_in_a_write(node: Node, database: str) -> None:
    """Stops all processes of a node while one of them has the writers' lock."""
    assert node._process is not None
    group = node._process.pid
    with psycopg.connect(database, autocommit=True) as connection:

        def stopped() -> bool:
            if connection.execute(HELD).fetchone() is None:
                return False
            os.killpg(group, signal.SIGSTOP)
            time.sleep(0.1)
            if connection.execute(HELD).fetchone() is not None:
                return True
            os.killpg(group, signal.SIGCONT)
            return False

        until(stopped)


@pytest.mark.skipif(not EVERYTHING, reason="takes half a minute: make test-all")
def test_the_others_write_again_within_half_a_minute(database: str, nodes: Callable[..., Node]) -> None:
    first, second = nodes(database), nodes(database)
    answers: list[httpx.Response] = []

    def create() -> None:
        with client(first) as asking:
            answers.append(asking.post("/events", json=SERIES, timeout=120))

    thread = threading.Thread(target=create)
    thread.start()
    stop_in_a_write(first, database)
    assert first._process is not None
    try:
        began, statuses = time.monotonic(), list[int]()
        with client(second) as asking:
            while 201 not in statuses:
                statuses.append(asking.post("/events", json=event("other")).status_code)
                assert time.monotonic() - began < 30
            assert set(statuses) <= {201, 503}
    finally:
        os.killpg(first._process.pid, signal.SIGCONT)
    thread.join(120)
    with client(second) as asking:
        found = {"search": "frozen", "start_date": "2027-01-01", "end_date": "2030-12-31", "per_page": "1"}
        assert answers[0].status_code in (201, 503)
        if answers[0].status_code == 503:
            assert asking.get("/events", params=found).json()["total"] == 0
        else:  # its first transaction was committed: what is left of the dates follows
            until(lambda: asking.get("/events", params=found).json()["total"] == 900)


def test_a_restart_of_the_database_under_writes_is_503_and_what_failed_was_undone(
    clusters: Callable[..., Cluster], nodes: Callable[..., Node]
) -> None:
    cluster = clusters(careful=True)
    cluster.execute("CREATE DATABASE calendar")
    node = nodes(cluster.url("calendar"))
    ends, outcomes, kept = threading.Event(), dict[str, int](), list[str]()

    def write(name: str, send: Callable[[httpx.Client, str], list[tuple[str, int]]]) -> None:
        with client(node) as asking:
            for number in range(10_000):
                if ends.is_set():
                    return
                outcomes.update(send(asking, f"{name}{number}"))

    def keyed(asking: httpx.Client, name: str) -> list[tuple[str, int]]:
        answer = asking.post("/events", json=event(name), headers={"Idempotency-Key": name})
        return [(name, answer.status_code)]

    def batch(asking: httpx.Client, name: str, **more: Any) -> list[tuple[str, int]]:
        names = [f"{name}x{number}" for number in range(20)]
        requests = [{"method": "POST", "path": "/events", "body": event(title)} for title in names]
        answer = asking.post("/batch", json={"requests": requests, **more})
        told = [one["status"] for one in answer.json()["responses"]] if answer.status_code == 207 else []
        return [*zip(names, told or [answer.status_code] * len(names), strict=True)]

    def atomic(asking: httpx.Client, name: str) -> list[tuple[str, int]]:
        return batch(asking, name, atomic=True)

    def number_done() -> int:
        return sum(status == 201 for status in [*outcomes.values()])

    def are_done(count: int) -> bool:
        return number_done() > count

    threads = [threading.Thread(target=write, args=one) for one in (("k", keyed), ("b", batch), ("a", atomic))]
    for thread in threads:
        thread.start()
    try:
        for _ in range(effort(3, 22)):
            until(partial(are_done, number_done() + 20))
            cluster.stop()
            cluster.start()
    finally:
        ends.set()
        for thread in threads:
            thread.join(60)
    with client(node) as asking:
        listed = {"start_date": "2027-01-01", "end_date": "2027-12-31", "per_page": "100"}
        url = httpx.URL("/events", params=listed)
        until(lambda: asking.get(url).status_code == 200)  # the last restart may just have ended
        while True:
            page = asking.get(url).json()
            kept += [one["title"] for one in page["events"]]
            if not (following := page.get("next_rest_url")):
                break
            url = httpx.URL(following)
    assert set(outcomes.values()) <= {201, 413, 503}
    assert 503 in outcomes.values()
    assert len(kept) == len(set(kept))
    done = {name for name, status in outcomes.items() if status == 201}
    assert {name: outcomes[name] for name in done ^ set(kept)} == {}
    assert "Traceback" not in node.log.read_text()
