"""Messages that help: what was meant, what works, and how to log in; in the caller's language."""

import pytest

from kalends.languages import LANGUAGES

NS = "http://calendar.test/api/calendar/events/v1"
COMPAT_NS = "http://calendar.test/wp-json/tribe/events/v1"
HOW = ("Basic", "application password", "Bearer")


# Paths


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/api/calendar/events/v1/event", f"{NS}/events"),
        ("/api/calendar/events/v1/evnts/5", f"{NS}/events"),
        ("/api/calendar/events/v1/organisers", f"{NS}/organizers"),
        ("/api/calendar/events/v1/category/3", f"{NS}/categories"),
        ("/api/events", f"{NS}/events"),
        ("/api/v1/venues/7", f"{NS}/venues"),
        ("/wp-json/tribe/events/v1/venue/4", f"{COMPAT_NS}/venues"),
        ("/wp-json/tribe/events/v2/tags", f"{COMPAT_NS}/tags"),
    ],
)
def test_an_unknown_path_names_the_root_and_the_route_that_was_meant(world, path, meant):
    answer = world.client.get(f"http://calendar.test{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "rest_no_route")
    root = NS if path.startswith("/api") else COMPAT_NS
    assert f"{root}/" in answer.json()["message"]
    assert f"{meant}?" in answer.json()["message"]


@pytest.mark.parametrize(
    "path", ["/api/calendar/events/v1/zzz", "/api/nothing", "/wp-json/qqqq/v1", "/api/" + "x/" * 500, "/api/%00%ff"]
)
def test_an_unknown_path_that_is_close_to_nothing_names_the_root_alone(world, path):
    message = world.client.get(f"http://calendar.test{path}").json()["message"]
    assert "/events/v1/" in message
    assert "?" not in message
    assert len(message) < 300


def test_an_unknown_path_elsewhere_says_nothing_of_the_interface(world):
    answer = world.client.get("http://calendar.test/evnts", headers={"Accept": "application/json"})
    assert answer.status_code == 404
    assert "/api/" not in answer.text


# Logging in


def test_log_in_says_how(world):
    answer = world.post("/events", "anonymous", json={})
    assert (answer.status_code, answer.json()["code"]) == (401, "rest_forbidden")
    assert all(word in answer.json()["message"] for word in HOW)


@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_another_status_asked_anonymously_says_to_log_in(world, plural):
    answer = world.get(f"/{plural}", params={"status": "draft"})
    assert answer.status_code == 400
    sentence = answer.json()["data"]["params"]["status"]
    assert "publish" in sentence
    assert all(word in sentence for word in HOW)
    known = world.get(f"/{plural}", "subscriber", params={"status": "draft"}).json()["data"]["params"]["status"]
    assert "publish" in known
    assert "Bearer" not in known


# Names


@pytest.fixture(scope="module")
def names(world):
    made = {
        "music": world.make("categories", name="Music"),
        "musical": world.make("categories", name="Musical Theatre"),
    }
    made["free"] = world.make("tags", name="Free Entry")
    world.make("tags", name="Free Entrance")  # that no public event has
    world.make("events", categories=[made["music"]["id"], made["musical"]["id"]], tags=[made["free"]["id"]])
    made["hall"] = world.make("venues", venue="Harbour Hall")
    made["draft"] = world.make("venues", venue="Harbour Hull", status="draft")
    made["choir"] = world.make("organizers", organizer="Harbour Choir")
    return made


@pytest.mark.parametrize(
    ("name", "written", "closest"),
    [
        ("categories", "musik", "music"),
        ("categories", "umsic", "music"),
        ("categories", "Musical-Theater", "musical-theatre"),
        ("tags", "free-entri", "free-entry"),
    ],
)
def test_a_misspelt_term_gets_the_closest(world, names, name, written, closest):
    answer = world.get("/events", params={name: written})
    assert (answer.status_code, list(answer.json()["data"]["params"])) == (400, [name])
    assert written in answer.json()["message"]
    assert f"{closest}" in answer.json()["message"].replace(written, "")


def test_a_term_that_is_close_to_nothing_gets_no_suggestion(world, names):
    sentence = world.get("/events", params={"categories": "zzzzzz"}).json()["data"]["params"]["categories"]
    assert sentence == "categories has an unknown value: zzzzzz."


@pytest.mark.parametrize(
    ("name", "key", "label"), [("venue", "hall", "Harbour Hall"), ("organizer", "choir", "Harbour Choir")]
)
def test_a_name_where_ids_are_asked_gets_the_closest_names_with_their_ids(world, names, name, key, label):
    sentence = world.get("/events", params={name: label.upper()[:-1]}).json()["data"]["params"][name]
    assert f"{label} ({names[key]['id']})" in sentence


def test_no_suggestion_tells_of_what_the_caller_may_not_read(world, names):
    assert "Hull" not in world.get("/events", params={"venue": "Harbour Hull"}).text.replace("“Harbour Hull”", "")
    assert "Harbour Hull (" in world.get("/events", "editor", params={"venue": "Harbour Hull"}).text


def test_who_may_not_make_a_tag_gets_the_closest(world, names):
    body = {"title": "X", "start_date": "2027-03-10", "end_date": "2027-03-11", "tags": ["Fre Entry"]}
    answer = world.post("/events", "author", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "rest_forbidden")
    assert "Fre Entry" in answer.json()["message"]
    assert "Free Entry" in answer.json()["message"]
    assert "Free Entrance" not in answer.json()["message"]


# Parameters


@pytest.mark.parametrize(
    ("path", "query", "warning"),
    [
        ("/events", "categry=music", '299 - "Unknown parameter: categry; did you mean categories?"'),
        (
            "/events",
            "start_dat=2027-01-01&per_page=5",
            '299 - "Unknown parameter: start_dat; did you mean start_date?"',
        ),
        ("/venues", "zzz=1", '299 - "Unknown parameter: zzz."'),
        ("/events/1", "pasword=x", '299 - "Unknown parameter: pasword; did you mean password?"'),
        ("/tags", "serch[]=1", '299 - "Unknown parameter: serch; did you mean search?"'),
        (
            "/categories",
            "hide_emty=0&ordr=asc",
            '299 - "Unknown parameter: hide_emty; did you mean hide_empty?'
            ' Unknown parameter: ordr; did you mean order?"',
        ),
    ],
)
def test_an_unknown_parameter_is_ignored_with_a_warning(world, path, query, warning):
    world.make("events")
    for _ in range(2):  # the second time from what was kept
        answer = world.get(f"{path}?{query}")
        assert answer.headers["Warning"] == warning
        assert "Warning" in answer.headers["Access-Control-Expose-Headers"]
    if path == "/events":
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        ("/events/list/?categry=music", "Unknown parameter: categry; did you mean categories?"),
        ("/events/month/2027-03/?venu=1", "Unknown parameter: venu; did you mean venue?"),
        ("/events/?categry=music", "Unknown parameter: categry; did you mean categories?"),
        ("/events.ics?starts_aftr=2027-01-01", "Unknown parameter: starts_aftr; did you mean starts_after?"),
    ],
)
def test_an_unknown_filter_of_a_page_or_feed_is_ignored_with_a_warning(world, address, warning):
    world.make("events", venue={"venue": "Hall"})
    for _ in range(2):
        answer = world.get(f"http://calendar.test{address}")
        assert (answer.status_code, answer.headers.get("Warning")) == (200, f'299 - "{warning}"')


@pytest.mark.parametrize(
    "address",
    [
        "/events/list/?search=x&featured=true&page=1&past=1&lang=de",
        "/events/list/?utm_source=news&fbclid=x",
        "/events.ics?start_date=2027-01-01&include=1",
    ],
)
def test_known_filters_of_a_page_or_feed_have_no_warning(world, address):
    assert "Warning" not in world.get(f"http://calendar.test{address}").headers


@pytest.mark.parametrize("method", ["post", "put"])
def test_an_unknown_key_of_a_body_is_ignored_with_a_warning(world, method):
    event = world.make("events")
    path = "/events" if method == "post" else f"/events/{event['id']}"
    body = {
        "title": "New",
        "start_date": "2027-01-01",
        "end_date": "2027-01-02",
        "titel": "x",
        "venu": 1,
        "a": 1,
        "b": 2,
    }
    answer = getattr(world, method)(path, json=body)
    assert answer.json()["title"] == "New"
    assert answer.headers["Warning"] == (
        '299 - "Unknown parameter: titel; did you mean title? Unknown parameter: venu; did you mean venue?'
        ' Unknown parameter: a. And 1 more."'
    )
    form = getattr(world, method)(path, data={**body, "tags[]": ""})
    assert "titel; did you mean title?" in form.headers["Warning"]


@pytest.mark.parametrize("plural", ["events", "venues", "organizers", "categories", "tags"])
def test_what_was_read_can_be_sent_back_without_a_warning(world, plural):
    event = world.make(
        "events", venue={"venue": "Hall"}, organizer={"organizer": "Club"}, tags=["One"], categories=["Two"]
    )
    linked = {"events": event, "venues": event["venue"], "organizers": event["organizer"][0]}
    id = (linked.get(plural) or event[plural][0])["id"]
    read = world.read(plural, id)
    assert "Warning" not in world.put(f"/{plural}/{id}", json=read).headers


@pytest.mark.parametrize(
    "query",
    [
        "",
        "per_page=5&page=1",
        "%70er_page=5",
        "_fields=id",
        "lang=de",
        "_envelope&_jsonp=x",
        "categories[]=1",
        "context=view&_embed",
        "_locale=user",
    ],
)
def test_known_parameters_have_no_warning(make_world, query):
    world = make_world()
    world.make("categories", name="One")
    assert "Warning" not in world.get(f"/events?{query}").headers


@pytest.mark.parametrize(
    "query",
    [
        "a%0d%0aSet-Cookie:x=1",
        "%22quoted%5c=1",
        "x" * 900 + "=1",
        "&".join(f"p{n}=1" for n in range(500)),
        "ü=1",
        "%00=1",
    ],
)
def test_a_warning_is_bounded_and_cannot_break_the_header(world, query):
    answer = world.get(f"/events?{query}")
    warning = answer.headers["Warning"]
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert len(warning) < 400
    assert warning.isascii()
    assert warning.isprintable()
    assert warning.startswith('299 - "')
    assert warning.endswith('"')
    assert '"' not in warning[7:-1]
    assert "\\" not in warning


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_are_in_every_language(world, names, language):
    asked = {"Accept-Language": language.replace("_", "-")}
    answers = [
        world.post("/events", "anonymous", json={}, headers=asked),
        world.get("/evnts", headers=asked),
        world.get("/events", params={"status": "draft"}, headers=asked),
        world.get("/events", params={"categories": "musik"}, headers=asked),
        world.get("/events", params={"venue": "Harbour Hal"}, headers=asked),
        world.get("/events", params={"start_date": "soon"}, headers=asked),
    ]
    english = [
        world.post("/events", "anonymous", json={}),
        world.get("/evnts"),
        world.get("/events", params={"status": "draft"}),
        world.get("/events", params={"categories": "musik"}),
        world.get("/events", params={"venue": "Harbour Hal"}),
        world.get("/events", params={"start_date": "soon"}),
    ]
    for answer, source in zip(answers, english, strict=True):
        assert answer.status_code == source.status_code
        assert (answer.json()["message"] == source.json()["message"]) == (language == "en")
