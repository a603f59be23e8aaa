"""`?rest_route=` on `/` and `/index.php` is the interface."""

import pytest

SITE = "http://calendar.test"


@pytest.mark.parametrize("path", ["/", "/index.php", "/index.php/"])
def test_a_route_in_the_query_is_the_interface(world, path):
    event = world.make("events", title="Müller")
    asked = {"rest_route": f"/tribe/events/v1/events/{event['id']}"}
    for _ in range(2):  # the second time from what was kept
        answer = world.client.get(f"{SITE}{path}", params=asked)
        assert (answer.status_code, answer.json()["id"]) == (200, event["id"])
        assert answer.json()["rest_url"] == f"{SITE}/wp-json/tribe/events/v1/events/{event['id']}"
        assert "Warning" not in answer.headers
    by_slug = world.client.get(f"{SITE}{path}", params={"rest_route": "/tribe/events/v1/events/by-slug/muller"})
    assert by_slug.json()["id"] == event["id"]


def test_the_other_parameters_are_those_of_the_route(world):
    first = world.make("events", title="One")
    world.make("events", title="Two")
    asked = {"per_page": 1, "rest_route": "/tribe/events/v1/events/", "search": "One"}
    listed = world.client.get(f"{SITE}/", params=asked).json()
    assert ([event["id"] for event in listed["events"]], listed["total"]) == ([first["id"]], 1)
    assert "rest_route" not in listed["rest_url"]


def test_writes_go_through_it_with_the_same_rights(world):
    body = {"title": "X", "start_date": "2027-03-10", "end_date": "2027-03-11"}
    path = f"{SITE}/?rest_route=/tribe/events/v1/events"
    assert world.client.post(path, json=body).status_code == 401
    assert world.post(path, "author", json=body).status_code == 201
    assert world.post(path, "subscriber", json=body).status_code == 403


def test_index_php_before_the_root_is_the_interface(world):
    world.make("events")
    assert world.client.get(f"{SITE}/index.php/wp-json/tribe/events/v1/events").json()["total"] == 1


@pytest.mark.parametrize(
    "route", ["tribe/events/v1/events", "/nothing", "/tribe/events/v1/zzz", "//evil.test/", "%00", "/../.."]
)
def test_a_route_that_is_none_is_404(world, route):
    answer = world.client.get(f"{SITE}/", params={"rest_route": route})
    assert (answer.status_code, answer.json()["code"]) == (404, "rest_no_route")


def test_an_empty_route_is_the_home_page(world):
    assert world.client.get(f"{SITE}/?rest_route=").status_code == world.client.get(f"{SITE}/").status_code


def test_elsewhere_the_parameter_means_nothing(world):
    event = world.make("events")
    answer = world.get(f"/events/{event['id']}", params={"rest_route": "/tribe/events/v1/venues"})
    assert answer.json()["id"] == event["id"]


def test_it_is_off_with_the_compatible_namespace(make_world):
    world = make_world(compat="false")
    answer = world.client.get(f"{SITE}/", params={"rest_route": "/tribe/events/v1/events"})
    assert answer.status_code == world.client.get(f"{SITE}/").status_code
