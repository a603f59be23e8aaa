"""What the service writes down: a line for each request if wanted, each with its request's name, and no secrets."""

import io
import json
import logging
import resource
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from kalends.calendar.access import Caller
from kalends.calendar.editing import previews
from kalends.cli.serve import CONNECTIONS, most_connections
from kalends.contract.roles import Role
from kalends.http.middleware.logs import JsonLines, TextLines, WithoutRepetition, configuration, log
from kalends.settings import Settings, load
from kalends.store.engine.store import StoreUnavailable

PASSWORD = "correct horse"
Read = Callable[[], list[Any]]


def written(form: logging.Formatter) -> tuple[logging.Handler, Callable[[], str]]:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(form)
    return handler, out.getvalue


@pytest.fixture
def both() -> Iterator[tuple[Callable[[], str], Callable[[], str]]]:
    """All that is written, as text and as JSON."""
    level = log.level
    log.setLevel(logging.DEBUG)
    (text, read_text), (lines, read_lines) = written(TextLines()), written(JsonLines())
    log.addHandler(text)
    log.addHandler(lines)
    yield read_text, read_lines
    log.removeHandler(text)
    log.removeHandler(lines)
    log.setLevel(level)


@pytest.fixture
def lines(both: Any) -> Read:
    return lambda: [json.loads(line) for line in both[1]().splitlines()]


@pytest.fixture
def text(both: Any) -> Callable[[], list[str]]:
    return lambda: both[0]().splitlines()


@pytest.fixture
def world(make_world: Any) -> Any:
    return make_world(log_requests="yes")


def test_requests_are_logged_only_if_the_setting_says_so(make_world: Any, lines: Read) -> None:
    world = make_world()
    response = world.get("/events")
    assert response.status_code == 200
    assert "X-Request-Id" not in response.headers
    assert lines() == []


def test_a_request_is_a_line(world: Any, lines: Read) -> None:
    event = world.make("events")
    response = world.get(f"/events/{event['id']}?password=x&lang=de")
    line = lines()[-1]
    assert line.pop("time").endswith("Z")
    assert 0 < line.pop("duration_ms") < 60_000
    assert line == {
        "level": "info",
        "logger": "kalends",
        "message": "request",
        "request_id": response.headers["X-Request-Id"],
        "method": "GET",
        "route": "/api/calendar/events/v1/events/{id:digits}",
        "path": f"/api/calendar/events/v1/events/{event['id']}",
        "status": 200,
        "bytes": len(response.content),
        "remote": "127.0.0.1",
    }


def test_cached_unmodified_unknown_and_streamed_requests_are_logged_too(world: Any, lines: Read) -> None:
    etag = world.get("/events").headers["ETag"]
    world.get("/events")
    world.get("/events", headers={"If-None-Match": etag})
    world.get("http://calendar.test/n%C3%BCchts")
    feed = world.get("http://calendar.test/events.ics")
    found = [(line["route"], line["path"], line["status"]) for line in lines()]
    events = "/api/calendar/events/v1/events"
    assert found == [
        *[(events, events, status) for status in (200, 200, 304)],
        ("", "/nüchts", 404),
        ("/events.ics", "/events.ics", 200),
    ]
    assert lines()[-1]["bytes"] == len(feed.content) > 100
    assert len({line["request_id"] for line in lines()}) == 5


def test_every_response_has_a_request_id(world: Any) -> None:
    answers = [world.get(path) for path in ("/events", "/events", "/nothing", "/events?page=x")]
    names = {answer.headers["X-Request-Id"] for answer in answers}
    assert [answer.status_code for answer in answers] == [200, 200, 404, 400]
    assert len(names) == 4
    assert all(len(name) == 16 for name in names)


@pytest.mark.parametrize(
    ("trusted", "sent", "taken"),
    [
        ("127.0.0.1", "abc-123_X.9", True),
        ("127.0.0.1", "x" * 64, True),
        ("127.0.0.1", "x" * 65, False),
        ("127.0.0.1", "two words", False),
        ("127.0.0.1", 'quote"', False),
        ("127.0.0.1", "-dash", False),
        ("10.0.0.1", "abc-123", False),
        ("", "abc-123", False),
    ],
)
def test_the_request_id_of_a_trusted_proxy_is_taken(
    make_world: Any, lines: Read, trusted: str, sent: str, taken: bool
) -> None:
    world = make_world(log_requests="yes", trusted_proxies=trusted)
    name = world.get("/events", headers={"X-Request-Id": sent.encode()}).headers["X-Request-Id"]
    assert (name == sent) == taken
    assert lines()[-1]["request_id"] == name


def test_the_client_address_is_that_before_trusted_proxies(make_world: Any, lines: Read) -> None:
    world = make_world(log_requests="yes", trusted_proxies="127.0.0.1, 10.0.0.0/8")
    world.get("/events", headers={"X-Forwarded-For": "192.0.2.9, 203.0.113.5, 10.1.1.1"})
    assert lines()[-1]["remote"] == "203.0.113.5"


@pytest.mark.parametrize("wanted", ["yes", "no"])
def test_an_unexpected_error_is_one_line_with_the_request_id_of_its_response(
    make_world: Any, lines: Read, text: Callable[[], list[str]], monkeypatch: Any, wanted: str
) -> None:
    world = make_world(log_requests=wanted)
    event = world.make("events")
    monkeypatch.setattr("kalends.http.api.resources.read_post", lambda *_: 1 / 0)
    response = world.get(f"/events/{event['id']}?password=hidden")
    assert response.status_code == 500
    name = response.json()["data"]["request_id"]
    [line] = [line for line in lines() if line["level"] == "error"]
    assert (line["message"], line["request_id"], line["method"]) == ("unexpected error", name, "GET")
    assert line["route"] == "/api/calendar/events/v1/events/{id:digits}"
    assert line["error"].startswith("Traceback")
    assert line["error"].endswith("ZeroDivisionError: division by zero")
    [first] = [line for line in text() if " ERROR unexpected error " in line]
    assert f"request_id={name} method=GET" in first
    assert text()[text().index(first) + 1] == "Traceback (most recent call last):"
    if wanted == "yes":
        assert response.headers["X-Request-Id"] == name == lines()[-1]["request_id"]
        assert lines()[-1]["status"] == 500


def test_every_line_logged_within_a_request_has_its_id(world: Any, lines: Read, monkeypatch: Any) -> None:
    def fail(*_: Any) -> Any:
        raise StoreUnavailable("busy")

    event = world.make("events")
    monkeypatch.setattr("kalends.http.api.resources.read_post", fail)
    response = world.get(f"/events/{event['id']}", "editor")
    [line] = [line for line in lines() if line["level"] == "warning"]
    assert line["request_id"] == response.headers["X-Request-Id"]
    assert "busy" in line["message"]
    log.warning("afterwards")
    assert "request_id" not in lines()[-1]


def test_no_secret_is_logged(world: Any, both: Any, monkeypatch: Any) -> None:
    secret = "Tr0ub4dor-and-3"
    event = world.make("events", post_password=secret)["id"]
    basic, wrong = httpx.BasicAuth("editor", PASSWORD), httpx.BasicAuth("editor", secret)

    def ask() -> None:
        world.get(f"/events/{event}?password={secret}")
        world.get(f"/events?password={secret}&search={secret}")
        world.get("/events", headers={"Authorization": f"Bearer {secret}", "Cookie": secret, "Referer": secret})
        world.client.get(world.ns + "/users/me", auth=basic)
        world.client.get(world.ns + "/users/me", auth=wrong)
        world.get(f"/events/{event}", "editor")
        world.post("/users", json={"name": "x", "role": "author", "password": secret})
        world.post("/users/me/tokens", data={"password": secret})
        world.put(f"/events/{event}", json={"post_password": secret})

    ask()
    monkeypatch.setattr("kalends.http.api.resources.read_post", lambda *_: 1 / 0)
    ask()
    for read in both:
        assert "unexpected error" in read()
        for hidden in (secret, PASSWORD, "password=", "search=", "Bearer", "Basic", "editor", *world.tokens.values()):
            assert hidden not in read(), hidden


def test_the_key_of_a_secret_link_is_not_logged(make_world: Any, both: Any, monkeypatch: Any) -> None:
    world = make_world(log_requests="yes", metrics="127.0.0.1")
    event = world.make("events", title="Soon", status="draft")["id"]
    key = world.calendar.read(Caller(world.ids["editor"], "editor", Role.EDITOR), previews.key_of, event)
    site, token = "http://calendar.test", world.tokens["editor"]
    paths = (
        f"/preview/{key}",
        f"/preview/{key}/",
        f"//preview//{key}",
        f"/Preview/{key}?lang=de",
        f"/x/preview/{key}",
    )
    paths += (f"/preview/{key}.png", f"/admin/link?key={key}", f"/admin/sign-in?next=/preview/{key}", f"/a/{token}")

    def ask() -> None:
        for path in paths:
            world.client.get(site + path)
        world.client.post(f"{site}/preview/{key}")

    ask()
    monkeypatch.setattr(previews, "read", lambda *_: 1 / 0)
    ask()
    for read in both:
        assert "/preview/" in read()
        assert "ZeroDivisionError" in read()
        for hidden in (key, key[-20:], token):
            assert hidden not in read()
    metrics = world.client.get(f"{site}/metrics").text
    assert "kalends_requests_total" in metrics
    assert key[-20:] not in metrics


@pytest.mark.parametrize(
    "path", ["/a%0A2026-01-01T00:00:00.000Z%20ERROR%20made%20up", "/%1b[2J", "/%e2%80%a8x", '/"quoted"%20status=500']
)
def test_clients_cannot_inject_lines(world: Any, text: Any, lines: Read, path: str) -> None:
    world.get(f"http://calendar.test{path}")
    [line] = text()
    assert line.isprintable()
    assert line.count("status=") - path.count("status=") == 1
    assert f"path={json.dumps(lines()[0]['path'])}" in line


def test_the_format_of_a_text_line(world: Any, text: Any) -> None:
    name = world.get("/tags").headers["X-Request-Id"]
    when, level, message, *fields = text()[0].split(" ")
    assert when.endswith("Z")
    assert (level, message) == ("INFO", "request")
    assert fields[:3] == [f"request_id={name}", "method=GET", "route=/api/calendar/events/v1/tags"]


def test_a_message_of_many_lines_stays_one(text: Any, lines: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    # What pytest itself keeps of the log has to fit in a report, where no lone surrogate does.
    monkeypatch.setattr(log, "propagate", False)
    log.warning("first\nsecond %s", "\udce4")
    assert text()[0].endswith("WARNING first\\nsecond \\udce4")
    assert lines()[0]["message"] == "first\nsecond \udce4"


@pytest.mark.parametrize(("form", "expected"), [("json", JsonLines), ("text", TextLines)])
def test_all_loggers_share_one_format(form: str, expected: type[logging.Formatter], tmp_path: Any) -> None:
    settings: Settings = load(tmp_path, {"log_format": form}, {})
    made = configuration(settings)
    assert made["formatters"]["lines"]["()"] == f"{expected.__module__}.{expected.__name__}"
    assert made["root"]["handlers"] == list(made["handlers"]) == ["lines"]
    assert not any(logger.get("handlers") for logger in made["loggers"].values())


def test_a_long_path_is_cut(world: Any, lines: Read) -> None:
    world.get("/" + "x" * 30_000)
    assert len(json.dumps(lines()[-1])) < 1000


def test_lines_that_are_alike_are_few() -> None:
    handler, read = written(TextLines())
    handler.addFilter(WithoutRepetition())
    for number in range(500):
        handler.handle(
            logging.makeLogRecord({"name": "kalends", "msg": "failed: %s", "args": (number,), "created": 1.0})
        )
    handler.handle(logging.makeLogRecord({"name": "kalends", "msg": "another", "created": 1.0}))
    handler.handle(logging.makeLogRecord({"name": "kalends", "msg": "failed: %s", "args": (500,), "created": 99.0}))
    found = read().splitlines()
    assert len(found) == 12
    assert "another" in found[-2]
    assert found[-1].endswith("failed: 500 (and 490 more like it)")


def test_connections_stay_below_the_limit_of_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, most in ((256, 64), (1024, 384), (1_000_000, CONNECTIONS)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, limit))
        assert most_connections() == most
