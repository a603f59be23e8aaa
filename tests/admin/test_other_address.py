"""At another address than `base_url`: forms lead by path, and who comes there is led or told."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_rights_matrix import OPEN, address_of
from tests.conftest import BASE_URL, PASSWORD, World, client_of

from kalends.admin.routes import SCREENS

HOME = "https://calendar.example"
SIGN_IN = "/admin/sign-in"
# What makes the forms of these screens lead somewhere.
FILLED: dict[str, dict[str, str]] = {
    "/admin/events/new": {"title": "Fair", "start_day": "2027-03-10", "start_time": "09:00", "end_time": "10:00"},
    "/admin/venues/new": {"venue": "Barn"},
    "/admin/organizers/new": {"organizer": "Club"},
    "/admin/categories/new": {"name": "Music"},
    "/admin/tags/new": {"name": "Loud"},
    "/admin/sign-in": {"name": "editor", "password": PASSWORD},
}


@pytest.fixture(scope="module")
def town(build_world: Any) -> World:
    found: World = build_world(base_url=HOME, trusted_proxies="10.0.0.0/8", submissions="true")
    return found


def at(world: World, address: str, **headers: str) -> httpx.Client:
    """A browser at an address that leads to the calendar without a proxy."""
    client = client_of(world.front)
    client.base_url = httpx.URL(address)
    client.headers.update(headers)
    return client


def through_proxy(world: World, scheme: str, host: str) -> httpx.Client:
    forwarded = {"X-Forwarded-For": "10.0.0.1", "X-Forwarded-Proto": scheme, "X-Forwarded-Host": host}
    client = httpx.Client(
        transport=httpx.WSGITransport(app=world.front, remote_addr="10.0.0.2"), base_url=f"http://{host}"
    )
    client.headers.update(forwarded)
    return client


def leads(answers: dict[str, httpx.Response]) -> dict[str, str]:
    return {path: one.headers["Location"] for path, one in answers.items() if "Location" in one.headers}


def sent_forms(world: World) -> Iterator[tuple[str, httpx.Response]]:
    """Every form of the admin, sent as its page would send it, or at least with its token."""
    event = world.make("events", title="Fair")["id"]
    for path, screen in SCREENS.items():
        if screen.act is not None:
            admin = AdminClient(world, "" if path in OPEN and path != "/admin/sign-out" else "administrator")
            if admin.secret:
                admin.get("/admin/profile")
            sent = {"token": admin.token} | FILLED.get(path, {})
            yield path, admin.client.post(address_of(path, event), data=sent)


def test_no_answer_to_a_form_names_a_host(world: World) -> None:
    found = leads(dict(sent_forms(world)))
    assert [path for path, to in found.items() if re.match(r"/(?![/\\])", to) is None] == []
    assert len(found) > 25
    assert FILLED.keys() <= found.keys()


def test_no_answer_to_a_form_of_a_visitor_names_a_host(world: World) -> None:
    world.make("events", title="Fair")
    for path in ("/events/month/?date=2027-03-10&search=x", "/events/list/?date=2027-03-10", "/"):
        assert world.client.get(path).headers["Location"].startswith("/events/")
    category = world.make("categories", name="Music")
    world.put(f"/categories/{category['id']}", json={"slug": "songs"})
    assert world.client.get("/events/list/?categories=music").headers["Location"] == "/events/list/?categories=songs"


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "/\t/evil.example", "\\\\evil.example"])
def test_a_path_never_leads_to_another_host(world: World, path: str) -> None:
    import falcon
    from falcon.testing import create_environ

    from kalends.http.messages import responses
    from kalends.http.request_context import RequestContext, addresses_for

    req, resp = falcon.Request(create_environ(host="calendar.test")), falcon.Response()
    settings = world.calendar.settings
    req.context.request_context = RequestContext(req, settings, addresses_for(req, settings), world.calendar.clock)
    responses.lead(req, resp, path)
    assert resp.get_header("Location") == "/evil.example" + ("/" if path.endswith("/") else "")


def test_a_site_below_a_path_keeps_it(make_world: Any) -> None:
    world = make_world(base_url="https://town.example/calendar")
    answer = at(world, "https://town.example", Origin="https://town.example").post(
        SIGN_IN, data={"name": "editor", "password": PASSWORD, "next": "/admin/venues"}
    )
    assert (answer.status_code, answer.headers["Location"]) == (303, "/calendar/admin/venues")


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("http://127.0.0.1:8000", "http://localhost:8000"),
        ("http://calendar.example", "http://intranet"),
        ("http://calendar.example", "https://calendar.example"),
        (HOME, "https://intranet.example"),
    ],
)
def test_signing_in_and_saving_work_at_another_address(make_world: Any, base: str, address: str) -> None:
    """A browser that sends no `Sec-Fetch-Site`, as at every intranet name over http."""
    world = make_world(base_url=base)
    browser = at(world, address, Origin=address)
    browser.follow_redirects = True
    asked = browser.get("/admin/venues/new", headers={"Origin": ""})
    assert base in unescape(asked.text), "told"
    entered = browser.post(SIGN_IN, data={"name": "editor", "password": PASSWORD, "next": "/admin/venues/new"})
    assert str(entered.url) == f"{address}/admin/venues/new"
    token = re.search(r'name="kalends-token" content="(\w+)"', entered.text)
    assert token is not None
    saved = browser.post("/admin/venues/new", data={"token": token[1], "venue": "Barn"})
    assert str(saved.url).startswith(f"{address}/admin/venues")
    assert world.get("/venues", "editor").json()["total"] == 1
    assert browser.post("/admin/sign-out", data={"token": token[1]}).url.path == SIGN_IN


@pytest.mark.parametrize("origin", ["https://evil.example", "http://intranet.evil.example", "null"])
def test_other_origins_are_refused_as_ever(make_world: Any, origin: str) -> None:
    world = make_world(base_url="http://calendar.example")
    sent = {"name": "editor", "password": PASSWORD}
    assert at(world, "http://intranet", Origin=origin).post(SIGN_IN, data=sent).status_code == 403


@pytest.mark.parametrize(("scheme", "host"), [("http", "calendar.example"), ("https", "www.calendar.example")])
def test_the_same_name_leads_to_the_right_address_before_the_form(town: World, scheme: str, host: str) -> None:
    browser = through_proxy(town, scheme, host)
    first = browser.get("/admin/venues?page=2")
    assert first.headers["Location"] == "/admin/sign-in?next=%2Fadmin%2Fvenues%3Fpage%3D2"
    led = browser.get(first.headers["Location"])
    assert (led.status_code, led.headers["Location"]) == (
        303, f"{HOME}/admin/sign-in?next=%2Fadmin%2Fvenues%3Fpage%3D2&led=1",
    )  # fmt: skip
    assert browser.get(SIGN_IN, headers={"Referer": "http://["}).status_code == 303
    assert browser.get("/admin/link?key=k").headers["Location"] == f"{HOME}/admin/link?key=k&led=1"


@pytest.mark.parametrize(("scheme", "host"), [("http", "calendar.example"), ("https", "www.calendar.example")])
def test_a_proxy_that_hides_what_was_asked_makes_no_loop(town: World, scheme: str, host: str) -> None:
    browser = through_proxy(town, scheme, host)
    led = browser.get(SIGN_IN).headers["Location"]
    again = browser.get(led.removeprefix(HOME))
    assert again.status_code == 200
    assert "data-elsewhere" not in again.text


@pytest.mark.parametrize("came", [{"Sec-Fetch-Site": "same-origin"}, {"Referer": "https://www.calendar.example/x"}])
def test_after_a_form_of_that_address_it_is_told_instead(town: World, came: dict[str, str]) -> None:
    """A browser follows no redirect of a form to another host."""
    answer = through_proxy(town, "https", "www.calendar.example").get(SIGN_IN, headers=came)
    assert answer.status_code == 200
    assert f'data-elsewhere="{HOME}"' in answer.text


def test_other_names_are_told_and_nothing_else_is(town: World) -> None:
    told = through_proxy(town, "http", "10.1.2.3:8000").get(SIGN_IN)
    assert told.status_code == 200
    assert "only if the address begins with https" in told.text
    assert f'href="{HOME}/admin/sign-in?led=1"' in told.text
    assert "data-elsewhere" not in through_proxy(town, "https", "CALENDAR.example:443").get(SIGN_IN).text
    assert "data-elsewhere" not in at(town, "http://calendar.example").get(SIGN_IN).text, "a proxy may end TLS"
    for path in ("/healthz", "/readyz", "/events/list/"):
        assert through_proxy(town, "http", "www.calendar.example").get(path).status_code == 200


def test_headers_of_a_proxy_that_is_not_trusted_say_nothing(make_world: Any) -> None:
    world = make_world(base_url=HOME)
    forged = {"X-Forwarded-Proto": "http", "X-Forwarded-Host": "www.calendar.example"}
    answer = at(world, HOME, **forged).get(SIGN_IN)
    assert answer.status_code == 200
    assert "data-elsewhere" not in answer.text


def test_without_encryption_the_form_of_an_https_site_says_why(town: World) -> None:
    origin = "http://10.1.2.3:8000"
    browser = through_proxy(town, "http", "10.1.2.3:8000")
    sent = {"name": "editor", "password": PASSWORD}
    answer = browser.post(SIGN_IN, data=sent, headers={"Origin": origin})
    assert answer.status_code == 403
    assert "came without encryption" in answer.text
    assert f'href="{HOME}/admin/sign-in"' in answer.text
    assert "Set-Cookie" not in answer.headers
    tunnel = browser.post(
        SIGN_IN, data=sent, headers={"Origin": "http://localhost:9000", "Sec-Fetch-Site": "same-origin"}
    )
    assert tunnel.status_code == 303, "browsers keep the cookies of their own machine"


def test_without_a_base_url_every_address_is_right(world: World) -> None:
    assert "data-elsewhere" not in at(world, "http://anything.example").get(SIGN_IN).text


def test_nothing_is_led_with_a_session(make_world: Any) -> None:
    world = make_world(base_url="http://www.calendar.test")
    admin = AdminClient(world, "editor")
    assert admin.get("/admin/venues").status_code == 200
    assert admin.client.get(f"{BASE_URL}{SIGN_IN}").headers["Location"] == "/admin"
