"""A series that was split: where its parts end and begin, and the course that they are together."""

from typing import Any

import pytest
from tests.calendar.series.test_scopes import WHOLE, make, occurrences, put
from tests.conftest import BASE_URL

UNTIL = "FREQ=WEEKLY;UNTIL=20261215"


def course(world: Any, series: int, who: str = "administrator") -> list[dict[str, Any]]:
    status = "publish" if who == "anonymous" else "publish,draft"
    found = world.get(f"/events?series={series}&whole=true&{WHOLE}&status={status}", who)
    assert found.status_code == 200, found.text
    events: list[dict[str, Any]] = found.json()["events"]
    return events


def days(events: list[dict[str, Any]]) -> list[str]:
    return [event["start_date"][:10] for event in events]


@pytest.mark.both_stores
@pytest.mark.parametrize(
    ("recurrence", "earlier", "later"),
    [
        ("FREQ=WEEKLY;COUNT=5", "FREQ=WEEKLY;COUNT=2", "FREQ=WEEKLY;BYDAY=TU;COUNT=3"),
        (UNTIL, "FREQ=WEEKLY;UNTIL=20261124T190000", "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215"),
        ("FREQ=WEEKLY", "FREQ=WEEKLY;UNTIL=20261124T190000", "FREQ=WEEKLY;BYDAY=TU"),
        # What is left out or added stays on its side.
        (
            {"rule": "FREQ=WEEKLY;UNTIL=20261222", "dates": ["2026-11-26 10:00:00", "2026-12-10 10:00:00"]}
            | {"exceptions": ["2026-11-24 19:00:00", "2026-12-08 19:00:00"]},
            "FREQ=WEEKLY;UNTIL=20261124T190000",
            "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261222",
        ),
    ],
    ids=["count", "until", "endless", "dates beside the rule"],
)  # fmt: skip
def test_the_earlier_part_ends_before_the_date_of_the_split(
    make_world: Any, recurrence: Any, earlier: str, later: str
) -> None:
    world = make_world(recurrence_months="2")
    found = make(world, recurrence=recurrence)
    split = next(event for event in found if event["start_date"].startswith("2026-12-01"))
    before = days(found)
    put(world, split, scope="following", title="Winter yoga")
    now = course(world, found[0]["series"])
    assert days(now) == before
    assert [event["title"] == "Winter yoga" for event in now] == [day >= "2026-12-01" for day in before]
    assert (now[0]["recurrence"]["rule"], now[-1]["recurrence"]["rule"]) == (earlier, later)
    told = [part for event in (now[0], now[-1]) for part in event["recurrence"]["exceptions"]]
    assert all(day[:10] not in before for day in told)
    assert {event["series_of"] for event in now} == {found[0]["series"]}
    # What the form of the earlier part sends when it is saved makes no second date.
    last = now[0]["recurrence"]["rule"].replace("T190000", "")
    put(world, now[0], scope="all", recurrence=now[0]["recurrence"] | {"rule": last})
    assert days(course(world, found[0]["series"])) == before


@pytest.mark.both_stores
def test_events_name_the_first_series_of_their_course(world: Any) -> None:
    assert world.make("events", title="Fair")["series_of"] is None
    found = make(world, recurrence="FREQ=WEEKLY;COUNT=6")
    first = found[0]["series"]
    assert {event["series_of"] for event in found} == {first}
    put(world, found[2], scope="following", title="Second part")
    put(world, found[4], scope="following", title="Third part")
    now = course(world, first)
    assert [event["title"] for event in now] == ["Yoga"] * 2 + ["Second part"] * 2 + ["Third part"] * 2
    assert len({event["series"] for event in now}) == 3
    assert {event["series_of"] for event in now} == {first}
    # Each part leads to the whole, for anonymous readers from what is prerendered too, and alone it is a part.
    for event in now:
        assert [one["id"] for one in course(world, event["series"], "anonymous")] == [one["id"] for one in found]
        assert world.get(f"/events/{event['id']}").json()["series_of"] == first
    assert [len(occurrences(world, event["series"])) for event in now] == [2] * 6
    collapsed = world.get(f"/events?series={first}&whole=true&collapse=series&{WHOLE}").json()["events"]
    assert [(event["title"], event["occurrences"]) for event in collapsed] == [
        ("Yoga", 2), ("Second part", 2), ("Third part", 2),
    ]  # fmt: skip
    assert world.get("/events?series=99999&whole=true").status_code == 400


def test_a_split_at_the_first_date_is_a_change_of_all(world: Any) -> None:
    found = make(world)
    put(world, found[0], scope="following", title="Pilates")
    now = course(world, found[0]["series"])
    assert [event["title"] for event in now] == ["Pilates"] * 4
    assert {event["series"] for event in now} == {found[0]["series"]}
    assert now[0]["recurrence"]["rule"] == "FREQ=WEEKLY;COUNT=4"


def test_a_split_across_the_change_of_the_clocks_and_of_whole_days(world: Any) -> None:
    """The 25th of October has 25 hours, and a day has no time before which a rule could end."""
    timed = make(
        world,
        start_date="2026-10-11 02:30:00",
        end_date="2026-10-11 03:30:00",
        recurrence="FREQ=WEEKLY;UNTIL=20261108",
    )
    put(world, timed[2], scope="following", title="Later")
    assert days(course(world, timed[0]["series"])) == [
        "2026-10-11",
        "2026-10-18",
        "2026-10-25",
        "2026-11-01",
        "2026-11-08",
    ]
    assert occurrences(world, timed[0]["series"])[0]["recurrence"]["rule"] == "FREQ=WEEKLY;UNTIL=20261018T023000"
    whole = make(
        world,
        title="Market",
        all_day=True,
        start_date="2026-11-20",
        end_date="2026-11-20",
        recurrence="FREQ=DAILY;UNTIL=20261124",
    )
    put(world, whole[3], scope="following", title="Night market")
    assert days(course(world, whole[0]["series"])) == [
        "2026-11-20",
        "2026-11-21",
        "2026-11-22",
        "2026-11-23",
        "2026-11-24",
    ]
    assert occurrences(world, whole[0]["series"])[0]["recurrence"]["rule"].endswith("UNTIL=20261122T000000")
    feed = world.get(f"{BASE_URL}/series/{whole[0]['series']}.ics").text
    assert "RRULE:FREQ=DAILY;UNTIL=20261122\r\n" in feed


@pytest.mark.both_stores
def test_the_whole_course_shows_only_what_a_reader_may_read(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY;COUNT=4")
    put(world, found[2], scope="following", status="draft")
    drafts = occurrences(world, found[0]["series"], "administrator")
    later = world.get(f"/events/{found[3]['id']}", "administrator").json()["series"]
    public = course(world, drafts[0]["series"], "anonymous")
    assert [event["id"] for event in public] == [found[0]["id"], found[1]["id"]]
    assert world.get(f"/events?series={later}").status_code == 400
    assert len(course(world, later)) == 4


@pytest.mark.both_stores
def test_a_part_that_is_deleted_leaves_the_number_of_the_course(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY;COUNT=4")
    first = found[0]["series"]
    put(world, found[2], scope="following", title="Second part")
    assert world.delete(f"/events/{found[0]['id']}?scope=all&force=true", "administrator").status_code == 200
    left = course(world, first)
    assert [event["title"] for event in left] == ["Second part"] * 2
    assert {event["series_of"] for event in left} == {first}
    feed = world.get(f"{BASE_URL}/series/{first}.ics")
    assert feed.text.count("BEGIN:VEVENT") == 1


def test_who_subscribed_to_a_series_gets_what_follows_under_the_same_identity(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY;UNTIL=20261215")
    address = f"{BASE_URL}/series/{found[0]['series']}.ics"
    [uid] = [line for line in world.get(address).text.splitlines() if line.startswith("UID:")]
    put(world, found[2], scope="following", title="Second part")
    feed = world.get(address).text
    assert next(line for line in feed.splitlines() if line.startswith("UID:")) == uid
    assert [line for line in feed.splitlines() if line.startswith("RRULE:FREQ=WEEKLY")] == [
        "RRULE:FREQ=WEEKLY;UNTIL=20261124T180000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261215T225959Z",
    ]  # fmt: skip
