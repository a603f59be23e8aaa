"""Our feeds as programs in JavaScript read them, with `node-ical`: titles, times, states and dates of series."""

import json
import shutil
import subprocess
from datetime import datetime
from typing import Any

import pytest
from tests.conftest import BASE_URL, World
from tests.site.validators import installed

from kalends.contract.statuses import CANCELLED, MOVED_ONLINE, POSTPONED, SCHEDULED

FIRST, LAST = "2026-11-01T00:00:00Z", "2027-06-01T00:00:00Z"
READ = """
const ical = require(process.argv[1]);
const [first, last] = process.argv.slice(2).map((day) => new Date(day));
const calendar = ical.sync.parseICS(require("node:fs").readFileSync(0, "utf8"));
const text = (value) => value?.val ?? value;
const found = [];
for (const event of Object.values(calendar)) {
  if (event.type !== "VEVENT") continue;
  const dates = event.rrule || event.recurrences
    ? ical.expandRecurringEvent(event, { from: first, to: last })
    : [{ start: event.start, end: event.end, summary: event.summary, event }];
  for (const { start, end, summary, event: shown = event } of dates) {
    found.push({
      start: start.toISOString(), end: end.toISOString(), title: text(summary), status: shown.status,
      place: text(shown.location) ?? null, address: text(shown.url) ?? null, isDay: shown.datetype === "date",
    });
  }
}
process.stdout.write(JSON.stringify(found));
"""


def read(data: bytes) -> list[dict[str, Any]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js here")
    command = (node, "-e", READ, str(installed("node-ical")), FIRST, LAST)
    done = subprocess.run(command, input=data, capture_output=True, check=False, env={"TZ": "UTC", "PATH": ""})
    assert done.returncode == 0, done.stderr.decode()
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return sorted(found, key=lambda one: (one["start"], one["title"]))


def times(event: dict[str, Any]) -> tuple[str, str]:
    start, end = (datetime.fromisoformat(event[f"utc_{edge}_date"]) for edge in ("start", "end"))
    return f"{start:%Y-%m-%dT%H:%M:%S.000Z}", f"{end:%Y-%m-%dT%H:%M:%S.000Z}"


def test_it_shows_what_the_calendar_shows(world: World) -> None:
    zones = ("America/New_York", "Europe/Dublin", "Australia/Lord_Howe", "UTC")
    for number, zone in enumerate(zones):
        at = {"timezone": zone, "start_date": "2026-11-18 19:30", "end_date": "2026-11-18 22:00"}
        world.make("events", title=f"Course {number}", recurrence="FREQ=WEEKLY;COUNT=24", **at)
    dates = world.get("/events", params={"per_page": 100, "end_date": "2027-06-01"}).json()["events"]
    first = [one for one in dates if one["title"] == "Course 0"]
    world.put(f"/events/{first[2]['id']}", json={"start_date": "2026-12-03 18:00", "end_date": "2026-12-03 20:00"})
    world.put(f"/events/{first[3]['id']}", json={"event_status": CANCELLED})
    world.delete(f"/events/{first[4]['id']}")
    expected = [
        (*times(one), "Cancelled: Course 0" if one["event_status"] == CANCELLED else one["title"])
        for one in world.get("/events", params={"per_page": 100, "end_date": "2027-06-01"}).json()["events"]
    ]
    shown = [(one["start"], one["end"], one["title"]) for one in read(world.get(f"{BASE_URL}/events.ics").content)]
    assert shown == sorted(expected)
    assert len(shown) == 24 * len(zones) - 1


@pytest.mark.parametrize("state", [SCHEDULED, CANCELLED, POSTPONED, MOVED_ONLINE])
def test_states_and_places(world: World, state: str) -> None:
    world.make("events", title="Fair", slug="fair", event_status=state, website="https://meet.example/1?a=1,2;3")
    world.make("events", title="Days", all_day=True, start_date="2026-12-24", end_date="2026-12-26", slug="days")
    fair, days = sorted(read(world.get(f"{BASE_URL}/events.ics").content), key=lambda one: one["title"] == "Days")
    status = {CANCELLED: "CANCELLED", POSTPONED: "TENTATIVE"}.get(state, "CONFIRMED")
    assert fair["status"] == status
    assert fair["title"].endswith("Fair")
    assert (fair["title"] == "Fair") is (state == SCHEDULED)
    if state == MOVED_ONLINE:
        assert fair["place"] == fair["address"] == "https://meet.example/1?a=1,2;3"
    assert (days["isDay"], days["start"][:10], days["end"][:10]) == (True, "2026-12-24", "2026-12-27")
