"""POST /venues and /organizers."""

import pytest
from tests.http.api.conftest import make_named as make

from kalends.contract.kinds import ORGANIZER, VENUE

KINDS = pytest.mark.parametrize("kind", [VENUE, ORGANIZER], ids=lambda kind: kind.name)
START = ["id", "author", "status", "date", "date_utc", "modified", "modified_utc", "url"]
END = {
    "venue": ["show_map", "show_map_link", "global_id", "global_id_lineage", "rev"],
    "organizer": ["global_id", "global_id_lineage", "rev"],
}
TEXTS = {
    "venue": ["address", "city", "country", "province", "state", "zip", "phone", "website", "stateprovince"],
    "organizer": ["phone", "website", "email"],
}
REFUSED = [
    ("name", " "), ("name", "<i> </i>"), ("name", []), ("status", "trash"), ("status", "gone"), ("status", ""),
    ("author", 999), ("date", "never"), ("image", 999), ("image", "x"), ("website", "nope"), ("phone", []),
    ("phone", "1" * 1001), ("description", {}), ("slug", {}),
]  # fmt: skip
REFUSED_VENUE = [
    ("show_map", "maybe"), ("show_map_link", 3), ("geo_lat", 48.0), ("geo_lng", 2.0), ("city", ["a"]),
    ("address", {}),
]  # fmt: skip
REFUSED_ORGANIZER = [("email", "not an email"), ("email", "a@b"), ("email", "a@b@c.test"), ("email", 5)]


@KINDS
def test_create_answers_201_with_the_record_and_its_location(make_world, kind):
    world = make_world()
    response = world.post(f"/{kind.plural}", json={kind.name_field: "Plain"})
    assert response.status_code == 201
    json = response.json()
    assert response.headers["Location"] == f"{world.ns}/{kind.plural}/{json['id']}"
    assert json["url"] == f"http://calendar.test/{kind.name}/plain/"
    assert (json[kind.name_field], json["slug"], json["status"]) == ("Plain", "plain", "publish")
    assert json["global_id"] == f"calendar.test?id={json['id']}"


@KINDS
def test_empty_keys_are_absent_and_the_others_in_their_order(world, refs, kind, field_cases):
    name = kind.name_field
    assert list(make(world, kind)) == [*START, name, "slug", *END[kind.name]]
    body = {}
    for case in field_cases:
        if case.kind is kind:
            body |= case.body(0, refs)
    full = make(world, kind, name=body.pop(name), **body)
    texts = [name, "description", "excerpt", "slug", "image", *TEXTS[kind.name]]
    places = [*(["geo_lat", "geo_lng"] if kind is VENUE else []), "source", "external_id"]
    assert list(full) == [*START, *texts, *places, *END[kind.name]]
    read = world.read(kind.plural, full["id"])
    assert list(read) == [*START, *texts, *places, "json_ld", *END[kind.name]]


@KINDS
@pytest.mark.parametrize("body", [{}, {"nonsense": 1}])
def test_the_name_is_required(world, kind, body):
    count = world.count()
    for sent in (body, body | {kind.name_field: None}):
        response = world.post(f"/{kind.plural}", json=sent)
        assert response.json()["code"] == "rest_missing_callback_param"
        assert response.json()["data"] == {"status": 400, "params": [kind.name_field]}
    assert world.count() == count


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [(kind, name, value) for kind in (VENUE, ORGANIZER) for name, value in REFUSED]
    + [(VENUE, name, value) for name, value in REFUSED_VENUE]
    + [(ORGANIZER, name, value) for name, value in REFUSED_ORGANIZER],
    ids=lambda value: getattr(value, "name", repr(value)[:30]),
)
def test_a_value_that_does_not_fit_is_400_and_changes_nothing(world, kind, name, value):
    name = kind.name_field if name == "name" else name
    named = {"geo_lat": "geo_lng", "geo_lng": "geo_lat"}.get(name, name)
    made = make(world, kind)
    count = world.count()
    created = world.post(f"/{kind.plural}", json={kind.name_field: "X", name: value})
    assert created.status_code == 400, created.text
    assert list(created.json()["data"]["params"]) == [named]
    if value != "trash":
        changed = world.put(f"/{kind.plural}/{made['id']}", json={name: value})
        assert (changed.status_code, list(changed.json()["data"]["params"])) == (400, [named])
    assert world.count() == count


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ({"state": "IL", "province": "P"}, "IL"), ({"state": "IL", "province": "P", "country": "US"}, "IL"),
        ({"state": "S", "province": "P", "country": "United States"}, "S"),
        ({"state": "S", "province": "Var", "country": "France"}, "Var"), ({"country": "France", "state": "S"}, "S"),
        ({"state": "S", "stateprovince": "Own"}, "Own"), ({}, None),
    ],
)  # fmt: skip
def test_stateprovince_when_it_was_not_given(world, place, shown):
    assert make(world, VENUE, **place).get("stateprovince") == shown


@KINDS
def test_post_always_makes_a_new_record(make_world, kind):
    world = make_world()
    first, second = make(world, kind), make(world, kind)
    assert first["id"] != second["id"]
    assert (first["slug"], second["slug"]) == ("a-name", "a-name-2")


@KINDS
@pytest.mark.parametrize(
    ("who", "created", "status"),
    [("anonymous", 401, ""), ("subscriber", 403, ""), ("contributor", 201, "draft"), ("author", 201, "publish"),
     ("editor", 201, "publish")],
)  # fmt: skip
def test_who_may_create(world, kind, who, created, status):
    response = world.post(f"/{kind.plural}", who, json={kind.name_field: "X"})
    assert response.status_code == created
    if created == 201:
        assert response.json()["status"] == status
    else:
        assert response.json()["code"] == "rest_forbidden"
