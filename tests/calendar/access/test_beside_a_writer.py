"""Beside a long write: no read waits for it, however its caller is known, and guesses are limited all the same."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.admin.admin_client import ADMIN_PAGES, AdminClient
from tests.calendar.access.requests import basic
from tests.calendar.access.test_credentials import ME, issue
from tests.conftest import BASE_URL, PASSWORD, World, Writing
from tests.feature_parts import feature_parts

from kalends.calendar.throttling import COUNTING_PATIENCE

pytestmark = pytest.mark.both_stores

QUICK = 3.0  # seconds, on a busy machine; a writer's patience is 5 at least
INTERFACE = (ME, "/events", "/events?status=draft", "/venues", "/users", "/categories?hide_empty=false")
OF_FEATURES = [path for part in feature_parts("pages") for path in getattr(part, "READS", ())]


def slow(asks: dict[str, Callable[[], Any]], status: int = 200) -> list[tuple[str, float]]:
    """The requests that took long; all of them have this status. One that waits for a writer does so each time, so
    what was slow once, on a machine that did something else, is asked again."""
    found = []
    for name, ask in asks.items():
        if _seconds(name, ask, status) > QUICK and (took := _seconds(name, ask, status)) > QUICK:
            found.append((name, took))
    return found


def _seconds(name: str, ask: Callable[[], Any], status: int) -> float:
    began = time.monotonic()
    response = ask()
    assert response.status_code == status, (name, response.text[:500])
    return time.monotonic() - began


def reads(world: World, headers: dict[str, str], kind: str) -> dict[str, Callable[[], Any]]:
    urls = [world.ns + path for path in INTERFACE] + [BASE_URL + path for path in OF_FEATURES]
    return {f"{kind} {url}": lambda url=url: world.client.get(url, headers=headers) for url in urls}


@pytest.fixture
def writes(world: World, monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """The patience of every write that a request tries."""
    tried: list[float | None] = []
    write = world.calendar.store.write

    def noted(*, patience: float | None = None) -> Any:
        tried.append(patience)
        return write(patience=patience)

    monkeypatch.setattr(world.calendar.store, "write", noted)
    return tried


def test_a_read_waits_for_no_writer_however_its_caller_is_known(
    world: World, writing: Writing, writes: list[float | None]
) -> None:
    application = issue(world, "administrator", purpose="application")
    admin = AdminClient(world, "administrator")
    world.clock.move(minutes=11)  # every use would be worth recording
    credentials = {
        "token": {"Authorization": f"Bearer {world.tokens['administrator']}"},
        "password": basic("administrator", PASSWORD),
        "application password": basic("administrator", application),
    }
    asks: dict[str, Callable[[], Any]] = {}
    for kind, headers in credentials.items():
        asks |= reads(world, headers, kind)
    asks |= {f"session {path}": lambda path=path: admin.client.get(BASE_URL + path) for path in ADMIN_PAGES}
    asks |= {f"session {path}": lambda path=path: admin.client.get(world.ns + path) for path in INTERFACE}
    writes.clear()
    with writing():
        assert slow(asks) == []
    assert writes == []


def test_neither_a_wrong_password_nor_the_right_one_after_it_waits(
    world: World, writing: Writing, writes: list[float | None]
) -> None:
    assert world.get(ME, headers=basic("editor", "guess")).status_code == 401
    right = {"right": lambda: world.get(ME, headers=basic("editor", PASSWORD))}
    wrong = {"wrong": lambda: world.get(ME, headers=basic("editor", "another guess"))}
    with writing():
        assert slow(right) == []
        assert writes == [COUNTING_PATIENCE]  # of the first wrong one
        assert slow(wrong, status=401) == []
        assert slow(right) == []
    assert writes == [COUNTING_PATIENCE] * 2


def test_a_wrong_password_of_an_event_does_not_wait(world: World, writing: Writing) -> None:
    closed = world.make("events", post_password="open me")["id"]
    with writing():
        assert slow({"one": lambda: world.get(f"/events/{closed}?password=guess")}, status=403) == []
        assert slow({"many": lambda: world.get("/events?password=guess")}) == []


def test_guesses_are_limited_while_nothing_can_be_written(world: World, writing: Writing) -> None:
    closed = world.make("events", post_password="open me")["id"]
    with writing():
        codes = [world.get(ME, headers=basic("editor", "guess")).status_code for _ in range(7)]
        assert codes == [401] * 5 + [429] * 2
        assert world.get(ME, headers=basic("editor", PASSWORD)).status_code == 429
        codes = [world.get(f"/events/{closed}?password=guess").status_code for _ in range(12)]
        assert codes == [403] * 10 + [429] * 2
        world.clock.move(seconds=1)
        assert world.get(ME, headers=basic("editor", PASSWORD)).status_code == 200
        codes = [world.get(ME, headers=basic("editor", "guess")).status_code for _ in range(6)]
        assert codes == [401] * 5 + [429]  # the count began again


def test_guesses_count_everywhere_as_soon_as_something_can_be_written(world: World, writing: Writing) -> None:
    neighbour = world.neighbour()

    def guess() -> int:
        return neighbour.get(f"{world.ns}{ME}", headers=basic("editor", "guess")).status_code

    with writing():
        for _ in range(4):
            world.get(ME, headers=basic("editor", "guess"))
    world.calendar.write_collected()
    assert [guess() for _ in range(2)] == [401, 429]
    world.clock.move(seconds=1)
    assert world.get(ME, headers=basic("editor", PASSWORD)).status_code == 200
    world.calendar.write_collected()
    assert [guess() for _ in range(6)] == [401] * 5 + [429]


def test_uses_are_recorded_later(world: World, writing: Writing) -> None:
    application = issue(world, "editor", purpose="application")
    admin = AdminClient(world, "editor")
    world.clock.move(minutes=20)
    with writing():
        world.get(ME, "editor")
        world.get(ME, headers=basic("editor", application))
        admin.get("/admin/profile")
        world.calendar.write_collected()  # in vain, and nothing is lost
    assert used(world, "token") == [None, None]
    world.calendar.write_collected()
    now = "2026-11-15 12:20:00"
    assert (used(world, "token"), used(world, "session")) == ([now, now], [now])
    before = changes(world)
    world.clock.move(minutes=9)
    world.get(ME, "editor")
    admin.get("/admin/profile")
    world.calendar.write_collected()
    assert changes(world) == before  # to ten minutes


def used(world: World, table: str) -> list[Any]:
    with world.calendar.store.read() as session:
        return session.column(
            f'SELECT used_utc FROM {table} WHERE "user" = ? ORDER BY id',
            (world.ids["editor"],),
        )


def changes(world: World) -> Any:
    return world.calendar.store.changes()


def test_what_waits_to_be_written_is_bounded(world: World, writing: Writing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalends.calendar.throttling.MOST_WAITING", 6)
    with writing():
        for number in range(20):
            world.get(ME, headers=basic(f"nobody{number}", "guess"))
        # What is guessed again and again stays counted.
        assert [world.get(ME, headers=basic("editor", "guess")).status_code for _ in range(6)] == [401] * 5 + [429]
    world.calendar.write_collected()
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM throttle") <= 6
