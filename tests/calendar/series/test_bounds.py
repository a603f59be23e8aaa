"""How many dates a rule without an end gets: so many that are not over, whatever its start and the setting."""

from datetime import date, timedelta
from typing import Any

import pytest
from tests import parts, store_checks
from tests.calendar.series.test_scopes import BODY, make, put
from tests.effort import crossed, effort

from kalends.calendar.series import filling, new_occurrences


def days(world: Any, condition: str = "TRUE") -> list[str]:
    with world.calendar.store.read() as session:
        return session.column(  # type: ignore[no-any-return]
            f"SELECT original_start FROM event WHERE status <> 'trash' AND {condition} ORDER BY original_start"
        )


def test_an_endless_daily_event_is_not_refused_for_its_number(make_world: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(new_occurrences, "MOST", 40)
    world = make_world(recurrence_months="2")
    first = make(world, recurrence="FREQ=DAILY")[0]
    assert (len(days(world)), days(world)[-1]) == (40, "2026-12-26 19:00:00")
    assert filling.fill_all(world.calendar) == 0
    put(world, first, scope="all", recurrence="FREQ=DAILY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR")
    assert (len(days(world)), days(world)[-1]) == (40, "2027-01-11 19:00:00")
    put(world, first, scope="all", recurrence="FREQ=DAILY")
    # What the new rule gives beyond its bound stays.
    assert (len(days(world)), days(world)[-1]) == (51, "2027-01-11 19:00:00")
    world.clock.move(days=30)
    assert filling.fill_all(world.calendar) > 0
    assert len(days(world, "end_utc >= '2026-12-15 12:00:00'")) == 40
    world.clock.move(days=10)
    filling.fill_all(world.calendar)
    after = days(world)
    assert len(days(world, "end_utc >= '2026-12-25 12:00:00'")) == 40
    assert [day[:10] for day in after] == _every_day("2026-11-17", len(after))
    store_checks.check(world.calendar.store)


def _every_day(first: str, count: int) -> list[str]:
    return [(date.fromisoformat(first) + timedelta(days=number)).isoformat() for number in range(count)]


def test_of_the_dates_that_are_over_the_last_ones_are_made(make_world: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(new_occurrences, "MOST", 20)
    monkeypatch.setattr(new_occurrences, "MOST_OVER", 50)
    monkeypatch.setattr(new_occurrences, "AT_ONCE", 20)
    world = make_world(recurrence_months="1")
    since = {"start_date": "2026-08-01 19:00", "end_date": "2026-08-01 20:00"}
    made = world.post("/events", json=BODY | since | {"recurrence": "FREQ=DAILY"})
    assert made.status_code == 201, made.text
    assert made.json()["start_date"] == "2026-09-26 19:00:00"
    assert made.json()["slug"] == "yoga-2026-09-26"
    assert [day[:10] for day in days(world)] == _every_day("2026-09-26", 70)
    assert filling.fill_all(world.calendar) == 0
    store_checks.check(world.calendar.store)
    world.clock.move(days=30)  # what was held stays
    filling.fill_all(world.calendar)
    put(world, made.json(), scope="all", title="Pilates", start_date="2026-09-26 18:00", end_date="2026-09-26 20:00")
    assert [day[:10] for day in days(world)] == _every_day("2026-09-26", 100)
    put(world, made.json(), scope="all", recurrence="FREQ=DAILY;INTERVAL=1")
    assert [day[:10] for day in days(world)] == _every_day("2026-09-26", 100)
    store_checks.check(world.calendar.store)


def test_another_rule_gives_the_last_dates_that_are_over(make_world: Any, monkeypatch: Any) -> None:
    """Those that were held stay, if the rule gives them."""
    monkeypatch.setattr(new_occurrences, "MOST_OVER", 50)
    world = make_world(recurrence_months="1")
    since = {"start_date": "2025-01-15 19:00", "end_date": "2025-01-15 20:00"}
    made = world.post("/events", json=BODY | since | {"recurrence": "FREQ=MONTHLY"}).json()
    months = [day[:10] for day in days(world)]
    assert (months[0], len(months)) == ("2025-01-15", 23)
    put(world, made, scope="all", recurrence="FREQ=DAILY")
    expected = [*months[:21], *_every_day("2026-09-26", 50 + 30)]
    assert [day[:10] for day in days(world)][: len(expected)] == expected
    store_checks.check(world.calendar.store)
    earlier, later = made["series"], days(world)[-10]
    with world.calendar.store.read() as session:
        id = session.value("SELECT id FROM event WHERE original_start = ?", (later,))
    put(world, {"id": id}, scope="following", title="Pilates")
    put(world, made, scope="all", start_date="2025-01-15 18:00", end_date="2025-01-15 20:00")
    assert len(days(world, f"series = {earlier}")) == len(days(world)) - 10
    filling.fill_all(world.calendar)
    store_checks.check(world.calendar.store)


def test_many_times_a_day_are_counted_from_the_last_one(make_world: Any) -> None:
    world = make_world(recurrence_months="1")
    hours, minutes = ",".join(map(str, range(24))), "0,15,30,45"
    since = {"start_date": "1950-01-01 08:00", "end_date": "1950-01-01 08:00"}
    rule = f"FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=1,2,3,4;BYHOUR={hours};BYMINUTE={minutes}"
    made = world.post("/events", json=BODY | since | {"recurrence": rule})
    assert made.status_code == 201, made.text
    assert (len(days(world)), days(world)[-1]) == (500, "2026-08-04 23:45:00")


@pytest.mark.parametrize("start", ["1900-01-01 19:00", "1930-06-01 19:00"])
def test_a_yearly_event_that_began_a_century_ago_goes_on(make_world: Any, start: str) -> None:
    world = make_world()
    body = BODY | {"recurrence": "FREQ=YEARLY", "start_date": start, "end_date": start}
    assert world.post("/events", json=body).status_code == 201
    assert len(days(world, "end_utc > '2026-11-16'")) == 2


SINCE_1900 = {
    "FREQ=YEARLY": ["1900-01-01", "2027-01-01", "2028-01-01"],
    "FREQ=MONTHLY": ["1985-04-01", "2026-12-01", "2027-01-01"],
    "FREQ=WEEKLY": ["2017-04-17", "2026-11-16", "2026-11-23"],
    "FREQ=DAILY": ["2025-07-03", "2026-11-15", "2026-11-16"],
}


@pytest.mark.parametrize(("rule", "expected"), [*SINCE_1900.items()][:: effort(3, 1)])
def test_a_rule_that_began_in_1900_gives_its_dates_now(make_world: Any, rule: str, expected: list[str]) -> None:
    first, *coming = expected
    world = make_world(recurrence_months="24" if "YEARLY" in rule else "3")
    body = BODY | {"recurrence": rule, "start_date": "1900-01-01 19:00", "end_date": "1900-01-01 20:00"}
    made = world.post("/events", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["start_date"] == f"{first} 19:00:00"
    listed = world.get("/events", params={"series": made.json()["series"], "per_page": 2}).json()
    assert [event["start_date"] for event in listed["events"]] == [f"{day} 19:00:00" for day in coming]


@pytest.mark.parametrize("rule", ["FREQ=YEARLY", "FREQ=YEARLY;COUNT=3"])
def test_an_event_that_lasts_for_thousands_of_years_can_repeat(make_world: Any, rule: str) -> None:
    world = make_world()
    body = BODY | {"recurrence": rule, "start_date": "2026-11-17 19:00", "end_date": "9990-11-17 20:00"}
    assert world.post("/events", json=body).status_code == 201
    assert len(days(world)) == 3


LAST_YEAR = [
    ("FREQ=DAILY", "9999-12-29 19:00", "9999-12-29 23:00", 3),
    ("FREQ=DAILY", "9999-12-29 22:00", "9999-12-30 02:00", 2),
    ("FREQ=WEEKLY", "9998-12-31 10:00", "9998-12-31 11:00", 53),
    ("FREQ=YEARLY", "9998-06-01 10:00", "9998-06-01 11:00", 2),
    ("FREQ=DAILY;UNTIL=99991231", "9999-12-29 22:00", "9999-12-30 02:00", 2),
]


@pytest.mark.parametrize(
    ("zone", "case"), crossed(["UTC", "Pacific/Auckland", "Pacific/Honolulu"], LAST_YEAR), ids=str
)
def test_a_rule_that_reaches_the_last_year_ends_there(
    make_world: Any, zone: str, case: tuple[str, str, str, int]
) -> None:
    rule, start, end, count = case
    world = make_world()
    body = BODY | {"recurrence": rule, "start_date": start, "end_date": end, "timezone": zone}
    made = world.post("/events", json=body)
    assert made.status_code == 201, made.text
    assert len(days(world)) == count
    assert filling.fill_all(world.calendar) == 0
    assert world.put(f"/events/{made.json()['id']}?scope=all", json={"title": "Last"}).status_code == 200
    again = {"recurrence": f"{rule};INTERVAL=1"}
    assert world.put(f"/events/{made.json()['id']}?scope=all", json=again).status_code == 200
    assert len(days(world)) == count
    assert world.get(f"http://calendar.test/series/{made.json()['series']}.ics").status_code == 200
    store_checks.check(world.calendar.store)


TOGETHER = 20_000  # characters, in these tests


@pytest.fixture
def little_text(monkeypatch: Any) -> None:
    monkeypatch.setattr(new_occurrences, "MOST_TEXT", TOGETHER)
    monkeypatch.setattr(new_occurrences, "TEXT_AT_ONCE", 2500)


@pytest.mark.usefixtures("little_text")
def test_text_times_dates_is_bounded(make_world: Any) -> None:
    world = make_world(recurrence_months="2")
    long = BODY | {"description": "x" * 970}
    refused = world.post("/events", json=long | {"recurrence": "FREQ=DAILY;COUNT=30"})
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["recurrence"])
    assert "more than 20 dates, and an event with so long a text" in refused.text
    assert days(world) == []
    assert world.post("/events", json=long | {"recurrence": "FREQ=DAILY;COUNT=20"}).status_code == 201
    assert len(days(world)) == 20
    # One without an end has fewer dates ahead, and gets the next ones when others are over.
    assert world.post("/events", json=long | {"recurrence": "FREQ=DAILY", "title": "Endless"}).status_code == 201
    assert len(days(world, "name = 'Endless'")) == 20
    world.clock.move(days=10)
    assert filling.fill_all(world.calendar) > 0
    assert len(days(world, "name = 'Endless'")) < 40
    since = {"start_date": "2020-01-01 19:00", "end_date": "2020-01-01 20:00", "title": "Over"}
    assert world.post("/events", json=long | since | {"recurrence": "FREQ=DAILY"}).status_code == 201
    assert len(days(world, "name = 'Over'")) == 40
    store_checks.check(world.calendar.store)


@pytest.mark.usefixtures("little_text")
def test_a_change_does_not_give_much_text_to_many_dates(make_world: Any) -> None:
    world = make_world(recurrence_months="2")
    first = make(world, recurrence="FREQ=DAILY;COUNT=60")[0]
    body = {"description": "x" * 500}
    refused = world.put(f"/events/{first['id']}?scope=all", json=body)
    assert (refused.status_code, list(refused.json()["data"]["params"])) == (400, ["description"])
    assert "too long for an event with 60 dates" in refused.text
    put(world, first, scope="all", description="x" * 200)
    put(world, first, **body)  # this one alone


@pytest.mark.parametrize("rule", ["FREQ=DAILY;COUNT=60", "FREQ=YEARLY;COUNT=40", "FREQ=DAILY"])
def test_dates_are_made_in_steps_that_go_on_after_a_kill(make_world: Any, monkeypatch: Any, rule: str) -> None:
    monkeypatch.setattr(new_occurrences, "AT_ONCE", 7)
    world = make_world(recurrence_months="2")
    with monkeypatch.context() as killed:
        killed.setattr(filling, "ask", lambda *_: None)
        first = world.post("/events", json=BODY | {"recurrence": rule}).json()
        assert len(days(world)) == 8
        store_checks.check(world.calendar.store)
        put(world, first, scope="all", title="Pilates")  # what is made later follows
    parts.make_small(monkeypatch, 7)
    lengths: list[int] = []
    count = filling.fill_all(world.calendar, lambda: lengths.append(len(days(world))))
    assert lengths[:2] == [15, 22]
    assert len(days(world)) == len(set(days(world))) == count + 8
    assert len(days(world, "name = 'Pilates'")) == len(days(world))
    assert filling.fill_all(world.calendar) == 0
    store_checks.check(world.calendar.store)
    put(world, first, scope="all", recurrence="FREQ=DAILY;COUNT=90")  # whole when it is acknowledged
    assert len(days(world, "status <> 'trash'")) == 90
    store_checks.check(world.calendar.store)


def test_a_half_made_series_is_split(make_world: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(new_occurrences, "AT_ONCE", 7)
    world = make_world(recurrence_months="2")
    with monkeypatch.context() as killed:
        killed.setattr(filling, "ask", lambda *_: None)
        world.post("/events", json=BODY | {"recurrence": "FREQ=DAILY;COUNT=30"})
        third = world.get("/events?start_date=2026-11-19").json()["events"][0]
        put(world, third, scope="following", title="Pilates")
    parts.make_small(monkeypatch, 7)
    assert filling.fill_all(world.calendar) == 22
    assert len(days(world)) == 30
    assert len(days(world, "name = 'Pilates'")) == 28
    store_checks.check(world.calendar.store)
