"""POST /categories and /tags."""

import pytest

from kalends.contract.kinds import CATEGORY, TAG

KINDS = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.name)
REFUSED = [("name", ""), ("name", "<b></b>"), ("name", []), ("name", "x" * 201), ("description", []), ("slug", {})]
PARENTS = [("parent", 999), ("parent", -1), ("parent", "music"), ("parent", [1]), ("parent", 1.5)]


@KINDS
def test_create_answers_201_with_the_record_and_its_location(world, kind):
    response = world.post(f"/{kind.plural}", json={"name": "Rock & Roll", "description": "Loud"})
    assert response.status_code == 201
    json = response.json()
    own = f"{world.ns}/{kind.plural}/{json['id']}"
    assert response.headers["Location"] == own
    expected = {
        "id": json["id"], "count": 0, "description": "Loud", "name": "Rock & Roll", "slug": "rock-roll",
        "taxonomy": {"category": "event_category", "tag": "event_tag"}[kind.name], "parent": 0,
        "color": json.get("color"), "meta": [],
        "url": f"http://calendar.test/events/{kind.name}/rock-roll/",
        "urls": {"self": own, "collection": f"{world.ns}/{kind.plural}"}, "source": "",
        "external_id": "", "rev": json["rev"],
    }  # fmt: skip
    if kind is TAG:
        del expected["parent"], expected["color"]
    assert json == expected
    assert list(json) == list(expected)
    assert world.get(f"/{kind.plural}/{json['id']}").json() == json


def test_a_child_names_its_parent(world):
    music = world.make("categories", name="Music")
    jazz = world.make("categories", name="Jazz", parent=str(music["id"]))
    assert jazz["parent"] == music["id"]
    assert jazz["urls"]["up"] == f"{world.ns}/categories/{music['id']}"
    assert jazz["url"] == "http://calendar.test/events/category/jazz/"


def test_a_tag_has_no_parent_and_ignores_one(world):
    tag = world.make("tags", name="Loud", parent=99999)
    assert "parent" not in tag
    assert world.put(f"/tags/{tag['id']}", json={"parent": 99999}).status_code == 200


@KINDS
def test_the_name_is_required_on_create(world, kind):
    for body in ({}, {"name": None}, {"slug": "x"}):
        response = world.post(f"/{kind.plural}", json=body)
        assert response.json()["code"] == "rest_missing_callback_param"
        assert response.json()["data"]["params"] == ["name"]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [(kind, *row) for kind in (CATEGORY, TAG) for row in REFUSED] + [(CATEGORY, *row) for row in PARENTS],
    ids=lambda value: getattr(value, "name", repr(value)[:30]),
)
def test_a_value_that_does_not_fit_is_400_and_changes_nothing(world, kind, name, value):
    made = world.make(kind.plural, name="Made")
    count = world.count()
    for response in (
        world.post(f"/{kind.plural}", json={"name": "X"} | {name: value}),
        world.put(f"/{kind.plural}/{made['id']}", json={name: value}),
    ):
        assert (response.status_code, response.json()["code"]) == (400, "rest_invalid_param")
        assert list(response.json()["data"]["params"]) == [name]
    assert world.count() == count


@KINDS
@pytest.mark.parametrize("name", ["Music", "MUSIC", " music ", "<b>Music</b>"])
def test_the_same_name_in_any_case_is_term_exists(world, kind, name):
    made = world.make(kind.plural, name="Music")
    other = world.make(kind.plural, name="Other")
    count = world.count()
    for response in (
        world.post(f"/{kind.plural}", json={"name": name}),
        world.put(f"/{kind.plural}/{other['id']}", json={"name": name}),
    ):
        assert (response.status_code, response.json()["code"]) == (400, "term_exists")
        assert response.json()["data"] == {"status": 400, "term_id": made["id"]}
    assert world.count() == count
    assert world.put(f"/{kind.plural}/{made['id']}", json={"name": name}).status_code == 200


def test_the_same_name_is_free_under_another_parent_and_as_a_tag(world):
    music = world.make("categories", name="Music")
    first = world.make("categories", name="Live")
    second = world.make("categories", name="Live", parent=music["id"])
    assert (first["slug"], second["slug"]) == ("live", "live-2")
    assert world.make("tags", name="Live")["slug"] == "live"
    moved = world.put(f"/categories/{second['id']}", json={"parent": 0})
    assert (moved.status_code, moved.json()["code"]) == (400, "term_exists")


def test_categories_are_at_most_twenty_levels_deep(world):
    above = 0
    for level in range(20):
        above = world.make("categories", name=f"Level {level}", parent=above)["id"]
    response = world.post("/categories", json={"name": "Too deep", "parent": above})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["parent"])
    assert "at most 20 levels" in response.text
