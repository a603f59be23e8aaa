"""The form of the editor, filled in, and the event that it leads to."""

from typing import Any

from tests.conftest import World

NEW = "/admin/events/new"


FILLED: dict[str, Any] = {
    "title": "Harvest supper",
    "start_day": "2026-12-05",
    "start_time": "19:00",
    "end_day": "2026-12-05",
    "end_time": "21:30",
    "timezone": "Europe/Dublin",
    "description": "<p>Bring a dish.</p>",
    "cost": "5 €",
    "website": "https://supper.example/",
    "venue_name": "Parish hall",
    "venue_city": "Cork",
    "organizer_name": "Parish council",
    "new_category": "Food",
    "tag_names": "supper; harvest",
    "show_map": "1",
    "do": "publish",
}


def saved(world: World, response: Any) -> dict[str, Any]:
    """The event that a form led to, as the interface shows it."""
    return event(world, int(response.headers["Location"].rpartition("/")[2]))


def event(world: World, id: int) -> dict[str, Any]:
    found: dict[str, Any] = world.get(f"/events/{id}", who="administrator").json()
    return found


def count(world: World) -> int:
    statuses = "publish,draft,pending,private,future,trash"
    return int(world.get(f"/events?status={statuses}&start_date=1900-01-01", who="administrator").json()["total"])
