"""Decisions on dates, texts, ids, statuses, costs and encodings, one test each."""

import pytest

from kalends.contract.kinds import EVENT, KINDS, POSTS

EVERY_KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
EVERY_POST = pytest.mark.parametrize("kind", POSTS, ids=lambda kind: kind.name)
DATES = {"start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"}


def refused(response, *names: str) -> None:
    assert response.status_code == 400, response.text
    assert response.json()["code"] == "rest_invalid_param"
    assert list(response.json()["data"]["params"]) == list(names)


# Dates


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2027-3-9", "2027-03-09 00:00:00"),
        ("2027/03/10", "2027-03-10 00:00:00"),
        ("10.03.2027 19:00", "2027-03-10 19:00:00"),
        ("10-03-2027 7pm", "2027-03-10 19:00:00"),
        ("03/10/27 at 7:30 pm", "2027-03-10 19:30:00"),
        ("20270310", "2027-03-10 00:00:00"),
        (20270310, "2027-03-10 00:00:00"),
        ("20270310T190000", "2027-03-10 19:00:00"),
        ("20270310T190000Z", "2027-03-10 15:00:00"),
        ("Wed, 10 Mar 2027 19:00:00 +0000", "2027-03-10 15:00:00"),
        ("2026/11/15T14:45", "2026-11-15 14:45:00"),
        ("sunday 8pm", "2026-11-15 20:00:00"),
        ("friday noon", "2026-11-20 12:00:00"),
        ("2 days ago", "2026-11-13 07:00:00"),
        ("last day of next month", "2026-12-31 00:00:00"),
    ],
)
def test_a_date_may_be_written_in_any_accepted_form(world, written, shown):
    event = world.make("events", start_date=written, end_date="2028-01-01", timezone="America/New_York")
    expected = {"2027-03-10 15:00:00": "2027-03-10 14:00:00"}.get(shown, shown)  # winter time in New York
    assert event["start_date"] == expected


@pytest.mark.parametrize(
    "written", [-1, 1.5, -86400, "24:30", "2027-02-30", "soon", True, ["x"], {"a": 1}, "\x07" * 9]
)
def test_a_refused_date_is_repeated_beside_two_forms_that_work(world, written):
    response = world.post("/events", json={"title": "X", **DATES, "start_date": written})
    refused(response, "start_date")
    sentence = response.json()["data"]["params"]["start_date"]
    assert "2027-03-10 09:00:00" in sentence
    assert "March 10, 2027 9am" in sentence
    if isinstance(written, str) and written.isprintable():
        assert f"“{written}”" in sentence
    assert sentence in response.json()["message"]
    assert "\x07" not in sentence
    for form in ("2027-03-10 09:00:00", "March 10, 2027 9am"):
        world.make("events", start_date=form, end_date="2028-01-01")


def test_a_refused_date_is_repeated_only_so_far(world):
    sentence = world.get("/events", params={"start_date": "x" * 5000}).json()["data"]["params"]["start_date"]
    assert len(sentence) < 300


def test_the_last_second_of_9999_is_accepted(make_world):
    world = make_world()
    last = "9999-12-31 23:59:59"
    event = world.make("events", start_date="9999-12-31", end_date=last, all_day=True)
    assert (event["end_date"], event["utc_end_date"]) == (last, last)
    listed = world.get("/events", params={"start_date": "2027-01-01", "end_date": last})
    assert [found["id"] for found in listed.json()["events"]] == [event["id"]]
    assert world.get(listed.json()["rest_url"]).json() == listed.json()
    assert world.get("/events", params={"starts_after": last, "strict_dates": "1"}).json()["total"] == 0
    for address in (f"/event/{event['slug']}/", f"/event/{event['slug']}.ics", "/events.ics", "/events.rss"):
        assert world.client.get(address).status_code == 200


# Texts


@EVERY_KIND
@pytest.mark.parametrize("blank", [" ", "\t\n", "\u3000", "\u00a0 \u2003", "\u200b"])
def test_a_name_of_white_space_is_empty(world, required, kind, blank):
    refused(world.post(f"/{kind.plural}", json=required[kind.plural] | {kind.name_field: blank}), kind.name_field)


@EVERY_KIND
@pytest.mark.parametrize("blank", [" ", "\n\n", "\u3000", "&nbsp;", "<p> </p>", "<p>\u3000</p>"])
def test_a_description_of_white_space_is_empty(world, required, kind, blank):
    made = world.make(kind.plural, **required[kind.plural] | {"description": blank})
    assert made.get("description", "") == ""


@pytest.mark.parametrize("name", ["city", "website", "phone", "stateprovince"])
def test_a_line_of_white_space_is_empty(world, name):
    assert name not in world.make("venues", **{"venue": "V", name: " \u3000 "})


@EVERY_KIND
def test_white_space_inside_names_is_kept_and_line_breaks_become_one_space(world, required, kind):
    cases = {
        "Two  blanks": "Two  blanks",
        "東京\u3000タワー": "東京\u3000タワー",
        "A\u00a0B": "A\u00a0B",
        "One\r\nTwo": "One Two",
        "Three \n\n Four": "Three Four",
        " around\u3000": "around",
        "tab\there": "tab here",
    }
    for sent, shown in cases.items():
        made = world.make(kind.plural, **required[kind.plural] | {kind.name_field: sent})
        assert made[kind.name_field] == shown


# Bodies


@EVERY_KIND
@pytest.mark.parametrize("body", [b"[]", b"[1]", b'"x"', b"7", b"true", b"null"])
def test_a_json_body_that_is_not_an_object_is_rest_invalid_json(world, required, kind, body):
    made = world.make(kind.plural, **required[kind.plural])
    count = world.count()
    for method, path in (("POST", f"/{kind.plural}"), ("PUT", f"/{kind.plural}/{made['id']}")):
        response = world.ask(
            method, path, "administrator", content=body, headers={"Content-Type": "application/json"}
        )
        assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_json")
    assert world.count() == count


# Costs


@pytest.mark.parametrize(
    "cost",
    [
        -1,
        -0.5,
        "-5",
        "- 5",
        "−5",
        "-$5",
        "$-5",
        "$ -5",
        "-5 €",
        "-5€",
        "€ -5",
        "EUR -5",
        "-5 EUR",
        "-5 - 10",
        "-5-10",
        "–5",
        "5 - -10",
        "$10 - $-20",
        ["10", "-5"],
        [10, -5],
        "-.5",
        "-5,50",
        "USD -10",
        "(-5)",
        "- 5 USD",
    ],
)
def test_a_negative_cost_is_refused_however_it_is_written(world, cost):
    refused(world.post("/events", json={"title": "X", **DATES, "cost": cost}), "cost")


@pytest.mark.parametrize(
    "cost", ["5-10", "$5 - $10", "$5 – 10", "5 – 10 €", "Pay-what-you-can", "ages 5-10: $3", "12,-", "0"]
)
def test_a_range_or_a_dash_is_not_negative(world, cost):
    assert world.make("events", cost=cost)["cost"]


# Venues


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"state": "NY"}, "NY"),
        ({"province": "Ontario"}, "Ontario"),
        ({"state": "NY", "country": "France"}, "NY"),
        ({"province": "Ontario", "country": "United States"}, "Ontario"),
        ({"state": "NY", "province": "Ontario"}, "NY"),
        ({"state": "NY", "province": "Ontario", "country": "Canada"}, "Ontario"),
        ({"state": "NY", "stateprovince": "Own"}, "Own"),
        ({}, None),
    ],
)
def test_stateprovince_is_whichever_is_filled(world, sent, shown):
    venue = world.make("venues", venue="V", **sent)
    assert venue.get("stateprovince") == shown
    address = world.read("venues", venue["id"])["json_ld"].get("address", {})
    assert address.get("addressRegion") == shown


# Statuses and ids


@EVERY_POST
@pytest.mark.parametrize("status", ["PUBLISH", "Publish", " publish", "publish ", "Draft"])
def test_statuses_are_exact(world, required, kind, status):
    refused(world.post(f"/{kind.plural}", json=required[kind.plural] | {"status": status}), "status")
    if status == status.strip():
        refused(world.get(f"/{kind.plural}", "administrator", params={"status": status}), "status")


@pytest.mark.parametrize("plural", ["events", "categories", "tags"])
@pytest.mark.parametrize("name", ["include", "exclude"])
@pytest.mark.parametrize("written", ["0", "-1", "0,1", "1,-2", "-0", "1.5"])
def test_include_and_exclude_take_ids_from_one_on(world, plural, name, written):
    refused(world.get(f"/{plural}", params={name: written}), name)


@pytest.mark.parametrize(
    ("plural", "name"),
    [
        ("events", "venue"),
        ("events", "organizer"),
        ("events", "categories"),
        ("events", "tags"),
        ("events", "post_parent"),
        ("venues", "event"),
        ("organizers", "event"),
        ("categories", "parent"),
        ("categories", "event"),
        ("tags", "post"),
    ],
)
def test_negative_ids_are_refused(world, plural, name):
    refused(world.get(f"/{plural}", params={name: "-1"}), name)


@pytest.mark.parametrize("name", ["venue", "organizer", "categories", "tags", "image", "author", "post_parent"])
@pytest.mark.parametrize("value", [-1, "-1", [-1], ["-1"]])
def test_negative_ids_are_refused_in_a_body(world, name, value):
    if name in ("image", "author", "post_parent") and isinstance(value, list):
        value = value[0]
    refused(world.post("/events", json={"title": "X", **DATES, name: value}), name)


# Encodings


def test_raw_utf8_in_a_query_string_is_utf8(make_world):
    world = make_world()
    event = world.make("events", title="Abend mit Müller")
    path = world.ns.removeprefix("http://calendar.test")
    for query in ("search=Müller", "search=M%C3%BCller"):
        status, body = raw_get(world, f"{path}/events", query)
        assert status == "200 OK"
        assert [found["id"] for found in body["events"]] == [event["id"]]
        assert "search=M%C3%BCller" in body["rest_url"]


def test_raw_utf8_in_a_path_is_utf8(make_world):
    world = make_world()
    event = world.make("events", title="日本の祭り")
    path = world.ns.removeprefix("http://calendar.test")
    status, body = raw_get(world, f"{path}/events/by-slug/日本の祭り", "")
    assert (status, body["id"]) == ("200 OK", event["id"])


def test_raw_utf8_in_a_form_is_utf8(world):
    body = "title=Müller&start_date=2027-03-10&end_date=2027-03-11&venue[venue]=Café".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    made = world.post("/events", content=body, headers=headers).json()
    assert (made["title"], made["venue"]["venue"]) == ("Müller", "Café")


def raw_get(world, path: str, query: str) -> tuple[str, dict]:
    """A request whose address has UTF-8 as it is, as servers hand it over: its bytes as Latin-1."""
    import io
    import json

    said: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "SERVER_NAME": "calendar.test",
        "SERVER_PORT": "80",
        "HTTP_HOST": "calendar.test",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query.encode().decode("latin-1"),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
        "REMOTE_ADDR": "127.0.0.1",
    }
    body = b"".join(world.front(environ, lambda status, headers, *_: said.append(status)))
    return said[0], json.loads(body)


# What search engines read


def test_json_ld_of_an_event_has_the_performer_of_the_reference(world):
    event = world.make("events")
    assert world.read("events", event["id"])["json_ld"]["performer"] == "Organization"


def test_robots_may_read_the_interface(world):
    from urllib.robotparser import RobotFileParser

    text = world.client.get("/robots.txt").text
    rules = RobotFileParser()
    rules.parse(text.splitlines())
    for path in ("/api/calendar/events/v1/events", "/wp-json/tribe/events/v1/events", "/events/", "/"):
        assert rules.can_fetch("Scrapy", f"http://calendar.test{path}")
    assert "Sitemap: http://calendar.test/sitemap.xml" in text


NEVER_EMPTY = {"title", "venue", "organizer", "name", "status", "start_date", "end_date", "author", "date"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_null_clears_every_optional_field(world, required, kind):
    made = world.make(kind.plural, **required[kind.plural])
    names = {field.name for field in kind.fields} - (
        NEVER_EMPTY - ({"venue", "organizer"} if kind is EVENT else set())
    )
    answer = world.put(f"/{kind.plural}/{made['id']}", json=dict.fromkeys(names))
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("nothing", [None, ""])
def test_words_and_colours_go_back_to_the_usual(make_world, nothing):
    world = make_world()
    event = world.make("events", event_status="cancelled")
    assert world.put(f"/events/{event['id']}", json={"event_status": nothing}).json()["event_status"] == "scheduled"
    category = world.make("categories", name="Jazz")
    path, chosen = f"/categories/{category['id']}", category["color"]
    assert world.put(path, json={"color": "#123456"}).json()["color"] == "#123456"
    assert world.put(path, json={"color": nothing}).json()["color"] == chosen


@pytest.mark.parametrize("depth", [101, 300, 985, 20_000])
def test_what_nests_too_deeply_is_refused_wherever_it_stands(world, depth):
    nested = "[" * depth + "]" * depth
    for field in ("start_date", "title", "venue", "categories", "tickets"):
        body = f'{{"title": "T", "end_date": "2027-05-01", "{field}": {nested}}}'
        answer = world.post("/events", "editor", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, "rest_invalid_json"), field


@pytest.mark.parametrize("number", ["1" + "0" * 400, "-" + "9" * 400, '"1e400"', '"nan"'])
def test_a_number_that_no_computer_holds_is_none(world, number):
    body = f'{{"venue": "V", "geo_lat": {number}, "geo_lng": 1}}'
    refused(world.post("/venues", content=body, headers={"Content-Type": "application/json"}), "geo_lat")
