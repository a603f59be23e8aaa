"""POST /events."""

import pytest
from tests.http.api.conftest import make_refs

from kalends.feature import declared

MINIMAL = {"title": "Minimal", "start_date": "2027-08-10 09:00:00", "end_date": "2027-08-10 11:00:00"}
KEYS = [
    "id",
    "global_id",
    "global_id_lineage",
    "author",
    "status",
    "date",
    "date_utc",
    "modified",
    "modified_utc",
    "url",
    "rest_url",
    "title",
    "description",
    "excerpt",
    "slug",
    "image",
    "all_day",
    "start_date",
    "start_date_details",
    "end_date",
    "end_date_details",
    "utc_start_date",
    "utc_start_date_details",
    "utc_end_date",
    "utc_end_date_details",
    "timezone",
    "timezone_abbr",
    "cost",
    "cost_details",
    "website",
    "show_map",
    "show_map_link",
    "hide_from_listings",
    "sticky",
    "featured",
    "categories",
    "tags",
    "venue",
    "organizer",
    "custom_fields",
    "event_status",
    "ticketed",
    "tickets",
    "post_parent",
    "series",
    "series_of",
    "recurrence",
    "original_start",
    "source",
    "external_id",
    "rev",
]


OF_FEATURES = {field.name for added in declared("event_fields") for field in added}


def create(world, who="administrator", **body):
    return world.post("/events", who, json=MINIMAL | body)


def test_create_answers_201_with_the_record_and_its_location(world):
    response = create(world)
    assert response.status_code == 201
    assert response.headers["Location"] == f"{world.ns}/events/{response.json()['id']}"
    assert world.get(response.headers["Location"]).json()["title"] == "Minimal"


def test_an_event_has_all_keys_in_their_order(world):
    assert [key for key in create(world).json() if key not in OF_FEATURES] == KEYS


def test_a_minimal_event_shows_the_defaults(make_world):
    world = make_world()
    json = create(world).json()
    id = json["id"]
    details = {"year": "2027", "month": "08", "day": "10", "hour": "09", "minutes": "00", "seconds": "00"}
    expected = {
        "global_id": f"calendar.test?id={id}", "global_id_lineage": [f"calendar.test?id={id}"],
        "author": str(world.ids["administrator"]), "status": "publish",
        "date": "2026-11-15 07:00:00", "date_utc": "2026-11-15 12:00:00",
        "modified": "2026-11-15 07:00:00", "modified_utc": "2026-11-15 12:00:00",
        "url": "http://calendar.test/event/minimal/", "rest_url": f"{world.ns}/events/{id}",
        "description": "", "excerpt": "", "slug": "minimal", "image": False, "all_day": False,
        "start_date": "2027-08-10 09:00:00", "start_date_details": details,
        "utc_start_date": "2027-08-10 13:00:00", "utc_start_date_details": details | {"hour": "13"},
        "utc_end_date": "2027-08-10 15:00:00", "timezone": "America/New_York", "timezone_abbr": "EDT",
        "cost": "", "website": "", "show_map": True, "show_map_link": True,
        "hide_from_listings": False, "sticky": False, "featured": False, "categories": [], "tags": [],
        "venue": [], "organizer": [], "custom_fields": [], "ticketed": False, "tickets": [], "post_parent": 0,
        "series": None, "series_of": None, "recurrence": None, "original_start": None,
        "cost_details": {"currency_symbol": "", "currency_code": "", "currency_position": "", "values": []},
    }  # fmt: skip
    assert {name: json[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ({}, ["title", "start_date", "end_date"]),
        ({"title": "x"}, ["start_date", "end_date"]),
        ({"title": None, "start_date": "2027-01-01", "end_date": None}, ["title", "end_date"]),
    ],
)
def test_all_missing_parameters_are_named(world, body, missing):
    count = world.count()
    response = world.post("/events", json=body)
    assert response.status_code == 400
    assert response.json()["code"] == "rest_missing_callback_param"
    assert response.json()["data"] == {"status": 400, "params": missing}
    assert world.count() == count


def test_all_failures_are_reported_together(world):
    bad = {"title": "", "start_date": "garbage", "website": "nope", "all_day": "maybe", "status": "gone",
           "venue": 999, "categories": [999], "image": 999, "author": 999, "post_parent": 999}  # fmt: skip
    count = world.count()
    json = create(world, **bad).json()
    assert json["code"] == "rest_invalid_param"
    assert set(json["data"]["params"]) == set(bad)
    for name, detail in json["data"]["details"].items():
        assert detail["code"]
        assert detail["message"] == json["data"]["params"][name]
        assert detail["data"] == {"param": name}
    assert world.count() == count


# A value, and the parameter that is refused for it.
REFUSED = [
    ("title", "   "), ("title", "<b></b>"), ("title", []), ("title", {"a": 1}), ("title", "x" * 1001),
    ("status", "trash"), ("status", ""), ("status", "PUBLISHED"), ("author", 0), ("author", "admin"), ("author", ""),
    ("date", ""), ("date", "2026-02-30"), ("start_date", ""), ("start_date", True), ("start_date", []),
    ("end_date", "2027-08-10 08:59:59"), ("timezone", "Mars/Olympus"), ("timezone", "UTC+15"),
    ("all_day", "maybe"), ("all_day", 2), ("all_day", ""), ("featured", []), ("sticky", "ja"),
    ("image", "abc"), ("image", -1), ("image", "ftp://a.test/x.png"), ("image", True), ("image", [1]),
    ("website", "nope"), ("website", "javascript:alert(1)"), ("website", "http://"), ("website", "//a.test"),
    ("categories", [999]), ("categories", [[1]]), ("categories", [{}]), ("categories", True), ("tags", [1.5]),
    ("venue", [999]), ("venue", "Hall"), ("venue", {}), ("venue", [[]]), ("venue", {"venue": ""}), ("venue", -1),
    ("organizer", {"organizer": "X", "email": "nope"}), ("organizer", {"venue": "X"}), ("organizer", [1.5]),
    ("post_parent", -1), ("post_parent", 999), ("post_password", []), ("post_password", "x" * 256),
    ("tickets", "x"), ("tickets", [{}]), ("tickets", [{"name": ""}]), ("tickets", [{"name": "A", "price": "-1"}]),
    ("tickets", [{"name": "A", "currency": "EURO"}]), ("tickets", [{"name": "A", "url": "x"}]),
    ("tickets", [{"name": "A", "starts": "x"}]), ("tickets", [{"name": "A", "capacity": -1}]),
    ("tickets", [{"name": "A", "ends": "+9999999 years"}]), ("cost", {"a": 1}), ("cost", True), ("cost", [[1]]),
    ("slug", []), ("description", []), ("excerpt", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), REFUSED, ids=lambda value: repr(value)[:40])
def test_a_value_that_does_not_fit_is_400_and_changes_nothing(world, name, value):
    count = world.count()
    response = create(world, **{name: value})
    assert response.status_code == 400, response.text
    assert response.json()["code"] == "rest_invalid_param"
    assert list(response.json()["data"]["params"]) == [name]
    assert world.count() == count


ACCEPTED = [
    ("title", 2027, "2027"), ("title", True, "true"), ("title", "a < b &amp; c", "a < b & c"),
    ("title", "<script>x</script>The <b>show</b>", "The show"), ("title", "  two   words ", "two   words"),
    ("all_day", "YES", True), ("all_day", "off", False), ("all_day", 1, True), ("featured", "1", True),
    ("show_map", "no", False), ("sticky", 0.0, False), ("post_parent", "0", 0), ("website", "", ""),
    ("website", "HTTPS://A.test/ü", "HTTPS://A.test/ü"), ("image", "", False), ("image", 0, False),
    ("image", False, False), ("venue", "", []), ("venue", 0, []), ("venue", [""], []), ("venue", [None], []),
    ("organizer", "0", []), ("organizer", [], []), ("categories", "", []), ("tags", [None, ""], []),
    ("description", "One\n\nTwo", "<p>One</p>\n<p>Two</p>"), ("description", "", ""),
    ("description", '<p onclick="x">A<script>alert(1)</script></p>', "<p>A</p>"),
    ("excerpt", '<p><a href="javascript:x" title="t">A</a></p>', '<p><a title="t">A</a></p>'),
    ("timezone", "", "America/New_York"), ("timezone", "europe/paris", "Europe/Paris"), ("timezone", "UTC", "UTC"),
    ("tickets", [], []), ("tickets", "", []),
    ("slug", "Größe & Ä!", "grosse-a"), ("date", "2026-01-02", "2026-01-02 00:00:00"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "shown"), ACCEPTED, ids=lambda value: repr(value)[:40])
def test_a_value_is_taken_and_shown_in_its_one_form(world, name, value, shown):
    response = create(world, **{name: value})
    assert response.status_code == 201, response.text
    assert response.json()[name] == shown
    assert world.read("events", response.json()["id"])[name] == shown


@pytest.mark.parametrize("empty", ["", "!!!"])
def test_an_empty_slug_is_made_from_the_title(make_world, empty):
    world = make_world()
    made = create(world, slug=empty).json()
    assert made["slug"] == "minimal"
    assert world.read("events", made["id"])["slug"] == "minimal"


def test_null_is_not_sent_for_every_field(world, field_cases):
    nulls = {case.name: None for case in field_cases if case.kind.name == "event" and case.name not in MINIMAL}
    plain, nulled = create(world).json(), create(world, **nulls).json()
    own = {"id", "global_id", "global_id_lineage", "url", "rest_url", "slug", "rev"}
    assert {k: v for k, v in nulled.items() if k not in own} == {k: v for k, v in plain.items() if k not in own}


def test_unknown_parameters_and_an_id_are_ignored(world):
    json = create(world, id=77, nonsense={"a": [1]}, rest_url="x", rev=99).json()
    assert json["id"] != 77
    assert "nonsense" not in json


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Été à Nîmes", "ete-a-nimes"), ("Straße & Søren", "strasse-soren"), ("日本の祭り", "日本の祭り"),
        ("Привет, мир!", "привет-мир"), ("C++ / C#", "c-c"), ("!!!", "event"), ("a" * 300, "a" * 200),
    ],
)  # fmt: skip
def test_the_slug_is_made_from_the_title(make_world, title, slug):
    world = make_world()
    json = create(world, title=title).json()
    assert json["slug"] == slug
    assert world.get(f"/events/by-slug/{slug}").json()["id"] == json["id"]
    assert json["url"].isascii()


def test_slugs_are_unique_within_the_kind(make_world):
    world = make_world()
    assert [create(world, title="Jazz").json()["slug"] for _ in range(4)] == [
        "jazz", "jazz-2", "jazz-3", "jazz-4",
    ]  # fmt: skip
    assert create(world, slug="JAZZ").json()["slug"] == "jazz-5"
    assert world.make("venues", venue="Jazz")["slug"] == "jazz"


def test_drafts_have_a_slug_and_a_page_address_too(make_world):
    world = make_world()
    json = create(world, status="draft").json()
    assert (json["slug"], json["url"]) == ("minimal", "http://calendar.test/event/minimal/")
    assert json["date_utc"] == "2026-11-15 12:00:00"


@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("anonymous", 401),
        ("subscriber", 403),
        ("contributor", 201),
        ("author", 201),
        ("editor", 201),
        ("administrator", 201),
    ],
)
def test_who_may_create(world, who, status):
    count = world.count()
    response = create(world, who)
    assert response.status_code == status
    if status != 201:
        assert response.json()["code"] == "rest_forbidden"
        assert world.count() == count


def test_the_right_is_checked_before_the_body(world):
    for who, status in (("anonymous", 401), ("subscriber", 403)):
        response = world.post("/events", who, content=b"{", headers={"Content-Type": "application/json"})
        assert (response.status_code, response.json()["code"]) == (status, "rest_forbidden")


@pytest.mark.parametrize(
    ("who", "asked", "given"),
    [
        ("contributor", None, "draft"), ("contributor", "publish", "pending"), ("contributor", "private", "pending"),
        ("contributor", "future", "pending"), ("contributor", "pending", "pending"),
        ("contributor", "draft", "draft"),
        ("author", None, "publish"), ("author", "private", "private"), ("author", "draft", "draft"),
        ("editor", "pending", "pending"), ("editor", "future", "publish"),
    ],
)  # fmt: skip
def test_the_status_is_the_one_asked_for_as_far_as_the_caller_may(world, who, asked, given):
    json = create(world, who, status=asked).json()
    assert json["status"] == given
    assert json["author"] == str(world.ids[who])


def test_another_author_only_for_who_may_edit_others(world):
    other = world.ids["other_author"]
    for who in ("contributor", "author"):
        assert create(world, who, author=world.ids[who]).status_code == 201
        for author in (other, 999):  # nor does he learn who is there
            response = create(world, who, author=author)
            assert (response.status_code, response.json()["code"]) == (403, "rest_forbidden")
    assert create(world, "editor", author=other).json()["author"] == str(other)
    assert create(world, "editor", author=999).status_code == 400


def test_a_parent_that_the_caller_may_not_read_is_unknown(world):
    draft = create(world, status="draft").json()["id"]
    assert create(world, "author", post_parent=draft).status_code == 400
    assert create(world, "editor", post_parent=draft).json()["post_parent"] == draft
    venue = world.make("venues", venue="Hall")["id"]
    assert create(world, post_parent=venue).status_code == 400


def test_events_venues_organizers_and_images_share_one_sequence_of_ids(make_world):
    world = make_world()
    refs = make_refs(world)
    posts = [*refs["image"], *refs["venue"], *refs["organizer"], *refs["event"]]
    terms = [*refs["category"], *refs["tag"]]
    assert sorted(posts) == list(range(1, 9))
    assert sorted(terms) == list(range(1, 5))
    world.delete(f"/events/{refs['event'][1]}?force=true")
    assert create(world).json()["id"] == 9


def test_rev_grows_with_every_change_anywhere(world):
    revs = [world.make(plural, **{name: "X"})["rev"] for plural, name in
            (("events", "title"), ("venues", "venue"), ("tags", "name"), ("events", "title"))]  # fmt: skip
    assert revs == sorted(set(revs))


def test_an_event_with_a_ticket_is_ticketed(world):
    json = create(world, tickets=[{"name": "Seat", "price": 12.5, "starts": "2027-01-01T12:00:00Z"}]).json()
    assert json["ticketed"] is True
    assert json["tickets"] == [{"name": "Seat", "price": "12.5", "currency": "", "url": "", "capacity": None,
                                "starts": "2027-01-01 07:00:00", "ends": ""}]  # fmt: skip
