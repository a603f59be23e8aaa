"""Names of new venues and organizers: one that is there already is found without regard to case and accents."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.admin.test_review import event_of, send
from tests.conftest import World

NEW = "/admin/events/new"
EVENT = {"title": "Ball", "start_day": "2027-03-02", "start_time": "19:00"}
COURSE = {"title": "Ball", "start_date": "2027-03-02 19:00", "recurrence": "FREQ=WEEKLY;COUNT=3"}


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
    assert checked(page) == ["new"]  # what was typed
    assert venues(world) == ["Café Übersee"]
    editor.post(NEW, EVENT | typed | {"do": "publish", "venue_same": "1"})
    assert venue_of(world)["city"] == "Kiel"
    editor.post(NEW, EVENT | typed | {"title": "Other", "do": "publish", "venue_same": "new"})
    assert venues(world) == sorted(["Café Übersee", typed["venue_name"]])
    # The public form asks the same.
    sent = {"title": "Street party", "venue_name": "Café Übersee", "venue_address": "Mole 9"}
    answer = send(world, sent)
    assert answer.status_code == 400
    assert checked(answer.text) == ["new"]
    assert send(world, sent | {"venue_same": "1"}).status_code == 200
    assert venue_of(world, "Street party")["city"] == "Kiel"


def checked(page: str) -> list[str]:
    return re.findall(r'name="venue_same" value="([^"]*)" checked', page)


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        ("VHS Raum 3", "VHS Raum 7"),
        ("Turnhalle Nord", "Turnhalle Süd"),
        ("Saal II", "Saal III"),
        ("Haus A", "Haus B"),
    ],
)
def test_another_number_or_side_is_another_venue_and_nobody_is_asked(world: World, known: str, typed: str) -> None:
    room = world.make("venues", venue=known)
    dates = world.make("events", **COURSE, venue=room["id"])
    editor = AdminClient(world, "editor")
    path = f"/admin/events/{dates['id']}"
    editor.post(path, EVENT | {"venue_name": typed, "scope": "this", "do": "save"})
    found = world.get(f"/events?series={dates['series']}&start_date=2027-01-01").json()["events"]
    assert [event["venue"]["venue"] for event in found] == [typed, known, known]
    send(world, {"title": "Street party", "venue_name": typed})
    assert venue_of(world, "Street party")["venue"] == typed
    assert venues(world) == sorted(["Café Übersee", known, typed])


def test_what_was_typed_is_saved_by_pressing_the_button_twice(world: World) -> None:
    editor = AdminClient(world, "editor")
    sent = EVENT | {"venue_name": "Cafe Überse", "organizer_name": "", "do": "publish"}
    page = editor.post(f"{NEW}?lang=en", sent, status=400).text
    editor.post(NEW, sent | {"venue_same": checked(page)[0]})
    assert venue_of(world)["venue"] == "Cafe Überse"


def test_an_answer_stays_when_something_else_is_refused(world: World) -> None:
    editor = AdminClient(world, "editor")
    sent = EVENT | {"title": "", "venue_name": "Cafe Überse", "venue_same": "new", "do": "publish"}
    page = editor.post(f"{NEW}?lang=en", sent, status=400).text
    assert checked(page) == ["new"]
    answer = send(world, {"title": "", "venue_name": "Cafe Überse", "venue_same": "new"})
    assert checked(answer.text) == ["new"]


@pytest.mark.parametrize(("written", "is_offered"), [("Saal 2", False), ("Saal 1 im Rathaus", True)])
def test_review_offers_no_room_with_another_number(world: World, written: str, is_offered: bool) -> None:
    world.make("events", **COURSE, venue={"venue": "Saal 1"})
    send(world, {"title": "Street party", "venue_name": written})
    page = AdminClient(world, "editor").get("/admin/review?lang=en").text
    assert written in page
    assert ("Perhaps the same as" in page) is is_offered


def test_a_venue_of_a_draft_is_nobodys_suggestion(world: World) -> None:
    AdminClient(world, "author").post(NEW, EVENT | {"venue_name": "Secret Barn", "do": "draft"})
    assert venues(world) == ["Café Übersee", "Secret Barn"]
    for path in ("/venues", "/venues?search=secret", "/venues/by-slug/secret-barn", "/search?search=secret"):
        assert "ecret Barn" not in world.client.get(world.ns + path).text
    for path in ("/venue/secret-barn/", "/submit", "/sitemap.xml", "/venues/", "/events/list/"):
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
