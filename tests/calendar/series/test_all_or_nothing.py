"""A series is created and changed as a whole, or not at all, whatever happens meanwhile."""

import signal
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.series import killed_maker
from tests.calendar.series.test_scopes import BODY, make
from tests.forked import end_of
from tests.stores import contents

from kalends.store.rows import events as stored_events
from kalends.store.rows import fragments, tallies

STEPS = [(stored_events, "_insert_links"), (tallies, "apply"), (fragments, "put_events")]


@pytest.mark.both_stores
@pytest.mark.parametrize(("module", "name"), STEPS, ids=[name for _, name in STEPS])
def test_an_error_in_the_middle_leaves_nothing(
    world: Any, monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    first = make(world, tags=["Slow"])[0]
    before = contents(world.calendar.store)

    def fail(*_: Any) -> None:
        raise RuntimeError("the disk is gone")

    change = f"/events/{first['id']}?scope="
    with monkeypatch.context() as patch:
        patch.setattr(module, name, fail)
        for method, path, body in (
            (world.post, "/events", BODY | {"tags": ["Slow"]}),
            (world.put, f"{change}all", {"title": "Other", "tags": [], "recurrence": "FREQ=DAILY"}),
            (world.put, f"{change}following", {"start_date": "2026-11-17 18:00", "recurrence": ""}),
        ):
            assert method(path, json=body).status_code == 500
    assert contents(world.calendar.store) == before


@pytest.mark.both_stores
def test_a_killed_process_leaves_nothing(world: Any) -> None:
    make(world)
    before = contents(world.calendar.store)
    settings = world.calendar.settings
    environ = {"KALENDS_DATA": str(settings.data), "KALENDS_TIMEZONE": settings.timezone}
    body = BODY | {"recurrence": "FREQ=DAILY"}
    assert end_of(killed_maker.make, body, world.ids["editor"], environ, world.clock.now) == -signal.SIGKILL
    assert contents(world.calendar.store) == before
    store_checks.check(world.calendar.store)
