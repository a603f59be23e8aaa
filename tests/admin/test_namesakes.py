"""Names of new venues and organizers: one that is there already is found without regard to case and accents."""

from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.admin.test_review import event_of, send
from tests.conftest import World

NEW = "/admin/events/new"
EVENT = {"title": "Ball", "start_day": "2027-03-02", "start_time": "19:00"}


@pytest.fixture
def world(make_world: Any) -> World:
    world: World = make_world(submissions="true")
    world.make("venues", venue="Café Übersee", city="Kiel")
    return world


def venues(world: World) -> list[str]:
    found = world.get("/venues?per_page=50&status=publish,draft,pending,trash", who="administrator").json()["venues"]
    return sorted(venue["venue"] for venue in found)


def venue_of(world: World, title: str = "Ball") -> dict[str, Any]:
    found = event_of(world, title)["venue"]
    return dict(found[0] if isinstance(found, list) else found)


def test_case_and_accents_make_no_new_venue(world: World) -> None:
    AdminClient(world, "editor").post(NEW, EVENT | {"venue_name": " cafe ubersee ", "do": "publish"})
    assert venue_of(world)["city"] == "Kiel"
    send(world, {"title": "Street party", "venue_name": "CAFÉ ÜBERSEE"})
    assert venue_of(world, "Street party")["city"] == "Kiel"
    assert venues(world) == ["Café Übersee"]


@pytest.mark.parametrize(
    "typed", [{"venue_name": "Cafe Ubersee", "venue_address": "Mole 1"}, {"venue_name": "Cafe Überse"}]
)
def test_what_may_be_the_same_is_asked_with_one_choice(world: World, typed: dict[str, str]) -> None:
    editor = AdminClient(world, "editor")
    page = editor.post(f"{NEW}?lang=en", EVENT | typed | {"do": "publish"}, status=400).text
    assert error_beside(page, "venue") == "Do you mean “Café Übersee”?"
    assert 'name="venue_same" value="1" checked' in page
    assert venues(world) == ["Café Übersee"]
    editor.post(NEW, EVENT | typed | {"do": "publish", "venue_same": "1"})
    assert venue_of(world)["city"] == "Kiel"
    editor.post(NEW, EVENT | typed | {"title": "Other", "do": "publish", "venue_same": "new"})
    assert venues(world) == sorted(["Café Übersee", typed["venue_name"]])
    # The public form asks the same.
    sent = {"title": "Street party", "venue_name": "Café Übersee", "venue_address": "Mole 9"}
    answer = send(world, sent)
    assert answer.status_code == 400
    assert 'name="venue_same" value="1" checked' in answer.text
    assert send(world, sent | {"venue_same": "1"}).status_code == 200
    assert venue_of(world, "Street party")["city"] == "Kiel"


def test_a_venue_of_a_draft_is_nobodys_suggestion(world: World) -> None:
    AdminClient(world, "author").post(NEW, EVENT | {"venue_name": "Secret Barn", "do": "draft"})
    assert venues(world) == ["Café Übersee", "Secret Barn"]
    for path in ("/venues", "/venues?search=secret", "/venues/by-slug/secret-barn", "/search?search=secret"):
        assert "ecret Barn" not in world.client.get(world.ns + path).text
    for path in ("/venue/secret-barn/", "/submit", "/sitemap.xml", "/wp-json/wp/v2/tribe_venue", "/events/list/"):
        assert "ecret Barn" not in world.client.get(path).text
    answer = send(world, {"venue_name": "secret barn", "venue_address": "Mole 1"})
    assert answer.status_code == 200  # taken as a new one, without a word
    other = AdminClient(world, "other_author")
    other.post(NEW, EVENT | {"title": "Mine", "venue_name": "secret barn", "venue_address": "Mole 1", "do": "draft"})
    # Nor can the public form name it by its number.
    id = next(one["id"] for one in world.get("/venues?status=draft", who="administrator").json()["venues"])
    send(world, {"title": "Guess", "venue_name": "", "venue": str(id), "venue_same": str(id)})
    assert not event_of(world, "Guess")["venue"]


def test_saving_in_the_background_makes_no_venue(world: World) -> None:
    """New event, venue, Enter, the draft saves itself, the street, Publish: one venue."""
    author = AdminClient(world, "author")
    typed = EVENT | {"venue_name": "Kite Barn", "organizer_name": "Kites"}
    saved = author.post(f"{NEW}/autosave", typed, status=200).json()
    assert venues(world) == ["Café Übersee"]
    here = saved["address"]
    author.post(here, typed | {"venue_address": "Mill 2", "version": saved["version"], "do": "publish"})
    assert venues(world) == ["Café Übersee", "Kite Barn"]
    assert world.client.get("/venue/kite-barn/").status_code == 200
