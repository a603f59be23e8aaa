"""Another epoch: changes were lost, and their numbers given to others. Nothing that was kept of them comes back."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.conftest import BASE_URL, World
from tests.stores import Snapshot, careless_store

from kalends.bootstrap import make_store
from kalends.calendar.service import Calendar
from kalends.store.copies import copying
from kalends.store.engine.migrating import migrate

LIST = "/events?start_date=2027-01-01&end_date=2027-12-31"


def another_epoch(world: World) -> None:
    with world.calendar.store.write() as session:
        session.run("UPDATE epoch SET id = ?", (secrets.token_hex(8),))


def seen(world: World, event: dict[str, Any]) -> list[str]:
    """What an anonymous reader gets: one record, a list, a page and a feed."""
    paths = [f"/events/{event['id']}", LIST, event["url"], f"{BASE_URL}/events.ics"]
    return [world.get(path).text for path in paths]


def test_nothing_of_lost_changes_is_served_when_their_numbers_come_again(world: World) -> None:
    event = world.make("events", title="Fair", venue={"venue": "Hall"})
    venue = event["venue"]["id"]
    feed = f"{BASE_URL}/events.ics"
    snapshot = Snapshot(world.calendar.store)
    world.put(f"/events/{event['id']}", json={"title": "Lost fair"})
    world.put(f"/venues/{venue}", json={"venue": "Lost hall"})
    world.make("events", title="Lost event")
    assert all("Lost fair" in text for text in seen(world, event))
    known, count = world.get(feed).headers["ETag"], world.count()
    snapshot.restore()
    snapshot.close()
    another_epoch(world)
    world.put(f"/events/{event['id']}", json={"title": "Other fair"})
    world.put(f"/venues/{venue}", json={"venue": "Other hall"})
    world.put(f"/events/{event['id']}", json={"featured": True})
    assert world.count() == count
    for text in seen(world, event):
        assert "Other fair" in text
        assert "Other hall" in text
        assert "Lost" not in text
    assert world.get(LIST).json()["total"] == 1
    assert world.get(feed, headers={"If-None-Match": known}).status_code == 200


def test_kept_responses_stay_while_the_epoch_does(world: World) -> None:
    world.make("events", title="Fair")
    first = world.get(LIST)
    before = world.cache.hits
    assert world.get(LIST).headers["ETag"] == first.headers["ETag"]
    assert world.cache.hits == before + 1
    world.make("events", title="Nobody sees it", status="draft")
    world.get(LIST)
    assert world.cache.hits == before + 2
    another_epoch(world)
    world.make("events", title="Nobody sees it", status="draft")
    again = world.get(LIST)
    assert world.cache.hits == before + 2
    assert again.headers["ETag"] == first.headers["ETag"]  # it is of the bytes, and they are the same


def epoch_of(calendar: Calendar) -> str:
    return calendar.revisions.current().epoch


def test_a_copy_is_another_epoch_and_a_restart_is_not(world: World, tmp_path: Path) -> None:
    calendar = world.calendar
    here = epoch_of(calendar)
    settings = calendar.settings
    again = Calendar(careless_store(settings), calendar.files, settings, world.clock)
    assert epoch_of(again) == here
    world.make("events")
    assert epoch_of(again) == here
    again.store.close()
    (tmp_path / "copy").mkdir()
    store = make_store(replace(settings, data=tmp_path / "copy", database=""))
    migrate(store, "")
    copying.copy(calendar.store, store)
    assert epoch_of(Calendar(store, calendar.files, settings, world.clock)) != here
    store.close()


def test_settings_that_change_every_record_are_another_epoch(world: World) -> None:
    calendar = world.calendar
    found = {epoch_of(calendar)}
    others = (
        {"timezone": "Asia/Tokyo"},
        {"base_url": "https://other.test"},
        {"currency_symbol": "€"},
        {"currency_position": "postfix"},
        {"language": "de"},
        {"site_name": "Another name"},
    )
    for changed in others:
        settings = replace(calendar.settings, **changed)
        found.add(epoch_of(Calendar(calendar.store, calendar.files, settings, world.clock)))
    assert len(found) == len(others)  # all but the name
