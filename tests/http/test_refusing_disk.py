"""A disk that refuses: nothing is lost, reads go on, and everybody learns why."""

import errno
import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL as BASE
from tests.conftest import World
from tests.pictures import png

from kalends.store.engine.store import StorageRefused, StoreDamaged, StoreUnavailable

EVENT = {"title": "New", "start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"}
WRONG = ("administrator", "a wrong password")


@pytest.fixture
def store(world: World, store_kind: str) -> Any:
    if store_kind != "sqlite":
        pytest.skip("a file of this machine")
    return world.calendar.store


@contextmanager
def no_file_grows() -> Iterator[None]:
    """As at the end of a quota: the system refuses to make any file longer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_writes_are_refused_reads_go_on_and_it_ends_with_the_fault(world: World, store: Any) -> None:
    made = world.make("events", title="Before")
    with no_file_grows():
        refused = world.post("/events", json=EVENT)
        assert refused.status_code == 503, refused.text
        assert int(refused.headers["Retry-After"]) > 0
        assert world.get("/users/me", auth=WRONG).status_code == 401
        assert world.get(f"/events/{made['id']}", headers={"Cache-Control": "no-cache"}).status_code == 200
        assert world.get(f"{BASE}/events/list/").status_code == 200
        ready = world.get(f"{BASE}/readyz")
        assert (ready.status_code, ready.json()["reason"]) == (503, "the disk refuses writes: disk I/O error")
        assert world.post("/media", content=png(), headers={"Content-Type": "image/png"}).status_code == 507
    assert world.get(f"{BASE}/readyz").json() == {"ready": True}
    assert world.post("/events", json=EVENT).status_code == 201
    assert world.get("/events").json()["total"] == 2


def sqlite_error(code: int) -> sqlite3.DatabaseError:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode, error.sqlite_errorname = code, "SQLITE_OF_A_TEST"
    return error


@pytest.mark.parametrize(
    ("code", "raised"),
    [
        (sqlite3.SQLITE_FULL, StorageRefused),
        (sqlite3.SQLITE_IOERR_FSYNC, StorageRefused),
        (sqlite3.SQLITE_IOERR_READ, StorageRefused),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StorageRefused),
        (sqlite3.SQLITE_CANTOPEN, StorageRefused),
        (sqlite3.SQLITE_BUSY, StoreUnavailable),
        (sqlite3.SQLITE_CORRUPT_INDEX, StoreDamaged),
        (sqlite3.SQLITE_NOTADB, StoreDamaged),
        (sqlite3.SQLITE_ERROR, sqlite3.OperationalError),
    ],
)
def test_what_an_error_of_sqlite_means(store: Any, code: int, raised: type[Exception]) -> None:
    def fail() -> None:
        with store.write():
            raise sqlite_error(code)

    with pytest.raises(raised) as found:
        fail()
    assert found.type is raised
    if raised in (StorageRefused, StoreDamaged):
        assert str(store.path) in str(found.value)


def test_a_damaged_store_is_not_ready(world: World, store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert world.get(f"{BASE}/readyz").status_code == 200

    def damaged(*_: Any) -> None:
        raise sqlite_error(sqlite3.SQLITE_CORRUPT)

    monkeypatch.setattr("kalends.store.engine.sqlite.SqliteSession.all_of", damaged)
    monkeypatch.setattr("kalends.store.engine.sqlite.SqliteSession.all", damaged)
    page = world.get(f"{BASE}/events/list/", headers={"Accept": "text/html"})
    assert page.status_code == 503
    monkeypatch.undo()  # the page of the file that tells the schema is whole
    ready = world.get(f"{BASE}/readyz")
    assert (ready.status_code, ready.json()["reason"]) == (503, "the database is damaged")


def failing(number: int) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_a_picture_that_cannot_be_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    image = world.upload(png())
    monkeypatch.setattr(Path, "read_bytes", failing(errno.EACCES))
    refused = world.get(image["url"], "administrator")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0


def test_the_admin_says_the_same_of_a_full_disk_as_the_interface(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = AdminClient(world, "administrator")
    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    admin.post("/admin/media", files={"file": ("a.png", png(), "image/png")}, status=507)
