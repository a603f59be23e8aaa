"""How much one record may hold."""

from typing import Any

import pytest

LINKS = {"venue": 50, "organizer": 50, "categories": 100, "tags": 100}
DATES = {"title": "T", "start_date": "2027-01-01", "end_date": "2027-01-02"}


@pytest.mark.parametrize(("field", "most"), LINKS.items())
def test_an_event_links_so_many_records_and_no_more(world: Any, field: str, most: int) -> None:
    def links(count: int) -> list[Any]:
        named = field if field in ("venue", "organizer") else ""
        return [{named: f"N {number}"} if named else f"N {number}" for number in range(count)]

    made = world.post("/events", json=DATES | {field: links(most)})
    assert made.status_code == 201, made.text
    found = made.json()[field]
    assert len(found) == most
    ids = [record["id"] for record in found]
    again = world.put(f"/events/{made.json()['id']}", json={field: ids})
    assert again.status_code == 200
    before = world.count()
    for sent in (links(most + 1), ",".join(map(str, range(1, most + 2))), list(range(1, most + 2))):
        refused = world.post("/events", json=DATES | {field: sent})
        assert refused.status_code == 400
        assert str(most) in refused.json()["data"]["params"][field]
    assert world.count() == before


@pytest.mark.parametrize(("field", "most"), {"description": 200_000, "excerpt": 20_000}.items())
@pytest.mark.parametrize("plural", ["events", "venues", "organizers"])
def test_texts_have_a_greatest_length(world: Any, plural: str, field: str, most: int) -> None:
    name = {"events": DATES, "venues": {"venue": "V"}, "organizers": {"organizer": "O"}}[plural]
    made = world.post(f"/{plural}", json=name | {field: "x" * (most - 4) + "\n\n&x"})
    assert made.status_code == 201, made.text
    assert world.put(f"/{plural}/{made.json()['id']}", json={field: made.json()[field]}).status_code == 200
    for longer in ("x" * (most + 1), f"<p>{'x' * (most + 1)}</p>", f"<b>{'x' * (most - 1)}", "x" * (most + 200_000)):
        refused = world.post(f"/{plural}", json=name | {field: longer})
        assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, [field])
        assert str(most) in refused.json()["message"]


def test_the_document_says_so(world: Any) -> None:
    fields = world.get("/doc").json()["components"]["schemas"]["CreateEvent"]["properties"]
    assert "'maxLength': 200000" in str(fields["description"])
    assert "'maxLength': 20000" in str(fields["excerpt"])
    for name, most in LINKS.items():
        assert f"'maxItems': {most}" in str(fields[name])
