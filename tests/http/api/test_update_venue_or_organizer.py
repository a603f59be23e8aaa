"""POST, PUT and PATCH of one venue or organizer, by id and by slug."""

import pytest
from tests.http.api.conftest import make_named as make

from kalends.contract.kinds import ORGANIZER, VENUE

KINDS = pytest.mark.parametrize("kind", [VENUE, ORGANIZER], ids=lambda kind: kind.name)
WAYS = pytest.mark.parametrize("way", ["id", "slug"])
TEXTS = {
    "venue": ["address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince"],
    "organizer": ["phone", "website", "email"],
}


@KINDS
@WAYS
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_an_update_changes_the_record_of_the_path(world, kind, way, method, at):
    made, other = make(world, kind, phone="112"), make(world, kind)
    body = {kind.name_field: "New", "id": other["id"], "slug": "renamed"}
    changed = world.ask(method, at(kind, made, way), "administrator", json=body).json()
    assert (changed["id"], changed[kind.name_field], changed["slug"]) == (made["id"], "New", "renamed")
    assert changed["phone"] == "112"
    assert world.get(f"/{kind.plural}/by-slug/renamed").json()["id"] == made["id"]


@pytest.mark.parametrize("one", ["geo_lat", "geo_lng"])
def test_coordinates_are_written_together(world, one):
    venue = make(world, VENUE, geo_lat=0, geo_lng="0")
    assert (venue["geo_lat"], venue["geo_lng"]) == (0.0, 0.0)
    for value in (5, None, ""):
        assert world.put(f"/venues/{venue['id']}", json={one: value}).status_code == 400
    for lat, lng in ((91, 0), (0, 181), ("x", 0), (None, 0), (True, 0)):
        assert world.put(f"/venues/{venue['id']}", json={"geo_lat": lat, "geo_lng": lng}).status_code == 400
    cleared = world.put(f"/venues/{venue['id']}", json={"geo_lat": "", "geo_lng": None}).json()
    assert "geo_lat" not in cleared
    assert "geo_lng" not in cleared


@KINDS
@pytest.mark.parametrize("empty", ["", None])
def test_empty_and_null_clear_an_optional_field(world, kind, refs, empty):
    names = [*TEXTS[kind.name], "description", "excerpt", "image"]
    body = {name: f"{name} text" for name in names}
    body |= {"website": "https://a.test/", "email": "a@a.test", "image": refs["image"][0]}
    made = make(world, kind, **body)
    for name in names:
        response = world.put(f"/{kind.plural}/{made['id']}", json={name: empty})
        assert response.status_code == 200, response.text
        assert name not in response.json() or name == "stateprovince"


@KINDS
@pytest.mark.parametrize("value", ["", None])
@pytest.mark.parametrize("name", ["name", "status", "author", "date"])
def test_what_cannot_be_empty_is_400(world, kind, name, value):
    name = kind.name_field if name == "name" else name
    made = make(world, kind)
    response = world.put(f"/{kind.plural}/{made['id']}", json={name: value})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, [name])


def test_null_gives_the_flags_of_a_venue_their_default(world):
    made = make(world, VENUE, show_map=False, show_map_link="off")
    assert (made["show_map"], made["show_map_link"]) == (False, False)
    changed = world.put(f"/venues/{made['id']}", json={"show_map": None, "show_map_link": None}).json()
    assert (changed["show_map"], changed["show_map_link"]) == (True, True)
