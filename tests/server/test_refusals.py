"""Who finds no place is refused cheaply: with bytes that were made once, and without a thread."""

from collections.abc import Callable
from typing import Any

import httpx
from tests.conftest import client_of

from kalends.calendar import site_settings
from kalends.calendar.access import SERVICE
from kalends.calendar.admission import SLOW, WORKER
from kalends.http.request_context import REFUSAL, REVISION

SITE = "http://calendar.test"
LISTS = tuple(f"{SITE}/events/list/?search={word}" for word in ("jazz", "rock", "folk"))
READERS = (
    {},
    {"Accept": "text/html"},
    {"Accept": "text/html", "Accept-Language": "de"},
    {"Accept": "application/json", "Accept-Language": "ja"},
)


def crowded(world: Any) -> httpx.Client:
    """A client who is refused everything, as the front does."""

    def refuse(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        revision = world.calendar.revisions.current()
        found = world.front.cache.kept_refusal(environ, revision)
        if found is not None:
            status, headers, body = found
            start_response(status, headers)
            return body
        return world.front(environ | {REFUSAL: WORKER.refuse(SLOW), REVISION: revision}, start_response)

    return client_of(refuse)


def same(response: Any) -> tuple[int, dict[str, str], bytes]:
    return response.status_code, dict(response.headers), response.content


def test_it_is_the_refusal_of_the_framework_without_it(world: Any) -> None:
    cache, asked = world.front.cache, list[str]()
    app = cache.app
    cache.app = lambda environ, start: asked.append(environ["PATH_INFO"]) or app(environ, start)
    addresses = [*LISTS, *(f"{one}&lang=fr" for one in LISTS), *(f"{world.ns}/events?search={n}" for n in range(3))]
    client = crowded(world)
    kept = [same(client.get(address, headers=reader)) for reader in READERS for address in addresses]
    number = len(asked)
    cache._refusals._kind = lambda *_: ()  # none is kept
    made = [same(client.get(address, headers=reader)) for reader in READERS for address in addresses]
    assert kept == made
    assert {status for status, _, _ in kept} == {503}
    assert number == 3 * len(READERS)  # pages, French pages, the interface
    assert any("text/html" in headers["content-type"] for _, headers, _ in kept)
    assert all(int(headers["retry-after"]) > 0 for _, headers, _ in kept)
    assert world.get(LISTS[0]).status_code == 200


def test_refusals_follow_the_settings_and_are_few(world: Any) -> None:
    cache, client, page = world.front.cache, crowded(world), {"Accept": "text/html"}
    assert "#205080" not in client.get(LISTS[0], headers=page).text
    world.calendar.write(SERVICE, site_settings.change, {"accent_color": "#205080"})
    assert "#205080" in client.get(LISTS[0], headers=page).text
    for number in range(200):
        client.get(LISTS[0], headers={"Accept": f"text/plain;q={number}"})
    assert len(cache._refusals._kept) <= 64
    assert client.get(LISTS[0], headers={"Accept": "x" * 5000}).status_code == 503
