"""A day of failure is told to those who run the site, once."""

from typing import Any

from tests.conftest import BASE_URL, World
from tests.effort import effort
from tests.features.sources.calendars import Elsewhere, add, entry, run
from tests.features.sources.conftest import KEY


def letters(world: World) -> list[str]:
    with world.calendar.store.read() as session:
        return [str(kind) for (kind,) in session.all("SELECT kind FROM mail ORDER BY id")]


def test_a_day_of_failure_is_told_once(make_world: Any, remote: Elsewhere) -> None:
    world: World = make_world(
        base_url=BASE_URL, fetch_private="true", secret_key=KEY, mail_server="smtp://127.0.0.1:2525"
    )
    world.put(f"/users/{world.ids['administrator']}", json={"email": "admin@example.org"})
    remote.status = 500
    add(world, remote)
    pass_hours(world, 23)
    assert "source_failed" not in letters(world)
    pass_hours(world, 48)
    assert letters(world).count("source_failed") == 1
    remote.status = 200
    remote.show(entry("1@town", "20270310T190000"))
    world.clock.move(days=1)
    run(world)
    assert letters(world).count("source_failed") == 1


def pass_hours(world: World, hours: int) -> None:
    minutes = effort(115, 15)
    for _ in range(0, 60 * hours, minutes):
        world.clock.move(minutes=minutes)
        run(world)
