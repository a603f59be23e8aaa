"""What a source brings, changes and takes away, read after read."""

import pytest
from tests.conftest import World
from tests.features.importing.spreadsheets import xlsx
from tests.features.sources.calendars import Elsewhere, add, counts, entry, events, read, run, titles

pytestmark = pytest.mark.both_stores


def test_it_is_read_at_its_time(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000", "Concert", LOCATION="Town hall"))
    made = add(world, remote)
    run(world)
    (event,) = events(world)
    assert (event["title"], event["start_date"], event["venue"]["venue"]) == (
        "Concert",
        "2027-03-10 19:00:00",
        "Town hall",
    )
    found = world.get(f"/sources/{made['id']}", "administrator").json()
    assert (found["kind"], found["last_success"], found["next_run"], found["error"]) == (
        "ics",
        "2026-11-15 12:00:00",
        "2026-11-15 13:00:00",
        "",
    )
    assert counts(found) == (1, 0, 0, 0, 0)
    run(world)
    assert len(remote.asked) == 1
    world.clock.move(hours=1)
    run(world)
    assert len(remote.asked) == 2


def test_what_has_not_changed_costs_a_request_and_no_write(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"), entry("2@town", "20270311T190000"))
    made = add(world, remote)
    read(world, made)
    before = world.count()
    assert counts(read(world, made)) == (0, 0, 2, 0, 0)
    remote.etag = '"one"'
    remote.show(entry("1@town", "20270310T190000", "Other"), entry("2@town", "20270311T190000"))
    assert counts(read(world, made)) == (0, 1, 1, 0, 0)
    between = world.count()
    assert between > before
    assert counts(read(world, made)) == (0, 0, 2, 0, 0)
    assert remote.asked[-1]["if-none-match"] == '"one"'
    assert world.count() == between


def test_created_changed_and_gone(world: World, remote: Elsewhere) -> None:
    remote.show(*(entry(f"{day}@town", f"202703{day}T190000", f"Day {day}") for day in (10, 11, 12)))
    made = add(world, remote)
    assert counts(read(world, made)) == (3, 0, 0, 0, 0)
    remote.show(
        entry("10@town", "20270310T190000", "Day 10"),
        entry("12@town", "20270312T200000", "Day 12"),
        entry("13@town", "20270313T190000", "Day 13"),
    )
    assert counts(read(world, made)) == (1, 1, 1, 1, 0)
    assert titles(world) == ["Day 10", "Day 12", "Day 13"]
    assert titles(world, status="trash") == ["Day 11"]
    remote.show(*(entry(f"{day}@town", f"202703{day}T190000", f"Day {day}") for day in (10, 11, 12, 13)))
    assert counts(read(world, made)) == (0, 2, 2, 0, 0)
    assert titles(world) == ["Day 10", "Day 11", "Day 12", "Day 13"]


@pytest.mark.parametrize(("when_gone", "expected"), [("cancel", "cancelled"), ("keep", "scheduled")])
def test_what_becomes_of_what_is_gone(world: World, remote: Elsewhere, when_gone: str, expected: str) -> None:
    both = entry("1@town", "20270310T190000", "One"), entry("2@town", "20270311T190000", "Two")
    remote.show(*both)
    made = add(world, remote, when_gone=when_gone)
    read(world, made)
    for _ in range(2):
        remote.show(both[0])
        assert counts(read(world, made)) == (0, 0, 1, 1, 0)
        remote.show(both[0], X_WR_CALNAME="Another name")
        assert counts(read(world, made)) == (0, 0, 1, 0, 0)
        assert [one["event_status"] for one in events(world)] == ["scheduled", expected]
        remote.show(*both)
        read(world, made)
        assert [one["event_status"] for one in events(world)] == ["scheduled", "scheduled"]


def test_what_was_changed_here_stays(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000", "Concert", DESCRIPTION="First"))
    made = add(world, remote)
    read(world, made)
    (event,) = events(world)
    world.put(f"/events/{event['id']}", json={"title": "Concert in the park"})
    remote.show(entry("1@town", "20270310T200000", "Concert!", DESCRIPTION="Second"))
    read(world, made)
    (event,) = events(world)
    assert (event["title"], event["start_date"]) == ("Concert in the park", "2027-03-10 20:00:00")
    assert "Second" in event["description"]


def test_what_was_trashed_here_does_not_come_back(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"), entry("2@town", "20270311T190000"))
    made = add(world, remote)
    read(world, made)
    one, two = events(world)
    world.delete(f"/events/{one['id']}")
    world.delete(f"/events/{two['id']}?force=true")
    remote.show(entry("1@town", "20270310T200000"), entry("2@town", "20270311T200000"))
    assert counts(read(world, made)) == (0, 0, 0, 0, 0)
    assert titles(world) == []


def test_ids_that_change_at_every_fetch(world: World, remote: Elsewhere) -> None:
    def show(times: str, *more: str) -> None:
        remote.show(*(entry(f"{times}-{day}", f"202703{day}T190000", f"Day {day}") for day in (10, 11, 12)), *more)

    show("a")
    made = add(world, remote)
    read(world, made)
    ids = [one["id"] for one in events(world)]
    show("b", entry("b-13", "20270313T190000", "Day 13"))
    assert counts(read(world, made)) == (1, 0, 3, 0, 0)
    assert [one["id"] for one in events(world)][:3] == ids
    show("c")
    assert counts(read(world, made)) == (0, 0, 3, 1, 0)
    assert [one["id"] for one in events(world)] == ids


def test_the_window_counts(world: World, remote: Elsewhere) -> None:
    old = [entry(f"old-{year}@town", f"{year}0310T190000", "Long ago") for year in range(1601, 2026, 5)]
    far = entry("far@town", "99991231T190000", "The end")
    remote.show(*old, entry("1@town", "20270310T190000"), entry("late@town", "20271215T190000", "Late"), far)
    made = add(world, remote)
    assert counts(read(world, made)) == (1, 0, 0, 0, 0)
    world.clock.move(days=35)
    assert counts(read(world, made)) == (1, 0, 1, 0, 0)  # the window has reached it
    assert titles(world) == ["Concert", "Late"]
    world.clock.move(days=400)
    remote.show(entry("2@town", "20280310T190000"))
    assert counts(read(world, made))[3] == 0  # what is over and has left the window is not gone
    assert len(titles(world)) == 3


def test_a_list_of_what_is_to_come_removes_nothing_that_is_over(world: World, remote: Elsewhere) -> None:
    remote.show(*(entry(f"{day}@town", f"202611{day}T190000") for day in (17, 18, 19)))
    made = add(world, remote)
    read(world, made)
    world.clock.move(days=3, hours=12)
    remote.show(*(entry(f"{day}@town", f"202611{day}T190000") for day in (19, 20)))
    assert counts(read(world, made)) == (1, 0, 1, 0, 0)
    assert len(events(world)) == 4


def test_words(world: World, remote: Elsewhere) -> None:
    remote.show(
        entry("1@town", "20270310T190000", "Jazz in the park"),
        entry("2@town", "20270311T190000", "Jazz and beer"),
        entry("3@town", "20270312T190000", "Jazzercise"),
    )
    made = add(world, remote, take=["jazz"], leave_out=["Béer"])
    assert counts(read(world, made)) == (1, 0, 0, 0, 0)
    assert titles(world) == ["Jazz in the park"]


def test_what_events_have_besides(world: World, remote: Elsewhere) -> None:
    category, tag = world.make("categories", name="Town"), world.make("tags", name="read")
    venue, organizer = world.make("venues", venue="Anywhere"), world.make("organizers", organizer="The town")
    remote.show(
        entry("1@town", "20270310T190000", "One", LOCATION="Town hall", CATEGORIES="Music"),
        entry("2@town", "20270311T190000", "Two"),
    )
    made = add(
        world, remote, categories=[category["id"]], tags=[tag["id"]], venue=venue["id"], organizer=organizer["id"],
        author=world.ids["author"],
    )  # fmt: skip
    read(world, made)
    one, two = events(world)
    assert {found["name"] for found in one["categories"]} == {"Town", "Music"}
    assert (one["venue"]["venue"], two["venue"]["venue"]) == ("Town hall", "Anywhere")
    assert [found["organizer"] for found in two["organizer"]] == ["The town"]
    assert two["author"] == str(world.ids["author"])
    assert [found["name"] for found in two["tags"]] == ["read"]


def test_into_review(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"))
    made = add(world, remote, publish="review")
    found = read(world, made)
    assert counts(found) == (1, 0, 0, 0, 1)
    (event,) = events(world, status="pending")
    world.put(f"/events/{event['id']}", json={"status": "publish"})
    remote.show(entry("1@town", "20270310T190000", "Concert", DESCRIPTION="More"))
    assert counts(read(world, made)) == (0, 1, 0, 0, 0)
    (event,) = events(world, status="publish")
    assert "More" in event["description"]


def test_our_own_events_that_come_back_are_left_alone(world: World, remote: Elsewhere) -> None:
    world.make("events", title="Ours")
    feed = world.get("/events.ics", params={"start_date": "2026-01-01", "end_date": "2030-01-01"}).content
    remote.body = feed.replace(b"SUMMARY:Ours", b"SUMMARY:Theirs")
    made = add(world, remote)
    before = world.count()
    found = read(world, made)
    assert (found["error"], counts(found)) == ("", (0, 0, 0, 0, 0))
    assert (titles(world), world.count()) == (["Ours"], before)


def series(**more: str) -> str:
    more = {"RRULE": "FREQ=WEEKLY;COUNT=4"} | more
    return entry("weekly@town", "20270301T190000", "Choir", end="20270301T210000", **more)


def date(day: str, start: str, title: str = "Choir", **more: str) -> str:
    return entry("weekly@town", start, title, end=start.replace("T19", "T21").replace("T20", "T22"),
                 RECURRENCE_ID=f"{day}T190000", **more)  # fmt: skip


def starts(world: World, **query: str) -> list[str]:
    return [one["start_date"][5:16] for one in events(world, **query)]


def test_a_date_of_a_series_is_moved_cancelled_and_moved_back(world: World, remote: Elsewhere) -> None:
    remote.show(series())
    made = add(world, remote)
    assert counts(read(world, made)) == (1, 0, 0, 0, 0)
    assert starts(world) == ["03-01 19:00", "03-08 19:00", "03-15 19:00", "03-22 19:00"]
    remote.show(
        series(), date("20270308", "20270309T200000"), date("20270315", "20270315T190000", STATUS="CANCELLED")
    )
    assert counts(read(world, made))[3] == 1
    assert starts(world) == ["03-01 19:00", "03-09 20:00", "03-22 19:00"]
    remote.show(series())
    read(world, made)
    assert starts(world)[:2] == ["03-01 19:00", "03-08 19:00"]
    remote.show(series(EXDATE="20270322T190000"))
    read(world, made)
    assert "03-22 19:00" not in starts(world)


def test_a_series_that_is_gone(world: World, remote: Elsewhere) -> None:
    remote.show(series(), entry("1@town", "20270310T190000"))
    made = add(world, remote)
    read(world, made)
    remote.show(entry("1@town", "20270310T190000"))
    assert counts(read(world, made)) == (0, 0, 1, 1, 0)
    assert starts(world) == ["03-10 19:00"]


def test_paused_and_read_again(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"))
    made = add(world, remote, active=False)
    run(world)
    assert not remote.asked
    assert counts(read(world, made)) == (1, 0, 0, 0, 0)
    world.clock.move(days=2)
    run(world)
    assert len(remote.asked) == 1
    world.put(f"/sources/{made['id']}", json={"active": True})
    run(world)
    assert len(remote.asked) == 2


def test_a_table(world: World, remote: Elsewhere) -> None:
    remote.content_type = "text/csv"
    remote.body = b"Event Name,Event Start Date,Event Start Time\nConcert,2027-03-10,19:00\nTalk,2027-03-11,19:00\n"
    made = add(world, remote)
    found = read(world, made)
    assert (found["kind"], counts(found)) == ("csv", (2, 0, 0, 0, 0))
    remote.body = b"Event Name,Event Start Date,Event Start Time\nConcert,2027-03-10,19:00\n"
    assert counts(read(world, made)) == (0, 0, 1, 1, 0)
    assert titles(world) == ["Concert"]


def test_a_spreadsheet(world: World, remote: Elsewhere) -> None:
    remote.content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    rows = [["Programm 2027"], ["Datum", "Uhrzeit", "Titel"], ["10.03.", "19 Uhr", "Concert"], ["11.03.", "", "Talk"]]
    remote.body = xlsx(rows)
    made = add(world, remote)
    found = read(world, made)
    assert (found["kind"], counts(found)) == ("csv", (2, 0, 0, 0, 0))
    remote.body = xlsx(rows[:3])
    assert counts(read(world, made)) == (0, 0, 1, 1, 0)
    assert titles(world) == ["Concert"]


def test_a_changed_setting_is_taken_at_once(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"))
    made = add(world, remote)
    read(world, made)
    category = world.make("categories", name="Town")
    world.put(f"/sources/{made['id']}", json={"categories": [category["id"]]})
    run(world)
    (event,) = events(world)
    assert [one["name"] for one in event["categories"]] == ["Town"]


def test_after_it_is_removed_its_events_stay(world: World, remote: Elsewhere) -> None:
    remote.show(entry("1@town", "20270310T190000"))
    made = add(world, remote)
    read(world, made)
    world.delete(f"/sources/{made['id']}")
    world.clock.move(days=1)
    run(world)
    assert len(remote.asked) == 1
    assert titles(world) == ["Concert"]
    assert counts(read(world, add(world, remote))) == (0, 0, 1, 0, 0)  # it is known again
