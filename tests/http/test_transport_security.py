"""Strict-Transport-Security: on every response to a client that came by https, and on no other."""

from typing import Any

import pytest
from tests.conftest import BASE_URL, World

HEADER = "Strict-Transport-Security"
PATHS = ("/events/", "/api/calendar/events/v1/events", "/healthz", "/nothing", "/admin")


@pytest.mark.parametrize("path", PATHS)
def test_by_http_there_is_none(world: World, path: str) -> None:
    response = world.get(BASE_URL + path, headers={"X-Forwarded-Proto": "https"})  # which anybody can send
    assert HEADER not in response.headers


@pytest.mark.parametrize("path", PATHS)
def test_by_https_it_is_there(world: World, path: str) -> None:
    assert world.get(f"https://calendar.test{path}").headers[HEADER] == "max-age=31536000"


@pytest.mark.parametrize(
    "headers", [{"X-Forwarded-Proto": "https"}, {"Forwarded": "for=192.0.2.1;proto=https;host=calendar.test"}]
)
def test_a_trusted_proxy_tells(make_world: Any, headers: dict[str, str]) -> None:
    world = make_world(trusted_proxies="127.0.0.1/32", base_url="https://calendar.test")
    plain = {name: value.replace("https", "http") for name, value in headers.items()}
    for _ in range(2):  # the second time what was kept is sent, which both kinds of client share
        assert HEADER not in world.get(f"{BASE_URL}/events/", headers=plain).headers
        assert world.get(f"{BASE_URL}/events/", headers=headers).headers[HEADER]
    chain = {"X-Forwarded-Proto": "https, http", "X-Forwarded-For": "192.0.2.1"}  # the first was the client's own
    assert HEADER not in world.get(f"{BASE_URL}/events/", headers=chain).headers
