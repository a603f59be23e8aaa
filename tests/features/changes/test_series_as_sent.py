"""The external id of a series names the whole series in a batch and under a key as well."""

import pytest
from tests.calendar.series.test_as_sent import PATH, YOGA, all_at, put, shown
from tests.conftest import World

pytestmark = pytest.mark.both_stores


def test_in_a_batch_and_under_a_key(world: World) -> None:
    item = {"method": "PUT", "path": PATH, "body": YOGA}
    done = world.post("/batch", json={"requests": [item, item | {"body": YOGA | {"title": "Yin yoga"}}]})
    assert [one["status"] for one in done.json()["responses"]] == [201, 200], done.text
    assert shown(world) == all_at("19:00", "Yin yoga")
    headers = {"Idempotency-Key": "once"}
    first = world.put(PATH, json=YOGA | {"title": "Hatha"}, headers=headers)
    assert first.is_success
    put(world, title="Later")
    again = world.put(PATH, json=YOGA | {"title": "Hatha"}, headers=headers)
    assert again.json() == first.json()
    assert shown(world) == all_at("19:00", "Later")
    gone = world.post("/batch", json={"requests": [{"method": "DELETE", "path": PATH}]})
    assert gone.json()["responses"][0]["status"] == 200
    assert shown(world) == []
