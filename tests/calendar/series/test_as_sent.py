"""The external id of a series names the whole series: what is sent is how all its dates are."""

from typing import Any

import pytest
from tests.conftest import World

pytestmark = pytest.mark.both_stores
PATH = "/events/by-external/school.example/yoga"
YOGA = {
    "title": "Yoga",
    "start_date": "2027-03-02 19:00:00",
    "end_date": "2027-03-02 20:00:00",
    "recurrence": "FREQ=WEEKLY;COUNT=5",
}
DAYS = ["2027-03-02", "2027-03-09", "2027-03-16", "2027-03-23", "2027-03-30"]


def put(world: World, **changed: Any) -> dict[str, Any]:
    answer = world.put(PATH, json=YOGA | changed)
    assert answer.status_code in (200, 201), answer.text
    found: dict[str, Any] = answer.json()
    return found


def events(world: World, **filters: Any) -> list[dict[str, Any]]:
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    path = f"/events?start_date=2020-01-01&end_date=2035-01-01&per_page=50&{query}"
    found: list[dict[str, Any]] = world.get(path, "administrator").json()["events"]
    return found


def shown(world: World) -> list[tuple[str, str]]:
    return [(event["start_date"], event["title"]) for event in events(world)]


def all_at(clock: str, title: str = "Yoga", days: list[str] = DAYS) -> list[tuple[str, str]]:
    return [(f"{day} {clock}:00", title) for day in days]


def changes_nothing(world: World, **changed: Any) -> None:
    before = world.count()
    put(world, **changed)
    assert world.count() == before


def test_a_new_title_and_time_are_those_of_all_dates(world: World) -> None:
    put(world)
    ids = [event["id"] for event in events(world)]
    changed = {"title": "Yin yoga", "start_date": "2027-03-02 19:30:00", "end_date": "2027-03-02 20:30:00"}
    put(world, **changed)
    assert shown(world) == all_at("19:30", "Yin yoga")
    assert [event["id"] for event in events(world)] == ids
    assert {event["end_date"][11:] for event in events(world)} == {"20:30:00"}
    changes_nothing(world, **changed)


def test_a_changed_rule_adds_dates_and_sends_others_to_the_trash(world: World) -> None:
    put(world)
    ids = {event["start_date"]: event["id"] for event in events(world)}
    put(world, recurrence="FREQ=WEEKLY;COUNT=3")
    assert shown(world) == all_at("19:00", days=DAYS[:3])
    gone = ids["2027-03-30 19:00:00"]
    assert world.get(f"/events/{gone}", "administrator").json()["status"] == "trash"
    put(world, recurrence="FREQ=WEEKLY;COUNT=6")
    assert shown(world) == all_at("19:00", days=[*DAYS, "2027-04-06"])
    assert {event["start_date"]: event["id"] for event in events(world)}.items() >= ids.items()
    changes_nothing(world, recurrence="FREQ=WEEKLY;COUNT=6")
    put(world, start_date="2027-03-03 19:00", end_date="2027-03-03 20:00", recurrence="FREQ=WEEKLY;BYDAY=WE;COUNT=5")
    assert [start for start, _ in shown(world)] == [f"2027-03-{day:02} 19:00:00" for day in (3, 10, 17, 24, 31)]
    assert [event["id"] for event in events(world)] == [ids[f"{day} 19:00:00"] for day in DAYS]


def test_a_first_date_that_is_gone_at_the_source_leaves_the_others_where_they_are(world: World) -> None:
    put(world)
    ids = [event["id"] for event in events(world)]
    world.put(f"/events/{ids[2]}", json={"title": "With a guest"})
    later = {"start_date": "2027-03-09 19:00", "end_date": "2027-03-09 20:00"}
    put(world, **later, recurrence="FREQ=WEEKLY;COUNT=4")
    assert [event["id"] for event in events(world)] == ids[1:]
    assert shown(world)[1] == ("2027-03-16 19:00:00", "With a guest")
    assert world.get(PATH).json()["id"] == ids[1]
    changes_nothing(world, **later, recurrence="FREQ=WEEKLY;COUNT=4")


def test_dates_that_were_changed_alone_keep_what_is_theirs(world: World) -> None:
    put(world)
    first, second, third, *_ = [event["id"] for event in events(world)]
    world.put(f"/events/{first}", json={"title": "Opening"})
    world.put(f"/events/{second}", json={"start_date": "2027-03-10 18:00", "end_date": "2027-03-10 19:00"})
    world.delete(f"/events/{third}")
    changes_nothing(world)
    put(world, title="Yin yoga", start_date="2027-03-02 19:30", end_date="2027-03-02 20:30")
    assert shown(world) == [
        ("2027-03-02 19:30:00", "Opening"),
        ("2027-03-10 18:00:00", "Yin yoga"),
        ("2027-03-23 19:30:00", "Yin yoga"),
        ("2027-03-30 19:30:00", "Yin yoga"),
    ]
    changes_nothing(world, title="Yin yoga", start_date="2027-03-02 19:30", end_date="2027-03-02 20:30")


def test_exceptions_of_the_source_come_and_go(world: World) -> None:
    put(world)
    world.delete(f"/events/{events(world)[1]['id']}")
    without = YOGA["recurrence"] + "\nEXDATE:20270316T190000"
    put(world, recurrence=without)
    assert [start[:10] for start, _ in shown(world)] == [DAYS[0], *DAYS[3:]]
    changes_nothing(world, recurrence=without)
    put(world)
    assert [start[:10] for start, _ in shown(world)] == [DAYS[0], *DAYS[2:]], "the one of the source is back"


def test_the_id_stays_with_a_series_whose_first_date_is_trashed_or_deleted(world: World) -> None:
    put(world)
    first, second, third, *_ = [event["id"] for event in events(world)]
    world.delete(f"/events/{first}")
    assert world.get(PATH).json()["id"] == second
    changes_nothing(world)
    put(world, title="Yin yoga")
    assert shown(world) == all_at("19:00", "Yin yoga", DAYS[1:])
    world.delete(f"/events/{second}?force=true")
    assert world.get(PATH).json()["id"] == third
    put(world)
    assert shown(world) == all_at("19:00", "Yoga", DAYS[2:])
    world.put(f"/events/{first}", json={"status": "publish"})
    assert world.get(PATH).json()["id"] == first
    assert [event["external_id"] for event in events(world, source="school.example")] == ["yoga"]


def test_a_series_in_the_trash_comes_back_with_a_status(world: World) -> None:
    put(world)
    ids = [event["id"] for event in events(world)]
    assert world.delete(PATH).json()["status"] == "trash"
    assert shown(world) == []
    assert world.delete(PATH).status_code == 410
    assert world.get(PATH, "anonymous").status_code == 404
    changes_nothing(world)
    put(world, status="publish")
    assert [event["id"] for event in events(world)] == ids
    for id in ids:
        world.delete(f"/events/{id}")
    put(world)
    assert shown(world) == []
    put(world, status="publish")
    assert shown(world) == all_at("19:00")


def test_a_series_that_was_deleted_for_good_is_made_anew(world: World) -> None:
    put(world)
    assert world.delete(f"{PATH}?force=true").is_success
    assert world.get(PATH, "administrator").status_code == 404
    assert world.put(PATH, json=YOGA).status_code == 201
    assert shown(world) == all_at("19:00")


def test_a_series_that_was_split_is_one_again_and_keeps_what_was_changed(world: World) -> None:
    put(world)
    ids = [event["id"] for event in events(world)]
    later = {"title": "Yoga with Mia", "start_date": "2027-03-16 20:00", "end_date": "2027-03-16 21:00"}
    assert world.put(f"/events/{ids[2]}?scope=following", json=later).is_success
    put(world, description="Bring a mat.")
    assert [event["id"] for event in events(world)] == ids
    assert shown(world) == all_at("19:00", days=DAYS[:2]) + all_at("20:00", "Yoga with Mia", DAYS[2:])
    assert {event["description"] for event in events(world)} == {"<p>Bring a mat.</p>"}
    assert len({event["series"] for event in events(world)}) == 1
    changes_nothing(world, description="Bring a mat.")
    world.put(f"/events/{ids[2]}?scope=following", json={"title": "Yoga with Ann"})
    assert world.delete(PATH).is_success
    assert shown(world) == []


def test_a_series_becomes_a_single_event_and_the_other_way_round(world: World) -> None:
    put(world, recurrence="")
    single = events(world)[0]
    assert single["series"] is None
    put(world)
    assert shown(world) == all_at("19:00")
    assert events(world)[0]["id"] == single["id"]
    put(world, recurrence="")
    assert [(event["id"], event["series"]) for event in events(world)] == [(single["id"], None)]
    changes_nothing(world, recurrence="")


def test_scope_narrows(world: World) -> None:
    put(world)
    assert world.put(f"{PATH}?scope=this", json={"title": "Opening"}).is_success
    assert shown(world) == [("2027-03-02 19:00:00", "Opening"), *all_at("19:00", days=DAYS[1:])]
    assert world.put(PATH, json={"title": "Yin", "scope": "all"}).is_success
    assert [title for _, title in shown(world)] == ["Opening", *["Yin"] * 4]
    assert world.delete(f"{PATH}?scope=this").is_success
    assert shown(world) == all_at("19:00", "Yin", DAYS[1:])
    assert world.put(f"{PATH}?scope=some", json={"title": "x"}).status_code == 400


def test_an_id_that_is_that_of_one_date_names_it_alone(world: World) -> None:
    put(world)
    third = events(world)[2]["id"]
    world.put(f"/events/{third}", json={"source": "school.example", "external_id": "yoga-3"})
    world.put("/events/by-external/school.example/yoga-3", json={"title": "With a guest"})
    assert [title for _, title in shown(world)] == ["Yoga", "Yoga", "With a guest", "Yoga", "Yoga"]


def test_links_of_all_dates(world: World) -> None:
    put(world, venue={"venue": "Hall"}, tags=["calm"], categories=["Sport"])
    changes_nothing(world, venue={"venue": "Hall"}, tags=["calm"], categories=["Sport"])
    put(world, venue=[], tags=["quiet", "calm"])
    assert {(len(event["venue"]), len(event["tags"]), len(event["categories"])) for event in events(world)} == {
        (0, 2, 1)
    }
    changes_nothing(world, venue=[], tags=["calm", "quiet"])
