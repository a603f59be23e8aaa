"""Speakers, a relation that is added to a copy of the sources, for clients of WordPress."""

from tests.conftest import World
from tests.contract.new_link import ANN, SITE, names


def test_wordpress_clients_read_and_write_them(world: World) -> None:
    made = world.make("events", speaker=[ANN])
    ann = made["speaker"][0]["id"]
    wp, tec = f"{SITE}/wp-json/wp/v2", f"{SITE}/wp-json/tec/v1"
    event = f"{wp}/tribe_events/{made['id']}"
    assert world.ask("GET", event, "administrator").json()["meta"]["_EventSpeakerID"] == [ann]
    assert world.ask("GET", f"{wp}/tribe_speaker/{ann}").json()["title"]["rendered"] == "Ann Lee"
    assert world.ask("GET", f"{tec}/events/{made['id']}").json()["speakers"][0]["email"] == "ann@example.org"
    world.ask("POST", event, "administrator", json={"meta": {"_EventSpeakerID": []}})
    assert world.read("events", made["id"])["speaker"] == []
    world.ask("PUT", f"{tec}/events/{made['id']}", "administrator", json={"speakers": [ann]})
    assert names(world.read("events", made["id"])) == ["Ann Lee"]
