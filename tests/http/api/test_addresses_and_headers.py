"""Where the service lives and the headers of its answers."""

import base64
import json

import pytest

COMPAT = "http://calendar.test/wp-json/tribe/events/v1"


def basic(name, password):
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


def addresses_in(value):
    """Every address in an answer."""
    if isinstance(value, dict):
        return [found for inner in value.values() for found in addresses_in(inner)]
    if isinstance(value, list):
        return [found for inner in value for found in addresses_in(inner)]
    return [value] if isinstance(value, str) and value.startswith("http") else []


def test_links_use_the_prefix_through_which_the_request_came(world):
    made = world.make("events", categories=["Music"], venue={"venue": "Hall"})
    for path in (
        f"/events/{made['id']}",
        "/events/by-slug/an-event",
        f"/categories/{made['categories'][0]['id']}",
        "/events",
    ):
        for own, other, ns in (("/api/", "/wp-json/", world.ns), ("/wp-json/", "/api/", COMPAT)):
            response = world.get(ns + path)
            assert response.status_code == 200
            found = addresses_in(response.json())
            assert any(address.startswith(ns) for address in found)
            assert not any(other in address for address in found)
            assert response.headers["Link"] == f'<http://calendar.test{own}>; rel="https://api.w.org/"'
    created = world.post(f"{COMPAT}/tags", json={"name": "T"})
    assert created.headers["Location"] == f"{COMPAT}/tags/{created.json()['id']}"
    assert world.get(f"{COMPAT}/events/{made['id']}").json()["global_id"] == made["global_id"]


def test_the_compatible_prefix_can_be_switched_off_and_the_root_moved(make_world):
    world = make_world(compat="false", api_root="/rest")
    event = world.post("http://calendar.test/rest/calendar/events/v1/events",
                       json={"title": "X", "start_date": "2027-01-01", "end_date": "2027-01-02"})  # fmt: skip
    assert event.json()["rest_url"].startswith("http://calendar.test/rest/calendar/events/v1/events/")
    for gone in (f"{COMPAT}/events/1", f"{world.ns}/events/1"):
        assert world.get(gone).json()["code"] == "rest_no_route"


def test_a_base_url_is_at_the_front_of_every_link(make_world, make_png):
    world = make_world(base_url="https://example.test/town")
    image = world.upload(make_png())
    made = world.make("events", image=image["id"], categories=["Music"])
    read = world.get(f"/events/{made['id']}").json()
    del read["json_ld"]["@context"]
    found = [address for address in addresses_in(read) if "schema.org" not in address]
    assert found
    assert all(address.startswith("https://example.test/town/") for address in found)
    assert read["global_id"] == f"example.test/town?id={made['id']}"
    assert world.make("events", image=image["url"])["image"] == image


GARBAGE = ["evil.test/x", "a b", 'a"b', "a<b>", "a@b", "[::1", "a:123456", "a\\b", "x" * 300]


@pytest.mark.parametrize("host", GARBAGE)
def test_a_garbled_host_is_not_repeated(world, host):
    made = world.make("events")
    read = world.get(f"/events/{made['id']}", headers={"Host": host})
    assert read.json()["rest_url"] == f"http://localhost/api/calendar/events/v1/events/{made['id']}"


@pytest.mark.parametrize("host", ["", "one.test,two.test"])
def test_a_request_without_one_host_is_refused(world, host):
    response = world.get("/events", headers={"Host": host})
    assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_host")


@pytest.mark.parametrize("host", ["other.test", "other.test:8080", "[::1]:8000", "127.0.0.1"])
def test_the_address_is_taken_from_the_request(world, host):
    made = world.make("events")
    read = world.get(f"/events/{made['id']}", headers={"Host": host}).json()
    assert read["rest_url"] == f"http://{host}/api/calendar/events/v1/events/{made['id']}"
    assert read["global_id"] == f"{host}?id={made['id']}"


FORWARDED = [
    {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "public.test"},
    {
        "X-Forwarded-Proto": "https, http",
        "X-Forwarded-Host": "public.test, inner",
        "X-Forwarded-For": "198.51.100.7, 127.0.0.2",
    },
    {"Forwarded": "for=1.2.3.4;proto=https;host=public.test"},
]


@pytest.mark.parametrize("headers", FORWARDED)
def test_forwarded_headers_count_only_from_a_trusted_proxy(make_world, headers):
    for trusted, base in (
        ("127.0.0.0/8", "https://public.test"),
        ("10.0.0.0/8", "http://calendar.test"),
        ("", "http://calendar.test"),
    ):
        world = make_world(trusted_proxies=trusted)
        made = world.make("events")
        read = world.get(f"/events/{made['id']}", headers=headers).json()
        assert read["url"] == f"{base}/event/an-event/"
    world = make_world(trusted_proxies="127.0.0.1")
    made = world.make("events")
    for bad in (
        {"X-Forwarded-Proto": "javascript"},
        {"X-Forwarded-Host": "a/b"},
        {"Forwarded": 'host="a b";proto=x'},
    ):
        url = world.get(f"/events/{made['id']}", headers=bad).json()["url"]
        assert url in ("http://calendar.test/event/an-event/", "http://localhost/event/an-event/")


def test_the_headers_of_every_answer(world):
    made = world.make("events")
    answers = [
        world.get(f"/events/{made['id']}"), world.get("/events/999"), world.get("/nothing"),
        world.post("/events", "anonymous"),
        world.post("/events", json={}), world.delete("/events"), world.get("/events/1", headers=basic("x", "y")),
        world.put(f"/events/{made['id']}", json={}),
    ]  # fmt: skip
    assert [answer.status_code for answer in answers] == [200, 404, 404, 401, 400, 405, 401, 200]
    for answer in answers:
        assert answer.headers["Content-Type"] == "application/json; charset=UTF-8"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Link"] == '<http://calendar.test/api/>; rel="https://api.w.org/"'
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        exposed = answer.headers["Access-Control-Expose-Headers"]
        assert all(name in exposed for name in ("X-WP-Total", "X-TEC-TotalPages", "Link", "ETag", "Location"))
        if answer.status_code >= 400:
            error = answer.json()
            assert list(error) == ["code", "message", "data"]
            assert error["message"]
            assert error["data"]["status"] == answer.status_code


def test_a_script_of_another_site_may_ask_first(world):
    headers = {"Origin": "https://other.test", "Access-Control-Request-Method": "PUT"}
    answer = world.ask("OPTIONS", "/events/1", headers=headers)
    assert answer.status_code == 200
    assert "PUT" in answer.headers["Access-Control-Allow-Methods"]
    for name in ("Authorization", "Content-Type", "If-Match", "X-HTTP-Method-Override"):
        assert name in answer.headers["Access-Control-Allow-Headers"]


def test_only_responses_to_anonymous_readers_may_be_cached_and_briefly(world):
    made = world.make("events", post_password="s3cret")
    tag = world.make("tags", name="T")
    for path in (f"/tags/{tag['id']}",):
        public = world.get(path)
        assert public.headers["Cache-Control"] == "public, max-age=10"
        assert "Authorization" in public.headers["Vary"]
        assert world.get(path, "subscriber").headers["Cache-Control"] == "private, no-store"
    for path in (f"/events/{made['id']}", f"/events/{made['id']}?password=s3cret", "/events/999"):
        assert world.get(path).headers["Cache-Control"] == "private, no-store"
    assert world.put(f"/tags/{tag['id']}", json={}).headers["Cache-Control"] == "private, no-store"


READS = ["/events/{id}", "/events/by-slug/an-event", "/venues/by-slug/hall", "/tags/1"]


@pytest.mark.parametrize("who", ["anonymous", "editor"])
@pytest.mark.parametrize("path", READS)
def test_an_etag_gives_304_until_something_in_the_answer_changes(world, path, who):
    made = world.make("events", venue={"venue": "Hall"}, tags=["T"])
    path = path.format(id=made["id"])
    first = world.get(path, who)
    etag = first.headers["ETag"]
    for known in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        again = world.get(path, who, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == etag
    assert world.get(path, who, headers={"If-None-Match": '"x"'}).status_code == 200
    world.put(f"/venues/{made['venue']['id']}", json={"venue": "New hall", "slug": "hall"})
    world.put(f"/tags/{made['tags'][0]['id']}", json={"name": "New tag"})
    changed = world.get(path, who, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert "New " in changed.text


def test_a_packed_answer_says_what_it_varies_by_and_its_tag_is_known(world):
    made = world.make("events", "editor", description="x" * 3000)
    path = f"/events/{made['id']}"
    packed, plain = (world.get(path, headers={"Accept-Encoding": coding}) for coding in ("gzip", "identity"))
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.json() == plain.json()
    for answer in (packed, plain):
        assert "Accept-Encoding" in answer.headers["Vary"]
        visibility = answer.headers["ETag"]
        assert world.get(path, headers={"If-None-Match": visibility}).status_code == 304
    assert packed.headers["ETag"] != plain.headers["ETag"]


def test_last_modified_gives_304_until_something_changes(world):
    world.clock.move(seconds=10)
    made = world.make("events")
    first = world.get(f"/events/{made['id']}")
    assert first.headers["Last-Modified"] == "Sun, 15 Nov 2026 12:00:10 GMT"
    since = {"If-Modified-Since": first.headers["Last-Modified"]}
    assert world.get(f"/events/{made['id']}", headers=since).status_code == 304
    # The tag counts before the date.
    assert world.get(f"/events/{made['id']}", headers=since | {"If-None-Match": '"x"'}).status_code == 200
    world.put(f"/events/{made['id']}", json={"title": "Changed"})
    assert world.get(f"/events/{made['id']}", headers=since).json()["title"] == "Changed"


WRITES = [
    ("PUT", "/events/{id}"),
    ("PATCH", "/events/by-slug/an-event"),
    ("DELETE", "/events/{id}"),
    ("PUT", "/tags/{tag}"),
    ("DELETE", "/tags/{tag}"),
]


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_if_match_lets_a_client_change_only_what_it_has_seen(world, method, path):
    made = world.make("events", tags=["T"])
    path = path.format(id=made["id"], tag=made["tags"][0]["id"])
    visibility = world.get(path, "administrator").headers["ETag"]
    body = {} if method == "DELETE" else {"json": {"description": "Mine"}}
    world.put(path, json={"description": "Somebody else's"})
    count = world.count()
    late = world.ask(method, path, "administrator", headers={"If-Match": visibility}, **body)
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert world.count() == count
    visibility = world.get(path, "administrator").headers["ETag"]
    good = world.ask(
        method, path, "administrator", headers={"If-Match": f'"x", {visibility}'}, **body, params={"_fields": "id"}
    )
    assert good.status_code == 200


def test_a_star_matches_whatever_is_there(world):
    made = world.make("events")
    assert world.put(f"/events/{made['id']}", json={}, headers={"If-Match": "*"}).status_code == 200


CREDENTIALS = [
    (basic("administrator", "wrong"), 401, "incorrect_password"),
    (basic("nobody", "correct horse"), 401, "incorrect_password"),
    ({"Authorization": "Bearer kal_wrong"}, 401, "invalid_token"),
    ({"Authorization": "Basic %%%"}, 401, "rest_forbidden"),
    ({"Authorization": "Basic " + base64.b64encode(b"nocolon").decode()}, 401, "rest_forbidden"),
    ({"Authorization": "Bearer"}, 401, "rest_forbidden"), ({"Authorization": "Digest x"}, 200, None),
    ({"Authorization": ""}, 200, None),
    (basic("administrator", "correct horse"), 200, None),
]  # fmt: skip


@pytest.mark.parametrize(("headers", "status", "code"), CREDENTIALS)
def test_bad_credentials_are_401_whatever_the_route(world, headers, status, code):
    made = world.make("events")
    answer = world.get(f"/events/{made['id']}", headers=headers)
    assert (answer.status_code, answer.json().get("code")) == (status, code)
    if status == 401:
        assert "WWW-Authenticate" in answer.headers
        for path in ("/nothing", "/events/999", "/"):
            assert world.get(path, headers=headers).status_code == 401
        assert world.post("/events", "anonymous", headers=headers, content=json.dumps({})).status_code == 401
