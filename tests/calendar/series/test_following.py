"""What was done to all dates of a series that are not over holds for its later dates."""

from typing import Any

import pytest
from tests import store_checks
from tests.admin.admin_client import AdminClient
from tests.calendar.series.test_scopes import WHOLE, make, occurrences, put

from kalends.calendar.series import filling

pytestmark = pytest.mark.both_stores


@pytest.fixture
def world(make_world: Any) -> Any:
    return make_world(recurrence_months="1")


def fill(world: Any, days: int = 30) -> None:
    world.clock.move(days=days)
    assert filling.fill_all(world.calendar) > 0


def own_fields(world: Any) -> list[str]:
    with world.calendar.store.read() as session:
        return session.column("SELECT own_fields FROM event ORDER BY original_start")  # type: ignore[no-any-return]


@pytest.mark.parametrize("status", ["draft", "pending", "private"])
def test_a_series_whose_dates_were_hidden_one_by_one_publishes_no_more(world: Any, status: str) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for event in found:
        put(world, event, status=status)
    assert set(own_fields(world)) == {"[]"}
    fill(world)
    put(world, found[0], scope="all", title="Secret", recurrence="FREQ=WEEKLY;BYDAY=TU,WE")
    assert world.get(f"/events?{WHOLE}").json()["total"] == 0
    assert {event["status"] for event in occurrences(world, found[0]["series"])} == {status}
    store_checks.check(world.calendar.store)


def test_hidden_in_different_ways_is_hidden_too(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for number, event in enumerate(found):
        put(world, event, status=("draft", "private")[number % 2])
    fill(world)
    assert world.get(f"/events?{WHOLE}").json()["total"] == 0


@pytest.mark.parametrize(
    "ways",
    [
        ({"status": "private"}, {"post_password": "opensesame"}),
        ({"post_password": "opensesame"}, {"status": "draft"}),
        ({"date_utc": "2027-06-01 00:00:00"}, {"status": "draft"}),
        ({"post_password": "opensesame"}, {"date_utc": "2027-06-01 00:00:00"}, {"status": "private"}),
    ],
    ids=lambda ways: "-".join(next(iter(way)) for way in ways),
)
def test_dates_of_which_each_is_hidden_in_its_own_way_make_nothing_public(
    world: Any, ways: tuple[dict[str, str], ...]
) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for number, event in enumerate(found):
        put(world, event, **ways[number % len(ways)])
    fill(world)
    after = occurrences(world, found[0]["series"])
    assert len(after) > len(found)
    assert {world.get(f"/events/{event['id']}").status_code for event in after} == {403}
    store_checks.check(world.calendar.store)


def test_some_hidden_dates_do_not_hide_the_later_ones(world: Any) -> None:
    first, second, *_ = make(world, recurrence="FREQ=WEEKLY")
    put(world, first, status="draft")
    put(world, second, hide_from_listings=True)
    before = world.get(f"/events?{WHOLE}").json()["total"]
    fill(world)
    assert world.get(f"/events?{WHOLE}").json()["total"] == before + 4


def test_what_is_over_does_not_count(world: Any) -> None:
    first, *others = make(world, recurrence="FREQ=WEEKLY")
    world.clock.move(days=3)
    for event in others:
        put(world, event, status="private")
    fill(world)
    assert [event["id"] for event in world.get(f"/events?{WHOLE}").json()["events"]] == [first["id"]]
    assert own_fields(world)[0] == '["status"]'
    put(world, first, status="private")
    assert own_fields(world)[0] == "[]"


def test_a_password_on_every_date_protects_the_later_ones(world: Any) -> None:
    for number, event in enumerate(make(world, recurrence="FREQ=WEEKLY", description="secret")):
        put(world, event, post_password=("sesame", "simsim")[number % 2])
    fill(world)
    listed = world.get(f"/events?{WHOLE}").json()["events"]
    assert len(listed) > 5
    assert {event["description"] for event in listed} == {""}
    assert world.get(f"/events/{listed[-1]['id']}").status_code == 403


def test_hiding_from_lists_and_taking_it_back(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for event in found:
        put(world, event, hide_from_listings=True)
    fill(world)
    assert world.get(f"/events?{WHOLE}").json()["total"] == 0
    with world.calendar.store.read() as session:
        ids = session.column("SELECT id FROM event")
    for id in ids:
        put(world, {"id": id}, hide_from_listings=False)
    before = world.get(f"/events?{WHOLE}").json()["total"]
    fill(world)
    assert world.get(f"/events?{WHOLE}").json()["total"] > before > 0


def test_publishing_all_drafts_by_a_bulk_action_publishes_the_later_ones(world: Any) -> None:
    found = make(world, "contributor", recurrence="FREQ=WEEKLY")
    some, others = found[:2], found[2:]
    admin = AdminClient(world, "editor")
    for part in (some, others):
        admin.post("/admin/events", {"action": "publish", "event": [str(event["id"]) for event in part]})
        listed = world.get(f"/events?series={found[0]['series']}&{WHOLE}").json()["events"]
        assert {event["series"] for event in listed} == {found[0]["series"]}
        assert len(listed) == (len(some) if part is some else len(found))
    fill(world)
    assert world.get(f"/events?{WHOLE}").json()["total"] == len(found) + 4


def test_scheduling_all_drafts_schedules_the_later_ones(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY", status="draft")
    for event in found:
        put(world, event, status="publish", date="2026-11-20 12:00:00")
    assert {event["status"] for event in occurrences(world, found[0]["series"])} == {"future"}
    world.clock.move(days=1)
    put(world, found[0], scope="all", recurrence="FREQ=WEEKLY;BYDAY=TU,WE")
    assert {event["status"] for event in occurrences(world, found[0]["series"])} == {"future"}
    fill(world)
    assert world.get(f"/events?{WHOLE}").json()["total"] == len(occurrences(world, found[0]["series"])) > 8


def test_a_series_whose_dates_were_all_cancelled_makes_no_more_until_one_is_back(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for event in found:
        assert world.delete(f"/events/{event['id']}").status_code == 200
    world.clock.move(days=60)
    assert filling.fill_all(world.calendar) == 0
    assert occurrences(world, found[0]["series"]) == []
    assert put(world, found[-1], status="publish")["recurrence"]["rule"] == "FREQ=WEEKLY"
    store_checks.check(world.calendar.store)


def test_cancelled_dates_that_are_brought_back_at_once_are_a_series_without_an_end_again(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for event in found:
        assert world.delete(f"/events/{event['id']}").status_code == 200
    for event in found:
        put(world, event, status="publish")
    fill(world)
    assert len(occurrences(world, found[0]["series"])) == len(found) + 4


def test_hiding_all_dates_and_taking_it_back_leaves_the_series_as_it_was(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    with world.calendar.store.read() as session:
        before = session.column("SELECT template FROM series")
    for status in ("private", "publish"):
        for event in found:
            put(world, event, status=status)
    with world.calendar.store.read() as session:
        assert session.column("SELECT template FROM series") == before
    assert set(own_fields(world)) == {"[]"}


def test_a_split_series_follows_in_each_part(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY")
    for event in found[2:]:
        put(world, event, status="draft")
    later = put(world, found[2], scope="following", title="Later")
    assert later["series"] != found[0]["series"]
    fill(world)
    assert {event["status"] for event in occurrences(world, later["series"])} == {"draft"}
    assert {event["status"] for event in occurrences(world, found[0]["series"])} == {"publish"}
    store_checks.check(world.calendar.store)
