"""Pictures that are smaller than a size that is made of them, for clients of WordPress."""

from typing import Any

from tests.admin.test_small_pictures import shown
from tests.conftest import BASE_URL, World

__all__ = ["shown"]


def test_every_way_out_shows_it(world: World, shown: dict[str, Any]) -> None:
    image, event = shown["image"], shown["event"]
    for path in (
        *("wp/v2/media", f"wp/v2/media/{image['id']}", "wp/v2/tribe_events?_embed=1", "wp/v2/tribe_venue?_embed=1"),
        *("tec/v1/events", f"tec/v1/events/{event['id']}", f"tec/v1/venues/{shown['venue']['id']}"),
    ):
        assert world.get(f"{BASE_URL}/wp-json/{path}", "administrator").status_code == 200, path
