"""Records that are named by their ids at a source, in a batch."""

import pytest
from tests.conftest import World
from tests.http.api.one_calendar.test_external_ids import RECORDS


@pytest.mark.both_stores
@pytest.mark.parametrize(("field", "plural"), [("venue", "venues"), ("organizer", "organizers")])
def test_an_event_names_a_venue_or_organizer_that_the_same_batch_makes(world: World, field: str, plural: str) -> None:
    named = {"source": "named.example", "external_id": "1"}
    world.put(f"/{plural}/by-external/named.example/1", json={field: "First"})
    item = {"method": "POST", "path": "/events", "body": RECORDS["events"] | {field: named}}
    other = {"method": "PUT", "path": f"/{plural}/by-external/named.example/2", "body": {field: "Second"}}
    last = item | {"body": RECORDS["events"] | {field: named | {"external_id": "2"}}}
    done = world.post("/batch", json={"requests": [item, other, last]}).json()["responses"]
    assert [one["status"] for one in done] == [201, 201, 201]


def test_records_are_removed_in_a_batch(world: World) -> None:
    path = "/venues/by-external/batch.example/1"
    world.put(path, json={"venue": "In a batch"})
    done = world.post("/batch", json={"requests": [{"method": "DELETE", "path": f"{path}?force=true"}]}).json()
    assert [one["status"] for one in done["responses"]] == [200]
    assert world.get(path).status_code == 404
