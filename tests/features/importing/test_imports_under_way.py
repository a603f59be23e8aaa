"""Imports that take long: slow previews, servers that end in between, many at a time, failures, what is left over."""

import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, timedelta
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.features.importing.import_pages import CALENDAR, IMPORT, TABLE, titles, upload, wait

from kalends.calendar.access import SERVICE
from kalends.calendar.background import background
from kalends.contract.errors import ApiError
from kalends.features.importing import job_rows as import_jobs
from kalends.features.importing import jobs, previews, rehearsal
from kalends.features.importing import run as importing_run
from kalends.features.importing.records.record import Item, SourceError
from kalends.features.importing.sources.csv_table import CsvTable
from kalends.values import dates


def test_a_preview_of_a_slow_address_holds_no_place_of_others_and_comes_to_an_end(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin, go = AdminClient(world, "administrator"), threading.Event()

    def slow(*args: Any) -> Any:
        assert go.wait(60)
        raise SourceError("{reason}", reason="it took too long to fetch")

    monkeypatch.setattr(rehearsal, "preview", slow)
    path = str(admin.post(IMPORT, {"address": "https://slow.example/"}).headers["Location"]).removeprefix(BASE_URL)
    for _ in range(2):  # the page loads itself again
        page = admin.get(path).text
        assert 'http-equiv="refresh"' in page
        assert "The address is being read" in page
        assert "Show the preview again" not in page
    assert world.get(BASE_URL + "/events/month/").status_code == 200
    go.set()
    assert "it took too long to fetch" in wait(admin, path)


def test_a_preview_whose_server_ended_can_be_asked_for_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    admin = AdminClient(world, "administrator")
    monkeypatch.setattr(previews, "_make", lambda *_: None)  # as if it were killed
    path = str(admin.post(IMPORT, {"address": "https://slow.example/"}).headers["Location"]).removeprefix(BASE_URL)
    assert 'http-equiv="refresh"' in admin.get(path).text
    world.clock.move(minutes=3)
    page = admin.get(path).text
    assert 'http-equiv="refresh"' not in page
    assert "Show the preview again" in page


def test_an_import_that_a_restart_interrupted_can_go_on(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    with world.calendar.store.write() as session:  # a server that was stopped meanwhile
        import_jobs.start(session, int(path.rpartition("/")[2]), "", dates.text(world.clock()), "")
    assert 'http-equiv="refresh"' in admin.get(path).text
    world.clock.move(minutes=3)
    page = admin.get(path).text
    assert 'http-equiv="refresh"' not in page
    assert "Interrupted" in page
    assert "Interrupted" in admin.get(IMPORT).text
    admin.post(path, {"do": "start"})
    assert "Done" in wait(admin, path)
    assert titles(world) == ["Fair", "Market"]


@pytest.mark.both_stores
def test_who_starts_an_import_just_after_its_server_was_killed_is_told_when_to_try_again(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    world.neighbour()
    neighbour, id = world.neighbours[-1], int(path.rpartition("/")[2])
    with neighbour.store.read() as session:
        job = import_jobs.find(session, id)
    assert job is not None
    assert jobs.hold(neighbour, jobs.KIND, job, jobs.JobOptions(), import_jobs.RUNNING)  # and is killed
    admin.post(path, {"do": "start"})
    assert "under way already. If its server has just ended, try again in 20 seconds" in admin.message()
    assert titles(world) == []
    world.clock.move(seconds=20)
    world.calendar.background.run_due()  # another process notices it
    admin.post(path, {"do": "start"})
    assert "Done" in wait(admin, path)
    assert titles(world) == ["Fair", "Market"]


def test_imports_that_are_under_way_at_a_time_are_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a thread, and writes: of one person, and of all people together."""
    monkeypatch.setattr(jobs, "MOST_OF_ALL", 4)
    admin, go = AdminClient(world, "administrator"), threading.Event()
    prepare = CsvTable.prepare

    def slow(table: CsvTable) -> int | None:
        assert go.wait(60) or threading.current_thread() is threading.main_thread()
        return prepare(table)

    paths = [upload(admin, f"{number}.csv", TABLE) for number in range(jobs.MOST_OF_ONE + 1)]
    monkeypatch.setattr(CsvTable, "prepare", slow)
    for path in paths[:-1]:
        admin.post(path, {"do": "start"})
    refused = admin.post(paths[-1], {"do": "start"}, status=429)
    assert "Too many imports are under way: at most 3 of one person, 4 in all." in refused.text
    admin.post(paths[0], {"do": "start"})  # one that runs already is only shown

    with world.calendar.store.write() as session:  # two of somebody else, on another node
        for number in range(2):
            id = import_jobs.add(session, 999, "csv", "x", f"{number}", "", dates.text(world.clock()))
            if not number:
                import_jobs.start(session, id, "", dates.text(world.clock()), "")
        other = import_jobs.find(session, id)
    assert other is not None
    with pytest.raises(ApiError):
        jobs.start(world.calendar, SERVICE, other, jobs.JobOptions())
    go.set()
    for path in paths[:-1]:
        wait(admin, path)
    admin.post(paths[-1], {"do": "start"})
    assert "Done" in wait(admin, paths[-1])


def test_an_import_that_waits_for_long_still_gives_signs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would count as interrupted, and could be started twice."""
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    prepare = CsvTable.prepare

    def until(reached: Callable[[import_jobs.ImportJob], bool]) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with world.calendar.store.read() as session:
                job = import_jobs.find(session, int(path.rpartition("/")[2]))
            if job is not None and reached(job):
                return
            time.sleep(0.01)
        raise AssertionError("that does not happen")

    def slow(table: CsvTable) -> int:
        world.clock.move(minutes=3)
        until(lambda job: job.updated_utc == dates.text(world.clock()))
        return prepare(table)

    monkeypatch.setattr(background, "RENEWED_AFTER", 0.02)
    monkeypatch.setattr(CsvTable, "prepare", slow)
    admin.post(path, {"do": "start"})
    until(lambda job: job.state == import_jobs.DONE)
    assert titles(world) == ["Fair", "Market"]


def test_the_report_of_an_import_that_failed_counts_what_was_done(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "events.csv", TABLE)
    items = CsvTable.items

    def cut(table: CsvTable, start: str) -> Iterator[Item]:
        yield from itertools.islice(items(table, start), 1)
        raise SourceError("the line is cut")

    monkeypatch.setattr(importing_run, "BATCH", 1)
    monkeypatch.setattr(CsvTable, "items", cut)
    admin.post(path, {"do": "start"})
    page = wait(admin, path)
    assert "the line is cut" in page
    assert re.search(r"<dt>Created</dt><dd>2</dd>", page)


def test_files_of_imports_are_removed_after_a_month(world: World) -> None:
    admin = AdminClient(world, "administrator")
    path = upload(admin, "club.ics", CALENDAR)
    [file] = (world.calendar.settings.data / "imports").iterdir()
    long_ago = (world.clock.now - timedelta(days=31)).replace(tzinfo=UTC).timestamp()
    os.utime(file, (long_ago, long_ago))
    upload(admin, "fairs.csv", TABLE)
    assert not file.exists()
    assert "club.ics is no longer on this server; choose it again" in admin.get(path).text
