"""Which address the service has for a request: Host, proxies, the setting base_url; and bodies that nobody reads."""

from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest

NS = "/api/calendar/events/v1"


def status_with(world: Any, **environ: str) -> tuple[str, bytes]:
    """A request as the server hands it over; two headers of one name arrive joined by a comma."""
    asked: dict[str, Any] = {"PATH_INFO": f"{NS}/users/me", "REMOTE_ADDR": "127.0.0.1"} | environ
    setup_testing_defaults(asked)
    for name, value in environ.items():
        if value == "missing":
            asked.pop(name)
    told: list[str] = []
    body = b"".join(world.front(asked, lambda status, _headers, *_: told.append(status)))
    return told[0][:3], body


@pytest.mark.parametrize("host", ["calendar.test,evil.test", "calendar.test, calendar.test", "", " ", "missing"])
def test_a_request_has_one_host(world: Any, host: str) -> None:
    status, body = status_with(world, HTTP_HOST=host)
    assert (status, b"rest_invalid_host" in body) == ("400", True)
    assert status_with(world, HTTP_HOST="calendar.test")[0] == "401"


def test_who_asks_for_health_need_not_say_a_host(world: Any) -> None:
    assert status_with(world, HTTP_HOST="", PATH_INFO="/healthz")[0] == "200"


@pytest.mark.parametrize(
    ("headers", "base"),
    [
        ({"X-Forwarded-Host": "evil.test, events.test"}, "http://events.test"),
        ({"X-Forwarded-Host": "events.test", "X-Forwarded-Proto": "http, https"}, "https://events.test"),
        (
            {"X-Forwarded-Host": "evil.test, events.test, inner", "X-Forwarded-For": "198.51.100.7, 127.0.0.1"},
            "http://events.test",
        ),
        ({"X-Forwarded-Host": "events.test", "X-Forwarded-For": "198.51.100.7, 127.0.0.1"}, "http://events.test"),
        ({"Forwarded": "host=evil.test;proto=http, host=events.test;proto=https"}, "https://events.test"),
    ],
)
def test_the_nearest_proxy_counts(make_world: Any, headers: dict[str, str], base: str) -> None:
    world = make_world(trusted_proxies="127.0.0.1")
    assert world.get("", headers=headers).json()["routes"]
    assert world.get("/tags", headers=headers).json()["rest_url"].startswith(f"{base}/")
    untrusting = make_world(trusted_proxies="192.0.2.1")
    assert untrusting.get("/tags", headers=headers).json()["rest_url"].startswith("http://calendar.test/")


@pytest.mark.parametrize("feed", ["/events.rss", "/events.json"])
def test_feeds_name_the_address_of_the_settings(make_world: Any, feed: str) -> None:
    world = make_world(base_url="https://events.example.org")
    world.make("events", title="Shown")
    text = world.get(f"http://evil.test{feed}").text
    assert "evil.test" not in text
    assert f"https://events.example.org{feed}" in text


@pytest.mark.parametrize(
    ("how", "status"),
    [({"who": "anonymous"}, 401), ({"who": "subscriber"}, 403)],
)
def test_a_refusal_of_an_unread_body_closes_the_connection(world: Any, how: dict[str, str], status: int) -> None:
    answer = world.post("/events", content=b"x" * 1000, **how)
    assert (answer.status_code, answer.headers.get("connection")) == (status, "close")


def test_a_refusal_of_a_body_that_was_read_keeps_the_connection(world: Any) -> None:
    answer = world.post("/events", json={"title": ""})
    assert answer.status_code == 400
    assert "connection" not in answer.headers
    assert "connection" not in world.get("/events/999").headers


def test_a_body_that_is_too_large_closes_the_connection(make_world: Any) -> None:
    world = make_world(max_body="1K")
    answer = world.post("/events", content=b"x" * 5000)
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")


@pytest.mark.parametrize("name", ["password", "p%61ssword", "%70%61%73%73%77%6F%72%64"])
def test_a_name_in_escapes_is_the_same_name(world: Any, name: str) -> None:
    made = world.make("events", title="Closed", description="inside", post_password="open me")
    for path in ("/events", f"/events/{made['id']}", "/events/by-slug/closed", "/events.ics"):
        assert "inside" not in world.get(path).text
        opened = world.get(f"{path}?{name}=open+me")
        assert opened.status_code == 200
        assert "inside" in opened.text
        assert opened.headers["cache-control"] == "private, no-store"
        assert "inside" not in world.get(path).text
