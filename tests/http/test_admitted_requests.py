"""Requests are admitted: which class of work they are, whose, and what is told to those who find no place."""

import base64
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.conftest import PASSWORD
from tests.waiting import until

from kalends.calendar import admission as module
from kalends.calendar.admission import FETCH, SLOW, WORKER, WRITE
from kalends.calendar.images import uploading
from kalends.calendar.images.processing import NotAnImage
from kalends.calendar.lists import pages
from kalends.contract.errors import FieldError
from kalends.http.middleware import admitting
from kalends.http.request_context import SESSION_COOKIE
from kalends.present import ical

WAIT = 60


@pytest.mark.both_stores
def test_a_read_is_slow_by_its_processor_time_and_its_parameters(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by the time that passes, which is long for every read beside many others."""
    requests, entered = world.front.cache.requests, list[str]()
    enter = requests.admission.enter
    monkeypatch.setattr(
        requests.admission,
        "enter",
        lambda work, *rest, **named: entered.append(work.name) or enter(work, *rest, **named),
    )
    listing = pages.list_events
    monkeypatch.setattr(pages, "list_events", lambda *args, **named: time.sleep(0.05) or listing(*args, **named))
    for number in range(1, 25):
        assert world.get(f"/events?per_page={number}").status_code == 200
    assert entered[-1] == "quick"
    for shape in requests.costs._seconds:
        requests.costs.note(shape, 5.0)
    world.get("/events?per_page=30")
    assert entered[-1] == "slow"


@pytest.mark.both_stores
def test_an_account_is_one_client_at_any_address(world: Any) -> None:
    requests = world.front.cache.requests
    assert world.get("/events", "editor").status_code == 200
    [account] = requests._accounts.values()
    assert account.startswith("account ")


@pytest.mark.both_stores
def test_no_spelling_of_credentials_makes_another_client(world: Any) -> None:
    requests = world.front.cache.requests
    token = base64.b64encode(f"editor:{PASSWORD}".encode()).decode()
    for number, spelling in enumerate((f"Basic {token}", f"basic    {token}", f"BASIC {token} ")):
        assert world.get("/events", headers={"Authorization": spelling}).status_code == 200, number
        environ = {"HTTP_AUTHORIZATION": spelling, "REMOTE_ADDR": "192.0.2.1"}
        assert requests._client(environ).startswith("account ")
    assert len(requests._accounts) == 1
    cookie = f"{SESSION_COOKIE}=secret"
    requests._remember(7, admitting._credentials({"HTTP_COOKIE": cookie}))
    for sent in (f"a=1; {cookie}", f"{cookie}; b={number}"):
        assert requests._client({"HTTP_COOKIE": sent, "REMOTE_ADDR": "192.0.2.1"}) == "account 7"


@pytest.mark.both_stores
def test_the_refusal_is_an_ordinary_error(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    admission = world.front.cache.requests.admission
    monkeypatch.setattr(module, "MOST_WAITING_OF_ONE", 0)
    held = [admission.enter(SLOW, f"other {number}") for number in range(SLOW.slots)]
    try:
        response = world.get("/events?search=jazz")
        assert world.get("http://calendar.test/healthz").status_code == 200
    finally:
        for turn in held:
            admission.leave(turn)
    assert response.status_code == 503
    assert response.json()["code"] == "service_unavailable"
    assert int(response.headers["Retry-After"]) > 0


@pytest.mark.both_stores
@pytest.mark.parametrize("header", ["Bearer nobody", "Basic bm9ib2R5OndyaXRlcw==", "nonsense"])
def test_a_health_check_asks_nobody_who_it_is(world: Any, monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    """A balancer may send credentials along; the store may be away."""
    for name in ("read", "read_once", "write", "changes"):
        monkeypatch.setattr(world.calendar.store, name, None)
    response = world.get("http://calendar.test/healthz", headers={"Authorization": header})
    assert response.status_code == 200
    assert response.text.startswith("ok\n")
    assert (
        world.post("http://calendar.test/healthz", "anonymous", headers={"Authorization": header}).status_code == 405
    )


@pytest.mark.both_stores
def test_requests_that_are_refused_anyway_need_no_place_and_teach_no_cost(make_world: Any) -> None:
    world = make_world(rate_limit="1")
    world.get("/events?search=jazz")
    costs = world.front.cache.requests.costs
    [(shape, _)] = costs._seconds.items()
    costs._seconds[shape] = 1.0
    assert world.get("/events?search=rock").status_code == 429
    assert costs._seconds[shape] == 1.0


@pytest.mark.both_stores
def test_a_response_that_another_request_has_made_meanwhile_teaches_no_cost(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.get("/events?search=jazz")
    cache = world.front.cache
    [(shape, _)] = cache.requests.costs._seconds.items()
    cache.requests.costs._seconds[shape] = 1.0
    get, answers = cache.kept.get, iter([None])
    monkeypatch.setattr(cache.kept, "get", lambda *key: next(answers, get(*key)))
    assert world.get("/events?search=jazz").status_code == 200
    assert cache.requests.costs._seconds[shape] == 1.0


def test_uploads_with_credentials_that_are_new_here_leave_places_for_other_writers(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    running, go = Counter[str](), threading.Event()

    def read_picture(data: bytes) -> Any:
        running[WORKER.client] += 1
        assert go.wait(WAIT)
        raise NotAnImage

    monkeypatch.setattr(uploading, "read_picture", read_picture)
    event = {"title": "Concert", "start_date": "2027-01-01", "end_date": "2027-01-02"}
    headers = {"Content-Type": "image/png"}
    with ThreadPoolExecutor(12) as clients:
        sent = [clients.submit(world.post, "/media", "contributor", content=b"P", headers=headers) for _ in range(12)]
        try:
            until(lambda: running.total() >= WRITE.of_one)
            assert world.post("/events", "editor", json=event).status_code == 201
            assert len(running) == 1
            assert running.total() == WRITE.of_one
        finally:
            go.set()
    assert {one.result().status_code for one in sent} == {415}


def test_pictures_at_a_slow_address_take_few_places(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    running, most, go = 0, 0, threading.Event()

    def fetch(url: str, settings: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        assert go.wait(WAIT)
        running -= 1
        raise FieldError("", "It took too long.")

    monkeypatch.setattr(world.calendar, "fetch", fetch)
    event = {"title": "Concert", "start_date": "2027-01-01", "end_date": "2027-01-02"}
    with ThreadPoolExecutor(30) as clients:
        sent = [
            clients.submit(
                world.post, "/events", "contributor", json=event | {"image": f"https://slow.example/{n}.png"}
            )
            for n in range(30)
        ]
        until(lambda: running == FETCH.of_one)
        assert world.post("/events", "editor", json=event).status_code == 201
        assert world.get("/events").status_code == 200
        go.set()
    assert {one.result().status_code for one in sent} <= {400, 503}
    assert most <= FETCH.of_one


@pytest.mark.both_stores
def test_a_feed_that_only_reading_tells_from_an_earlier_one_is_written_once(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.make("events", "contributor", title="Concert", status="draft")
    feed, written = ical.feed, list[int]()
    monkeypatch.setattr(ical, "feed", lambda *args: written.append(1) or feed(*args))
    first = world.get("/events.ics?status=draft", "contributor")
    assert (first.status_code, len(written)) == (200, 1)
    assert "SUMMARY:Concert" in first.text
    known = {"If-None-Match": first.headers["ETag"]}
    assert world.get("/events.ics?status=draft", "contributor", headers=known).status_code == 304
