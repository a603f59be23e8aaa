"""The shortest way answers what it understands exactly as the framework does, and leaves the rest to it."""

from typing import Any

import httpx
import pytest

from kalends.server.app import make_app

QUICK = [
    "/events",
    "/events?start_date=2026-11-16",
    "/events?end_date=2027-06-01",
    "/events?start_date=2020-01-01&end_date=2030-01-01",
    "/events?end_date=2030-01-01&start_date=2020-01-01",
    "/events?start_date=2020-01-01&per_page=2",
    "/events?per_page=2&page=2&start_date=2020-01-01",
    "/events?page=3&start_date=2020-01-01&per_page=2",
    "/events?start_date=2020-01-01&per_page=5000",
    "/events?start_date=2024-02-29&end_date=2027-02-28",
    "/events?start_date=2026-11-20&end_date=2026-11-20",
    "/events/{event}",
]
LEFT = [
    "/events/",
    "/events?start_date=2020-01-01&start_date=2021-01-01",
    "/events?start_date=2020-01-01&lang=de",
    "/events?start_date=2020-01-01&_fields=id",
    "/events?start_date=2020-02-30",
    "/events?start_date=20200101",
    "/events?start_date=today",
    "/events?start_date=2020-01-01&",
    "/events?start_date",
    "/events?start_date=2030-01-01&end_date=2020-01-01",
    "/events?start_date=2020-01-01&page=400",
    "/events?start_date=2020-01-01&page=0",
    "/events?start_date=2020-01-01&per_page=0",
    "/events?start_date=2150-01-01&end_date=2160-01-01",
    "/events?search=a",
    "/events?start_date=1850-01-01",
    "/events?start_date=2020-01-01&per_page=1&page=3000",
    "/events/000000000000000000050",
    "/events/0{event}",
    "/events/{event}?_fields=id",
    "/events/{protected}",
    "/events/{draft}",
    "/events/{child}",
    "/events/999999",
    "/events/99999999999999999999999999",
    "/venues/{venue}",
    "/venues",
]


@pytest.fixture
def ids(world: Any) -> dict[str, int]:
    """A calendar with whatever an event can show, and what it must not."""
    venues = [world.make("venues", venue=f'100 % "Hall" {n}', address="Rue <1>")["id"] for n in range(2)]
    organizer = world.make("organizers", organizer="Ann & Söhne")["id"]
    hidden = world.make("venues", venue="Secret", status="draft")["id"]
    terms = {
        kind: [world.make(kind, name=f"{name} {kind}")["id"] for name in ("z", "a")]
        for kind in ("categories", "tags")
    }
    day = {"start_date": "2026-11-20 10:00", "end_date": "2026-11-20 12:00"}
    event = world.make(
        "events", title="Everything %s", venue=venues[0], organizer=[organizer], **terms, **day, cost="5 %"
    )["id"]
    world.make("events", title="Several", venue=venues, organizer=[], start_date="2026-12-01", end_date="2026-12-03")
    world.make("events", title="Unseen venue", venue=hidden, **day)
    world.make("events", title="Past", start_date="2021-05-05", end_date="2021-05-06")
    world.make("events", title="A year and more", start_date="2025-05-05", end_date="2027-05-06")
    world.make("events", title="At the edge", start_date="2028-11-15 23:00", end_date="2028-11-15 23:59:59")
    protected = world.make("events", title="Closed", post_password="sesame", **day)["id"]
    draft = world.make("events", title="Draft", status="draft", **day)["id"]
    child = world.make("events", title="Child", post_parent=event, start_date="2031-01-01", end_date="2031-01-01")[
        "id"
    ]
    return {"event": event, "protected": protected, "draft": draft, "child": child, "venue": venues[0]}


@pytest.fixture
def roundabout(world: Any) -> httpx.Client:
    """The same calendar without the shortest way."""
    front = make_app(world.calendar)
    front.express.is_open = False
    return httpx.Client(transport=httpx.WSGITransport(app=front))


@pytest.mark.parametrize("path", QUICK + LEFT)
@pytest.mark.parametrize("root", ["/api/calendar/events/v1", "/wp-json/tribe/events/v1"])
def test_both_ways_give_the_same_answer(
    world: Any, ids: dict[str, int], roundabout: httpx.Client, path: str, root: str
) -> None:
    address = f"http://calendar.test:81{root}{path.format(**ids)}"
    ours, usual = world.client.get(address), roundabout.get(address)
    assert (ours.status_code, ours.content) == (usual.status_code, usual.content)
    assert dict(ours.headers) == dict(usual.headers)
    # And what was kept of it is the same again, also for who has it already.
    again = world.client.get(address, headers={"If-None-Match": ours.headers.get("ETag", "")})
    assert again.status_code == (304 if "ETag" in ours.headers else ours.status_code)


@pytest.mark.parametrize("path", QUICK)
def test_the_common_questions_take_the_short_way(world: Any, ids: dict[str, int], path: str) -> None:
    world.front.app = None  # whoever went on to the framework would fall
    assert world.get(path.format(**ids)).status_code == 200


@pytest.mark.parametrize("path", LEFT)
def test_the_others_do_not(world: Any, ids: dict[str, int], path: str) -> None:
    world.front.app = None
    with pytest.raises(TypeError):
        world.get(path.format(**ids))


def test_a_change_in_the_middle_of_a_look_is_seen_and_the_usual_way_answers(
    world: Any, ids: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    glances = world.calendar.glances
    count = glances.events

    def write_first(*asked: Any) -> Any:
        monkeypatch.setattr(glances, "events", count)
        world.make("events", title="In between", start_date="2026-11-17", end_date="2026-11-17")
        return count(*asked)

    monkeypatch.setattr(glances, "events", write_first)
    found = world.get("/events").json()
    assert "In between" in [event["title"] for event in found["events"]]
    assert found["total"] == world.get("/events").json()["total"]


def test_what_is_not_ready_comes_the_usual_way(world: Any, ids: dict[str, int]) -> None:
    expected = world.get("/events?start_date=2020-01-01").json()
    with world.calendar.store.write() as session:
        session.run("DELETE FROM ready WHERE key = ?", (ids["venue"],))
        session.run("UPDATE sequence SET last = last + 1 WHERE name IN ('rev', 'part')")
    assert world.get("/events?start_date=2020-01-01&per_page=12").json()["events"] == expected["events"]


@pytest.mark.parametrize("settings", [{"trusted_proxies": "127.0.0.1"}, {"base_url": "https://other.example/cal"}])
def test_addresses_are_those_that_the_settings_say(make_world: Any, settings: dict[str, str]) -> None:
    world = make_world(**settings)
    world.make("events", start_date="2026-11-20", end_date="2026-11-20")
    headers = {"X-Forwarded-Host": "proxied.example", "X-Forwarded-Proto": "https"}
    client = httpx.Client(transport=httpx.WSGITransport(app=world.front, remote_addr="127.0.0.1"))
    answer = client.get("http://inner.test/api/calendar/events/v1/events", headers=headers).json()
    base = settings.get("base_url", "https://proxied.example")
    assert answer["rest_url"].startswith(f"{base}/api/")
    assert answer["events"][0]["url"].startswith(f"{base}/event/")


def both(world: Any, path: str) -> tuple[httpx.Response, httpx.Response]:
    """What the short way answers, and what the framework does."""
    roundabout = make_app(world.calendar)
    roundabout.express.is_open = False
    return world.get(path), httpx.Client(transport=httpx.WSGITransport(app=roundabout)).get(world.ns + path)


def test_where_a_clock_goes_back_an_event_may_end_before_it_starts(make_world: Any) -> None:
    world = make_world(timezone="America/St_Johns")
    night = {"start_date": "2010-11-07 00:00:30", "end_date": "2010-11-07T03:00:00Z"}
    event = world.make("events", title="Before", **night)
    world.make("events", title="Evening", start_date="2010-11-06 20:00", end_date="2010-11-06 21:00")
    ours, usual = both(world, "/events?start_date=2010-11-06&end_date=2010-11-06")
    assert ours.json() == usual.json()
    path = "/events?start_date=2010-11-07&end_date=2010-11-08"
    world.get(path)
    world.put(f"/events/{event['id']}", json={"title": "After"})
    ours, usual = both(world, path)
    assert ours.json() == usual.json()


def test_a_day_that_a_zone_left_out_is_left_to_the_framework(make_world: Any) -> None:
    world = make_world(timezone="Pacific/Apia")
    for day in ("2011-12-29", "2011-12-31"):
        world.make("events", title=day, start_date=day, end_date=day)
    ours, usual = both(world, "/events?start_date=2011-12-01&end_date=2011-12-30")
    assert ours.json() == usual.json()


def test_headers_that_are_too_large_are_refused_here_too(world: Any) -> None:
    world.make("events")
    assert world.get("/events", headers={"X-Long": "x" * 40_000}).status_code == 431
