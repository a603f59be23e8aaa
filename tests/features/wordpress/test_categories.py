"""Categories as clients of WordPress make them."""

from tests.conftest import World
from tests.features.wordpress.wordpress_paths import WP


def test_categories_are_at_most_twenty_levels_deep(world: World) -> None:
    above = 0
    for level in range(20):
        above = world.make("categories", name=f"Level {level}", parent=above)["id"]
    response = world.post(f"{WP}/tribe_events_cat", json={"name": "Too deep", "parent": above})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["parent"])
    assert "at most 20 levels" in response.text
