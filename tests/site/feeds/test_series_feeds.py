"""Series in feeds: one entry with its rule, and programs that read it show the occurrences of the calendar."""

import random
from datetime import datetime, timedelta
from typing import Any

import icalendar
import pytest
from tests.conftest import BASE_URL, World
from tests.effort import effort
from tests.site.feeds.expanding import Entry, by_library, expand

from kalends.calendar.lists import exports
from kalends.http.messages.long_responses import FeedCache, written
from kalends.present.ical_series import VisibleSeries

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
    titled, elsewhere = {"title": f"Changed {rng.random()}"}, {"timezone": rng.choice(ZONES)}
    body = rng.choice([titled, moved, moved | titled, elsewhere, {"all_day": not event["all_day"]}, None])
    if body is None:
        world.delete(f"/events/{event['id']}?scope={rng.choice(['this', 'this', 'following'])}")
    else:
        world.put(f"/events/{event['id']}", json=body | {"scope": scope})


@pytest.mark.parametrize("seed", range(effort(6, 60)))
def test_programs_show_the_occurrences_of_the_calendar(world: World, seed: int) -> None:
    rng = random.Random(seed)
    for rule in rng.sample(RULES, 2):
        made = make_series(world, rng, rule)
        for _ in range(rng.randrange(6)):
            if listed := occurrences(world, series=made["series"]):
                change(world, rng, rng.choice(listed))
    # A rule without an end goes on in programs, where the calendar has filled it up to two years ahead.
    expected = sorted(entry for event in occurrences(world) if (entry := shown(event)).start <= str(FAR))
    feed = world.get(f"{BASE_URL}/events.ics").content
    assert expand(feed, FAR) == expected
    # In a night when clocks change, the library counts the length on the wall clock, RFC 5545 and we do in hours.
    assert [(one.start, one.title) for one in by_library(feed, FAR)] == [(one.start, one.title) for one in expected]


TUESDAYS = {
    "title": "Choir",
    "start_date": "2026-11-17 19:00:00",
    "end_date": "2026-11-17 21:00:00",
    "timezone": "Europe/Berlin",
    "recurrence": "FREQ=WEEKLY;COUNT=6",
}


def entries(world: World, path: str) -> list[Any]:
    response = world.get(BASE_URL + path)
    assert response.status_code == 200, response.text
    return list(icalendar.Calendar.from_ical(response.content).walk("VEVENT"))


def texts(entry: Any, *names: str) -> list[str]:
    return [entry[name].to_ical().decode() for name in names]


def test_a_series_is_one_entry_with_its_rule(world: World) -> None:
    made = world.make("events", **TUESDAYS, description="Songs", venue={"venue": "School"})
    (entry,) = entries(world, "/events.ics")
    assert texts(entry, "dtstart", "dtend", "rrule") == ["20261117T190000", "20261117T210000", "FREQ=WEEKLY;COUNT=6"]
    assert entry["dtstart"].params["TZID"] == "Europe/Berlin"
    page = "http://calendar.test/event/choir-2026-11-17/"
    assert (entry["location"], entry["description"]) == ("School", f"Songs\n\n{page}")
    assert entry["url"] == made["url"]
    assert "recurrence-id" not in entry


def test_a_changed_occurrence_has_an_entry_and_a_cancelled_one_is_an_exception(world: World) -> None:
    made = world.make("events", **TUESDAYS)
    uid = entries(world, "/events.ics")[0]["uid"]
    second, third, fourth = occurrences(world, series=made["series"])[1:4]
    moved = {"start_date": "2026-11-25 18:00", "end_date": "2026-11-25 20:00"}
    world.put(f"/events/{second['id']}", json={"title": "Rehearsal", **moved})
    world.delete(f"/events/{third['id']}")
    world.delete(f"/events/{fourth['id']}?force=true")
    series, changed = entries(world, "/events.ics")
    assert texts(series, "exdate") == ["20261201T190000,20261208T190000"]
    assert texts(changed, "summary", "recurrence-id", "dtstart") == [
        "Rehearsal",
        "20261124T190000",
        "20261125T180000",
    ]
    assert {series["uid"], changed["uid"]} == {uid}
    assert int(series["sequence"]) > 0


def test_until_is_in_utc_or_a_day(world: World) -> None:
    world.make("events", **TUESDAYS | {"recurrence": "FREQ=WEEKLY;UNTIL=20261208"})
    days = {"start_date": "2026-11-18", "end_date": "2026-11-19", "all_day": True}
    world.make("events", **TUESDAYS | days | {"recurrence": "FREQ=WEEKLY;UNTIL=20261209T120000Z\nEXDATE:20261125"})
    timed, whole = entries(world, "/events.ics")
    assert texts(timed, "rrule") == ["FREQ=WEEKLY;UNTIL=20261208T225959Z"]
    assert texts(whole, "dtstart", "dtend", "rrule", "exdate") == [
        "20261118", "20261120", "FREQ=WEEKLY;UNTIL=20261209", "20261125",
    ]  # fmt: skip


@pytest.mark.parametrize("who", ["anonymous", "editor"])
def test_series_of_long_texts_are_read_in_smaller_batches(
    world: World, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """The feed is the same as if all of them were in memory at once."""
    for number in range(6):
        rule = "FREQ=WEEKLY;COUNT=5" if number % 2 else None
        day = f"2026-12-0{number + 1}"
        times = {"start_date": f"{day} 19:00", "end_date": f"{day} 20:00"}
        sent = {"recurrence": rule} if rule else {}
        world.make("events", title=f"Evening {number}", description="word " * 1000, **times, **sent)
    read, batches = exports.next_batch, list[int]()

    def counted(*args: Any) -> Any:
        found, position = read(*args)
        batches.append(sum(len(one.occurrences) for one in found if isinstance(one, VisibleSeries)))
        return found, position

    monkeypatch.setattr(exports, "next_batch", counted)
    path = f"{BASE_URL}/api/calendar/events/v1/events.ics?starts_after=2026-01-01"

    def ask() -> list[str]:
        lines = world.get(path, who).text.splitlines()
        return [line for line in lines if not line.startswith("DTSTAMP")]

    whole = ask()
    assert batches == [15]
    monkeypatch.setattr(exports, "MOST_LETTERS", 20_000)
    monkeypatch.setattr(FeedCache, "open", lambda self, mark, pieces: written(pieces()).open())
    batches.clear()
    assert ask() == whole
    assert batches[:3] == [5, 5, 5]


def test_an_occurrence_alone_is_a_single_entry(world: World) -> None:
    made = world.make("events", **TUESDAYS)
    second = occurrences(world, series=made["series"])[1]
    (alone,) = entries(world, f"/event/{second['slug']}.ics")
    assert texts(alone, "dtstart") == ["20261124T190000"]
    assert "rrule" not in alone
    assert alone["uid"].startswith(f"event-{second['id']}@")


def test_a_feed_of_one_series_has_nothing_else(world: World) -> None:
    made = world.make("events", **TUESDAYS)
    world.make("events", title="Something else")
    (series,) = entries(world, f"/series/{made['series']}.ics")
    assert series["summary"] == "Choir"
    assert world.get(f"{BASE_URL}/series/{made['series'] + 1}.ics").status_code == 404
    assert world.get(f"{BASE_URL}/series/{'9' * 30}.ics").status_code == 404


def test_a_feed_that_shows_a_part_of_a_series_says_so(world: World) -> None:
    made = world.make("events", **TUESDAYS)
    ids = [event["id"] for event in occurrences(world, series=made["series"])]
    feed = f"/api/calendar/events/v1/events.ics?include={ids[1]},{ids[3]}&starts_after=2000-01-01"
    (part,) = entries(world, feed)
    assert texts(part, "dtstart", "rrule", "exdate") == [
        "20261124T190000", "FREQ=WEEKLY;UNTIL=20261208T180000Z;BYDAY=TU", "20261201T190000",
    ]  # fmt: skip


def test_a_series_in_the_trash_is_cancelled_once(world: World) -> None:
    made = world.make("events", **TUESDAYS)
    uid = entries(world, "/events.ics")[0]["uid"]
    world.delete(f"/events/{made['id']}?scope=all")
    (gone,) = entries(world, "/events.ics")
    assert texts(gone, "uid", "status") == [str(uid), "CANCELLED"]


def test_readers_of_news_learn_of_a_series_once(world: World) -> None:
    made = world.make("events", **TUESDAYS)
    world.make("events", title="Fair")
    items = world.get(f"{BASE_URL}/events.json").json()["items"]
    assert sorted(item["title"] for item in items) == ["Choir", "Fair"]
    assert [item["url"] for item in items if item["title"] == "Choir"] == [made["url"]]
    rss = world.get(f"{BASE_URL}/events.rss").text
    assert rss.count("<item>") == 2
    assert "Every Tuesday, 6 times" in rss


PATHS = (
    "/events.ics",
    "/events.rss",
    "/events.json",
    "/sitemap-event-0.xml",
    "/events/list/",
    "/events/month/2026-11/",
)


def test_nothing_of_a_draft_series_leaks(world: World) -> None:
    hidden = world.make("events", **TUESDAYS | {"title": "Secret plan", "status": "draft"})
    first, second = (event["id"] for event in occurrences_of_anybody(world, hidden["series"])[:2])
    # One date alone is public: readers know of its series, but of no other date, and not of its title.
    world.put(f"/events/{second}", json={"title": "Known date", "status": "publish", "scope": "this"})
    for path in PATHS:
        text = world.get(BASE_URL + path).text
        assert "Secret plan" not in text, path
        assert "WEEKLY" not in text
    assert [str(entry["summary"]) for entry in entries(world, "/events.ics")] == ["Known date"]
    told = world.get(f"{BASE_URL}/series/{hidden['series']}.ics").text
    assert "NAME:Known date" in told
    assert "Secret plan" not in told
    page = world.get(f"{BASE_URL}/event/{world.read('events', second)['slug']}/").text
    assert "Known date" in page
    assert "Secret plan" not in page
    assert "More dates" not in page
    assert world.get(f"{BASE_URL}/event/{world.read('events', first)['slug']}/").status_code in (403, 404)


def test_a_protected_series_shows_its_titles_and_times_only(world: World) -> None:
    world.make("events", **TUESDAYS, description="hidden words", venue={"venue": "Cellar"}, post_password="s3cret")
    (entry,) = entries(world, "/events.ics")
    assert texts(entry, "summary", "rrule") == ["Choir", "FREQ=WEEKLY;COUNT=6"]
    assert "description" not in entry
    assert "location" not in entry


def occurrences_of_anybody(world: World, series: int) -> list[dict[str, Any]]:
    query = {"series": series, "status": "draft", "starts_after": "2000-01-01", "per_page": 50}
    found: list[dict[str, Any]] = world.get("/events", "administrator", params=query).json()["events"]
    return found


def test_some_published_dates_of_a_draft_series_are_one_entry(world: World) -> None:
    hidden = world.make("events", **TUESDAYS | {"status": "draft"})
    found = occurrences_of_anybody(world, hidden["series"])
    for event in found[1:4]:
        world.put(f"/events/{event['id']}", json={"status": "publish"})
    (entry,) = entries(world, "/events.ics")
    assert str(entry["uid"]).startswith(f"series-{hidden['series']}@")
    assert "rrule" in entry
    assert "recurrence-id" not in entry
