"""Series in feeds: one entry with its rule, and programs that read it show the occurrences of the calendar."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.effort import effort
from tests.feeds.expanding import Entry, expand

FAR = datetime(2028, 10, 1)
RULES = [
    "FREQ=DAILY;COUNT=12",
    "FREQ=DAILY;INTERVAL=3;UNTIL=20270401T120000Z",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=20",
    "FREQ=WEEKLY;BYDAY=MO;COUNT=6",
    "FREQ=WEEKLY;BYDAY=SA;BYMONTH=3,4,10,11;UNTIL=20280101",
    "FREQ=MONTHLY;COUNT=10",
    "FREQ=MONTHLY;BYDAY=2TU,-1FR;UNTIL=20280101T190000",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=8",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=YEARLY;BYWEEKNO=13,44;COUNT=4",
    "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=2",
    "FREQ=WEEKLY;COUNT=5\nRDATE:20270105T190000,20270301\nEXDATE:20261208T190000",
    "RDATE:20270105T190000,20270301T193000",
]
ZONES = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC", "UTC-3:30", "Asia/Tokyo"]
TIMES = [("19:00", "21:30"), ("01:30", "02:45"), ("22:00", "06:00"), ("02:30", "02:30"), ("00:00", "")]


def make_series(world: World, rng: random.Random, rule: str) -> dict[str, Any]:
    start, end = rng.choice(TIMES)
    day = datetime(2026, 11, 17) + timedelta(days=rng.randrange(0, 20))
    last = day + timedelta(days=rng.choice([0, 0, 2]) + (end < start))
    return world.make(
        "events",
        title=f"Series {rule}",
        timezone=rng.choice(ZONES),
        all_day=not end,
        start_date=f"{day:%Y-%m-%d} {start}",
        end_date=f"{last:%Y-%m-%d} {end or start}",
        recurrence=rule,
    )


def occurrences(world: World, **filters: Any) -> list[dict[str, Any]]:
    query = {"starts_after": "2000-01-01", "per_page": 50, **filters}
    found, page = [], 1
    while True:
        response = world.get("/events", params=query | {"page": page})
        if response.status_code == 400:  # the series is gone
            return []
        found += response.json()["events"]
        page += 1
        if page > response.json()["total_pages"]:
            return found


def shown(event: dict[str, Any]) -> Entry:
    if not event["all_day"]:
        return Entry(event["utc_start_date"], event["utc_end_date"], event["title"])
    after = datetime.fromisoformat(event["end_date"][:10]) + timedelta(days=1)
    return Entry(f"{event['start_date'][:10]} 00:00:00", str(after), event["title"])


def change(world: World, rng: random.Random, event: dict[str, Any]) -> None:
    """Changes an occurrence, or more of its series; some changes are refused, which changes nothing."""
    start = datetime.fromisoformat(event["start_date"])
    end = datetime.fromisoformat(event["end_date"])
    by = timedelta(minutes=rng.choice([30, -60, 60 * 24]))
    moved = {"start_date": str(start + by), "end_date": str(end + by)}
    scope = rng.choice(["this", "this", "following", "all"])
    body = rng.choice([{"title": f"Changed {rng.random()}"}, moved, moved | {"title": "Moved"}, None])
    if body is None:
        world.delete(f"/events/{event['id']}?scope={rng.choice(['this', 'this', 'following'])}")
    else:
        world.put(f"/events/{event['id']}", json=body | {"scope": scope})


@pytest.mark.parametrize("seed", range(effort(10, 60)))
def test_programs_show_the_occurrences_of_the_calendar(world: World, seed: int) -> None:
    rng = random.Random(seed)
    for rule in rng.sample(RULES, 2):
        made = make_series(world, rng, rule)
        for _ in range(rng.randrange(6)):
            if listed := occurrences(world, series=made["series"]):
                change(world, rng, rng.choice(listed))
    # A rule without an end goes on in programs, where the calendar has filled it up to two years ahead.
    expected = sorted(entry for event in occurrences(world) if (entry := shown(event)).start <= str(FAR))
    assert expand(world.get(f"{BASE_URL}/events.ics").content, FAR) == expected
