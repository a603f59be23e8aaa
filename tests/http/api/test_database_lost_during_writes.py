"""PostgreSQL ends in the middle of a write: 503 at whatever moment, never 500, and nothing of it is stored."""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg
import pytest
from tests.conftest import World
from tests.effort import effort

from kalends.store.engine.pipeline import Pipeline, Result, Statement
from kalends.store.engine.postgresql import BEGIN_WRITING, COMMIT, ROLLBACK, PostgresStore

pytestmark = pytest.mark.both_stores

WHEN = {"start_date": "2027-03-01 10:00", "end_date": "2027-03-01 11:00"}
SERIES = {"title": "weekly", **WHEN, "recurrence": "RRULE:FREQ=WEEKLY;COUNT=5"}
Ask = Callable[[World, str], httpx.Response]


def single(world: World, key: str) -> httpx.Response:
    return world.post("/events", json=SERIES)


@contextmanager
def ending_before(round_trip: int, monkeypatch: pytest.MonkeyPatch, world: World) -> Iterator[list[int]]:
    """The server ends the connection of the writer before one of its round trips; yields those that there were."""
    usual, count, ended = Pipeline.execute, itertools.count(1), list[int]()
    address = getattr(world.calendar.store, "address", "")
    writers = set[int]()

    def execute(pipeline: Pipeline, statements: Sequence[Statement], **how: Any) -> list[Result]:
        texts = [text for text, _ in statements]
        if BEGIN_WRITING in texts and threading.current_thread() is threading.main_thread():
            writers.add(id(pipeline))
        elif id(pipeline) in writers:
            if next(count) == round_trip:
                ended.append(round_trip)
                with psycopg.connect(address, autocommit=True) as other:
                    other.execute("SELECT pg_terminate_backend(%s, 5000)", (pipeline._pgconn.backend_pid,))
            if COMMIT in texts or ROLLBACK in texts:
                writers.discard(id(pipeline))
        return usual(pipeline, statements, **how)

    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "execute", execute)
        yield ended


def stored(world: World) -> int:
    found = world.get("/events?per_page=100&start_date=2020-01-01&end_date=2040-01-01").json()
    return len(found["events"]) + len(world.get("/venues").json()["venues"])


def test_whenever_it_ends_it_is_503_and_nothing_is_done(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    undone_whenever_it_ends(world, 1, single, monkeypatch, caplog)


def undone_whenever_it_ends(
    world: World, first: int, ask: Ask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if not isinstance(world.calendar.store, PostgresStore):
        pytest.skip("SQLite has no connection to lose")
    expected = stored(world)
    for round_trip in effort(range(first, 200, 3), range(1, 200)):
        caplog.clear()
        with ending_before(round_trip, monkeypatch, world) as ended:
            response = ask(world, f"key-{round_trip}")
        assert "Traceback" not in caplog.text, round_trip
        if not ended:
            break
        statuses = [response.status_code]
        if response.status_code == 207:
            statuses = [answer["status"] for answer in response.json()["responses"]]
        assert set(statuses) <= {201, 400, 424, 503}, (round_trip, response.text)
        done = 5 if response.status_code == 201 else sum(status == 201 for status in statuses)
        assert stored(world) == expected + done, (round_trip, statuses)
        expected += done
    assert round_trip > 5
    assert response.status_code in (201, 207)
