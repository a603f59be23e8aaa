"""A date of a series that is in the trash stays there, also when a series of its own begins with it."""

from typing import Any

import pytest
from tests import store_checks
from tests.calendar.series.test_scopes import make, put

pytestmark = pytest.mark.both_stores


@pytest.mark.parametrize("rule", ["FREQ=DAILY;COUNT=4", "FREQ=DAILY;UNTIL=20261121T000000Z", "FREQ=WEEKLY"])
@pytest.mark.parametrize("cancelled", [1, -1])
def test_a_change_from_a_cancelled_date_on_leaves_it_cancelled(make_world: Any, rule: str, cancelled: int) -> None:
    world = make_world(recurrence_months="1")
    found = make(world, recurrence=rule)
    gone = found[cancelled]
    assert world.delete(f"/events/{gone['id']}").status_code == 200
    put(world, gone, scope="following", title="Changed")
    after = world.read("events", gone["id"])
    assert (after["status"], after["title"]) == ("trash", "Changed")
    store_checks.check(world.calendar.store)
    put(world, gone, scope="following", status="publish")
    assert world.read("events", gone["id"])["recurrence"]["exceptions"] == []
    store_checks.check(world.calendar.store)
