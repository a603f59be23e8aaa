"""PostgreSQL ends in the middle of a batch, or of a write with a key: 503 at whatever moment, and what was answered
with an error was undone."""

from typing import Any

import httpx
import pytest
from tests.conftest import World
from tests.http.api.test_database_lost_during_writes import SERIES, WHEN, Ask, undone_whenever_it_ends

pytestmark = pytest.mark.both_stores


def keyed(world: World, key: str) -> httpx.Response:
    return world.post("/events", json=SERIES, headers={"Idempotency-Key": key})


def batch(world: World, key: str, **how: Any) -> httpx.Response:
    items = [
        {"method": "POST", "path": "/venues", "body": {"venue": f"hall {key}"}},
        {"method": "POST", "path": "/events", "body": {"title": "refused"}},
        {"method": "POST", "path": "/events", "body": {"title": "one", **WHEN}},
        {"method": "POST", "path": "/events", "body": {"title": "two", **WHEN}},
    ]
    if how.get("atomic"):
        del items[1]
    return world.post("/batch", json={"requests": items, **how})


def keyed_batch(world: World, key: str) -> httpx.Response:
    items = [{"method": "POST", "path": "/events", "body": {"title": f"{n}", **WHEN}} for n in range(3)]
    return world.post("/batch", json={"requests": items}, headers={"Idempotency-Key": key})


def atomic_batch(world: World, key: str) -> httpx.Response:
    return batch(world, key, atomic=True)


@pytest.mark.parametrize(
    ("first", "ask"),
    [(1, keyed), (2, batch), (3, atomic_batch), (1, keyed_batch)],
    ids=["keyed", "batch", "atomic_batch", "keyed_batch"],
)
def test_whenever_it_ends_it_is_503_and_nothing_is_done(
    world: World, first: int, ask: Ask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    undone_whenever_it_ends(world, first, ask, monkeypatch, caplog)
