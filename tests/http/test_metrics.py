"""/metrics: access, what is counted, sums over all workers, and what it must not contain."""

import inspect
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics_families
from prometheus_client.parser import text_string_to_metric_families

from kalends.http.metrics.worker_files import WorkerFiles
from kalends.store.engine.store import StoreUnavailable
from kalends.worker import make_app

METRICS = "http://calendar.test/metrics"
NOTHING = "http://calendar.test/nothing"
EVENTS = "/api/calendar/events/v1/events"

Figures = dict[tuple[str, ...], float]


@pytest.fixture
def world(make_world: Any) -> Any:
    return make_world(metrics="127.0.0.1, ::1, 10.1.0.0/16")


def parsed(text: str, families: Callable[[str], Any] = text_string_to_metric_families) -> Figures:
    """Each sample by its name and the values of its labels."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families(text)
        for sample in family.samples
    }


def figures(world: Any) -> Figures:
    response = world.get(METRICS)
    assert response.status_code == 200
    return parsed(response.text)


def requests(found: Figures) -> Figures:
    return {key[1:]: value for key, value in found.items() if key[0] == "kalends_requests_total"}


def from_peer(world: Any, peer: str) -> httpx.Client:
    return httpx.Client(transport=httpx.WSGITransport(app=world.front, remote_addr=peer))


def said(response: httpx.Response) -> tuple[int, str, list[tuple[str, str]]]:
    return response.status_code, response.text, sorted(response.headers.items())


# Access


def test_without_the_setting_there_is_no_such_route(make_world: Any) -> None:
    world = make_world()
    assert said(world.get(METRICS)) == said(world.get(NOTHING))
    assert world.get(METRICS).status_code == 404


@pytest.mark.parametrize(
    ("peer", "may"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("10.1.200.3", True),
        ("::ffff:10.1.200.3", True),
        ("10.2.0.1", False),
        ("127.0.0.2", False),
        ("192.0.2.1", False),
        ("", False),
    ],
)
def test_access_is_by_the_address_of_the_connection(world: Any, peer: str, may: bool) -> None:
    with from_peer(world, peer) as client:
        assert client.get(METRICS).status_code == (200 if may else 404)


@pytest.mark.parametrize(
    "header",
    [
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"X-Real-IP": "127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"X-Forwarded-Host": "calendar.test"},
        {"X-Forwarded-Proto": "https"},
    ],
    ids=lambda header: next(iter(header)),
)
def test_never_through_a_proxy_even_a_trusted_one(make_world: Any, header: dict[str, str]) -> None:
    world = make_world(metrics="127.0.0.1", trusted_proxies="127.0.0.1", base_url="http://calendar.test")
    assert world.get(METRICS).status_code == 200
    assert said(world.get(METRICS, headers=header)) == said(world.get(NOTHING, headers=header))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "FOO"])
def test_without_access_it_is_an_unknown_route(world: Any, method: str) -> None:
    with from_peer(world, "192.0.2.1") as client:
        assert said(client.request(method, METRICS)) == said(client.request(method, NOTHING))
    assert world.ask(method, METRICS).status_code == world.ask(method, NOTHING).status_code


# Content


def test_requests_are_counted_by_route_method_and_status(world: Any) -> None:
    event = world.make("events", slug="hidden-word")
    for path in (f"/events/{event['id']}", "/events/999999", "/events/by-slug/hidden-word"):
        world.get(path)
        world.get(path)
    world.ask("HEAD", f"/events/{event['id']}")
    world.get(NOTHING)
    assert requests(figures(world)) == {
        ("POST", EVENTS, "201"): 1,
        ("GET", EVENTS + "/{id:digits}", "200"): 2,
        ("GET", EVENTS + "/{id:digits}", "404"): 2,
        ("GET", EVENTS + "/by-slug/{slug}", "200"): 2,
        ("HEAD", EVENTS + "/{id:digits}", "200"): 1,
        ("GET", "(none)", "404"): 1,
    }


def test_a_304_is_counted_as_such(world: Any) -> None:
    etag = world.get("/events").headers["ETag"]
    world.get("/events", headers={"If-None-Match": etag})
    assert requests(figures(world)) == {("GET", EVENTS, "200"): 1, ("GET", EVENTS, "304"): 1}


def test_durations_are_a_histogram_by_route(world: Any) -> None:
    for _ in range(3):
        world.get("/events")
    found = figures(world)
    name = "kalends_request_duration_seconds"
    buckets = [value for key, value in found.items() if key[0] == f"{name}_bucket" and EVENTS in key]
    assert buckets == sorted(buckets)
    assert buckets[-1] == found[f"{name}_count", EVENTS] == 3
    assert 0 < found[f"{name}_sum", EVENTS] < 60
    assert found[f"{name}_bucket", "+Inf", EVENTS] == 3


def test_cache_hits_and_size(world: Any) -> None:
    for path in ("/events", "/events", "/events", "/venues"):
        world.get(path)
    found = figures(world)
    assert found["kalends_cache_hits_total",] == 2
    assert found["kalends_cache_misses_total",] == 2
    assert found["kalends_cache_entries",] == 2
    assert found["kalends_cache_bytes",] == world.cache.size > 1000


def test_the_position_of_the_journal(world: Any) -> None:
    world.make("events", venue={"venue": "Hall"})
    assert figures(world)["kalends_journal_rev",] == world.count() > 1


def test_it_answers_when_the_store_does_not(world: Any, monkeypatch: Any) -> None:
    def fail(*_: Any) -> Any:
        raise StoreUnavailable("gone")

    assert figures(world)["kalends_store_up",] == 1
    monkeypatch.setattr(world.calendar.store, "read", fail)
    found = figures(world)
    assert found["kalends_store_up",] == 0
    assert ("kalends_journal_rev",) not in found


def test_figures_of_the_store(world: Any, monkeypatch: Any) -> None:
    said = {"pool_in_use": 3, "pool_waiting": 1, "replica_1_lag": 7, "replica_2_lag": 0, "name_of_somebody": 1}
    monkeypatch.setattr(world.calendar.store, "figures", lambda: said)
    found = figures(world)
    assert found["kalends_pool_in_use",] == 3
    assert found["kalends_pool_waiting",] == 1
    assert (found["kalends_replica_lag", "1"], found["kalends_replica_lag", "2"]) == (7, 0)
    assert "somebody" not in world.get(METRICS).text


def test_the_process_and_the_version(world: Any) -> None:
    found = figures(world)
    assert found["kalends_workers",] == 1
    assert found["process_resident_memory_bytes",] > 1e6
    assert found["process_start_time_seconds",] > 1e9
    [build] = [key for key in found if key[0] == "kalends_build_info"]
    assert build[1] == world.calendar.store.dialect


def test_a_streamed_response_counts_once_when_it_is_complete(world: Any) -> None:
    with world.client.stream("GET", "http://calendar.test/events.ics") as response:
        assert requests(figures(world)).get(("GET", "/events.ics", "200")) is None
        assert b"VCALENDAR" in b"".join(response.iter_raw())
    assert requests(figures(world))["GET", "/events.ics", "200"] == 1


def test_an_error_before_the_framework_is_a_500(world: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(world.calendar.revisions, "current", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        world.get("/events")
    assert requests(figures(world)) == {("GET", "(none)", "500"): 1}


def test_clients_cannot_make_it_grow(world: Any) -> None:
    for number in range(20):
        world.get(f"http://calendar.test/{number}/x")
        world.get(f"/events/by-slug/nothing-{number}")
        world.ask(f"METHOD{number}", "/events")
    assert requests(figures(world)) == {
        ("GET", "(none)", "404"): 20,
        ("GET", EVENTS + "/by-slug/{slug}", "404"): 20,
        ("(other)", EVENTS, "405"): 20,
    }


def test_it_contains_no_records_users_or_queries(world: Any) -> None:
    event = world.make("events", title="Hiddenword", slug="hiddenword", venue={"venue": "Hiddenword hall"})
    basic = httpx.BasicAuth("editor", "correct horse")
    for path in (
        "/events/by-slug/hiddenword",
        "/events?search=hiddenword",
        f"/events/{event['id']}?password=hiddenword",
    ):
        world.get(path)
        world.client.get(world.ns + path, auth=basic)
    world.get("http://calendar.test/event/hiddenword")
    world.get("http://calendar.test/hiddenword")
    text = world.get(METRICS).text.lower()
    for word in (
        "hiddenword",
        "editor",
        "horse",
        f"/{event['id']}",
        "search",
        "calendar.test",
        str(world.calendar.settings.data),
    ):
        assert word not in text, word


def test_openmetrics_if_the_client_accepts_it(world: Any) -> None:
    world.get("/events")
    plain = world.get(METRICS)
    assert plain.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"
    other = world.get(METRICS, headers={"Accept": accept})
    assert other.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
    assert other.text.endswith("# EOF\n")
    assert requests(parsed(other.text, openmetrics_families))["GET", EVENTS, "200"] == 1
    head = world.ask("HEAD", METRICS)
    assert (head.status_code, head.content) == (200, b"")
    assert int(head.headers["Content-Length"]) > 1000


# Several workers


def test_every_worker_shows_the_sum(world: Any, tmp_path: Path, monkeypatch: Any) -> None:
    counts = tmp_path / "counts"
    counts.mkdir()
    fronts = [make_app(world.calendar, counts) for _ in range(3)]
    monkeypatch.setattr(world.calendar.store, "figures", lambda: {"pool_idle": 2, "replica_1_lag": 5})
    clients = [httpx.Client(transport=httpx.WSGITransport(app=front)) for front in fronts]
    for number, client in enumerate(clients, 1):
        for _ in range(number):
            assert client.get(world.ns + "/events").status_code == 200
    for front in fronts:
        front.metrics.flush()
    for client in clients:
        found = parsed(client.get(METRICS).text)
        assert requests(found)["GET", EVENTS, "200"] == 6
        assert found["kalends_cache_misses_total",] == found["kalends_cache_entries",] == 3
        assert found["kalends_cache_hits_total",] == 3
        assert found["kalends_workers",] == 3
        assert found["kalends_pool_idle",] == 6
        assert found["kalends_replica_lag", "1"] == 5
        client.close()


REQUESTS = ("counter", "x", "x_total", "Meaning.", {"route": "/x"})


def read(files: WorkerFiles) -> Figures:
    return {(sample.name, *sample.labels.values()): sample.value for one in files.merged() for sample in one.samples}


def test_a_successor_counts_on_and_the_gauges_of_a_dead_worker_are_gone(tmp_path: Path) -> None:
    first, second = WorkerFiles(tmp_path), WorkerFiles(tmp_path)
    for files in (first, second):
        files.add(*REQUESTS, 5)
        files.set("sum", "bytes", "Meaning.", {}, 100)
    assert read(second) == {("x_total", "/x"): 10, ("bytes",): 200}
    assert len(second.living_processes()) == 2
    first.close()
    assert read(second) == {("x_total", "/x"): 10, ("bytes",): 100}
    assert len(second.living_processes()) == 1
    third = WorkerFiles(tmp_path)
    third.add(*REQUESTS, 1)
    assert read(second) == {("x_total", "/x"): 11, ("bytes",): 100}
    assert len(second.living_processes()) == 2
    assert sorted(path.name for path in tmp_path.glob("counter*")) == ["counter_0.db", "counter_1.db"]


def test_a_worker_that_was_killed_leaves_its_counts(tmp_path: Path) -> None:
    child = (
        "import os, signal, sys; from pathlib import Path;"
        "from kalends.http.metrics.worker_files import WorkerFiles;"
        f"files = WorkerFiles(Path(sys.argv[1])); files.add(*{REQUESTS!r}, 3);"
        "files.set('sum', 'bytes', 'Meaning.', {}, 100); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", child, str(tmp_path)], check=False).returncode == -signal.SIGKILL
    files = WorkerFiles(tmp_path)
    files.add(*REQUESTS, 1)
    assert read(files) == {("x_total", "/x"): 4}


def test_the_files_are_private(tmp_path: Path) -> None:
    files = WorkerFiles(tmp_path)
    files.add(*REQUESTS, 1)
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600, 0o600]


def test_any_number_of_figures_has_room(tmp_path: Path) -> None:
    files, other = WorkerFiles(tmp_path), WorkerFiles(tmp_path)
    for number in range(2_000):
        files.add("counter", "x", "x_total", "Meaning.", {"route": str(number)}, number)
    found = read(other)
    assert len(found) == 2_000
    assert found["x_total", "1999"] == 1999


def test_counting_from_many_threads_loses_nothing(world: Any) -> None:
    counts = world.front.metrics.counts
    environ = {"kalends.route": "/x", "REQUEST_METHOD": "GET", "kalends.status": "200 OK", "kalends.lookup": "hit"}

    def work() -> None:
        for _ in range(5_000):
            counts.add(environ, 0.001)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert requests(figures(world))["GET", "/x", "200"] == 20_000


def test_every_metric_has_a_help_text(world: Any) -> None:
    world.get("/events")
    text = world.get(METRICS).text
    helped = set(re.findall(r"^# HELP (\S+) \S", text, re.MULTILINE))
    typed = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))
    assert helped == typed


def test_the_connection_pool_shows_on_postgresql(world: Any) -> None:
    found = figures(world)
    pooled = world.calendar.store.dialect == "postgresql"
    assert (("kalends_pool_size",) in found) == pooled
    assert (("kalends_pool_waiting",) in found) == pooled


def test_the_files_of_workers_are_written_as_prometheus_client_reads_them(tmp_path: Path) -> None:
    """Its documentation has no way for a process to take over the file of one that died, so `worker_files.py` writes
    them through `mmap_dict`. When this fails, compare that module with the one of the library."""
    parameters = list(inspect.signature(mmap_key).parameters)
    assert parameters == ["metric_name", "name", "labelnames", "labelvalues", "help_text"]
    file = MmapedDict(str(tmp_path / "counter_7.db"))
    file.write_value(mmap_key("met", "met_total", ["of"], ["x"], "How often."), 3.0, 0.0)
    file.close()
    [metric] = MultiProcessCollector(None, str(tmp_path)).collect()
    assert [(one.name, one.labels, one.value) for one in metric.samples] == [("met_total", {"of": "x"}, 3.0)]
