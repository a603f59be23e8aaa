"""The index of WordPress' namespaces."""

from tests.conftest import BASE_URL, World
from tests.contract.test_index import endpoint, index, world

__all__ = ["index", "world"]


def test_the_elements_of_an_array_are_of_the_type_that_is_accepted(index, world) -> None:
    created = endpoint(index, "/events", "POST")
    assert (created["tickets"]["items"], created["tags"]["items"]) == ({"type": "object"}, {"type": "integer"})
    routes = world.get(f"{BASE_URL}/wp-json/wp/v2").json()["routes"]
    listed = routes["/wp/v2/tribe_events"]["endpoints"][0]["args"]
    assert (listed["slug"]["items"], listed["include"]["items"]) == ({"type": "string"}, {"type": "integer"})


def test_options_describes_the_root(world: World) -> None:
    answer = world.ask("OPTIONS", f"{BASE_URL}/wp-json/")
    assert (answer.status_code, answer.headers["Allow"]) == (200, "GET")
    assert answer.json() == {
        "namespace": "",
        "methods": ["GET"],
        "endpoints": [{"methods": ["GET"], "args": {}}],
        "_links": {"self": [{"href": f"{BASE_URL}/wp-json/"}]},
    }
