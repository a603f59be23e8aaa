"""Several processes: one of them reads a source at a time, and what a kill leaves is read by another one."""

import threading

import pytest
from tests.conftest import World
from tests.features.sources.calendars import Elsewhere, add, calendar_file, entry, read, titles

from kalends.calendar.service import Calendar
from kalends.features.sources import reading
from kalends.features.sources.reading import SourceReader
from kalends.store.rows import tasks

pytestmark = pytest.mark.both_stores


def test_one_process_reads_at_a_time(world: World, remote: Elsewhere) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def slowly(request) -> None:  # type: ignore[no-untyped-def]
        asked.set()
        go_on.wait(20)
        body = calendar_file(entry("1@town", "20270310T190000"))
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    remote.answer = slowly
    made = add(world, remote)
    reader = threading.Thread(target=read, args=(world, made))
    reader.start()
    assert asked.wait(20)
    assert reading.is_under_way(world.calendar, made["id"])
    world.neighbour()
    other: Calendar = world.neighbours[-1]
    other.background.register(SourceReader(other).kind())
    other.background.run_due()
    assert len(remote.asked) == 1
    go_on.set()
    reader.join(20)
    assert titles(world) == ["Concert"]
    assert len(remote.asked) == 1


def test_what_a_kill_leaves_is_read_by_another_process(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"), entry("2@town", "20270311T190000"))
    made = add(world, remote)
    with world.calendar.store.write() as session:  # a process took it, and was killed
        (task,) = tasks.due(session, "2026-11-15 12:00:00", [("source", 1, 1)])
        tasks.claim(session, task, "killed", "2026-11-15 12:00:00", "2026-11-15 12:00:20")
    world.neighbour()
    other: Calendar = world.neighbours[-1]
    other.background.register(SourceReader(other).kind())
    other.background.run_due()
    assert not remote.asked
    world.clock.move(seconds=30)
    other.background.run_due()
    assert titles(world) == ["Concert", "Concert"]
    found = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (found["created"], found["error"]) == (2, "")
