"""The plug is pulled in the middle of 1,000 creates: what was acknowledged is there afterwards, and nothing half."""

import os
import signal
import sqlite3
import threading
import time
from contextlib import contextmanager, suppress

import httpx
from tests.clusters import free_port
from tests.effort import effort
from tests.forked import Forked

CLIENTS, EVENTS = 4, 1000
PULL_AFTER = effort(120, 300)  # acknowledged creates
AUTH = httpx.BasicAuth("admin", "a long password")
SECONDS = 60


@contextmanager
def service(data):
    """A service of its own process group; whatever happens, it is gone at the end."""
    port = free_port()
    environ = {k: v for k, v in os.environ.items() if not k.startswith("KALENDS_")}
    environ["KALENDS_ADMIN_PASSWORD"] = "a long password"
    process = Forked(
        *("serve", "--base-url", "http://calendar.test", "--port", port, "--data", data),
        environ=environ,
        out=data.parent / f"log-{port}",
    )
    try:
        base = f"http://127.0.0.1:{port}"
        wait_until_ready(base, process)
        yield f"{base}/api/calendar/events/v1", process
    finally:
        pull(process)


def pull(process):
    with suppress(ProcessLookupError):  # it is gone already
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(SECONDS)


def wait_until_ready(base, process):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, "the service ended by itself"
        try:
            if httpx.get(f"{base}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError("the service does not get ready")


def body(number):
    return {
        "title": f"Event {number}", "description": f"words{number}", "start_date": "2027-03-10 09:00",
        "end_date": "2027-03-10 11:00", "venue": {"venue": f"Venue {number % 50}"}, "tags": [f"tag {number % 20}"],
    }  # fmt: skip


def create_until_the_plug_is_pulled(ns, process):
    """Four clients; the acknowledged events by id, as they were answered."""
    acknowledged: dict[int, dict] = {}
    odd: list[str] = []

    def client(first):
        with httpx.Client(auth=AUTH, timeout=SECONDS) as http:
            for number in range(first, EVENTS, CLIENTS):
                try:
                    response = http.post(f"{ns}/events", json=body(number))
                except httpx.TransportError:
                    return  # the plug
                if response.status_code == 201:
                    acknowledged[response.json()["id"]] = response.json()
                else:
                    odd.append(response.text)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + SECONDS
    while len(acknowledged) < PULL_AFTER and time.monotonic() < end:
        time.sleep(0.005)
    pull(process)
    for thread in threads:
        thread.join(SECONDS)
        assert not thread.is_alive()
    assert odd == []
    return acknowledged


def test_every_acknowledged_event_survives_and_none_is_half_there(tmp_path):
    data = tmp_path / "data"
    with service(data) as (ns, process):
        acknowledged = create_until_the_plug_is_pulled(ns, process)
    assert PULL_AFTER <= len(acknowledged) < EVENTS, "the plug was not pulled in the middle"
    with service(data) as (ns, _), httpx.Client(auth=AUTH, timeout=SECONDS) as http:
        for id, event in acknowledged.items():
            read = http.get(f"{ns}/events/{id}")
            assert read.status_code == 200, read.text
            for name in ("title", "description", "slug", "start_date", "venue", "tags", "rev"):
                assert without_json_ld(read.json()[name]) == event[name]
        assert http.post(f"{ns}/events", json=body(1)).status_code == 201
    check_whole(data / "kalends.db", set(acknowledged))


def without_json_ld(value):
    return {k: v for k, v in value.items() if k != "json_ld"} if isinstance(value, dict) else value


def check_whole(path, acknowledged):
    """Looks into the store: each event has its words, its links, its share of the counts and its journal."""
    store = sqlite3.connect(path)

    def column(sql):
        return [row[0] for row in store.execute(sql)]

    try:
        assert column("PRAGMA integrity_check") == ["ok"]
        assert column("PRAGMA foreign_key_check") == []
        events = set(column("SELECT id FROM event"))
        assert acknowledged <= events
        # One more for each client that did not hear the answer, and the one made after the restart.
        assert len(events) <= len(acknowledged) + CLIENTS + 1
        for sql in ("SELECT rowid FROM event_text", "SELECT event FROM event_venue", "SELECT event FROM event_tag",
                    "SELECT id FROM journal WHERE kind = 'event'"):  # fmt: skip
            assert sorted(column(sql)) == sorted(events), sql
        venues = set(column("SELECT id FROM venue"))
        assert set(column("SELECT rowid FROM venue_text")) == venues
        assert set(column("SELECT target FROM event_venue")) == venues
        whole = "SELECT coalesce(sum(n), 0) FROM tally WHERE edge = 's' AND unit = 0"
        assert column(f"{whole} AND scope = 'all'") == [len(events)]
        for kind in ("venue", "tag"):
            counted = dict(
                store.execute(f"SELECT id, n FROM tally WHERE edge = 's' AND unit = 0 AND scope = '{kind}'")
            )
            linked = dict(store.execute(f"SELECT target, count(*) FROM event_{kind} GROUP BY target"))
            assert counted == linked
        last = column("SELECT last FROM sequence WHERE name = 'post'")[0]
        assert last >= max(events | venues)
    finally:
        store.close()
