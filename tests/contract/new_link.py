"""What `test_adding_a_link.py` runs in a copy of the sources whose events have speakers."""

from datetime import datetime
from typing import Any

import pytest
from tests import store_checks
from tests.admin.admin_client import AdminClient
from tests.conftest import World

from kalends.contract.interfaces import CORE
from kalends.present.openapi import document

SITE = "http://calendar.test"
WINDOW = datetime(2027, 1, 1), datetime(2028, 1, 1)
ANN = {"speaker": "Ann Lee", "email": "ann@example.org"}


def names(event: dict[str, Any]) -> list[str]:
    return [one["speaker"] for one in event["speaker"]]


@pytest.mark.both_stores
def test_the_interface_reads_writes_and_filters_them(world: World) -> None:
    made = world.make("events", speaker=[ANN])
    world.make("events", title="Another")
    [ann] = made["speaker"]
    assert (ann["speaker"], ann["email"]) == ("Ann Lee", "ann@example.org")
    assert world.read("speakers", ann["id"])["url"] == f"{SITE}/speaker/ann-lee/"
    assert [one["id"] for one in world.get("/speakers").json()["speakers"]] == [ann["id"]]
    for _ in range(2):  # rendered from the records, and joined from fragments
        found = world.get("/events", params={"speaker": ann["id"], "start_date": "1900-01-02"}).json()["events"]
        assert [names(event) for event in found] == [["Ann Lee"]]
    bob = world.make("speakers", speaker="Bob")
    assert names(world.put(f"/events/{made['id']}", json={"speaker": [bob["id"], ann["id"]]}).json()) == [
        "Bob",
        "Ann Lee",
    ]
    assert world.get("/events", params={"speaker": 999}).status_code == 400


def test_a_protected_event_does_not_show_them(world: World) -> None:
    world.make("events", speaker=[ANN], post_password="sesame")
    [listed] = world.get("/events", params={"start_date": "1900-01-02"}).json()["events"]
    assert listed["speaker"] == []


def test_one_who_came_with_a_draft_is_public_with_it(world: World) -> None:
    made = world.make("events", speaker=[ANN], status="draft")
    [ann] = made["speaker"]
    assert world.get(f"/speakers/{ann['id']}").status_code == 403
    world.put(f"/events/{made['id']}", json={"status": "publish"})
    assert world.get(f"/speakers/{ann['id']}").status_code == 200


def test_the_document_describes_them() -> None:
    schemas = document("Town", SITE, "en", CORE)["components"]["schemas"]
    assert {"Speaker", "CreateSpeaker"} <= schemas.keys()
    assert schemas["Event"]["properties"]["speaker"]["description"] == "The speakers, in the order given."


def test_search_engines_and_feeds_are_told(world: World) -> None:
    made = world.make("events", speaker=[ANN, {"speaker": "Bob", "email": "bob@example.org"}])
    person = {"@type": "Person", "name": "Ann Lee", "url": f"{SITE}/speaker/ann-lee/", "email": "ann@example.org"}
    assert world.read("events", made["id"])["json_ld"]["contributor"][0] == person
    assert world.get(f"/events/{made['id']}").json()["json_ld"]["contributor"][0] == person
    for _ in range(2):
        feed = world.get(f"{SITE}/events.ics").text.replace("\r\n ", "")
        assert 'ATTENDEE;CN="Ann Lee":mailto:ann@example.org' in feed
        assert "ATTENDEE;CN=Bob:mailto:bob@example.org" in feed


def test_pages_show_them(world: World) -> None:
    world.make("events", title="Talk", speaker=[ANN])
    page = world.get(f"{SITE}/event/talk/").text
    assert "<h2>Speakers</h2>" in page
    assert 'href="/speaker/ann-lee/"' in page
    assert "Talk" in world.get(f"{SITE}/speaker/ann-lee/").text
    assert "Ann Lee" in world.get(f"{SITE}/speakers/").text


def test_the_form_shows_and_saves_them(world: World) -> None:
    made, admin = world.make("events", speaker=[ANN]), AdminClient(world, "administrator")
    html = admin.get(f"/admin/events/{made['id']}").text
    assert f'name="speaker" value="{made["speaker"][0]["id"]}"' in html
    assert "Type the name of a speaker" in html
    version = html.partition('name="version" value="')[2].partition('"')[0]
    start, end = made["start_date"].split(), made["end_date"].split()
    admin.post(
        f"/admin/events/{made['id']}",
        {
            **{"version": version, "title": made["title"], "timezone": made["timezone"]},
            **{"start_day": start[0], "start_time": start[1], "end_day": end[0], "end_time": end[1]},
            **{"speaker": str(made["speaker"][0]["id"]), "speaker_name": "Bob", "speaker_email": "bob@example.org"},
        },
    )
    assert names(world.read("events", made["id"])) == ["Ann Lee", "Bob"]
    assert "bob@example.org" in admin.get("/admin/speakers").text
    assert "New speaker" in admin.get("/admin/speakers/new").text


@pytest.mark.both_stores
def test_two_become_one(world: World) -> None:
    made = world.make("events", speaker=[ANN])
    other = world.make("speakers", speaker="Ann Leigh")
    old = made["speaker"][0]["id"]
    AdminClient(world, "editor").post("/admin/speakers/merge", {"id": str(old), "into": str(other["id"])})
    assert names(world.read("events", made["id"])) == ["Ann Leigh"]
    found = world.get("/events", params={"speaker": old, "start_date": "1900-01-02"}).json()["events"]
    assert [event["id"] for event in found] == [made["id"]]


def test_dates_of_a_series_share_them(world: World) -> None:
    first = world.make("events", recurrence="FREQ=DAILY;COUNT=3", speaker=[ANN])
    assert world.put(f"/events/{first['id']}?scope=all", json={"speaker": [{"speaker": "Bob"}]}).status_code == 200
    found = world.get("/events", params={"series": first["series"], "start_date": "1900-01-02"}).json()["events"]
    assert [names(event) for event in found] == [["Bob"]] * 3


@pytest.mark.both_stores
def test_what_is_stored_is_consistent(world: World) -> None:
    world.make("events", speaker=[ANN], recurrence="FREQ=DAILY;COUNT=3")
    world.make("events", speaker=[ANN], status="draft")
    store_checks.check(world.calendar.store, world.calendar.settings)
