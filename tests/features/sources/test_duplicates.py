"""The same event from two sources, or from a source and by hand: what is sure is one event, what may be is asked."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.admin.admin_client import AdminClient
from tests.conftest import BASE_URL, World
from tests.features.sources.calendars import Elsewhere, add, counts, elsewhere, entry, events, read, run, titles

from kalends.calendar.access import SERVICE
from kalends.features.importing.undo import undoing

pytestmark = pytest.mark.both_stores

WHEN = "20270310T190000"
THEN = {"start_date": "2027-03-10 19:00", "end_date": "2027-03-10 21:00", "timezone": "Europe/Dublin"}
JAZZ = {"LOCATION": "Town Hall", "DESCRIPTION": "With the Blue Trio"}
CHOIR, OTHER_CHOIR = "Choir rehearsal: sopranos", "Choir rehearsal: basses"


@pytest.fixture
def other() -> Iterator[Elsewhere]:
    with elsewhere() as found:
        yield found


@pytest.fixture
def town(world: World, remote: Elsewhere) -> dict[str, Any]:
    """A source that has one concert."""
    remote.show(entry("1@town", WHEN, "Jazz Night at the Hall", **JAZZ))
    source = add(world, remote, name="The town")
    read(world, source)
    return source


def queue(world: World, state: str = "open", who: str = "editor") -> list[dict[str, Any]]:
    response = world.get("/sources/duplicates", who, params={"state": state})
    assert response.status_code == 200, response.text
    return list(response.json()["duplicates"])


def answer(world: World, pair: dict[str, Any], said: str, status: int = 200, **more: Any) -> dict[str, Any]:
    body = {"answer": said} | more
    response = world.post(f"/sources/duplicates/{pair['id']}", "editor", json=body)
    assert response.status_code == status, response.text
    found: dict[str, Any] = response.json()
    return found


def look(world: World) -> None:
    """The work for later has compared what changed."""
    world.clock.move(minutes=2)
    run(world)


def asked_of(world: World, other: Elsewhere, title: str = OTHER_CHOIR, **more: str) -> dict[str, Any]:
    """The second source, which tells what may be the same."""
    other.show(entry("other@society", WHEN, title, LOCATION="Town Hall"))
    source = add(world, other, name="The society", **more)
    read(world, source)
    return source


@pytest.fixture
def choirs(world: World, remote: Elsewhere, other: Elsewhere) -> list[dict[str, Any]]:
    """Two sources with what may be one rehearsal."""
    remote.show(entry("1@town", WHEN, CHOIR, LOCATION="Town Hall"))
    sources = [add(world, remote, name="The town")]
    read(world, sources[0])
    return [*sources, asked_of(world, other)]


# What is sure


def test_the_same_uid_from_two_sources_is_one_event(
    world: World, town: dict[str, Any], remote: Elsewhere, other: Elsewhere
) -> None:
    uid = "f81d4fae-7dec@town.example"
    remote.show(entry(uid, WHEN, "Jazz Night", **JAZZ))
    read(world, town)
    other.show(entry(uid, WHEN, "An evening of jazz music", URL="https://society.example/jazz"))
    source = read(world, add(world, other, name="The society"))
    assert titles(world) == ["Jazz Night"]
    assert counts(source)[0] == 0
    (found,) = queue(world, "joined")
    assert (found["source"], len(found["events"])) == ("The society", 1)
    assert events(world)[0]["website"] == "https://society.example/jazz"  # nothing else told one


def test_what_agrees_in_title_start_and_place_is_one_event(
    world: World, town: dict[str, Any], remote: Elsewhere, other: Elsewhere
) -> None:
    other.show(entry("77", WHEN, "JAZZ NIGHT AT THE HALL!", LOCATION="Town Hall"))
    source = add(world, other)
    read(world, source)
    read(world, source)
    assert titles(world) == ["Jazz Night at the Hall"]
    assert queue(world) == []
    other.show(entry("77", "20270310T200000", "Jazz Night, an hour later", LOCATION="Town Hall"))
    read(world, source)
    (one,) = events(world)
    assert (one["title"], one["start_date"]) == ("Jazz Night at the Hall", "2027-03-10 20:00:00")


def test_it_goes_when_no_source_has_it_any_more(
    world: World, town: dict[str, Any], remote: Elsewhere, other: Elsewhere
) -> None:
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall"), entry("78", "20270401T190000"))
    source = add(world, other)
    read(world, source)
    remote.show(entry("2@town", "20270402T190000", "Brass band"))
    read(world, town)
    assert "Jazz Night at the Hall" in titles(world)
    remote.show(
        entry("1@town", WHEN, "Jazz Night at the Hall", **JAZZ), entry("2@town", "20270402T190000", "Brass band")
    )
    read(world, town)  # it is there again
    remote.show(entry("2@town", "20270402T190000", "Brass band"))
    read(world, town)
    other.show(entry("78", "20270401T190000"))
    read(world, source)
    assert titles(world) == ["Concert", "Brass band"]


def test_what_somebody_entered_stays_when_a_source_has_it_no_more(world: World, remote: Elsewhere) -> None:
    world.make("events", title="Jazz Night at the Hall", **THEN, status="publish", venue={"venue": "Town Hall"})
    remote.show(
        entry("1@town", WHEN, "Jazz Night at the Hall", **JAZZ), entry("2@town", "20270402T190000", "Brass band")
    )
    source = add(world, remote)
    read(world, source)
    assert titles(world) == ["Jazz Night at the Hall", "Brass band"]
    remote.show(entry("2@town", "20270402T190000", "Brass band"))
    read(world, source)
    remote.show(
        entry("1@town", WHEN, "Jazz Night", STATUS="CANCELLED"), entry("2@town", "20270402T190000", "Brass band")
    )
    read(world, source)
    assert titles(world) == ["Jazz Night at the Hall", "Brass band"]


def test_an_event_of_ours_that_comes_back_by_a_second_route(world: World, remote: Elsewhere) -> None:
    made = world.make(
        "events",
        title="Harbour run",
        start_date="2027-03-10 19:00",
        end_date="2027-03-10 21:00",
        timezone="Europe/Dublin",
        status="publish",
    )
    remote.show(
        entry("555@portal", WHEN, "Run in the harbour – all ages", URL=f"{BASE_URL}/event/{made['slug']}/"),
        entry(f"event-{made['id']}@elsewhere", "20270311T190000", "Something else"),
    )
    read(world, add(world, remote))
    assert titles(world) == ["Harbour run", "Something else"]


def test_a_draft_is_never_joined(world: World, remote: Elsewhere) -> None:
    world.make(
        "events",
        title="Jazz Night at the Hall",
        start_date="2027-03-10 19:00",
        end_date="2027-03-10 21:00",
        timezone="Europe/Dublin",
        status="draft",
    )
    remote.show(entry("1@town", WHEN, "Jazz Night at the Hall", **JAZZ))
    read(world, add(world, remote))
    assert [one["status"] for one in events(world, status="publish")] == ["publish"]


def test_a_joined_event_can_be_parted(
    world: World, town: dict[str, Any], remote: Elsewhere, other: Elsewhere
) -> None:
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall"))
    source = add(world, other)
    read(world, source)
    (joined,) = queue(world, "joined")
    answer(world, joined, "same", status=409)
    answer(world, joined, "two")
    read(world, source)
    read(world, source)
    look(world)
    assert titles(world) == ["Jazz Night at the Hall"] * 2
    assert queue(world) == []
    answer(world, joined, "open")
    assert titles(world) == ["Jazz Night at the Hall"]
    assert len(queue(world, "joined")) == 1


# What is asked


def test_what_may_be_the_same_waits_for_an_answer(world: World, choirs: list[dict[str, Any]]) -> None:
    (pair,) = queue(world)
    assert [(one["title"], one["status"], one["sources"]) for one in pair["events"]] == [
        (CHOIR, "publish", ["The town"]),
        (OTHER_CHOIR, "pending", ["The society"]),
    ]
    assert world.get("/events", params={"start_date": "2027-03-01", "end_date": "2027-04-01"}).json()["total"] == 1
    assert world.get(f"/sources/{choirs[1]['id']}", "administrator").json()["held"] == 1


def test_two_events_are_both_public_and_never_asked_about_again(
    world: World, choirs: list[dict[str, Any]], other: Elsewhere
) -> None:
    (pair,) = queue(world)
    assert answer(world, pair, "two")["state"] == "two"
    other.show(entry("other@society", WHEN, OTHER_CHOIR, LOCATION="Town Hall", DESCRIPTION="New"))
    for source in choirs:
        read(world, source)
        look(world)
    assert [one["status"] for one in events(world)] == ["publish", "publish"]
    assert queue(world) == []
    answer(world, pair, "two", status=409)


def test_the_same_is_one_event_with_both_sources(
    world: World, choirs: list[dict[str, Any]], remote: Elsewhere, other: Elsewhere
) -> None:
    (pair,) = queue(world)
    answer(world, pair, "same")
    assert titles(world) == [CHOIR]
    other.show(entry("other@society", WHEN, OTHER_CHOIR, LOCATION="Town Hall", DESCRIPTION="Bring your notes"))
    read(world, choirs[1])
    look(world)
    (one,) = events(world)
    assert (one["title"], "Bring your notes" in one["description"]) == (CHOIR, True)
    remote.show(entry("1@town", "20270310T200000", CHOIR, LOCATION="Town Hall"))
    read(world, choirs[0])
    assert [one["start_date"] for one in events(world)] == ["2027-03-10 20:00:00"]
    assert queue(world) == []


def test_the_editor_says_which_one_stays(world: World, choirs: list[dict[str, Any]]) -> None:
    (pair,) = queue(world)
    kept = pair["events"][1]["id"]
    assert pair["stays"] == pair["events"][0]["id"]
    version = pair["events"][1]["publishes"]["version"]  # it has waited for the answer
    answer(world, pair, "same", keep=kept, publish=version)
    assert [(one["id"], one["status"]) for one in events(world)] == [(kept, "publish")]


@pytest.mark.parametrize("said", ["same", "two"])
def test_an_answer_is_taken_back(world: World, choirs: list[dict[str, Any]], said: str) -> None:
    (pair,) = queue(world)
    answer(world, pair, said)
    assert queue(world) == []
    assert answer(world, pair, "open")["state"] == "open"
    assert [one["status"] for one in events(world, status="publish,pending")] == ["publish", "pending"]
    assert [one["id"] for one in queue(world)] == [pair["id"]]
    for source in choirs:
        read(world, source)
    assert sorted(titles(world, status="publish,pending")) == sorted([CHOIR, OTHER_CHOIR])
    answer(world, pair, "open", status=409)


def test_what_people_enter_is_compared_with_what_a_source_has(world: World, town: dict[str, Any]) -> None:
    world.make(
        "events",
        "contributor",
        title="Jazz night at the hall",
        start_date="2027-03-10 19:00",
        end_date="2027-03-10 21:00",
        timezone="Europe/Dublin",
        venue={"venue": "Town Hall"},
    )
    look(world)
    (pair,) = queue(world)
    assert [one["sources"] for one in pair["events"]] == [["The town"], []]
    answer(world, pair, "same")
    assert [one["title"] for one in events(world)] == ["Jazz Night at the Hall"]


def test_two_that_people_entered_are_theirs(world: World, town: dict[str, Any]) -> None:
    for _ in range(2):
        world.make(
            "events",
            title="Bring and share",
            start_date="2027-05-10 19:00",
            end_date="2027-05-10 21:00",
            status="publish",
        )
    look(world)
    assert queue(world) == []


# Crossed


def test_what_was_trashed_does_not_come_back_by_another_source(
    world: World, town: dict[str, Any], other: Elsewhere
) -> None:
    world.delete(f"/events/{events(world)[0]['id']}")
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall"))
    source = add(world, other)
    for _ in range(2):
        read(world, source)
        assert titles(world) == []
    look(world)
    assert queue(world) == []


def test_what_its_source_had_gone_comes_by_another_one(
    world: World, town: dict[str, Any], remote: Elsewhere, other: Elsewhere
) -> None:
    remote.show(entry("2@town", "20270402T190000", "Brass band"))
    read(world, town)
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall"))
    read(world, add(world, other))
    assert titles(world) == ["Jazz Night at the Hall", "Brass band"]


def test_a_pair_of_which_one_is_in_the_trash_is_not_asked_about(world: World, choirs: list[dict[str, Any]]) -> None:
    (pair,) = queue(world)
    world.delete(f"/events/{pair['events'][1]['id']}")
    assert queue(world) == []
    answer(world, pair, "same", status=409)
    look(world)
    assert queue(world) == []


def test_merged_venues_are_one_place(world: World, town: dict[str, Any], other: Elsewhere) -> None:
    hall = world.get("/venues", "administrator").json()["venues"][0]
    kept = world.make("venues", venue="Grand Hall of the Town", status="publish")
    AdminClient(world, "editor").post("/admin/venues/merge", {"id": str(hall["id"]), "into": str(kept["id"])})
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Grand Hall of the Town"))
    read(world, add(world, other))
    assert titles(world) == ["Jazz Night at the Hall"]


def weekly(uid: str, title: str, **more: str) -> str:
    return entry(uid, WHEN, title, RRULE="FREQ=WEEKLY;COUNT=4", LOCATION="Town Hall", **more)


def test_a_single_date_is_one_of_a_series(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    remote.show(weekly("1@town", "Jazz Night at the Hall"))
    read(world, add(world, remote))
    other.show(
        entry("77", "20270317T190000", "Jazz Night at the Hall", LOCATION="Town Hall", URL="https://a.example/b"),
        entry("79", "20270318T190000", "Jazz Night at the Hall", LOCATION="Town Hall"),
    )
    source = add(world, other)
    read(world, source)
    found = [(one["start_date"][:10], one["website"]) for one in events(world)]
    assert found == [
        ("2027-03-10", ""),
        ("2027-03-17", "https://a.example/b"),
        ("2027-03-18", ""),
        ("2027-03-24", ""),
        ("2027-03-31", ""),
    ]
    other.show(entry("79", "20270318T190000", "Jazz Night at the Hall", LOCATION="Town Hall"))
    read(world, source)
    assert len(events(world)) == 5


def test_the_same_series_is_one(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    remote.show(weekly("1@town", "Jazz Night at the Hall"))
    read(world, add(world, remote))
    other.show(weekly("77", "Jazz Night at the Hall", EXDATE="20270324T190000"))
    read(world, add(world, other))
    (pair,) = queue(world)  # of one the dates are not the same
    answer(world, pair, "same")
    assert [one["start_date"][:10] for one in events(world)] == [f"2027-03-{day}" for day in (10, 17, 24, 31)]
    answer(world, pair, "open")
    assert len(events(world, status="publish,pending")) == 7


def test_dates_of_a_series_are_one_question(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    dates = [f"202703{day}T190000" for day in (10, 17, 24, 31)]
    remote.show(*[entry(f"{date}@town", date, "Jazz Night at the Hall", LOCATION="Town Hall") for date in dates])
    read(world, add(world, remote))
    other.show(weekly("77", "Jazz Night at the Hall"))
    read(world, add(world, other))
    look(world)
    pairs = queue(world)
    assert [pair["alike"] for pair in pairs] == [3] * 4
    (side,) = (one for one in pairs[0]["events"] if "publishes" in one)
    assert side["publishes"]["dates"] == 4
    answered = answer(world, pairs[0], "same", publish=side["publishes"]["version"])
    assert queue(world) == []
    found = events(world)
    assert [one["start_date"][:10] for one in found] == [f"2027-03-{day}" for day in (10, 17, 24, 31)]
    assert {one["status"] for one in found} == {"publish"}
    answer(world, answered, "open")
    assert len(queue(world)) == 4
    assert len(events(world, status="publish,pending")) == 8


def test_dates_of_a_series_are_two_events_with_one_answer(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    dates = [f"202703{day}T190000" for day in (10, 17, 24, 31)]
    remote.show(*[entry(f"{date}@town", date, "Jazz Night at the Hall", LOCATION="Town Hall") for date in dates])
    read(world, add(world, remote))
    other.show(weekly("77", "Jazz Night at the Hall"))
    read(world, add(world, other))
    look(world)
    answered = answer(world, queue(world)[0], "two")
    assert queue(world) == []
    assert {one["status"] for one in events(world, status="publish,pending")} == {"publish"}
    answer(world, answered, "open")
    assert len(events(world, status="pending")) == 4


@pytest.mark.parametrize(
    ("place", "is_asked"),
    [("Town Hall, Market 2, Antwerp", False), ("Town Hall, Market 2, Bruges", True)],
    ids=["another town", "another street"],
)
def test_a_place_of_the_same_name_elsewhere_is_another_one(
    world: World, remote: Elsewhere, other: Elsewhere, place: str, is_asked: bool
) -> None:
    remote.show(entry("1@town", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall, Main Street 1, Bruges"))
    read(world, add(world, remote))
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION=place))
    read(world, add(world, other))
    look(world)
    assert len(events(world, status="publish,pending")) == 2
    assert len(queue(world)) == is_asked
    assert len(events(world, status="publish")) == 2 - is_asked


def test_places_told_apart_by_the_map_are_two(world: World, remote: Elsewhere, other: Elsewhere) -> None:
    remote.show(entry("1@town", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall", GEO="51.2093;3.2247"))
    read(world, add(world, remote))
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall", GEO="51.2194;4.4025"))
    read(world, add(world, other))
    look(world)
    assert len(events(world)) == 2


def test_who_may_answer(world: World, choirs: list[dict[str, Any]]) -> None:
    (pair,) = queue(world)
    for who, status in (("anonymous", 401), ("contributor", 403), ("author", 403), ("editor", 200)):
        for path in ("/sources/duplicates", f"/sources/duplicates/{pair['id']}"):
            response = world.get(path, who)
            assert (response.status_code, OTHER_CHOIR in response.text) == (status, status == 200), (who, path)
        if status != 200:
            body = {"answer": "same"}
            assert world.post(f"/sources/duplicates/{pair['id']}", who, json=body).status_code == status
    assert len(events(world, status="publish,pending")) == 2


def test_bad_answers_change_nothing(world: World, choirs: list[dict[str, Any]]) -> None:
    (pair,) = queue(world)
    for body in ({}, {"answer": "perhaps"}, {"answer": "same", "keep": "x"}, {"answer": "same", "keep": 99}):
        assert world.post(f"/sources/duplicates/{pair['id']}", "editor", json=body).status_code == 400
    assert world.post("/sources/duplicates/999", "editor", json={"answer": "same"}).status_code == 404
    assert world.get("/sources/duplicates", "editor", params={"state": "lost"}).status_code == 400
    assert len(queue(world)) == 1


def test_undo_of_the_read_that_joined(world: World, town: dict[str, Any], other: Elsewhere) -> None:
    other.show(entry("77", WHEN, "Jazz Night at the Hall", LOCATION="Town Hall", URL="https://a.example/jazz"))
    source = add(world, other)
    read(world, source)
    assert events(world)[0]["website"] == "https://a.example/jazz"
    last = undoing.entries(world.calendar, SERVICE, 1)[0]
    undoing.start(world.calendar, SERVICE, last.id)
    undoing.finish(world.calendar, SERVICE, last.id)
    assert [(one["title"], one["website"]) for one in events(world)] == [("Jazz Night at the Hall", "")]
    assert queue(world, "joined") == []


def test_many_words_at_one_time_are_no_duplicates(world: World, town: dict[str, Any], other: Elsewhere) -> None:
    many = " ".join(f"w{number}" for number in range(100))
    other.show(*[entry(f"{n}@society", WHEN, f"{many[:190]} {n}", LOCATION="Town Hall") for n in range(40)])
    assert counts(read(world, add(world, other)))[0] == 40
    look(world)
    assert queue(world) == []
