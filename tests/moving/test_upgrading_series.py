"""Series of the version before: what it left behind in templates and without events is mended by the upgrade."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import Clock, World, settings_for
from tests.moving.old_schemas import build, rows_of
from tests.series.test_references import references, upload
from tests.series.test_scopes import make, occurrences
from tests.stores import Template

from kalends.bootstrap import make_store, open_calendar
from kalends.calendar.series import filling
from kalends.calendar.service import Calendar

BEFORE = 17  # its schema


def test_damaged_series_are_mended(
    world: World, empty_database: Callable[[], dict[str, str]], template: Template, tmp_path: Path
) -> None:
    image = upload(world)
    first = make(world, recurrence="FREQ=WEEKLY", image=image, venue={"venue": "Hall"}, tags=["Slow"])[0]
    orphan = make(world, recurrence="FREQ=WEEKLY", title="Orphan")[0]["series"]
    rows = rows_of(world.calendar.store)
    for event in rows["event"]:
        event["image"] = None
    rows["media"] = []
    rows["event"] = [event for event in rows["event"] if event["series"] != orphan]
    data = tmp_path / "before"
    data.mkdir()
    settings = settings_for(data, **empty_database())
    store = make_store(settings)
    build(store, BEFORE, rows)
    store.close()
    opened = open_calendar(settings)
    clock = Clock()
    clock.move(days=60)
    upgraded = World(Calendar(opened.store, opened.files, settings, clock), clock, template.tokens, template.ids)
    tag, venue = first["tags"][0]["id"], first["venue"]["id"]
    assert references(upgraded) == [("tag", tag), ("venue", venue)]
    assert sum(filling.fill_all(upgraded.calendar)) > 0
    found: list[dict[str, Any]] = occurrences(upgraded, first["series"])
    assert {(event["image"], event["venue"]["id"], event["tags"][0]["id"]) for event in found} == {
        (False, venue, tag)
    }
    assert upgraded.get(f"/events?series={orphan}", "administrator").status_code == 400
    opened.store.close()
