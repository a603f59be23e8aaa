"""A calendar of the version before, with the damage that it could do, is whole after the upgrade."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Clock, World, settings_for
from tests.consistency.test_checking import DAMAGE, Known, check
from tests.moving.conftest import empty_database, other_database
from tests.moving.old_schemas import build, rows_of
from tests.stores import Template

from kalends.bootstrap import make_store, open_calendar
from kalends.calendar.consistency import repairing
from kalends.calendar.series import filling
from kalends.calendar.service import Calendar

__all__ = ["empty_database", "other_database"]  # fixtures

BEFORE = 17  # its schema
PLANTED = (
    "template with a deleted image",
    "template with a deleted category",
    "template with a merged venue",
    "series without events",
    "date torn out",
    "date without its first",
    "event with a parent that is gone",
    "old address of nothing",
    "versions of nothing",
)


@pytest.fixture
def upgraded(
    world: World, template: Template, empty_database: Callable[[], dict[str, str]], tmp_path: Path
) -> Callable[..., tuple[World, Known]]:
    """Makes the store of the version before with some damage, and opens it with this version."""

    def make(*damage: str) -> tuple[World, Known]:
        known, rows = Known(world, has_custom_fields=False), rows_of(world.calendar.store)
        rows["site"] = [row for row in rows["site"] if row["key"] != repairing.KEY]
        rows["fragment"] = [row | {"render_version": "before"} for row in rows["fragment"]]
        data = tmp_path / "before"
        data.mkdir()
        address = empty_database()
        for key, value in address.items():
            (data / "kalends.toml").write_text(f'{key} = "{value}"\n')
        settings = settings_for(data, **address)
        store = make_store(settings)
        build(store, BEFORE, rows)
        with store.write() as session:
            for name in damage:
                DAMAGE[name][1](session, known)
        store.close()
        opened = open_calendar(settings)
        clock = Clock()
        calendar = Calendar(opened.store, opened.files, settings, clock)
        return World(calendar, clock, template.tokens, template.ids), known

    return make


@pytest.mark.parametrize("name", PLANTED)
def test_each_damage_is_mended_by_the_upgrade(upgraded: Callable[..., tuple[World, Known]], name: str) -> None:
    world, _ = upgraded(name)
    assert check(world) == (0, "Nothing is wrong.\n")
    world.calendar.store.close()


@pytest.mark.both_stores
def test_the_calendar_goes_on_after_the_upgrade(upgraded: Callable[..., tuple[World, Known]]) -> None:
    world, known = upgraded(*PLANTED)
    assert check(world) == (0, "Nothing is wrong.\n")
    answer = world.put(f"/events/{known.ids[0]}?scope=all", json={"recurrence": "FREQ=WEEKLY"})
    assert answer.status_code == 200, answer.text
    assert [*filling.fill_all(world.calendar)] == []
    events = world.get(f"/events?series={known.series}&start_date=2027-01-01&per_page=100").json()["events"]
    assert {event["venue"]["id"] for event in events} == {known.barn}
    assert check(world) == (0, "Nothing is wrong.\n")
    world.calendar.store.close()


def test_a_repair_is_made_once(upgraded: Callable[..., tuple[World, Known]]) -> None:
    world, _ = upgraded()
    before = world.count()
    with world.calendar.store.write() as session:
        session.run("INSERT INTO redirect (kind, slug_key, target) VALUES ('venue', 'old', 77)")
    repairing.repair_once(world.calendar)
    assert world.count() == before
    assert check(world)[0] == 1
    world.calendar.store.close()
