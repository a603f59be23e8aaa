"""Clients of WordPress do not meet the author of what visitors send."""

from tests.calendar.access.test_author_of_submissions import author, world
from tests.conftest import BASE_URL, World

from kalends.calendar.editing import submissions

__all__ = ["author", "world"]


def test_lists_of_people_are_without_the_author_of_submissions(world: World, author: int) -> None:
    wordpress = f"{BASE_URL}/wp-json/wp/v2"
    for who in ("administrator", "anonymous"):
        listed = world.get(f"{wordpress}/users?per_page=100", who)
        assert author not in [user["id"] for user in listed.json()]
        assert world.get(f"{wordpress}/users/{author}", who).status_code in (401, 403, 404)
        embedded = world.get(f"{wordpress}/tribe_events?_embed", who)
        assert (embedded.status_code, submissions.NAME in embedded.text) == (200, False)
