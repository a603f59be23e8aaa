"""`/wp-json/`: what the site says about itself, and where it says so."""

from datetime import datetime
from typing import Any

import pytest

SITE = "http://calendar.test"


@pytest.fixture(scope="module")
def world(shared_world: Any) -> Any:
    return shared_world


@pytest.mark.parametrize(
    "address", ["/wp-json", "/wp-json/", "/?rest_route=/", "/index.php?rest_route=/", "/index.php/wp-json/"]
)
def test_the_index_is_that_of_a_wordpress_site(world: Any, address: str) -> None:
    found = world.client.get(SITE + address).json()
    assert (found["name"], found["url"], found["home"]) == ("Test calendar", SITE, SITE)
    assert (found["gmt_offset"], found["timezone_string"]) == (-5, "America/New_York")
    assert {"tribe/events/v1", "wp/v2"} <= set(found["namespaces"])
    assert found["authentication"]["application-passwords"]["endpoints"]["authorization"].startswith(SITE)
    routes = found["routes"]
    assert routes["/wp/v2/tribe_events"]["methods"] == ["GET", "POST"]
    assert set(routes[r"/wp/v2/media/(?P<id>\d+)"]["methods"]) == {"GET", "POST", "PUT", "PATCH", "DELETE"}
    assert routes["/tribe/events/v1/events"]["namespace"] == "tribe/events/v1"
    arguments = routes["/wp/v2/tribe_events"]["endpoints"][0]["args"]
    assert (arguments["per_page"]["default"], arguments["orderby"]["default"]) == (10, "date")


def test_the_offset_follows_the_clock(make_world: Any) -> None:
    world = make_world(timezone="Australia/Lord_Howe")  # half an hour of daylight saving
    seen = []
    for now in (datetime(2026, 11, 15, 12), datetime(2027, 6, 1, 12)):
        world.clock.now = now
        seen.append(world.client.get(f"{SITE}/wp-json/").json()["gmt_offset"])
    assert seen == [11, 10.5]


def test_the_index_has_chosen_keys_only(world: Any) -> None:
    answer = world.client.get(f"{SITE}/wp-json/?_fields=name,namespaces")
    assert set(answer.json()) == {"name", "namespaces"}
    assert world.client.post(f"{SITE}/wp-json/", json={}).status_code == 405


def test_a_namespace_and_its_routes_describe_themselves(world: Any) -> None:
    found = world.client.get(f"{SITE}/wp-json/wp/v2").json()
    assert found["namespace"] == "wp/v2"
    route = found["routes"]["/wp/v2/tags"]
    assert route["_links"] == {"self": [{"href": f"{SITE}/wp-json/wp/v2/tags"}]}
    assert world.client.options(f"{SITE}/wp-json/wp/v2/tags").json() == route


@pytest.mark.parametrize("path", ["/", "/events/", "/event/gala/", "/events/list/"])
def test_pages_lead_to_the_index(world: Any, path: str) -> None:
    if world.get("/events/by-slug/gala").status_code == 404:
        world.make("events", title="Gala")
    answer = world.client.get(SITE + path, follow_redirects=True)
    assert f'<{SITE}/wp-json/>; rel="https://api.w.org/"' in answer.headers["Link"]
    assert f'<link rel="https://api.w.org/" href="{SITE}/wp-json/">' in answer.text


def test_without_compat_nothing_of_it_is_there(make_world: Any) -> None:
    world = make_world(compat="false")
    world.make("events", title="Gala")
    for path in ("/wp-json", "/wp-json/wp/v2", "/wp-json/wp/v2/tribe_events", "/wp-json/wp/v2/users/me"):
        assert world.client.get(SITE + path).status_code == 404
    page = world.client.get(f"{SITE}/event/gala/")
    assert "wp-json" not in page.text + page.headers["Link"]
    assert f'<{SITE}/api/>; rel="https://api.w.org/"' in page.headers["Link"]
    assert world.get("/doc?of=compat").status_code == 400
    assert world.get("/doc?of=core").status_code == 200
