"""The numbers by which the word index knows events: one for each, in the order of their days."""

import pytest

from kalends.store import posts, slots
from kalends.store.database import Session
from kalends.store.records import Event


@pytest.fixture
def session(make_world):
    with make_world().calendar.store.write() as session:
        yield session


@pytest.fixture
def small_days(monkeypatch):
    monkeypatch.setattr(slots, "DAY", 5)
    monkeypatch.setattr(slots, "CROWD", 5 * 10**8)


def place(session: Session, id: int, day: str) -> int:
    """Writes an event that starts on a day; its slot."""
    times = dict.fromkeys(
        ("date_utc", "modified_utc", "start_local", "end_local", "start_utc", "end_utc"), f"{day} 10:00:00"
    )
    event = Event(id=id, author=1, status="publish", slug=f"s{id}", name=f"event {id}", **times)
    exists = posts.find(session, "event", id) is not None
    (posts.update if exists else posts.insert)(session, "event", event)
    return int(session.value("SELECT slot FROM event WHERE id = ?", (id,)))


def test_slots_come_in_the_order_of_days_and_tell_them(session):
    days = ["2027-03-10", "0001-01-01", "2027-03-09", "9999-12-31", "2027-03-10"]
    taken = [place(session, id, day) for id, day in enumerate(days, 1)]
    assert [slot // slots.DAY for slot in taken] == [20270310, 10101, 20270309, 99991231, 20270310]
    assert len(set(taken)) == len(taken)
    low, high = slots.between(session, "2027-03-10 00:00:00", "2027-03-10 10:30:00")
    assert [low <= slot < high for slot in taken] == [True, False, False, False, True]
    assert slots.between(session, None, None) == (0, slots.CROWD)


def test_an_event_keeps_its_slot_until_it_moves_to_another_day(session):
    first, second = place(session, 1, "2027-03-10"), place(session, 2, "2027-03-10")
    assert place(session, 1, "2027-03-10") == first
    assert place(session, 1, "2027-03-11") // slots.DAY == 20270311
    assert place(session, 1, "2027-03-10") > second


def test_a_full_day_takes_again_what_was_left(session, small_days):
    for id in range(1, 5):
        place(session, id, "2027-03-10")
    left = session.value("SELECT slot FROM event WHERE id = 3")
    posts.delete(session, "event", 3)
    assert place(session, 5, "2027-03-10") == left
    assert place(session, 6, "2027-03-11") == 20270311 * slots.DAY + 1


def test_what_finds_no_room_on_its_day_is_put_behind_all_days(session, small_days):
    for id in range(1, 5):
        assert place(session, id, "2027-03-10") < slots.CROWD
    assert slots.between(session, "2027-03-10 00:00:00", None) is not None
    assert place(session, 5, "2027-03-10") > slots.CROWD
    assert slots.between(session, "2027-03-10 00:00:00", None) is None
    posts.delete(session, "event", 1)
    assert place(session, 5, "2027-03-10") < slots.CROWD
    assert slots.between(session, "2027-03-10 00:00:00", None) is not None


def test_a_crowded_day_is_searched_like_any_other(make_world, small_days):
    world = make_world()
    day = {"start_date": "2027-03-10 10:00:00", "end_date": "2027-03-10 11:00:00"}
    titles = [f"concert {number}" for number in range(7)]
    for title in titles:
        world.make("events", title=title, **day)
    world.make("events", title="another concert", start_date="2027-03-11 10:00:00", end_date="2027-03-11 11:00:00")
    found = world.get("/events?search=onc&start_date=2027-03-10&end_date=2027-03-10&per_page=5&page=2").json()
    assert (found["total"], [event["title"] for event in found["events"]]) == (7, titles[5:])
