"""The row ids of events in the word index: one for each, in the order of their days."""

import pytest
from tests.store_checks import check

from kalends.store.engine.store import Session
from kalends.store.query import search_plans
from kalends.store.rows import events, posts, search_rows
from kalends.store.rows.events import EventChange
from kalends.store.rows.records import Event


@pytest.fixture
def session(make_world):
    with make_world().calendar.store.write() as session:
        yield session


@pytest.fixture
def small_days(monkeypatch):
    monkeypatch.setattr(search_rows, "DAY", 5)


def put(session: Session, id: int, day: str) -> int:
    """Writes an event that starts on a day; its row id."""
    times = dict.fromkeys(
        ("date_utc", "modified_utc", "start_local", "end_local", "start_utc", "end_utc"), f"{day} 10:00:00"
    )
    event = Event(id=id, author=1, status="publish", slug=f"s{id}", name=f"event {id}", **times)
    before = posts.find(session, "event", id)
    if isinstance(before, Event):
        events.update(session, [EventChange(before, event)])
    else:
        events.insert(session, [(event, {})])
    return int(session.value("SELECT search_row FROM event WHERE id = ?", (id,)))


def within(session: Session, taken: list[int], low: str | None, high: str | None) -> list[bool]:
    """Which of these row ids the index is asked for."""
    ranges = search_rows.between(session, low, high)
    return [any(first <= row_id < end for first, end in ranges) for row_id in taken]


def test_row_ids_are_in_the_order_of_days(session):
    days = ["2027-03-10", "0001-01-01", "2027-03-09", "9999-12-31", "2027-03-10"]
    taken = [put(session, id, day) for id, day in enumerate(days, 1)]
    assert [search_rows.day_of(row_id) for row_id in taken] == [20270310, 10101, 20270309, 99991231, 20270310]
    assert len(set(taken)) == len(taken)
    assert within(session, taken, "2027-03-10 00:00:00", "2027-03-10 10:30:00") == [True, False, False, False, True]
    assert within(session, taken, "2027-03-09 10:00:00", "2027-03-10 00:00:00") == [False, False, True, False, False]
    assert all(within(session, taken, None, None))


def test_row_ids_are_a_format_on_disk(session):
    """Another migration has to renumber the events if these change."""
    assert put(session, 1, "2027-03-10") == 20270310_0001
    assert search_rows.nth(20270310, 9_999) == 20270310_9999
    assert search_rows.nth(20270310, 10_000) == 2**62 + 20270310_0000010000


def test_an_event_keeps_its_row_id_until_it_moves_to_another_day(session):
    first, second = put(session, 1, "2027-03-10"), put(session, 2, "2027-03-10")
    assert put(session, 1, "2027-03-10") == first
    assert search_rows.day_of(put(session, 1, "2027-03-11")) == 20270311
    assert put(session, 1, "2027-03-10") > second


def test_a_day_of_more_events_than_ordinary_row_ids_uses_the_overflow_range(session, small_days):
    days = ["2027-03-10"] * 8 + ["2027-03-09", "2027-03-11"] + ["2027-03-12"] * 6
    taken = [put(session, id, day) for id, day in enumerate(days, 1)]
    assert len(set(taken)) == len(taken)
    assert [search_rows.day_of(row_id) for row_id in taken] == [int(day.replace("-", "")) for day in days]
    assert [search_rows.day_of(row_id) for row_id in search_rows.by_day(taken)] == sorted(
        int(day.replace("-", "")) for day in days
    )
    found = within(session, taken, "2027-03-10 00:00:00", "2027-03-12 00:00:00")
    assert found == ["2027-03-10" <= day < "2027-03-12" for day in days]
    assert put(session, 8, "2027-03-10") == taken[7]
    assert search_rows.day_of(put(session, 8, "2027-03-11")) == 20270311


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_a_search_lists_a_day_with_overflow_in_order(make_world, small_days, monkeypatch, order):
    monkeypatch.setattr(search_plans, "FEW_MATCHES", 3)  # more than these are ordered by their row ids
    world = make_world()
    expected = []
    for day, count in (("2027-03-09", 2), ("2027-03-10", 12), ("2027-03-11", 1), ("2027-03-12", 9)):
        for number in range(count):
            time = f"{day} {20 - number:02}:00:00"
            expected.append((time, f"concert {time}"))
            world.make("events", title=f"concert {time}", start_date=time, end_date=f"{day} 22:00:00")
    world.make("events", title="something else", start_date="2027-03-10 09:00:00", end_date="2027-03-10 22:00:00")
    expected = [title for _, title in sorted(expected, reverse=order == "desc")]
    for first, last in (("2027-03-09", "2027-03-12"), ("2027-03-10", "2027-03-10"), ("2027-03-12", "2027-03-12")):
        wanted = [title for title in expected if first <= title[8:18] <= last]
        pages = []
        for page in range(1, (len(wanted) + 4) // 5 + 1):
            dates = f"start_date={first}&end_date={last}"
            found = world.get(f"/events?search=once&{dates}&per_page=5&page={page}&order={order}").json()
            assert found["total"] == len(wanted)
            pages += [event["title"] for event in found["events"]]
        assert pages == wanted
    check(world.calendar.store)
