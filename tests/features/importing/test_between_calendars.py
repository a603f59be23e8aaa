"""From one Kalends to another over real HTTP, on both stores."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from tests.conftest import PASSWORD, World
from tests.features.importing.conftest import actions, administrator, events_by_title, import_into
from tests.pictures import png

from kalends.features.importing.applying.images import ImageFailed, guarded_fetch
from kalends.features.importing.applying.report import Report
from kalends.features.importing.sources.site import RemoteSite
from kalends.features.importing.sources.web_client import WebClient


@contextmanager
def served(world: World) -> Iterator[str]:
    class Quiet(WSGIRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = make_server("127.0.0.1", 0, world.front, handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def copied(world: World, url: str, **credentials: str) -> Report:
    client = WebClient(**credentials, allow_private=True, sleep=lambda seconds: None)
    fetch = guarded_fetch(world.calendar, allow_private=True)
    return import_into(world, RemoteSite(url, client, "UTC"), fetch=fetch)


COMPARED = (
    *("title", "description", "slug", "status", "start_date", "end_date", "timezone", "cost", "website", "featured"),
    *("all_day", "tickets", "date_utc", "show_map", "hide_from_listings"),
)


def compared(event: dict[str, Any]) -> dict[str, Any]:
    names = {name: [term["name"] for term in event[name]] for name in ("categories", "tags")}
    return {name: event[name] for name in COMPARED} | names | {"organizers": len(event["organizer"])}


@pytest.mark.both_stores
def test_a_copy_is_the_same_and_stays_it(world: World, make_other: Any) -> None:
    image = world.upload(png())["id"]
    world.make("categories", name="Music")
    jazz = world.make("categories", name="Jazz", parent=1, color="#123456")
    place = {"venue": "Hall", "city": "Lyon", "geo_lat": 45.5, "geo_lng": 4.5}
    world.make(
        "events", title="A & B", venue=place, organizer=[{"organizer": "Zed"}, {"organizer": "Ann"}], image=image,
        categories=[jazz["id"]], tags=["x"], cost="$10-$20", timezone="Europe/Paris", website="https://a.test/",
        tickets=[{"name": "Seat", "price": "5"}], description="<p>One</p>",
    )  # fmt: skip
    world.make("events", title="Long ago", start_date="1999-12-31 23:00", end_date="2000-01-01 01:00")
    world.make("events", title="Draft", status="draft")
    world.make("events", title="Hidden", hide_from_listings=True)
    world.make("events", title="Sealed", post_password="sesame", description="A secret")
    world.make("events", title="Sealed too", post_password="sesame", description="A secret", hide_from_listings=True)
    world.make("events", title="Sealed later", post_password="sesame", date="2030-01-01 00:00:00")
    world.make("events", title="Weekly", recurrence="FREQ=WEEKLY;COUNT=3")
    copy = make_other()
    with served(world) as url:
        report = copied(copy, url, user="administrator", password=PASSWORD)
        there, here = events_by_title(world), events_by_title(copy)
        assert (report.total("skipped"), report.total("conflict")) == (0, 0), report.remarkable
        assert set(here) == set(there)
        for sealed in ("Sealed", "Sealed too", "Sealed later"):
            assert here.pop(sealed)["status"] == "private", "its password is not known, so nobody else reads it"
            del there[sealed]
        assert {title: compared(event) for title, event in here.items()} == {
            title: compared(event) for title, event in there.items()
        }
        assert here["A & B"]["image"]["width"] == there["A & B"]["image"]["width"]
        assert here["A & B"]["venue"]["geo_lat"] == 45.5
        assert here["A & B"]["categories"][0]["color"] == "#123456"
        weekly = copy.get("/events?search=weekly&start_date=2027-01-01").json()["events"]
        assert (len(weekly), len({event["series"] for event in weekly} - {None})) == (3, 1)
        rev = copy.count()
        assert set(actions(copied(copy, url, user="administrator", password=PASSWORD))) == {"unchanged"}
        assert copy.count() == rev
        other = make_other()
        stray = guarded_fetch(other.calendar, allow_private=True, private_host="another.test")
        with pytest.raises(
            ImageFailed, match="port that is not allowed"
        ):  # a site names no others inside the network
            stray(f"{url}/media/poster.png")
        public = copied(other, url)
        assert [outcome.name for outcome in public.remarkable] == ["Sealed"]
    assert administrator(copy).user


@pytest.mark.both_stores
def test_custom_fields_come_along_as_they_are(world: World, make_other: Any) -> None:
    level = {"label": "Level", "type": "choice", "options": ["Easy", "Hard"], "name": "grade", "filter": True}
    world.post("/custom-fields", json=level)
    world.post("/custom-fields", json={"label": "Seats", "type": "number", "position": 3})
    world.post("/custom-fields", json={"label": "Secret", "type": "date", "public": False})
    world.make("events", title="A", custom_fields={"grade": "Hard", "seats": 40, "_ecp_custom_3": "2027-01-01"})
    other = make_other()
    with served(world) as url:
        for _ in range(2):
            assert copied(other, url, user="administrator", password=PASSWORD).is_complete
            here, there = (one.get("/custom-fields", "administrator").json() for one in (world, other))
            assert there == here
        anonymous = make_other()
        copied(anonymous, url)
    [event] = other.get("/events", "administrator").json()["events"]
    assert {key: one["value"] for key, one in event["custom_fields"].items()} == {
        "_ecp_custom_1": "Hard",
        "_ecp_custom_2": 40,
        "_ecp_custom_3": "2027-01-01",
    }
    public = anonymous.get("/custom-fields", "administrator").json()["custom_fields"]
    assert [(one["label"], one["type"]) for one in public] == [("Level", "choice"), ("Seats", "number")]
