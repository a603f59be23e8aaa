"""GET /events: filters by place."""

import pytest
from tests.calendar.lists.list_requests import ask, names, refused

PLACES = {
    "Paris": (48.8566, 2.3522),
    "Versailles": (48.8049, 2.1204),  # 18 km from Paris
    "London": (51.5074, -0.1278),  # 344 km from Paris
    "Taveuni west": (-16.8, 179.95),
    "Taveuni east": (-16.8, -179.95),  # 10.6 km across the date line
    "North Pole": (90.0, 0.0),
    "near the Pole": (89.9, 180.0),  # 11.1 km from the Pole
    "beyond the Pole": (89.9, 0.0),  # 22.2 km from the one before, over the Pole
    "South Pole": (-90.0, 77.0),
    "Null": (0.0, 0.0),
}


@pytest.fixture
def places(world):
    for name, (lat, lng) in PLACES.items():
        venue = world.make("venues", venue=name, geo_lat=lat, geo_lng=lng)["id"]
        world.make("events", title=name, venue=[venue])
    nowhere = world.make("venues", venue="nowhere")["id"]
    world.make("events", title="nowhere", venue=[nowhere])
    world.make("events", title="no venue")
    return world


def test_a_radius_is_measured_on_the_sphere(places):
    for query, expected in (
        ("geoloc_lat=48.8566&geoloc_lng=2.3522", ["Paris", "Versailles"]),  # 40 km unless said
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=17", ["Paris"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=19", ["Paris", "Versailles"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=343", ["Paris", "Versailles"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=345", ["Paris", "Versailles", "London"]),
        ("geoloc_lat=48.8566&geoloc_lng=2.3522&geoloc_radius=0", ["Paris"]),
        ("geoloc_lat=-16.8&geoloc_lng=180&geoloc_radius=6", ["Taveuni west", "Taveuni east"]),
        ("geoloc_lat=-16.8&geoloc_lng=-180&geoloc_radius=6", ["Taveuni west", "Taveuni east"]),
        ("geoloc_lat=-16.8&geoloc_lng=179.95&geoloc_radius=10", ["Taveuni west"]),
        ("geoloc_lat=-16.8&geoloc_lng=179.95&geoloc_radius=11", ["Taveuni west", "Taveuni east"]),
        ("geoloc_lat=90&geoloc_lng=-123&geoloc_radius=12", ["North Pole", "near the Pole", "beyond the Pole"]),
        ("geoloc_lat=89.9&geoloc_lng=0&geoloc_radius=22", ["North Pole", "beyond the Pole"]),
        ("geoloc_lat=89.9&geoloc_lng=0&geoloc_radius=23", ["North Pole", "near the Pole", "beyond the Pole"]),
        ("geoloc_lat=-90&geoloc_lng=0&geoloc_radius=1", ["South Pole"]),
        ("geoloc_lat=0&geoloc_lng=0", ["Null"]),
        ("geoloc_lat=30&geoloc_lng=30&geoloc_radius=20040", list(PLACES)),
    ):
        answer = ask(places, f"/events?{query}")
        assert [event["title"] for event in answer["events"]] == expected, query
        assert answer["total"] == len(expected), query


def test_geoloc_asks_whether_there_are_coordinates(places):
    assert names(places, "/events?geoloc=true") == list(PLACES)
    assert names(places, "/events?geoloc=false") == ["nowhere", "no venue"]


def test_an_unreadable_venue_has_no_place(world):
    cellar = world.make("venues", "author", venue="cellar", geo_lat=5, geo_lng=5, status="draft")["id"]
    world.make("events", "author", title="party", venue=[cellar])
    for query, anonymous, owner in (
        ("geoloc=true", [], ["party"]),
        ("geoloc=false", ["party"], []),
        ("geoloc_lat=5&geoloc_lng=5", [], ["party"]),
    ):
        assert names(world, f"/events?{query}") == anonymous, query
        assert names(world, f"/events?{query}", "author") == owner, query


def test_the_coordinates_come_together_and_within_the_globe(world):
    for query, expected in (
        ("geoloc_lat=10", ["geoloc_lng"]),
        ("geoloc_lng=10", ["geoloc_lat"]),
        ("geoloc_lat=90.001&geoloc_lng=0", ["geoloc_lat"]),
        ("geoloc_lat=0&geoloc_lng=-180.5", ["geoloc_lng"]),
        ("geoloc_lat=nan&geoloc_lng=inf", ["geoloc_lat", "geoloc_lng"]),
        ("geoloc_lat=north&geoloc_lng=0", ["geoloc_lat"]),
        ("geoloc_lat=0&geoloc_lng=0&geoloc_radius=-1", ["geoloc_radius"]),
        ("geoloc_lat=0&geoloc_lng=0&geoloc_radius=far", ["geoloc_radius"]),
        ("geoloc=perhaps", ["geoloc"]),
    ):
        assert refused(world, f"/events?{query}") == expected, query


def test_the_default_radius_is_a_setting(make_world):
    world = make_world(geoloc_radius="5")
    for name, lat in (("near", 0.04), ("far", 0.06)):  # 4.4 and 6.7 km
        venue = world.make("venues", venue=name, geo_lat=lat, geo_lng=0)["id"]
        world.make("events", title=name, venue=[venue])
    assert names(world, "/events?geoloc_lat=0&geoloc_lng=0") == ["near"]
