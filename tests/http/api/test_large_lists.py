"""A list is bounded in bytes: beyond that it is refused before it is built, and its reader asks for fewer records."""

import pytest

from kalends.contract.kinds.events import LINK_OF
from kalends.present import prerendered
from kalends.present.prerendered import EmbeddedFragments

SEVERAL = 3
LARGE = {"description": "large text " * 360}


@pytest.fixture
def world_of_large_records(world, monkeypatch):
    """Each record takes more than 4,000 bytes, and an event shows its venue: one is within the limit, not three."""
    monkeypatch.setattr(prerendered, "LARGEST_LIST", 12_000)
    for number in range(SEVERAL):
        venue = world.make("venues", venue=f"Venue {number}", **LARGE)["id"]
        category = world.make("categories", name=f"Category {number}", **LARGE)["id"]
        world.make("organizers", organizer=f"Organizer {number}", **LARGE)
        world.make("events", title=f"Event {number}", venue=venue, categories=[category])
    return world


@pytest.mark.parametrize("who", ["anonymous", "administrator"])
@pytest.mark.parametrize("plural", ["events", "venues", "organizers", "categories"])
def test_a_list_beyond_the_limit_is_refused_and_fewer_are_not(world_of_large_records, plural: str, who: str) -> None:
    get = world_of_large_records.get
    assert len(get(f"/{plural}?per_page=1", who).json()[plural]) == 1
    refused = get(f"/{plural}?per_page={SEVERAL}", who)
    assert refused.status_code == 400
    assert refused.json()["code"] == "rest_invalid_param"
    assert refused.json()["data"]["params"]["per_page"].startswith("per_page asks for more than 0 MB; ask for fewer")
    reduced = get(f"/{plural}?per_page={SEVERAL}&_fields=id", who)
    assert [list(record) for record in reduced.json()[plural]] == [["id"]] * SEVERAL


def ids(world, plural: str) -> list[int]:
    return [record["id"] for record in world.get(f"/{plural}?_fields=id").json()[plural]]


def test_one_event_is_read_however_large_it_is(world_of_large_records) -> None:
    world = world_of_large_records
    links = {"venue": ids(world, "venues"), "organizer": ids(world, "organizers")}
    made = world.make("events", title="At all venues", **links)
    assert len(world.get(f"/events/{made['id']}").json()["venue"]) == SEVERAL
    assert world.get(f"/events?include={made['id']}").status_code == 400


def test_what_several_venues_show_together_is_not_kept(world_of_large_records, monkeypatch) -> None:
    """Else every event with large venues keeps a copy of them in memory."""
    world, used = world_of_large_records, list[EmbeddedFragments]()
    embedded_fragments = prerendered.embedded_fragments

    def watched(*arguments) -> EmbeddedFragments:
        used.append(embedded_fragments(*arguments))
        return used[-1]

    monkeypatch.setattr(prerendered, "embedded_fragments", watched)
    first, second, *_ = ids(world, "venues")
    for venues in ([first], [first, second]):
        made = world.make("events", title="Elsewhere", venue=venues)
        assert world.get(f"/events?include={made['id']}").status_code == 200
    assert used[0] is used[1]
    assert list(used[1].listed[[*LINK_OF].index("venue")]) == [(first,)]
