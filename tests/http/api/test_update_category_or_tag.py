"""POST, PUT and PATCH of one category or tag."""

import pytest
from tests.admin.admin_client import AdminClient

from kalends.contract.kinds import CATEGORY, TAG

KINDS = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.name)


@KINDS
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_an_update_changes_what_was_sent(world, kind, method):
    made, other = world.make(kind.plural, name="Old", description="Stays"), world.make(kind.plural, name="Other")
    response = world.ask(
        method, f"/{kind.plural}/{made['id']}", "administrator", json={"name": "New", "id": other["id"]}
    )
    assert response.status_code == 200
    changed = {"name": "New", "rev": response.json()["rev"]}
    assert response.json() == made | changed
    assert world.get(f"/{kind.plural}/{made['id']}").json() == made | changed


@KINDS
def test_slugs_are_renamed_and_stay_unique(world, kind):
    made = world.make(kind.plural, name="One", slug="Taken Slug")
    other = world.make(kind.plural, name="Two", slug="taken-slug")
    assert (made["slug"], other["slug"]) == ("taken-slug", "taken-slug-2")
    for empty in ("", None):
        assert world.put(f"/{kind.plural}/{other['id']}", json={"slug": empty}).json()["slug"] == "two"
    assert world.put(f"/{kind.plural}/{other['id']}", json={"slug": "taken-slug"}).json()["slug"] == "taken-slug-2"


@KINDS
def test_empty_and_null_clear_the_description_and_the_parent(world, kind):
    above = world.make("categories", name="Above")
    for empty in ("", None):
        made = world.make(kind.plural, name=f"N {empty}", description="D", parent=above["id"])
        body = {"description": empty} | ({"parent": empty} if kind is CATEGORY else {})
        changed = world.put(f"/{kind.plural}/{made['id']}", json=body).json()
        assert (changed["description"], changed.get("parent", 0)) == ("", 0)
    assert world.put(f"/categories/{above['id']}", json={"parent": None}).json()["parent"] == 0


def test_a_category_may_not_be_its_own_ancestor(world):
    ids = [0]
    for name in ("a", "b", "c"):
        ids.append(world.make("categories", name=name, parent=ids[-1])["id"])
    for parent in ids[1:]:
        response = world.put(f"/categories/{ids[1]}", json={"parent": parent})
        assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["parent"])
    assert world.put(f"/categories/{ids[3]}", json={"parent": ids[1]}).json()["parent"] == ids[1]


def test_a_branch_is_not_moved_to_where_it_would_be_too_deep(world):
    chain = [0]
    for level in range(18):
        chain.append(world.make("categories", name=f"Level {level}", parent=chain[-1])["id"])
    branch = [0]
    for name in ("Top", "Middle", "Lowest"):
        branch.append(world.make("categories", name=name, parent=branch[-1])["id"])
    response = world.put(f"/categories/{branch[1]}", json={"parent": chain[-1]})
    assert (response.status_code, list(response.json()["data"]["params"])) == (400, ["parent"])
    assert "at most 20 levels" in response.text
    assert world.put(f"/categories/{branch[2]}", json={"parent": chain[-1]}).status_code == 200
    assert world.put(f"/categories/{branch[1]}", json={"parent": chain[-2]}).status_code == 200


def test_categories_that_are_too_deep_already_are_shown_and_can_be_changed(world):
    with world.calendar.store.write() as session:
        columns = "id, parent, slug, slug_key, name, name_key, sort_name, description, rev"
        for level in range(1100):
            text = f"level-{level:04}"
            session.run(
                f"INSERT INTO category ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, '', 0)",
                (1000 + level, 999 + level if level else 0, *[text] * 5),
            )
        session.run("UPDATE sequence SET last = 2100 WHERE name = 'term'")
    world.make("events", title="Deep", start_date="2030-05-01 10:00", end_date="2030-05-01 11:00", categories=[2099])
    assert world.put("/categories/2099", json={"name": "Lowest", "parent": 2098}).status_code == 200
    admin = AdminClient(world, "editor")
    for path in ("/admin/events", "/admin/events/new", "/admin/categories"):
        assert admin.get(path).status_code == 200, path
    for path in ("/events/", "/events/category/level-1099"):
        assert world.get(f"http://calendar.test{path}").status_code == 200, path
