"""GET of one category or tag."""

import pytest

from kalends.contract.kinds import CATEGORY, TAG

KINDS = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=lambda kind: kind.name)


@KINDS
@pytest.mark.parametrize("id", ["999", "0", "9" * 40])
def test_an_unknown_term_or_one_of_the_other_kind_is_404(world, kind, id):
    other = TAG if kind is CATEGORY else CATEGORY
    foreign = world.make(other.plural, name="Foreign")
    for tried in (id, foreign["id"]):
        assert world.get(f"/{kind.plural}/{tried}").json()["code"] == f"rest-{kind.name}-not-found"


@KINDS
def test_terms_have_no_routes_by_slug(world, kind):
    world.make(kind.plural, name="Here")
    response = world.get(f"/{kind.plural}/by-slug/here")
    assert (response.status_code, response.json()["code"]) == (404, "rest_no_route")


@KINDS
def test_count_is_of_published_events(world, kind):
    made = world.make(kind.plural, name="Counted")
    event = world.make("events", **{kind.plural: [made["id"]]})
    world.make("events", status="draft", **{kind.plural: [made["id"]]})
    for who in ("anonymous", "administrator"):
        assert world.get(f"/{kind.plural}/{made['id']}", who).json()["count"] == 1
    world.put(f"/events/{event['id']}", json={"status": "draft"})
    assert world.get(f"/{kind.plural}/{made['id']}").json()["count"] == 0
