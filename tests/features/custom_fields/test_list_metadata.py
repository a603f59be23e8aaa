"""A list tells search engines the custom fields of its events, with and without what is prerendered."""

from collections.abc import Callable

from tests.conftest import World
from tests.site.test_list_metadata import data_of, page_at


def test_a_month_has_the_values_of_its_events(make_world: Callable[..., World]) -> None:
    world = make_world(cache_size="0")
    field = world.post("/custom-fields", json={"label": "Level"}).json()["name"]
    world.make("events", title="Fair", custom_fields={field: "50 %"})
    prerendered = data_of(page_at(world, "/events/month/2027-03/"))
    with world.calendar.store.write() as session:
        session.run("DELETE FROM fragment")
    assert data_of(page_at(world, "/events/month/2027-03/")) == prerendered
    assert prerendered[0][0]["additionalProperty"][0]["value"] == "50 %"
