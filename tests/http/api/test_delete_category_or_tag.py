"""DELETE of one category or tag, and the rights to manage them."""

import pytest

from kalends.contract.kinds import CATEGORY, TAG

KINDS = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.name)


def test_deleting_a_category_gives_its_children_to_its_parent(world):
    top = world.make("categories", name="Top")
    middle = world.make("categories", name="Middle", parent=top["id"])
    child = world.make("categories", name="Child", parent=middle["id"])
    event = world.make("events", categories=[child["id"], middle["id"]])
    assert world.delete(f"/categories/{middle['id']}").json()["name"] == "Middle"
    assert world.read("categories", child["id"])["parent"] == top["id"]
    assert [term["id"] for term in world.read("events", event["id"])["categories"]] == [child["id"]]
    world.delete(f"/categories/{top['id']}")
    assert world.read("categories", child["id"])["parent"] == 0


@KINDS
def test_terms_are_deleted_for_good(world, kind):
    made = world.make(kind.plural, name="Gone")
    response = world.delete(f"/{kind.plural}/{made['id']}")
    assert response.status_code == 200
    assert response.json() == made | {"rev": response.json()["rev"]}
    for method in ("GET", "PUT", "DELETE"):
        again = world.ask(method, f"/{kind.plural}/{made['id']}", "administrator", json={})
        assert (again.status_code, again.json()["code"]) == (404, f"rest-{kind.name}-not-found")
    fresh = world.make(kind.plural, name="Gone")
    assert fresh["id"] > made["id"]  # a number names one thing for ever


@pytest.mark.parametrize(
    ("who", "category", "tag"),
    [("anonymous", 401, 401), ("subscriber", 403, 403), ("contributor", 403, 403), ("author", 200, 403),
     ("editor", 200, 200), ("administrator", 200, 200)],
)  # fmt: skip
def test_who_may_manage_categories_and_tags(world, who, category, tag):
    for kind, expected in ((CATEGORY, category), (TAG, tag)):
        made = world.make(kind.plural, name="Made")
        count = world.count()
        created = world.post(f"/{kind.plural}", who, json={"name": "New"})
        assert created.status_code == (201 if expected == 200 else expected)
        assert world.put(f"/{kind.plural}/{made['id']}", who, json={"name": "Newer"}).status_code == expected
        assert world.delete(f"/{kind.plural}/{made['id']}", who).status_code == expected
        assert (world.count() == count) == (expected != 200)
