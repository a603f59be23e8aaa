"""The country that a new venue begins with, and venues of one name, which their streets tell apart."""

import html
import re
from typing import Any

from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World


def country(world: World, path: str = "/admin/events/new", name: str = "venue_country") -> str:
    page = AdminClient(world, "editor").get(path).text
    return re.search(rf'<input id="field-{name}"[^>]* value="([^"]*)"', page)[1]  # type: ignore[index]


def test_the_country_is_that_of_the_calendar_else_of_the_last_venue(make_world: Any) -> None:
    world = make_world()
    assert country(world) == ""
    world.make("venues", venue="Mill", country="Ireland")
    world.make("venues", venue="Quay")
    assert country(world) == country(world, "/admin/venues/new", "country") == "Ireland"
    assert country(make_world(country="DE")) == "Germany"


def test_a_country_alone_makes_no_venue(world: World) -> None:
    editor = AdminClient(world, "editor")
    editor.get("/admin/events/new")
    sent = {"title": "Fair", "start_day": "2026-12-10", "venue_country": "Ireland", "do": "draft"}
    editor.post("/admin/events/new", sent)
    assert world.get("/venues?status=publish,draft", who="administrator").json()["venues"] == []


def test_two_of_one_name_have_their_streets_wherever_one_is_chosen(world: World) -> None:
    made = [
        world.make("venues", venue="Town Hall", address="Quay 1", city="Cork"),
        world.make("venues", venue="town hall", address="Mill Lane 2"),
        world.make("venues", venue="Theatre", address="Main St 3"),
    ]
    events = [world.make("events", title=f"At {venue['id']}", venue=venue["id"]) for venue in made]
    labels = ["Theatre", "Town Hall, Quay 1, Cork", "town hall, Mill Lane 2"]
    editor = AdminClient(world, "editor")
    for path in ("/admin/events?when=all", "/admin/events/month", "/admin/settings/share"):
        page = html.unescape(editor.get(path).text)
        assert [label for label in labels if f">{label}</option>" in page] == labels, path
    public = html.unescape(world.client.get(f"{BASE_URL}/events/").text)
    assert [label for label in labels if f">{label}</bdi>" in public] == labels
    venues = html.unescape(editor.get("/admin/venues").text)
    assert "Quay 1, Cork" in venues
    assert "Mill Lane 2" in venues
    chosen = html.unescape(editor.get(f"/admin/events/{events[0]['id']}").text)
    assert re.search(r"Town Hall</bdi> <small[^>]*><bdi>Quay 1, Cork</bdi>", chosen)
    assert '<option value="Town Hall"></option>' in chosen  # what a browser offers to type is a name
