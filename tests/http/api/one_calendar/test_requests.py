"""How requests are read: bodies, parameters, methods, prefixes."""

import json as json_module

import pytest
from tests.http.api.conftest import make_refs

from kalends.contract.kinds import KINDS, POSTS

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
COMPAT = "http://calendar.test/wp-json/tribe/events/v1"
DATES = "start_date=2027-08-10+09%3A00%3A00&end_date=2027-08-10+11%3A00%3A00"
EVENT = {"title": "An event", "start_date": "2027-08-10 09:00", "end_date": "2027-08-10 11:00"}


def form(world, body, **more):
    return world.post("/events", content=f"title=Form&{DATES}&{body}", headers=FORM, **more)


def test_json_form_and_multipart_say_the_same(world, refs):
    a, b = refs["category"]
    plain = EVENT | {
        "title": "Été",
        "all_day": "0",
        "cost": "12",
        "categories": [a, b],
        "venue": {"venue": "V", "city": "Nice"},
    }
    pairs = {k: v for k, v in plain.items() if isinstance(v, str)} | {"venue[venue]": "V", "venue[city]": "Nice"}
    lists = {"categories[]": [str(a), str(b)]}
    answers = [
        world.post("/events", json=plain),
        world.post("/events", data=pairs | lists),
        world.post("/events", data=pairs | lists, files={"ignored": ("a.txt", b"x", "text/plain")}),
    ]
    own = {"id", "global_id", "global_id_lineage", "url", "rest_url", "slug", "rev"}
    shown = []
    for answer in answers:
        assert answer.status_code == 201, answer.text
        shown.append({k: v for k, v in answer.json().items() if k not in own})
    assert shown[0] == shown[1] == shown[2]
    assert shown[0]["title"] == "Été"


@pytest.mark.parametrize(
    "written",
    [
        "{k}[]=1&{k}[]=2",
        "{k}[0]=1&{k}[1]=2",
        "{k}=1,2",
        "{k}=1&{k}=2",
        "{k}[1]=1&{k}[]=2",
        "{k}%5B%5D=1&{k}%5B%5D=2",
    ],
)
def test_arrays_in_forms(make_world, written):
    world = make_world()
    for name in ("categories", "tags"):
        ids = [world.make(name, name=f"{name} {n}")["id"] for n in (1, 2)]
        body = (
            written.format(k=name).replace("=1", f"={ids[0]}").replace("=2", f"={ids[1]}").replace(",2", f",{ids[1]}")
        )
        found = form(world, body)
        assert found.status_code == 201, found.text
        assert [term["id"] for term in found.json()[name]] == ids


def test_nested_arrays_in_forms(world):
    body = "tickets[0][name]=A&tickets[0][price]=5&tickets[1][name]=B&cost[]=10&cost[]=20"
    event = form(world, body + "&organizer[0][organizer]=O&organizer[1][organizer]=P").json()
    assert [ticket["name"] for ticket in event["tickets"]] == ["A", "B"]
    assert [organizer["organizer"] for organizer in event["organizer"]] == ["O", "P"]
    assert event["cost"] == "$10 – $20"


def test_a_repeated_parameter_counts_by_its_last_value_where_one_is_expected(world):
    assert form(world, "title=Last").json()["title"] == "Last"


def test_the_body_wins_over_the_query_string(world):
    made = world.post("/events?title=Query&excerpt=Query&nonsense=1", json=EVENT | {"title": "Body"}).json()
    assert (made["title"], made["excerpt"]) == ("Body", "<p>Query</p>")
    assert world.post(f"/events?title=Query&{DATES}").json()["title"] == "Query"
    changed = world.put(f"/events/{made['id']}?title=Query", json={"excerpt": None}).json()
    assert (changed["title"], changed["excerpt"]) == ("Query", "")


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", "application/ld+json", "APPLICATION/JSON", None],
)
def test_json_by_any_of_its_names_and_without_a_type(world, content_type):
    headers = {"Content-Type": content_type} if content_type else {}
    response = world.post("/events", content=json_module.dumps(EVENT), headers=headers)
    assert response.status_code == 201, response.text


@pytest.mark.parametrize("content_type", ["text/plain", "application/xml", "image/png", "text/json", "x"])
def test_another_media_type_is_415(world, content_type):
    made = world.make("events")
    count = world.count()
    for method, path in (("POST", "/events"), ("PUT", f"/events/{made['id']}"), ("POST", "/tags")):
        response = world.ask(method, path, "administrator", content=b"{}", headers={"Content-Type": content_type})
        assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")
    assert world.count() == count


OVERRIDES = [("PUT", 200), ("PATCH", 200), ("DELETE", 200), ("delete", 200), ("GET", 200), ("BREW", 200)]


@pytest.mark.parametrize("method", [method for method, _ in OVERRIDES])
@pytest.mark.parametrize("place", ["query", "header"])
def test_a_post_may_stand_for_another_method(world, method, place):
    event = world.make("events")
    params = {"_method": method} if place == "query" else {}
    headers = {"X-HTTP-Method-Override": method} if place == "header" else {}
    response = world.post(f"/events/{event['id']}", params=params, headers=headers, json={"title": "Changed"})
    assert response.status_code == 200
    after = world.read("events", event["id"])
    if method.upper() == "DELETE":
        assert after["status"] == "trash"
    else:  # what is not one of the three is an ordinary update
        assert (after["status"], after["title"]) == ("publish", "Changed")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH"])
def test_only_a_post_may_stand_for_another_method(world, method):
    event = world.make("events")
    response = world.ask(
        method, f"/events/{event['id']}?_method=DELETE", "administrator",
        headers={"X-HTTP-Method-Override": "DELETE"},
        **({} if method == "GET" else {"json": {}}),
    )  # fmt: skip
    assert response.status_code == 200
    assert world.read("events", event["id"])["status"] == "publish"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_trailing_slash_is_accepted_everywhere(world, required, kind):
    made = world.post(f"/{kind.plural}/", json=required[kind.plural])
    assert made.status_code == 201
    paths = [f"/{kind.plural}/{made.json()['id']}"]
    if kind in POSTS:
        paths.append(f"/{kind.plural}/by-slug/{made.json()['slug']}")
    for path in paths:
        assert world.get(path + "/").json() == world.get(path).json()
        assert world.put(path + "/", json={}).status_code == 200
    assert world.delete(paths[0] + "/").status_code == 200


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_head_works_wherever_get_does_and_does_not_spoil_the_get_after_it(world, required, kind):
    made = world.make(kind.plural, **required[kind.plural])
    paths = [f"/{kind.plural}", f"/{kind.plural}/{made['id']}", f"/{kind.plural}/999"]
    if kind in POSTS:
        paths.append(f"/{kind.plural}/by-slug/{made['slug']}")
    for path in paths:
        for who in ("anonymous", "administrator"):
            head, get = world.ask("HEAD", path, who), world.get(path, who)
            assert head.status_code == get.status_code
            assert head.content == b""
            assert get.json()
            for name in ("Content-Type", "Cache-Control", "ETag", "Content-Length"):
                assert head.headers.get(name) == get.headers.get(name), (path, name)


ROUTES = [
    ("/events", "GET, POST"), ("/venues", "GET, POST"), ("/organizers", "GET, POST"), ("/categories", "GET, POST"),
    ("/tags", "GET, POST"), ("/events/1", "GET, DELETE, POST, PUT, PATCH"),
    ("/venues/by-slug/x", "GET, DELETE, POST, PUT, PATCH"), ("/tags/1", "GET, DELETE, POST, PUT, PATCH"),
    ("/media", "POST"), ("/media/1", "GET"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "allow"), ROUTES)
def test_a_method_that_the_path_does_not_take_is_405_with_allow(world, path, allow):
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
        if method not in allow:
            response = world.ask(method, path)
            assert (response.status_code, response.json()["code"]) == (405, "rest_no_route"), method
            assert response.json()["data"]["status"] == 405
            assert response.headers["Allow"] == allow


@pytest.mark.parametrize(("path", "allow"), ROUTES)
def test_options_describes_the_route(world, path, allow):
    response = world.ask("OPTIONS", path)
    assert response.status_code == 200
    assert response.headers["Allow"] == allow
    described = response.json()
    assert described["namespace"] == "calendar/events/v1"
    assert sorted(described["methods"]) == sorted(allow.split(", "))
    named = {method for endpoint in described["endpoints"] for method in endpoint["methods"]}
    assert named == set(allow.split(", "))
    assert world.ask("OPTIONS", "/nothing").status_code == 404


FIELDS = [
    ("id", {"id": 2}), ("id,venue.venue", {"id": 2, "venue": {"venue": "Hall"}}),
    ("start_date_details.year", {"start_date_details": {"year": "2027"}}),
    ("organizer.id", {"organizer": [{"id": 3}, {"id": 4}]}),
    (" id , nothing ", {"id": 2}), ("nothing", {}), ("venue.id,venue", None), ("venue,venue.id", None),
    ("id.x", {"id": 2}),
    ("id,.", {"id": 2}), ("id&_fields=title", {"id": 2, "title": "Concert"}),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "shown"), FIELDS)
def test_fields_keeps_only_those_keys(world, wanted, shown):
    event = world.make(
        "events", title="Concert", venue={"venue": "Hall"}, organizer=[{"organizer": "O"}, {"organizer": "P"}]
    )
    read = world.get(f"/events/{event['id']}?_fields={wanted}").json()
    if shown is None:  # the whole of `a` wins over `a.b`
        assert list(read) == ["venue"]
        assert read["venue"]["slug"] == "hall"
    else:
        numbered = {2: event["id"], 3: event["organizer"][0]["id"], 4: event["organizer"][1]["id"]}
        text = json_module.dumps(shown)
        for number, id in numbered.items():
            text = text.replace(f'"id": {number}', f'"id":  {id}')
        assert read == json_module.loads(text)


def test_fields_of_writes_and_lists(make_world):
    world = make_world()
    make_refs(world)
    made = world.post("/events?_fields=title,slug", json=EVENT)
    assert (made.status_code, made.json()) == (201, {"title": "An event", "slug": "an-event"})
    assert world.put("/events/by-slug/an-event?_fields=status", json={}).json() == {"status": "publish"}
    assert world.delete("/events/by-slug/an-event?_fields=status").json() == {"status": "trash"}
    listed = world.get("/venues?_fields=venue").json()
    assert listed["venues"] == [{"venue": "Linked A"}, {"venue": "Linked B"}]
    assert {"rest_url", "total", "total_pages"} <= set(listed)  # the envelope stays
    assert world.get("/events/999?_fields=id").json()["code"] == "rest-event-not-found"


def test_envelope_and_jsonp_are_ignored(world):
    event = world.make("events")
    read = world.get(f"/events/{event['id']}?_envelope=1&_jsonp=alert")
    assert read.json()["id"] == event["id"]
    assert read.headers["Content-Type"] == "application/json; charset=UTF-8"


def test_if_match_is_looked_at_after_the_fields(world):
    event = world.make("events")
    stale = {"If-Match": '"another"'}
    assert world.put(f"/events/{event['id']}", json={"all_day": "perhaps"}, headers=stale).status_code == 400
    assert world.put(f"/events/{event['id']}", json={"categories": [999]}, headers=stale).status_code == 400
    assert world.put(f"/events/{event['id']}", json={"title": "New"}, headers=stale).status_code == 412


def test_a_boundary_a_little_longer_than_the_rfc_allows_is_taken(world):
    boundary = "-" * 15 + "WerkzeugFormPart_" + "1" * 45
    body = f'--{boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nLoud\r\n--{boundary}--\r\n'
    sent = {"Content-Type": f'multipart/form-data; boundary="{boundary}"'}
    assert world.post("/tags", content=body.encode(), headers=sent).json()["name"] == "Loud"
