"""Changes of the rule of a series in its history: told in words, and taken back."""

import re
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.admin.test_series_dates import days, fridays
from tests.conftest import World

FOUR = ["01-08 19:00", "01-15 19:00", "01-22 19:00", "01-29 19:00"]


def told(world: World, id: int, who: str = "editor") -> list[tuple[str, list[tuple[str, ...]]]]:
    """For each change the number with which it is restored, if that is offered, and what differs."""
    page = AdminClient(world, who).get(f"/admin/events/{id}/history").text
    found = []
    for section in re.findall(r'<section class="panel">.*?</section>', page, re.DOTALL):
        rev = re.search(r'name="rev" value="(\d+)"', section)
        rows = re.findall(r'<th scope="row">(.*?)</th><td.*?>(.*?)</td><td.*?>(.*?)</td>', section)
        found.append((rev[1] if rev else "", rows))
    return found


def restore(world: World, id: int, rev: str, who: str = "editor") -> str:
    person = AdminClient(world, who)
    person.post(f"/admin/events/{id}/history", {"rev": rev})
    return person.message()


def change(world: World, id: int, scope: str = "all", **values: Any) -> None:
    assert world.put(f"/events/{id}?scope={scope}", "editor", json=values).status_code == 200


@pytest.mark.both_stores
def test_an_end_that_was_changed_comes_back(world: World) -> None:
    id = fridays(world, recurrence="FREQ=WEEKLY;UNTIL=20270129T190000")[0]["id"]
    change(world, id, recurrence="FREQ=WEEKLY;UNTIL=20270115T190000")
    assert days(world) == FOUR[:2]
    rev, rows = told(world, id)[0]
    assert rows == [("Repeats", "Every Friday until January 29, 2027", "Every Friday until January 15, 2027")]
    assert "restored" in restore(world, id, rev)
    assert days(world) == FOUR
    assert told(world, id)[0][1] == [
        ("Repeats", "Every Friday until January 15, 2027", "Every Friday until January 29, 2027")
    ]


@pytest.mark.both_stores
def test_skipped_returned_and_added_dates_are_told(world: World) -> None:
    id, person = fridays(world)[0]["id"], AdminClient(world, "editor")
    person.post(f"/admin/events/{id}/dates", {"skip": "2027-01-15 19:00:00"})
    person.post(f"/admin/events/{id}/dates", {"take": "2027-01-15 19:00:00"})
    person.post(f"/admin/events/{id}/dates", {"add": "1", "day": "2027-01-12"})
    added, returned, skipped = told(world, id)
    assert ("Added dates", "", "Tue, Jan 12, 2027") in added[1]
    assert returned[1] == [("Skipped dates", "Fri, Jan 15, 2027", "")]
    assert skipped[1] == [("Skipped dates", "", "Fri, Jan 15, 2027")]
    restore(world, id, added[0])
    assert days(world) == FOUR
    restore(world, id, returned[0])  # as it was before it came back
    assert days(world) == [FOUR[0], *FOUR[2:]]


def test_an_earlier_rule_comes_back_at_the_times_of_now(world: World) -> None:
    id = fridays(world)[0]["id"]
    change(world, id, recurrence="FREQ=WEEKLY;COUNT=2")
    change(world, id, start_date="2027-01-07 18:00:00", end_date="2027-01-07 20:00:00")
    shortened = next(rev for rev, rows in told(world, id) if rows[0][0] == "Repeats" and "4 times" in rows[0][1])
    restore(world, id, shortened)
    assert days(world) == ["01-07 18:00", "01-14 18:00", "01-21 18:00", "01-28 18:00"]


def test_a_rule_that_would_have_the_dates_of_a_later_part_is_not_offered(world: World) -> None:
    series = fridays(world)
    change(world, series[2]["id"], "following", title="Choir and band")
    rev, rows = told(world, series[0]["id"])[0]
    assert rows[0][0] == "Repeats"
    assert rev == ""
    with world.calendar.store.read() as session:
        rev = str(session.value("SELECT max(rev) FROM version WHERE kind = 'series'"))
    assert "This stays as it is: Repeats." in restore(world, series[0]["id"], rev)
    assert len(days(world)) == 4


def test_that_an_event_began_to_repeat_is_told_and_not_taken_back(world: World) -> None:
    id = world.make("events", title="Choir", start_date="2027-01-08 19:00:00", end_date="2027-01-08 21:00:00")["id"]
    world.post(f"/events/{id}", json={"recurrence": "FREQ=WEEKLY;COUNT=2"})
    assert told(world, id) == [("", [("Repeats", "Does not repeat", "Every Friday, 2 times")])]
    change(world, id, recurrence="")
    assert told(world, id) == [
        ("", [("Repeats", "On several dates", "Does not repeat")]),
        ("", [("Repeats", "Does not repeat", "On several dates")]),
    ]


def test_who_cannot_change_all_dates_does_not_restore_their_rule(world: World) -> None:
    id = fridays(world, "author")[0]["id"]
    change(world, id, recurrence="FREQ=WEEKLY;COUNT=2")
    rev = told(world, id)[0][0]
    world.post(f"/events/{id}?scope=this", json={"author": world.ids["other_author"]})
    AdminClient(world, "author").post(f"/admin/events/{id}/history", {"rev": rev}, status=403)
    assert len(days(world)) == 2
