"""Throttling of wrong log-ins and event passwords, the rate limit, and the limit of headers."""

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.calendar.access.requests import basic
from tests.calendar.access.test_credentials import ME, issue
from tests.conftest import PASSWORD

from kalends.calendar import throttling
from kalends.calendar.accounts import account_rules
from kalends.calendar.admission import HASH
from kalends.http.middleware.request_middleware import LARGEST_HEADERS


def guess(world: Any, name: str = "editor", password: str = "guess", **headers: str) -> Any:
    return world.get(ME, headers=basic(name, password) | headers)


@pytest.mark.parametrize("name", ["editor", "nobody"])
def test_wrong_passwords_are_throttled(world: Any, name: str) -> None:
    codes = [guess(world, name).status_code for _ in range(8)]
    assert codes == [401] * 5 + [429] * 3
    waits = []
    for _ in range(12):
        refused = guess(world, name)
        waits.append(int(refused.headers["retry-after"]))
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        world.clock.move(seconds=waits[-1] - 1)
        assert guess(world, name, PASSWORD).status_code == 429
        world.clock.move(seconds=1)
        assert guess(world, name).status_code == 401
    assert waits == sorted(waits)
    assert waits[:3] == [1, 2, 4]
    assert waits[-1] == throttling.LONGEST_WAIT


def test_the_right_password_works_again_after_the_wait(world: Any) -> None:
    for _ in range(6):
        guess(world)
    world.clock.move(seconds=1)
    assert guess(world, password=PASSWORD).status_code == 200
    assert [guess(world).status_code for _ in range(5)] == [401] * 5  # the count starts again


def test_remembered_passwords_are_throttled_too(world: Any) -> None:
    """Otherwise a client that guesses would see which password is right."""
    assert guess(world, password=PASSWORD).status_code == 200
    for _ in range(5):
        guess(world)
    assert guess(world, password=PASSWORD).status_code == 429
    application = issue(world, "editor", purpose="application")
    assert guess(world, password=application).status_code == 200  # too long to be guessed


def test_other_addresses_and_other_names_are_not_blocked(make_world: Any) -> None:
    world = make_world(trusted_proxies="127.0.0.1")
    here, there = {"X-Forwarded-For": "198.51.100.7"}, {"X-Forwarded-For": "198.51.100.8"}
    assert [guess(world, **here).status_code for _ in range(6)][-1] == 429
    assert guess(world, password=PASSWORD, **here).status_code == 429
    assert guess(world, password=PASSWORD, **there).status_code == 200
    assert guess(world, "author", PASSWORD, **here).status_code == 200
    forged = {"X-Forwarded-For": "203.0.113.9, 198.51.100.7"}  # the proxy added the last one, the client the first
    assert guess(world, password=PASSWORD, **forged).status_code == 429


def test_an_ipv6_network_counts_as_one_client(make_world: Any) -> None:
    world = make_world(trusted_proxies="127.0.0.1")
    codes = [guess(world, **{"X-Forwarded-For": f"2001:db8:1:2::{n:x}"}).status_code for n in range(1, 8)]
    assert codes == [401] * 5 + [429] * 2
    assert guess(world, **{"X-Forwarded-For": "2001:db8:1:3::1"}).status_code == 401
    assert guess(world, password=PASSWORD, **{"X-Forwarded-For": "::ffff:198.51.100.7"}).status_code == 200


@pytest.mark.parametrize(
    "written",
    [
        "198.51.100.7:{n}",
        "[::ffff:198.51.100.7]:{n}",
        '"198.51.100.7:{n}"',
        "[2001:db8:1:2::7]:{n}",
        '"[2001:db8:1:2::{n}]:80"',
        "fe80::{n}%eth{n}",
        "[fe80::{n}%25eth{n}]:{n}",
    ],
)
def test_a_client_is_one_however_a_proxy_writes_its_address(make_world: Any, written: str) -> None:
    world = make_world(trusted_proxies="127.0.0.1, 10.0.0.0/8")
    codes = [guess(world, **{"X-Forwarded-For": written.format(n=n)}).status_code for n in range(1, 8)]
    assert codes == [401] * 5 + [429] * 2
    through = {"X-Forwarded-For": f"{written.format(n=9)}, 10.0.0.1:8080"}
    assert guess(world, **through).status_code == 429
    assert guess(world, **{"X-Forwarded-For": "203.0.113.1:1234"}).status_code == 401


@pytest.mark.parametrize("written", ["unknown-{n}", "198.51.100.777:{n}", "_hidden{n}", "[]:{n}", "::{n}::"])
def test_what_is_no_address_makes_no_further_client(make_world: Any, written: str) -> None:
    world = make_world(trusted_proxies="127.0.0.1")
    codes = [guess(world, **{"X-Forwarded-For": written.format(n=n)}).status_code for n in range(1, 8)]
    assert codes == [401] * 5 + [429] * 2
    assert guess(world, **{"X-Forwarded-For": "203.0.113.1"}).status_code == 401


def test_without_a_trusted_proxy_x_forwarded_for_is_ignored(world: Any) -> None:
    codes = [guess(world, **{"X-Forwarded-For": f"198.51.100.{n}"}).status_code for n in range(8)]
    assert codes == [401] * 5 + [429] * 3


@pytest.mark.parametrize("path_format", ["/events/{id}?", "/events/by-slug/closed?", "/events?"])
def test_wrong_event_passwords_are_throttled(make_world: Any, path_format: str) -> None:
    world = make_world(trusted_proxies="127.0.0.1")
    closed = world.make("events", title="Closed", description="inside", post_password="open me")["id"]
    other = world.make("events", title="Other", post_password="open me too")["id"]
    path = path_format.format(id=closed)
    wrong = 200 if path_format == "/events?" else 403
    codes = [world.get(f"{path}password=guess{n}").status_code for n in range(12)]
    assert codes == [wrong] * 10 + [429] * 2
    refused = world.get(f"{path}password=open+me")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert "inside" in world.get(f"{path}password=open+me", headers={"X-Forwarded-For": "198.51.100.9"}).text
    assert world.get(f"/events/{other}?password=open+me+too").status_code == 200
    assert world.get(f"/events/{closed}", "editor").status_code == 200
    world.clock.move(seconds=1)
    assert "inside" in world.get(f"{path}password=open+me").text


def test_the_password_of_an_unpublished_event_counts_as_wrong(world: Any) -> None:
    world.make("events", title="Draft", status="draft", post_password="open me")
    codes = [world.get("/events?password=open+me").status_code for _ in range(12)]
    assert codes == [200] * 10 + [429] * 2


# Limits of a request


def test_the_rate_limit(make_world: Any) -> None:
    world = make_world(rate_limit="3", trusted_proxies="127.0.0.1")
    world.clock.move(seconds=45)
    assert [world.get("/events").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    refused = world.get("/events", headers=basic("editor", "guess"))
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "15")
    assert world.get("/events", headers={"X-Forwarded-For": "198.51.100.9"}).status_code == 200
    world.clock.move(seconds=15)
    assert world.get("/events").status_code == 200


def test_workers_and_nodes_share_the_rate_limit(make_world: Any) -> None:
    world = make_world(rate_limit="100")
    both = [world.client, world.neighbour()]
    codes = [both[number % 2].get(f"{world.ns}/events").status_code for number in range(130)]
    # Each worker may still hold a few requests that it reserved in the store.
    assert 95 <= codes.count(200) <= 100
    assert codes[-10:] == [429] * 10
    world.clock.move(minutes=1)
    assert both[1].get(f"{world.ns}/events").status_code == 200


def test_the_size_of_headers(world: Any) -> None:
    assert world.get("/events", headers={"X-Large": "x" * (LARGEST_HEADERS - 1000)}).status_code == 200
    assert world.get("/categories?per_page=3", headers={"X-Large": "x" * LARGEST_HEADERS}).status_code == 431
    answer = world.post("/events", headers={"Authorization": "Basic " + "A" * LARGEST_HEADERS})
    assert (answer.status_code, answer.json()["code"]) == (431, "headers_too_large")


def derivations(world: Any, monkeypatch: pytest.MonkeyPatch, path: str) -> tuple[int, int]:
    """The status of a request, and how many passwords were derived for it."""
    derived: list[object] = []
    scrypt = hashlib.scrypt  # the work itself: a remembered password would not get here

    def counted(*given: Any, **more: Any) -> bytes:
        derived.append(given)
        return scrypt(*given, **more)

    monkeypatch.setattr(hashlib, "scrypt", counted)
    status = world.get(path).status_code
    monkeypatch.undo()
    return status, len(derived)


@pytest.mark.parametrize("path_format", ["/events/{id}?", "/events/by-slug/closed?", "/events?"])
def test_a_blocked_client_causes_no_derivation(world: Any, monkeypatch: pytest.MonkeyPatch, path_format: str) -> None:
    """The block is checked before the password, so that the time taken reveals nothing."""
    closed = world.make("events", title="Closed", post_password="open me")["id"]
    path = path_format.format(id=closed)
    for number in range(12):
        world.get(f"{path}password=guess{number}")
    for password in ("open+me", "guess1", "another"):
        assert derivations(world, monkeypatch, f"{path}password={password}") == (429, 0)


def test_no_derived_password_is_remembered(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = world.make("events", title="Closed", post_password="open me")["id"]
    for _ in range(3):
        assert derivations(world, monkeypatch, f"/events/{closed}?password=open+me") == (200, 1)
        assert derivations(world, monkeypatch, f"/events/{closed}?password=wrong") == (403, 1)


def test_an_unpublished_event_causes_no_derivation(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    world.make("events", title="Draft", status="draft", post_password="open me")
    assert derivations(world, monkeypatch, "/events/by-slug/draft?password=open+me") == (404, 0)
    assert derivations(world, monkeypatch, "/events/by-slug/nothing?password=open+me") == (404, 0)


def test_log_ins_at_once_are_counted_before_the_next_one_begins(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes 64 MB: sixty of unknown names must not run side by side."""
    running, most, hashes = 0, 0, 0

    def has_password(stored: str, password: str) -> bool:
        nonlocal running, most, hashes
        running, hashes = running + 1, hashes + 1
        most = max(most, running)
        time.sleep(0.002)
        running -= 1
        return False

    monkeypatch.setattr(account_rules, "has_password", has_password)
    with ThreadPoolExecutor(60) as clients:
        statuses = {one.status_code for one in clients.map(lambda n: guess(world, f"nobody {n}"), range(60))}
    assert statuses <= {401, 429, 503}
    assert most <= HASH.slots
    assert hashes <= throttling.login_address("")[0].free + 1
    assert guess(world, "nobody").status_code in (401, 429)


@pytest.mark.parametrize("ahead", [{"days": 1}, {"days": 3650}], ids=["a day", "years"])
def test_a_clock_that_was_ahead_locks_nobody_out(world: Any, ahead: dict[str, int]) -> None:
    then = world.clock.now
    world.clock.move(**ahead)
    for _ in range(6):
        assert guess(world).status_code in (401, 429)
    world.clock.now = then
    assert guess(world, password=PASSWORD).status_code == 200
    assert [guess(world).status_code for _ in range(6)] == [401] * 5 + [429]  # it throttles as ever


def test_a_clock_a_little_behind_still_throttles(world: Any) -> None:
    for _ in range(7):
        guess(world)
    world.clock.move(seconds=-60)
    assert guess(world, password=PASSWORD).status_code == 429
