"""A database that goes away, comes back, or comes back elsewhere; replicas that lag, die and return."""

import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import httpx
import psycopg
from tests.clusters import Cluster
from tests.product.nodes.conftest import Node, client, event
from tests.waiting import until

QUICK = {"database_timeout": "1"}


def test_without_its_database_a_node_says_so_and_recovers_by_itself(clusters: Any, nodes: Any) -> None:
    cluster = clusters(careful=True)
    cluster.execute("CREATE DATABASE calendar")
    node = nodes(cluster.url("calendar"), **QUICK)
    with client(node) as admin:
        made = admin.post("/events", json=event("Before")).json()["id"]
        assert httpx.get(f"{node.ns}/events").status_code == 200  # cached from here on
        cluster.stop(signal.SIGQUIT)
        for method, path, body in (
            ("GET", "/events", None),
            ("GET", f"/events/{made}", None),
            ("POST", "/events", {}),
        ):
            began = time.monotonic()
            refused = admin.request(method, path, json=body)
            assert refused.status_code == 503, refused.text
            assert refused.json()["code"] == "service_unavailable"
            assert int(refused.headers["Retry-After"]) > 0
            assert time.monotonic() - began < 10
        assert httpx.get(f"{node.url}/healthz").status_code == 200
        assert httpx.get(f"{node.url}/readyz").status_code == 503
        cluster.start()
        until(lambda: httpx.get(f"{node.url}/readyz").status_code == 200)
        assert httpx.get(f"{node.ns}/events/{made}").json()["title"] == "Before"
        assert admin.post("/events", json=event("After")).status_code == 201
    assert "Traceback" not in node.log.read_text()


def test_requests_to_a_hanging_database_time_out(clusters: Any, nodes: Any) -> None:
    cluster = clusters()
    cluster.execute("CREATE DATABASE calendar")
    node = nodes(cluster.url("calendar"), **QUICK)
    with psycopg.connect(cluster.url("calendar")) as hog, client(node) as admin:
        assert admin.post("/events", json=event("Before")).status_code == 201
        hog.execute("SELECT pg_advisory_xact_lock(7037292)")  # as a writer does that never ends
        began = time.monotonic()
        assert admin.post("/events", json=event("Meanwhile")).status_code == 503
        assert 0.9 < time.monotonic() - began < 10
        assert httpx.get(f"{node.ns}/events").json()["total"] == 1
        hog.rollback()
        assert admin.post("/events", json=event("After")).status_code == 201


def standby_of(primary: Cluster, clusters: Any) -> Any:
    return clusters(copy_of=primary, settings="hot_standby = on\n")


def row_on(standby: psycopg.Connection[Any], sql: str, *values: object) -> Any:
    """What it answers, if anything; one that is far behind has no tables yet."""
    with suppress(psycopg.errors.UndefinedTable):
        return standby.execute(sql.encode(), values).fetchone()
    return None


def has_event(standby: psycopg.Connection[Any], number: int) -> bool:
    return row_on(standby, "SELECT 1 FROM event WHERE id = %s", number) is not None


def test_a_promoted_standby_takes_over_without_a_restart(clusters: Any, nodes: Any) -> None:
    first = clusters()
    first.execute("CREATE DATABASE calendar")
    second = standby_of(first, clusters)
    both = f"postgresql://kalends@127.0.0.1:{first.port},127.0.0.1:{second.port}/calendar"
    node = nodes(both, **QUICK)
    with client(node) as admin:
        made = admin.post("/events", json=event("Before")).json()["id"]
        assert httpx.get(f"{node.ns}/events/{made}").status_code == 200
        with psycopg.connect(second.url("calendar")) as connection:
            connection.autocommit = True
            until(lambda: has_event(connection, made))
        first.stop(signal.SIGQUIT)
        assert admin.post("/events", json=event("Lost")).status_code == 503
        second.promote()
        until(lambda: httpx.get(f"{node.url}/readyz").status_code == 200)
        assert httpx.get(f"{node.ns}/events/{made}").json()["title"] == "Before"
        assert admin.post("/events", json=event("After")).status_code == 201


class Reader:
    """How often each server was asked for events, as PostgreSQL itself counts it."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def scans(self) -> int:
        with psycopg.connect(self.cluster.url("calendar"), autocommit=True) as connection:
            row = connection.execute(
                "SELECT sum(seq_scan + coalesce(idx_scan, 0)) FROM pg_stat_user_tables WHERE relname = 'event'"
            ).fetchone()
        return int(row[0] or 0) if row else 0


def read_uncached(node: Node, numbers: Iterator[int]) -> httpx.Response:
    """A list that nobody has asked for yet."""
    minute, second = divmod(next(numbers), 60)
    return httpx.get(
        f"{node.ns}/events", params={"start_date": f"2027-01-01 {minute // 60:02}:{minute % 60:02}:{second:02}"}
    )


def test_reads_go_to_a_replica_unless_it_lags_or_dies(clusters: Any, nodes: Any) -> None:
    primary = clusters()
    primary.execute("CREATE DATABASE calendar")
    replica = standby_of(primary, clusters)
    node = nodes(primary.url("calendar"), database_replica=replica.url("calendar"), metrics="127.0.0.1", **QUICK)
    on_replica, numbers = Reader(replica), count()

    def told() -> str:
        return httpx.get(f"{node.url}/metrics").text

    with client(node) as admin:
        made = admin.post("/events", json=event("First")).json()["id"]

        def uses_replica() -> bool:
            before = on_replica.scans()
            assert {read_uncached(node, numbers).json()["total"] for _ in range(10)} == {1}
            with suppress(TimeoutError):  # PostgreSQL's own counts come a little later
                until(lambda: on_replica.scans() > before, 1.5)
            return on_replica.scans() > before

        until(uses_replica)
        assert 'kalends_replica_used{replica="1"} 1.0' in told()

        replica.execute("SELECT pg_wal_replay_pause()")
        for number in range(10):
            title = f"Title {number}"
            assert admin.post(f"/events/{made}", json={"title": title}).status_code == 200
            assert httpx.get(f"{node.ns}/events/{made}").json()["title"] == title
        replica.execute("SELECT pg_wal_replay_resume()")
        until(uses_replica)

        replica.stop(signal.SIGQUIT)
        for _ in range(10):
            assert read_uncached(node, numbers).status_code == 200
        assert 'kalends_replica_used{replica="1"} 0.0' in told()
        assert admin.post(f"/events/{made}", json={"title": "Alone"}).status_code == 200
        assert httpx.get(f"{node.ns}/events/{made}").json()["title"] == "Alone"
        replica.start()
        until(uses_replica)
    assert "Traceback" not in node.log.read_text()


def test_what_a_new_primary_lost_is_seen_nowhere_any_more(clusters: Any, nodes: Any) -> None:
    first = clusters()
    first.execute("CREATE DATABASE calendar")
    second, replica = standby_of(first, clusters), standby_of(first, clusters)
    both = f"postgresql://kalends@127.0.0.1:{first.port},127.0.0.1:{second.port}/calendar"
    node = nodes(both, database_replica=replica.url("calendar"), **QUICK)
    with client(node) as admin:
        made = admin.post("/events", json=event("Before")).json()["id"]
        here = f"{node.ns}/events/{made}"
        with psycopg.connect(second.url("calendar"), autocommit=True) as connection:
            until(lambda: has_event(connection, made))
        second.stop()
        lost = admin.post(f"/events/{made}", json={"title": "Lost"}).json()["rev"]
        assert httpx.get(here).json()["title"] == "Lost"  # kept from now on
        with psycopg.connect(replica.url("calendar"), autocommit=True) as connection:
            until(lambda: row_on(connection, "SELECT max(rev) FROM journal") == (lost,))
        first.stop(signal.SIGQUIT)
        second.start()
        second.promote()
        until(lambda: httpx.get(f"{node.url}/readyz").status_code == 200)
        assert httpx.get(here).json()["title"] == "Before"
        found = admin.post(f"/events/{made}", json={"title": "Found"})
        assert found.status_code == 200
        assert found.json()["rev"] == lost  # the number was given again
        for _ in range(10):
            assert httpx.get(here).json()["title"] == "Found"
            assert httpx.get(here, params={"_": str(time.monotonic())}).json()["title"] == "Found"
        # The replica still has what was lost, and is as far by its numbers.
        numbers = count()
        assert {read_uncached(node, numbers).json()["events"][0]["title"] for _ in range(30)} == {"Found"}
    assert "Traceback" not in node.log.read_text()


def test_a_primary_that_hangs_is_given_up_and_its_standby_takes_over(clusters: Any, nodes: Any) -> None:
    first = clusters()
    first.execute("CREATE DATABASE calendar")
    second = standby_of(first, clusters)
    both = f"postgresql://kalends@127.0.0.1:{first.port},127.0.0.1:{second.port}/calendar"
    node = nodes(both, **QUICK)
    with client(node) as admin:
        made = admin.post("/events", json=event("Before")).json()["id"]
        assert httpx.get(f"{node.ns}/events/{made}").status_code == 200  # kept from here on
        with psycopg.connect(second.url("calendar"), autocommit=True) as connection:
            until(lambda: has_event(connection, made))
        first.freeze()
        for method, path in (("GET", f"/events/{made}"), ("GET", "/events"), ("POST", "/events")):
            assert_refused_in_time(node, admin, method, path)
        second.freeze()
        assert_refused_in_time(node, admin, "GET", "/events")
        assert httpx.get(f"{node.url}/readyz", timeout=8).status_code == 503
        second.thaw()
        second.promote()
        until(lambda: httpx.get(f"{node.url}/readyz", timeout=30).status_code == 200)
        assert httpx.get(f"{node.ns}/events/{made}").json()["title"] == "Before"
        assert admin.post("/events", json=event("After")).status_code == 201
        assert httpx.get(f"{node.ns}/events").json()["total"] == 2
    assert "Traceback" not in node.log.read_text()


def assert_refused_in_time(node: Node, admin: httpx.Client, method: str, path: str) -> None:
    began = time.monotonic()
    assert httpx.get(f"{node.url}/healthz").status_code == 200
    assert time.monotonic() - began < 1
    refused = admin.request(method, path, json=event("Lost") if method == "POST" else None)
    assert refused.status_code == 503, refused.text
    assert int(refused.headers["Retry-After"]) > 0
    assert time.monotonic() - began < 8
