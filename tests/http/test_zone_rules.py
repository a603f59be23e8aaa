"""An update of the rules of time zones: the wall clock of events stays, and everything follows it at once."""

import zoneinfo
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests import store_checks
from tests.conftest import BASE_URL, World, client_of

from kalends.calendar.background import task_kinds
from kalends.calendar.series import zone_rules
from kalends.calendar.service import Calendar
from kalends.calendar.storing import rendering
from kalends.http.cache.prerender_worker import PrerenderWorker
from kalends.present import ical_zones, prerendering
from kalends.store.rows import journal, site
from kalends.values import dates, zones
from kalends.worker import make_app

ZONE = "Africa/Casablanca"  # by the rules that we have, its clock shows UTC
DAY = "2027-06-01"
CACHES: list[Any] = [
    zones.zone,
    zones._offsets,
    dates._on_the_clock,
    ical_zones.component,
    prerendering.code_version,
    prerendering.render_version,
    rendering._renderer,
]


def forget_rules() -> None:
    zoneinfo.ZoneInfo.clear_cache()
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(task_kinds, "SHORTEST_PAUSE", 0.0)
    world: World = make_world(timezone="UTC")
    return world


@pytest.fixture
def update(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Starts the service again with rules by which the zone has the clock of another one."""

    def start_with(clock_of: str, version: str) -> None:
        folder = tmp_path / version
        (folder / "Africa").mkdir(parents=True, exist_ok=True)
        (folder / ZONE).write_bytes((files("tzdata") / "zoneinfo" / clock_of).read_bytes())
        zoneinfo.reset_tzpath(to=[str(folder)])
        monkeypatch.setattr(zones, "version", lambda: version)
        monkeypatch.setattr(prerendering, "digest_of", lambda module: version)
        forget_rules()
        world.calendar = Calendar(world.calendar.store, world.calendar.files, world.calendar.settings, world.clock)
        world.front = make_app(world.calendar)
        world.client = client_of(world.front)

    yield start_with
    zoneinfo.reset_tzpath(to=())
    monkeypatch.undo()
    forget_rules()


def made(world: World, **more: Any) -> Any:
    times = {"start_date": f"{DAY} 10:00", "end_date": f"{DAY} 11:00", "timezone": ZONE}
    return world.make("events", **({"title": "Market"} | times | more))


def shown_everywhere(world: World, id: int, hour: str, utc: str) -> None:
    """All ways out show the event at one time."""
    start = f"{DAY} {hour}:00"
    event = world.read("events", id)
    assert (event["start_date"], event["utc_start_date"]) == (start, f"{DAY} {utc}:00")
    (listed,) = world.get("/events").json()["events"]
    assert (listed["start_date"], listed["utc_start_date"]) == (start, f"{DAY} {utc}:00")
    assert f"DTSTART;TZID={ZONE}:20270601T{hour.replace(':', '')}00" in world.get(f"{BASE_URL}/events.ics").text
    assert f"startdate>{DAY}T{utc}:00Z" in world.get(f"{BASE_URL}/events.rss").text
    page = world.get(event["url"]).text
    assert f'datetime="{DAY}T{hour}' in page
    assert world.get(f"{BASE_URL}/events/day/{DAY}/").text.count(f"T{hour}") >= 1


def starting_between(world: World, first: str, last: str) -> int:
    """How many events begin between two moments in UTC."""
    window = {"start_date": f"{DAY} {first}", "starts_before": f"{DAY} {last}", "strict_dates": "true"}
    total: int = world.get("/events", params=window).json()["total"]
    return total


def renewed(world: World) -> str | None:
    with world.calendar.store.read() as session:
        return site.read(session, zone_rules.KEY)


def last_rev(world: World) -> int:
    with world.calendar.store.read() as session:
        return journal.last_rev(session)


def test_the_wall_clock_stays_before_and_after_the_sweep(world: World, update: Callable[..., None]) -> None:
    id = made(world)["id"]
    shown_everywhere(world, id, "10:00", "10:00")
    PrerenderWorker(world.calendar).run()
    update("Etc/GMT+1", "2097a")
    shown_everywhere(world, id, "10:00", "11:00")
    worker = PrerenderWorker(world.calendar)
    worker.run()
    shown_everywhere(world, id, "10:00", "11:00")
    assert starting_between(world, "10:30", "11:30") == 1
    assert starting_between(world, "09:30", "10:30") == 0
    store_checks.check(world.calendar.store, world.calendar.settings)
    # Nobody has changed the event: its history says nothing, and the next round has nothing to do.
    assert world.read("events", id)["modified"] == world.read("events", id)["date"]
    rev = last_rev(world)
    worker.run()
    assert last_rev(world) == rev


def test_an_event_can_be_changed_before_the_sweep(world: World, update: Callable[..., None]) -> None:
    id = made(world)["id"]
    update("Etc/GMT+1", "2097a")
    assert world.post(f"/events/{id}", json={"start_date": f"{DAY} 10:30"}).status_code == 200
    shown_everywhere(world, id, "10:30", "11:30")


def test_a_time_that_is_skipped_now_moves_ahead(world: World, update: Callable[..., None]) -> None:
    id = made(world, start_date="2027-03-28 02:30", end_date="2027-03-28 02:45")["id"]
    update("Europe/Berlin", "2097a")
    for _ in range(2):
        event = world.read("events", id)
        assert (event["start_date"], event["utc_start_date"]) == ("2027-03-28 03:30:00", "2027-03-28 01:30:00")
        assert (event["end_date"], event["utc_end_date"]) == ("2027-03-28 03:45:00", "2027-03-28 01:45:00")
        PrerenderWorker(world.calendar).run()
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_the_second_of_a_repeated_hour_stays_the_second(world: World, update: Callable[..., None]) -> None:
    times = {"start_date": "2027-10-31T02:30:00+01:00", "end_date": "2027-10-31T03:30:00+01:00"}
    event = made(world, **(times | {"timezone": "Europe/Berlin"}))
    update("Etc/GMT+1", "2097a")
    PrerenderWorker(world.calendar).run()
    assert world.read("events", event["id"])["utc_start_date"] == "2027-10-31 01:30:00"


def test_the_newest_rules_count_and_others_do_not_fight(world: World, update: Callable[..., None]) -> None:
    id = made(world)["id"]
    update("Etc/GMT+1", "2097a")
    PrerenderWorker(world.calendar).run()
    rev = last_rev(world)
    update("Europe/Berlin", "2096a")  # a node that is not updated yet
    PrerenderWorker(world.calendar).run()
    assert last_rev(world) == rev
    assert str(renewed(world)).startswith("2097a ")
    # What it writes follows the newest rules once a node has those again.
    assert world.post(f"/events/{id}", json={"start_date": f"{DAY} 10:15"}).status_code == 200
    update("Etc/GMT+1", "2097a")
    PrerenderWorker(world.calendar).run()
    assert starting_between(world, "11:00", "11:30") == 1


def test_a_series_keeps_its_last_date(world: World, update: Callable[..., None]) -> None:
    rule = "FREQ=DAILY;UNTIL=20270603T100000Z"
    first = made(world, recurrence=rule)
    assert world.get("/events", params={"start_date": DAY}).json()["total"] == 3
    update("Etc/GMT+1", "2097a")
    PrerenderWorker(world.calendar).run()
    store_checks.check(world.calendar.store, world.calendar.settings)
    assert world.post(f"/events/{first['id']}?scope=all", json={"title": "Renamed"}).status_code == 200
    found = world.get("/events", params={"start_date": DAY}).json()["events"]
    assert [event["utc_start_date"][8:16] for event in found] == ["01 11:00", "02 11:00", "03 11:00"]
