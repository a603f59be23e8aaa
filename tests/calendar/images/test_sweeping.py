"""Files that no image names are removed, but not before a day has passed."""

import os
from pathlib import Path
from typing import Any

from tests.conftest import World
from tests.pictures import png

from kalends.calendar.images import image_files


def sweep(world: World) -> int:
    return image_files.sweep(world.calendar.store, world.calendar.files, world.clock.now)


def files_of(world: World) -> set[str]:
    root = world.calendar.settings.data / "media"
    return {path.name for path in root.rglob("*") if path.is_file()}


def test_what_nobody_names_goes_after_a_day(world: World) -> None:
    world.post("/media", content=png(600, 400), headers={"Content-Type": "image/png"})
    whole = files_of(world)
    assert whole
    world.calendar.files.save("2026/11/left.png", b"left")
    left_over = world.calendar.settings.data / "media/2026/11/.0123.part"
    left_over.write_bytes(b"half")
    os.utime(left_over, (0, 0))
    assert sweep(world) == 0
    assert files_of(world) == whole | {"left.png"}
    world.clock.move(hours=23)
    assert sweep(world) == 0
    world.clock.move(hours=2)
    assert sweep(world) == 1
    assert files_of(world) == whole
    assert sweep(world) == 0


def test_a_file_that_gets_its_record_meanwhile_stays(world: World, monkeypatch: Any) -> None:
    world.post("/media", content=png(), headers={"Content-Type": "image/png"})
    whole = files_of(world)
    with monkeypatch.context() as patch:
        patch.setattr("kalends.store.rows.media.all_files", lambda session: [])  # the records are not there yet
        assert sweep(world) == 0
    world.clock.move(days=2)
    assert sweep(world) == 0
    assert files_of(world) == whole
    world.clock.move(days=2)
    assert sweep(world) == 0


def test_the_worker_does_it(world: World) -> None:
    world.calendar.files.save("2026/11/left.png", b"left")
    world.calendar.background.run_due()
    world.clock.move(days=1)
    world.calendar.background.run_due()
    assert files_of(world) == set()


def test_a_calendar_without_images(world: World, tmp_path: Path) -> None:
    assert sweep(world) == 0


def test_what_a_clock_has_noted_that_was_ahead_goes_after_a_day_too(world: World) -> None:
    world.calendar.files.save("2026/11/left.png", b"left")
    world.clock.move(days=400)
    assert sweep(world) == 0
    world.clock.move(days=-400)
    assert sweep(world) == 0
    world.clock.move(hours=23)
    assert sweep(world) == 0
    world.clock.move(hours=2)
    assert sweep(world) == 1
