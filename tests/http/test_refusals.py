"""The excess of one client is refused cheaply: with bytes that were made once, one at a time, before other work."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kalends.calendar import admission as admissions
from kalends.calendar import site_settings
from kalends.calendar.access import SERVICE
from kalends.calendar.admission import QUICK, SLOW, Admission
from kalends.contract.errors import ApiError
from kalends.http.middleware import admitting
from kalends.http.middleware.admitting import RefusalLine

SITE = "http://calendar.test"
LISTS = tuple(f"{SITE}/events/list/?search={word}" for word in ("jazz", "rock", "folk"))
READERS = (
    {},
    {"Accept": "text/html"},
    {"Accept": "text/html", "Accept-Language": "de"},
    {"Accept": "application/json", "Accept-Language": "ja"},
)


@contextmanager
def crowded(admission: Admission, client: str) -> Iterator[None]:
    """All places of reads are taken, and no more of a client may wait."""
    held = [admission.enter(work, client) for work in (QUICK, SLOW) for _ in range(admission._queues[work].of_one)]
    admission.crowded.add(client)
    try:
        yield
    finally:
        admission.crowded.discard(client)
        for turn in held:
            admission.leave(turn)


def same(response: Any) -> tuple[int, dict[str, str], bytes]:
    return response.status_code, dict(response.headers), response.content


def test_excess_gets_the_refusal_of_the_framework_without_it(world: Any) -> None:
    cache, asked = world.front.cache, list[str]()
    app = cache.app
    cache.app = lambda environ, start: asked.append(environ["PATH_INFO"]) or app(environ, start)
    addresses = [*LISTS, *(f"{one}&lang=fr" for one in LISTS), *(f"{world.ns}/events?search={n}" for n in range(3))]
    client = cache.requests._client({"REMOTE_ADDR": "127.0.0.1"})
    with crowded(cache.requests.admission, client):
        kept = [same(world.get(address, headers=reader)) for reader in READERS for address in addresses]
        number = len(asked)
        cache._refusals._kind = lambda *_: ()  # none is kept
        made = [same(world.get(address, headers=reader)) for reader in READERS for address in addresses]
        assert world.get(f"{SITE}/healthz").status_code == 200
    assert kept == made
    assert {status for status, _, _ in kept} == {503}
    assert number == 3 * len(READERS)  # pages, French pages, the interface
    assert any("text/html" in headers["content-type"] for _, headers, _ in kept)
    assert all(int(headers["retry-after"]) > 0 for _, headers, _ in kept)
    assert world.get(LISTS[0]).status_code == 200


def test_refusals_follow_the_settings_and_are_few(world: Any) -> None:
    cache = world.front.cache
    client = cache.requests._client({"REMOTE_ADDR": "127.0.0.1"})
    page = {"Accept": "text/html"}
    with crowded(cache.requests.admission, client):
        assert "#205080" not in world.get(LISTS[0], headers=page).text
        world.calendar.write(SERVICE, site_settings.change, {"accent_color": "#205080"})
        assert "#205080" in world.get(LISTS[0], headers=page).text
        for number in range(200):
            world.get(LISTS[0], headers={"Accept": f"text/plain;q={number}"})
        assert len(cache._refusals._kept) <= 64
        assert world.get(LISTS[0], headers={"Accept": "x" * 5000}).status_code == 503


def test_only_who_is_crowded_is_refused_early_and_only_while_no_place_is_free(world: Any) -> None:
    cache = world.front.cache
    admission = cache.requests.admission
    with crowded(admission, "10.9.8.7"):
        assert world.get(LISTS[0]).status_code == 200
    admission.crowded.add(cache.requests._client({"REMOTE_ADDR": "127.0.0.1"}))
    assert world.get(LISTS[1]).status_code == 200


def test_who_waits_makes_its_client_crowded_until_fewer_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admissions, "MOST_WAITING_OF_ONE", 2)
    admission = Admission()
    held = admission.enter(SLOW, "one")
    threads = [threading.Thread(target=lambda: admission.leave(admission.enter(SLOW, "one"))) for _ in range(2)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    while "one" not in admission.crowded:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    with pytest.raises(ApiError):
        admission.enter(SLOW, "one")
    assert admission.is_refused(SLOW, "one")
    assert not admission.is_refused(QUICK, "one")
    admission.leave(held)
    for thread in threads:
        thread.join(60)
    assert not admission.crowded


def test_refusals_are_made_one_at_a_time_with_a_pause_unless_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    line, within, most, pauses = RefusalLine(), list[int](), list[int](), list[float]()
    monkeypatch.setattr(admitting, "MOST_IN_LINE", 3)
    monkeypatch.setattr(admitting.time, "sleep", pauses.append)

    def refuse() -> None:
        with line.one_at_a_time():
            within.append(1)
            most.append(len(within))
            threading.Event().wait(0.001)
            within.pop()

    with line._lock:  # until all stand in it
        threads = [threading.Thread(target=refuse) for _ in range(8)]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + 60
        while len(line._waiting_threads) < 8:
            assert time.monotonic() < deadline
            threading.Event().wait(0.001)
    for thread in threads:
        thread.join(60)
    assert max(most) == 1
    assert pauses == [admitting.PAUSE] * 3
    assert not line._waiting_threads
