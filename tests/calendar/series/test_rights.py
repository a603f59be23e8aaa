"""Rights of callers to see and change parts of a series."""

from typing import Any

import pytest
from tests.calendar.series.test_scopes import BODY, WHOLE, make, occurrences, put

from kalends.calendar.series import filling


def test_nothing_of_a_draft_series_shows(world: Any) -> None:
    found = make(world, status="draft", title="Hush")
    series = found[0]["series"]
    unknown = world.get("/events?series=999999").json()
    for who in ("anonymous", "subscriber", "other_contributor", "other_author"):
        assert world.get(f"/events?{WHOLE}", who).json()["total"] == 0
        assert world.get(f"/events?series={series}", who).json() == unknown
        assert world.get(f"/events/{found[1]['id']}", who).json()["code"] == "event-not-accessible"
        assert world.get(f"/events/by-slug/{found[1]['slug']}", who).status_code == 404


@pytest.mark.both_stores
def test_a_published_occurrence_belongs_to_its_draft_series_and_does_not_tell_its_title(world: Any) -> None:
    found = make(world, status="draft", title="Hush")
    series = found[0]["series"]
    put(world, found[1], scope="this", status="publish", title="Open day")
    listed = world.get("/events?collapse=series").json()["events"]
    assert [event["id"] for event in listed] == [found[1]["id"]]
    alone = world.get(f"/events/{found[1]['id']}").json()
    chosen = world.get(f"/events/{found[1]['id']}?_fields=series,recurrence,original_start,post_parent").json()
    for shown in (listed[0], alone, chosen):
        assert (shown["series"], shown["original_start"]) == (series, found[1]["original_start"])
        assert shown["post_parent"] == 0  # the first one is a draft
    assert listed[0]["occurrences"] == 1
    assert [event["id"] for event in world.get(f"/events?series={series}").json()["events"]] == [found[1]["id"]]
    told = world.get(f"http://calendar.test/series/{series}.ics").text
    page = world.get(f"http://calendar.test/event/{found[1]['slug']}/").text
    assert "NAME:Open day" in told
    assert '"superEvent"' in page
    assert "Hush" not in told + page
    put(world, found[0], scope="all", status="publish")
    for shown in world.get("/events").json()["events"]:
        assert shown["series"] == series
    assert "NAME:Hush" in world.get(f"http://calendar.test/series/{series}.ics").text
    put(world, found[0], scope="all", status="private")
    assert [event["series"] for event in world.get("/events").json()["events"]] == [series]


@pytest.mark.both_stores
def test_a_series_without_a_date_that_can_be_read_is_unknown(world: Any) -> None:
    found = make(world, "author", title="Hush")
    series = found[0]["series"]
    unknown = world.get("/events?series=999999").json()
    assert world.get(f"/events?series={series}").status_code == 200
    for event in found:
        put(world, event, status="private")
    for who in ("anonymous", "subscriber", "other_author", "contributor"):
        assert world.get(f"/events?series={series}", who).json() == unknown
    assert world.get(f"http://calendar.test/series/{series}.ics").status_code == 404
    for who in ("author", "editor"):
        assert world.get(f"/events?series={series}", who).json()["total"] == 4


def test_a_contributor_never_publishes(world: Any) -> None:
    found = make(world, "contributor", status="publish")
    assert {event["status"] for event in found} == {"pending"}
    put(world, found[0], "contributor", scope="all", recurrence="FREQ=WEEKLY;COUNT=6", status="publish")
    assert {event["status"] for event in occurrences(world, found[0]["series"])} == {"pending"}
    world.clock.move(days=1)
    put(world, found[0], scope="all", status="publish")  # an editor confirms it
    path = f"/events/{found[3]['id']}"
    for body in ({"title": "Mine"}, {"recurrence": "FREQ=WEEKLY;COUNT=9"}, {"status": "draft"}):
        for scope in ("this", "following", "all"):
            assert world.put(f"{path}?scope={scope}", "contributor", json=body).status_code == 403
    for scope in ("this", "following", "all"):
        assert world.delete(f"{path}?scope={scope}", "contributor").status_code == 403
    assert {event["title"] for event in occurrences(world, found[0]["series"])} == {"Yoga"}


def test_a_contributor_cannot_reach_what_is_published_through_a_draft(world: Any) -> None:
    """All occurrences but one are published; the draft alone may be changed, and the series may not."""
    found = make(world, "contributor")
    put(world, found[0], scope="all", status="publish")
    put(world, found[1], status="draft")
    assert world.put(f"/events/{found[1]['id']}", "contributor", json={"title": "Mine"}).status_code == 200
    for scope in ("following", "all"):
        path = f"/events/{found[1]['id']}?scope={scope}"
        assert world.put(path, "contributor", json={"title": "Ours"}).status_code == 403
        assert world.delete(path, "contributor").status_code == 403
    for event in found:
        put(world, event, status="draft")
    # Every occurrence is a draft now, and so is what the series adds.
    more = {"title": "Ours", "recurrence": "FREQ=WEEKLY;COUNT=5"}
    assert world.put(f"/events/{found[0]['id']}?scope=all", "contributor", json=more).status_code == 200
    after = occurrences(world, found[0]["series"])
    assert [event["title"] for event in after] == ["Ours", "Mine", "Ours", "Ours", "Ours"]
    assert {event["status"] for event in after} == {"draft"}


def test_others_cannot_change_a_series(world: Any) -> None:
    found = make(world, "author")
    for who, status in (("other_author", 403), ("other_contributor", 403), ("subscriber", 403), ("anonymous", 401)):
        for scope in ("this", "following", "all"):
            path = f"/events/{found[1]['id']}?scope={scope}"
            assert world.put(path, who, json={"title": "Theirs"}).status_code == status
            assert world.delete(path, who).status_code == status
    # One occurrence was given to somebody else, so the author has no right to all.
    put(world, found[2], author=world.ids["other_author"])
    assert world.put(f"/events/{found[0]['id']}?scope=all", "author", json={"title": "Mine"}).status_code == 403
    assert world.put(f"/events/{found[3]['id']}?scope=following", "author", json={"title": "Mine"}).status_code == 200


def test_the_author_of_a_removed_user_takes_over_the_series(world: Any) -> None:
    found = make(world, "author", recurrence="FREQ=WEEKLY")
    world.delete(f"/users/{world.ids['author']}?reassign={world.ids['editor']}")
    world.clock.move(days=40)
    assert filling.fill_all(world.calendar) > 0
    assert {event["author"] for event in occurrences(world, found[0]["series"])} == {str(world.ids["editor"])}


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({"recurrence": "weekly"}, "RRULE"),
        ({"recurrence": "FREQ=WEEKLY;BYDAY=XX"}, "BYDAY"),
        ({"recurrence": "FREQ=DAILY;COUNT=3;UNTIL=20270101"}, "COUNT"),
        ({"recurrence": "FREQ=SECONDLY"}, "FREQ"),
        ({"recurrence": "FREQ=DAILY;UNTIL=20200101"}, "UNTIL"),
        ({"recurrence": "FREQ=DAILY;COUNT=1001"}, "rule"),
        ({"recurrence": "FREQ=DAILY;COUNT=999999999"}, "rule"),
        ({"recurrence": "FREQ=DAILY;UNTIL=20261231", "start_date": "2000-01-01", "end_date": "2000-01-02"}, "rule"),
        ({"recurrence": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "BYMONTHDAY"),
        ({"recurrence": {"rule": "FREQ=DAILY;COUNT=2", "colour": "red"}}, "value"),
        ({"recurrence": {"rule": "FREQ=DAILY;COUNT=2", "dates": ["soon"]}}, "dates"),
        ({"recurrence": "FREQ=DAILY;COUNT=2\nRDATE:20200101T190000"}, "dates"),
        ({"recurrence": 7}, "value"),
    ],
)
def test_a_recurrence_that_cannot_be_is_named(shared_world: Any, body: dict[str, Any], part: str) -> None:
    world, before = shared_world, shared_world.count()
    answer = world.post("/events", json=BODY | body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["data"]["params"]["recurrence"].startswith(f"recurrence {part}")
    assert world.count() == before


def test_bad_changes_of_a_series_change_nothing(world: Any) -> None:
    found = make(world)
    path = f"/events/{found[1]['id']}"
    before = world.get(f"/events?{WHOLE}").json()
    for scope, body, name in (
        ("this", {"recurrence": "FREQ=DAILY;COUNT=2"}, "recurrence"),
        ("this", {"recurrence": ""}, "recurrence"),
        ("all", {"recurrence": "FREQ=DAILY;COUNT=1001"}, "recurrence"),
        ("following", {"recurrence": "FREQ=WEEKLY;UNTIL=20200101"}, "recurrence"),
        ("all", {"post_parent": 0}, "post_parent"),
        ("everything", {"title": "Other"}, "scope"),
        (
            "all",
            {"title": "Other", "start_date": "9999-12-31 23:00:00", "end_date": "9999-12-31 23:30:00"},
            "start_date",
        ),
        ("all", {"title": "Other", "end_date": "2026-11-24 18:00:00"}, "end_date"),
        ("all", {"title": "Other", "venue": 999}, "venue"),
    ):
        answer = world.put(f"{path}?scope={scope}", json=body)
        assert answer.status_code == 400, (body, answer.text)
        assert list(answer.json()["data"]["params"]) == [name]
    assert world.delete(f"{path}?scope=some").status_code == 400
    assert world.get(f"/events?{WHOLE}").json() == before
    parent = world.make("events", title="Festival")["id"]
    assert world.post("/events", json=BODY | {"post_parent": parent}).status_code == 400
