"""A series with very many dates is moved, or gets another rule, in parts."""

from datetime import timedelta
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.series.test_changes_in_steps import break_off, breaking_off, many, world
from tests.calendar.series.test_scopes import occurrences, put
from tests.effort import crossed
from tests.parts import do_between, make_small

from kalends.calendar.series import filling
from kalends.calendar.series import new_occurrences as series_dates
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import series

__all__ = ["world"]

pytestmark = pytest.mark.both_stores

AT = 5  # the date through which the change is made
CHANGES = {
    "start": {"start_date": "2026-11-22 20:00:00", "end_date": "2026-11-22 21:30:00"},
    "end": {"end_date": "2026-11-22 22:00:00"},
    "zone": {"timezone": "America/New_York"},
    "all day": {"all_day": True},
    "rule": {"recurrence": "FREQ=DAILY;INTERVAL=2;COUNT=9"},
    "rule and start": {"recurrence": "FREQ=WEEKLY;COUNT=3", "start_date": "2026-11-22 08:00:00"},
    "no series": {"recurrence": ""},
    "slug": {"slug": "stretching"},
    "title and end": {"title": "Pilates", "end_date": "2026-11-22 22:00:00"},
}


def dates_of(world: Any, number: int) -> list[dict[str, Any]]:
    every = "start_date=2020-01-01&end_date=2040-01-01&per_page=100&status=publish,trash,draft"
    found: list[dict[str, Any]] = world.get(f"/events?venue={number}&{every}", "administrator").json()["events"]
    return found


def told(world: Any, venue: int) -> list[tuple[Any, ...]]:
    """All dates of both parts at a venue, without the numbers that differ between two series."""
    found = dates_of(world, venue)
    place = {event["id"]: index for index, event in enumerate(found)} | {0: None}
    numbers = list(dict.fromkeys(event.get("series") for event in found))
    return [
        (
            event["title"],
            event["status"],
            event["start_date"],
            event["end_date"],
            event["utc_start_date"],
            event["all_day"],
            event["slug"].replace("-2-2026-", "-2026-").removesuffix("-2"),
            event.get("recurrence"),
            numbers.index(event.get("series")),
            place[event.get("post_parent", 0) or 0],
        )
        for event in found
    ]


def prepare(world: Any, hall: int) -> list[dict[str, Any]]:
    """A series with a date in the trash before and after, and one with fields of its own."""
    dates = many(world, venue=[hall])
    for index in (2, 8):
        world.delete(f"/events/{dates[index]['id']}")
    put(world, dates[7], title="Guests", start_date="2026-11-24 18:00:00")
    return dates


@pytest.mark.parametrize(("change", "scope"), crossed(CHANGES, ["following", "all"]))
def test_the_dates_become_the_same_as_those_of_a_short_series(
    world: Any, monkeypatch: pytest.MonkeyPatch, change: str, scope: str
) -> None:
    halls = [world.make("venues", venue=name)["id"] for name in ("Short", "Long")]
    for hall, at_once in zip(halls, (100, 2), strict=True):
        dates = prepare(world, hall)
        with monkeypatch.context() as patch:
            patch.setattr(series_dates, "AT_ONCE", at_once)
            make_small(patch, at_once)
            put(world, dates[AT], scope=scope, **CHANGES[change])
    short, long = (told(world, hall) for hall in halls)
    assert long == short
    assert len({event[8] for event in long}) == (2 if scope == "following" else 1)
    store_checks.check(world.calendar.store)


@pytest.mark.parametrize("change", [CHANGES["start"], CHANGES["rule"]], ids=["start", "rule"])
def test_both_parts_take_over_what_an_earlier_change_has_left(
    world: Any, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    dates = many(world)
    break_off(world, monkeypatch, dates[0])
    with breaking_off(monkeypatch, steps=0):
        put(world, dates[AT], scope="following", **change)
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    earlier = occurrences(world, dates[0]["series"])
    later = occurrences(world, world.get(f"/events/{dates[AT]['id']}").json()["series"])
    assert len(earlier) == AT
    assert {event["title"] for event in earlier + later} == {"Pilates"}
    store_checks.check(world.calendar.store)


def lose_store() -> None:
    raise StoreUnavailable("away")


@pytest.mark.parametrize("at_once", [2, 10], ids=["in parts", "as a short series"])
@pytest.mark.parametrize("change", [CHANGES["slug"], {"title": "Pilates"}], ids=["slug", "title"])
def test_dates_that_are_still_being_made_come_to_the_earlier_part(
    make_world: Any, monkeypatch: pytest.MonkeyPatch, at_once: int, change: dict[str, Any]
) -> None:
    world = make_world(recurrence_months="1")
    monkeypatch.setattr(series_dates, "AT_ONCE", at_once)
    make_small(monkeypatch, 10 * at_once)
    began = world.calendar.clock().date() - timedelta(days=60)
    times = {"start_date": f"{began} 07:00:00", "end_date": f"{began} 08:00:00"}
    body = {"title": "Swim", "timezone": "UTC", "recurrence": "FREQ=DAILY", **times}
    with monkeypatch.context() as killed:
        do_between(killed, lose_store)
        made = world.post("/events", json=body).json()

    def starts(number: int) -> list[str]:
        with world.calendar.store.read() as session:
            return sorted(series.original_starts(session, number))

    before = starts(made["series"])
    assert len(before) < 90
    ahead = [start for start in before if start > f"{world.calendar.clock()}"]
    with world.calendar.store.read() as session:
        (event,) = series.events_at(session, made["series"], ahead[2])
    put(world, {"id": event.id}, scope="following", **change)
    filling.fill_all(world.calendar)
    found = starts(made["series"])
    assert found == [f"{began + timedelta(days=day)} 07:00:00" for day in range(len(found))]
    assert found[-1] == ahead[1]
    assert starts(world.get(f"/events/{event.id}").json()["series"])[:2] == ahead[2:4]
    store_checks.check(world.calendar.store)
