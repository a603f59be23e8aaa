"""Venues on the map by their address, with a service that the settings name."""

import html
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.admin.admin_client import AdminClient, error_beside
from tests.conftest import World

from kalends.features.geocoding import asking

MILL = [{"lat": "51.8985", "lon": "-8.4756", "display_name": "12, Mill <b>Street</b>, Cork"}]


class Service:
    """What it was asked, and what it answers."""

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []
        self.agents: list[str] = []
        self.answer: bytes = json.dumps(MILL).encode()
        self.status = 200
        self.address = ""


@pytest.fixture
def service() -> Iterator[Service]:
    found = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append({name: one for name, (one,) in parse_qs(urlsplit(self.path).query).items()})
            found.agents.append(self.headers["User-Agent"])
            self.send_response(found.status)
            self.send_header("Content-Length", str(len(found.answer)))
            self.end_headers()
            self.wfile.write(found.answer)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    found.address = f"http://127.0.0.1:{server.server_port}/search?key=4711"
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def mapped(make_world: Any, service: Service) -> World:
    found: World = make_world(geocoder=service.address, fetch_private="true")
    return found


def new_venue(world: World, who: str = "editor", **details: str) -> tuple[dict[str, Any], str]:
    """Saves an event with a new venue, which is typed into its form; the venue, and what the next page says."""
    client = AdminClient(world, who)
    client.get("/admin/events/new")
    sent = {"title": "Fair", "start_day": "2026-12-10", "start_time": "10:00", "venue_name": "Mill", "do": "draft"}
    client.post("/admin/events/new", sent | {f"venue_{name}": text for name, text in details.items()})
    (venue,) = world.get("/venues?status=publish,draft", who="administrator").json()["venues"]
    return venue, html.unescape(client.message())


ADDRESS = {"address": "12 Mill Street", "zip": "T12", "city": "Cork", "country": "Ireland"}


def test_a_new_venue_of_an_event_is_on_the_map(mapped: World, service: Service) -> None:
    venue, said = new_venue(mapped, **ADDRESS)
    assert (venue["geo_lat"], venue["geo_lng"]) == (51.8985, -8.4756)
    assert "“Mill” is on the map: 12, Mill <b>Street</b>, Cork." in said
    (asked,) = service.asked
    assert asked == {"key": "4711", "q": "12 Mill Street, T12 Cork, Ireland", "format": "json", "limit": "1"}
    assert service.agents == ["Kalends"]


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        (b"[]", 200, "was not found"),
        (b"", 500, "does not answer"),
        (b"<html>", 200, "not understood"),
        (b'[{"lat": "x", "lon": "1"}]', 200, "not understood"),
        (b'[{"lat": "91", "lon": "1"}]', 200, "not understood"),
        (b'[{"lat": "NaN", "lon": "1"}]', 200, "not understood"),
        (b'{"lat": "1"}', 200, "not understood"),
        (b"[" + b" " * 200_000 + b"]", 200, "does not answer"),
    ],
)
def test_without_an_answer_it_is_saved_all_the_same(
    mapped: World, service: Service, answer: bytes, status: int, reason: str
) -> None:
    service.answer, service.status = answer, status
    venue, said = new_venue(mapped, **ADDRESS)
    assert "geo_lat" not in venue
    assert "“Mill” is not on the map" in said
    assert reason in said
    assert "4711" not in said


def test_nobody_is_asked_without_an_address_nor_in_the_background(mapped: World, service: Service) -> None:
    _, said = new_venue(mapped, country="Ireland")
    assert "on the map" not in said
    client = AdminClient(mapped, "editor")
    client.get("/admin/events/new")
    typed = {"title": "Fair", "start_day": "2026-12-10", "venue_name": "Other"}
    typed |= {f"venue_{name}": text for name, text in ADDRESS.items()}
    client.post("/admin/events/new/autosave", typed, status=200)
    client.post("/admin/events/new", typed | {"start_day": ""}, status=400)
    client.post("/admin/events/new", typed | {"venue_name": ""}, status=400)
    assert len(service.asked) <= 1  # of the form that lacks only its day


def test_the_form_of_a_venue_finds_its_address_and_stores_nothing(mapped: World, service: Service) -> None:
    admin = AdminClient(mapped, "administrator")
    assert "Find the address on the map" in admin.get("/admin/venues/new").text
    before = mapped.count()
    typed = {"venue": "Mill", **ADDRESS, "do": "locate"}
    page = admin.post("/admin/venues/new", typed, status=200).text
    assert re.search(r'name="geo_lat"[^>]*value="51.898500"', page)
    assert 'value="12 Mill Street"' in page
    assert "12, Mill &lt;b&gt;Street&lt;/b&gt;, Cork. Save to keep it." in page
    service.answer = b"[]"
    page = admin.post("/admin/venues/new", typed, status=400).text
    assert "was not found" in error_beside(page, "address")
    assert mapped.count() == before
    admin.post("/admin/venues/new", typed | {"do": "", "geo_lat": "51.8985", "geo_lng": "-8.4756"})
    assert mapped.count() > before


def test_an_inner_address_is_never_asked_unless_it_is_allowed(make_world: Any, service: Service) -> None:
    world = make_world(geocoder=service.address)
    venue, said = new_venue(world, **ADDRESS)
    assert "geo_lat" not in venue
    assert "does not answer" in said
    assert service.asked == []


def test_without_the_setting_nothing_offers_it(world: World) -> None:
    assert "Find the address on the map" not in AdminClient(world, "administrator").get("/admin/venues/new").text
    assert "map" not in new_venue(world, **ADDRESS)[1]


def test_a_person_has_so_many_an_hour(mapped: World, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_PER_HOUR", 1)
    admin, typed = AdminClient(mapped, "administrator"), {"venue": "Mill", **ADDRESS, "do": "locate"}
    admin.get("/admin/venues/new")
    admin.post("/admin/venues/new", typed, status=200)
    assert "this hour" in error_beside(admin.post("/admin/venues/new", typed, status=400).text, "address")
    assert len(service.asked) == 1
    mapped.clock.move(hours=1)
    admin = AdminClient(mapped, "administrator")
    admin.post("/admin/venues/new", typed, status=200)


@pytest.mark.parametrize(
    "written",
    ["nominatim", "ftp://example.org", "https://a:b@example.org/", "https://example.org/#x", "https://a b/"],
)
def test_what_is_no_address_is_refused(world: World, written: str) -> None:
    page = AdminClient(world, "administrator").post("/admin/settings/look", {"geocoder": written}, status=400).text
    assert error_beside(page, "geocoder")
