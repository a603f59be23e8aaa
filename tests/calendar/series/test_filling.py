"""Series without an end are filled some months ahead, and kept filled in the background."""

import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from dateutil.rrule import rrule, rrulestr
from tests import parts, store_checks
from tests.calendar.series.test_scopes import BODY, WHOLE, make, put

from kalends.calendar.series import filling, new_occurrences

pytestmark = pytest.mark.both_stores


def starts(world: Any) -> list[str]:
    status = "publish,draft"
    answers = [world.get(f"/events?{WHOLE}&status={status}&page={page}", "administrator") for page in range(1, 9)]
    pages = [answer.json()["events"] for answer in answers if answer.status_code == 200]
    return [event["start_date"] for page in pages for event in page]


def test_a_series_without_an_end_is_kept_filled(make_world: Any) -> None:
    world = make_world(recurrence_months="3")
    found = make(world, recurrence="FREQ=WEEKLY", venue={"venue": "Hall"}, tags=["Slow"])
    assert starts(world)[-1] == "2027-02-16 19:00:00"  # three months from its start
    put(world, found[3], scope="all", title="Pilates")
    put(world, found[4], title="Guests")
    assert world.delete(f"/venues/{found[0]['venue']['id']}?force=true").status_code == 200
    assert filling.fill_all(world.calendar) == 0
    world.clock.move(days=400)  # as if the service had been off
    world.calendar.background.run_due()
    after = starts(world)
    assert after[-1] == "2028-03-14 19:00:00"
    assert len(after) == len(set(after)) == 70
    added = world.get("/events?start_date=2028-03-14").json()["events"][0]
    assert (added["title"], added["slug"], added["post_parent"]) == ("Pilates", "yoga-2028-03-14", found[0]["id"])
    assert [tag["name"] for tag in added["tags"]] == ["Slow"]
    assert added["venue"] == []
    assert filling.fill_all(world.calendar) == 0
    store_checks.check(world.calendar.store)


def test_small_transactions_and_several_workers(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_occurrences, "AT_ONCE", 5)
    world = make_world(recurrence_months="1")
    make(world, recurrence="FREQ=DAILY")
    make(world, recurrence="FREQ=WEEKLY;BYDAY=MO,TH", status="draft", title="Draft")
    world.clock.move(days=20)
    parts.make_small(monkeypatch, 5)
    others = [threading.Thread(target=filling.fill_all, args=[world.calendar]) for _ in range(3)]
    lengths = []

    def between() -> None:
        lengths.append(len(starts(world)))
        if len(lengths) == 1:
            assert world.post("/events", json=BODY | {"title": "Between", "recurrence": None}).status_code == 201
            for thread in others:
                thread.start()

    before = len(starts(world))
    filling.fill_all(world.calendar, between)
    assert lengths[0] == before + 5
    for thread in others:
        thread.join()
    store_checks.check(world.calendar.store)
    with world.calendar.store.read() as session:
        starts_of = session.all("SELECT series, original_start FROM event WHERE series IS NOT NULL")
    assert len(starts_of) == len(set(starts_of))
    # Up to noon of the fifth of January, a month from then: every evening, and the Mondays and Thursdays.
    assert len(starts(world)) == 49 + 15 + 1


def test_what_is_cancelled_or_in_the_trash_is_not_made_again(make_world: Any) -> None:
    world = make_world(recurrence_months="1")
    found = make(world, recurrence="FREQ=WEEKLY")
    gone = make(world, recurrence="FREQ=WEEKLY", title="Gone")
    world.delete(f"/events/{found[-1]['id']}?force=true")
    world.delete(f"/events/{gone[0]['id']}?scope=all")
    world.clock.move(days=60)
    assert filling.fill_all(world.calendar) == 8
    assert found[-1]["start_date"] not in starts(world)
    put(world, gone[1], scope="all", status="publish")  # from the trash it is filled up at once
    assert len(starts(world)) == 12 + 13
    assert filling.fill_all(world.calendar) == 0


def test_a_series_that_cannot_be_filled_does_not_stop_the_others(
    make_world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world = make_world(recurrence_months="1")
    broken = make(world, recurrence="FREQ=WEEKLY", title="Broken")[0]["series"]
    make(world, recurrence="FREQ=WEEKLY")
    with world.calendar.store.write() as session:
        session.run("UPDATE series SET recurrence = 'RRULE:FREQ=NEVER' WHERE id = ?", (broken,))
    world.clock.move(days=30)
    assert filling.fill_all(world.calendar) == 4
    assert f"the series {broken} cannot be extended" in caplog.text


def test_a_series_that_was_stopped_goes_on_where_it_was_filled(make_world: Any) -> None:
    """Dates of an earlier rule, beyond what is filled, do not hide the ones before them."""
    world = make_world(recurrence_months="1")
    found = make(world, recurrence="FREQ=YEARLY;COUNT=3")
    put(world, found[0], scope="all", recurrence="FREQ=MONTHLY;BYMONTHDAY=17")
    with world.calendar.store.read() as session:
        ids = session.column("SELECT id FROM event ORDER BY original_start")
    for id in ids:
        assert world.delete(f"/events/{id}").status_code == 200
    store_checks.check(world.calendar.store)
    put(world, found[0], status="publish")
    store_checks.check(world.calendar.store)
    world.clock.move(days=150)
    assert filling.fill_all(world.calendar) > 0
    store_checks.check(world.calendar.store)
    assert starts(world)[-4:] == [f"2027-0{month}-17 19:00:00" for month in (1, 2, 3, 4)]


def test_a_long_series_goes_on_within_its_bound(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is of occurrences that are not over, so it ends no series that simply goes on."""
    monkeypatch.setattr(new_occurrences, "MOST", 40)
    world = make_world(recurrence_months="1")
    first = make(world, recurrence="FREQ=DAILY")[0]
    for _ in range(3):
        world.clock.move(days=20)
        assert filling.fill_all(world.calendar) > 15
    put(world, first, scope="all", title="Still there")
    assert (len(starts(world)), starts(world)[-1]) == (89, "2027-02-13 19:00:00")


def test_a_rule_without_an_end_keeps_what_is_beyond_its_months(make_world: Any) -> None:
    world = make_world(recurrence_months="1")
    found = make(world, recurrence="FREQ=YEARLY;COUNT=4")
    assert [start[:4] for start in starts(world)] == ["2026", "2027", "2028", "2029"]
    put(world, found[3], start_date="2029-11-18 19:00", end_date="2029-11-18 20:00")
    put(world, found[0], scope="all", recurrence="FREQ=MONTHLY;BYMONTHDAY=17")
    kept = [event for event in starts(world) if event > "2027-01"]
    assert kept == ["2027-11-17 19:00:00", "2028-11-17 19:00:00", "2029-11-18 19:00:00"]
    world.clock.move(days=400)
    assert filling.fill_all(world.calendar) == 12  # all months but the Novembers that are there
    assert starts(world).count("2027-11-17 19:00:00") == 1
    put(world, found[0], scope="all", recurrence="FREQ=MONTHLY;COUNT=3")
    assert len(starts(world)) == 3
    assert world.get(f"/events/{found[3]['id']}", "administrator").json()["status"] == "trash"


class Computed:
    """Counts the dates that are computed of rules."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._count = 0
        original = rrule._iter

        def counted(rule: rrule) -> Iterator[datetime]:
            for start in original(rule):
                self._count += 1
                yield start

        monkeypatch.setattr(rrule, "_iter", counted)

    def taken(self) -> int:
        """How many there were since it was asked last."""
        count, self._count = self._count, 0
        return count


LONG_AGO = {"start_date": "2001-01-31 19:00", "end_date": "2001-01-31 20:00"}


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU",
        "FREQ=MONTHLY;BYMONTHDAY=1,15,-1",
        "FREQ=YEARLY;BYMONTH=1,7;BYDAY=MO,TU;BYHOUR=9,19",
    ],
)
def test_a_step_does_not_compute_the_rule_from_its_beginning(
    make_world: Any, monkeypatch: pytest.MonkeyPatch, rule: str
) -> None:
    monkeypatch.setattr(new_occurrences, "AT_ONCE", 200)
    first, end = datetime(2001, 1, 31, 19), datetime(2026, 12, 15, 12)
    given = sorted({first, *rrulestr(rule, dtstart=first).between(first, end)})
    over = [start for start in given if start < datetime(2026, 11, 15, 11)]
    expected = [*over[-500:], *given[len(over) :]]
    computed = Computed(monkeypatch)
    world = make_world(recurrence_months="1")
    assert world.post("/events", json=BODY | LONG_AGO | {"recurrence": rule}).status_code == 201
    assert computed.taken() < 3000  # in three transactions
    assert filling.fill_all(world.calendar) == 0
    with world.calendar.store.read() as session:
        found = session.all("SELECT original_start, id FROM event ORDER BY original_start")
    assert [start for start, _ in found] == [str(start) for start in expected]
    computed.taken()
    _, last = found[-1]
    assert world.delete(f"/events/{last}").status_code == 200  # one date is skipped
    assert world.put(f"/events/{last}", json={"status": "publish"}).status_code == 200
    assert computed.taken() < 200
    store_checks.check(world.calendar.store)
