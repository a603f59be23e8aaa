"""How far a change of an occurrence reaches, and what a client sees of it."""

from typing import Any

import pytest
from tests.pictures import png

BODY = {
    "title": "Yoga",
    "start_date": "2026-11-17 19:00:00",
    "end_date": "2026-11-17 20:30:00",
    "timezone": "Europe/Berlin",
    "recurrence": "FREQ=WEEKLY;COUNT=4",
}
WHOLE = "start_date=2020-01-01&end_date=2040-01-01&per_page=100"
DAYS = ["2026-11-17", "2026-11-24", "2026-12-01", "2026-12-08"]


def make(world: Any, who: str = "administrator", **body: Any) -> list[dict[str, Any]]:
    """A series; its occurrences in order."""
    answer = world.post("/events", who, json=BODY | body)
    assert answer.status_code == 201, answer.text
    return occurrences(world, answer.json()["series"])


def occurrences(world: Any, series: int, who: str = "administrator") -> list[dict[str, Any]]:
    status = "publish,future,draft,pending,private"
    found: list[dict[str, Any]] = world.get(f"/events?series={series}&{WHOLE}&status={status}", who).json()["events"]
    return found


def put(world: Any, event: dict[str, Any], who: str = "administrator", headers: Any = None, **body: Any) -> Any:
    answer = world.put(f"/events/{event['id']}", who, json=body, headers=headers or {})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.both_stores
def test_every_occurrence_is_an_event_of_its_own(world: Any) -> None:
    first, *others = make(world, venue={"venue": "Hall"}, categories=["Sport"], tags=["Slow"])
    listed = world.get("/events").json()
    assert listed["total"] == 4
    assert [event["slug"] for event in listed["events"]] == [f"yoga-{day}" for day in DAYS]
    assert [event["start_date"] for event in listed["events"]] == [f"{day} 19:00:00" for day in DAYS]
    assert [event["end_date"] for event in listed["events"]] == [f"{day} 20:30:00" for day in DAYS]
    assert [event["post_parent"] for event in listed["events"]] == [0, *[first["id"]] * 3]
    rule = {"rule": "FREQ=WEEKLY;COUNT=4", "dates": [], "exceptions": []}
    assert all(event["recurrence"] == rule and event["series"] == first["series"] for event in listed["events"])
    assert [event["original_start"] for event in listed["events"]] == [f"{day} 19:00:00" for day in DAYS]
    for filters in ("search=yoga", "categories=sport", "tags=slow", f"venue={first['venue']['id']}"):
        assert world.get(f"/events?{filters}").json()["total"] == 4
    assert world.get("/categories").json()["categories"][0]["count"] == 4
    alone = world.get(f"/events/by-slug/{others[2]['slug']}").json()
    assert alone["json_ld"]["startDate"].startswith("2026-12-08T19:00")
    assert alone["recurrence"] == rule


RULE = {"rule": "FREQ=WEEKLY;COUNT=3", "dates": ["2026-11-20 10:00:00"], "exceptions": ["2026-11-24 19:00:00"]}
FORMS = (
    {"recurrence": RULE},
    {"recurrence": "FREQ=WEEKLY;COUNT=3\nRDATE:20261120T100000\nEXDATE:20261124T190000"},
    {"recurrence": "rrule:freq=weekly;count=3\r\nRDATE:20261120T090000Z\r\nEXDATE;TZID=Asia/Tokyo:20261125T030000"},
    {"recurrence": {"rule": RULE["rule"], "dates": ["20 November 2026 10:00"], "exceptions": ["2026-11-24"]}},
    "recurrence[rule]=FREQ=WEEKLY;COUNT=3&recurrence[dates][]=2026-11-20 10am&recurrence[exceptions][0]=2026-11-24",
    "recurrence=FREQ=WEEKLY;COUNT=3%0ARDATE:20261120T100000%0AEXDATE:20261124T190000",
)


@pytest.mark.parametrize("form", FORMS, ids=range(len(FORMS)))
def test_every_form_of_a_recurrence(world: Any, form: Any) -> None:
    if isinstance(form, str):
        fields = "&".join(f"{name}={value}" for name, value in BODY.items() if name != "recurrence")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = world.post("/events", content=f"{fields}&{form}", headers=headers)
    else:
        answer = world.post("/events", json=BODY | form)
    assert answer.status_code == 201, answer.text
    assert answer.json()["recurrence"] == RULE
    days = [event["start_date"] for event in world.get("/events").json()["events"]]
    assert days == ["2026-11-17 19:00:00", "2026-11-20 10:00:00", "2026-12-01 19:00:00"]


def test_times_repeat_on_the_local_clock(world: Any) -> None:
    found = make(world, start_date="2027-03-23 19:00:00", end_date="2027-03-23 20:00:00")
    assert [event["start_date"][11:] for event in found] == ["19:00:00"] * 4
    assert [event["utc_start_date"][11:] for event in found] == ["18:00:00", "17:00:00", "17:00:00", "17:00:00"]


def test_whole_days_and_nights_repeat(world: Any) -> None:
    days = make(world, start_date="2026-11-17", end_date="2026-11-18", all_day=True)
    assert days[1]["start_date"] == "2026-11-24 00:00:00"
    assert days[1]["end_date"] == "2026-11-25 23:59:59"
    nights = make(world, end_date="2026-11-18 02:00:00")
    assert nights[3]["end_date"] == "2026-12-09 02:00:00"


def test_a_read_record_can_be_sent_back_with_every_scope(world: Any) -> None:
    first, second, *_ = make(world, cost="5 €", tags=["Slow"], venue={"venue": "Hall"})
    put(world, second, title="Guests", description="special")
    for scope in ("this", "following", "all"):
        read = world.get(f"/events/{second['id']}", "administrator").json()
        answer = world.put(f"/events/{second['id']}?scope={scope}", json=read)
        assert answer.status_code == 200, answer.text
        assert answer.json()["rev"] == read["rev"]
    read["title"] = "Gala"
    sent = world.put(f"/events/by-slug/{read['slug']}?scope=all", json=read)
    assert sent.status_code == 200, sent.text
    after = occurrences(world, first["series"])
    assert [event["title"] for event in after] == ["Gala"] * 4
    assert [event["description"] for event in after] == ["", "<p>special</p>", "", ""]
    assert len({event["series"] for event in after}) == 1


def test_what_was_set_on_one_stays_its_own(world: Any) -> None:
    found = make(world, organizer={"organizer": "Club"})
    put(world, found[1], title="Guests", organizer=[], cost="10 €")
    put(world, found[2], start_date="2026-12-02 18:00:00", end_date="2026-12-02 19:00:00")
    put(world, found[0], scope="all", title="Pilates", cost="7 €", organizer={"organizer": "Gym"},
        start_date="2026-11-17 20:00:00", end_date="2026-11-17 21:30:00")  # fmt: skip
    after = occurrences(world, found[0]["series"])
    assert [event["title"] for event in after] == ["Pilates", "Guests", "Pilates", "Pilates"]
    assert [event["cost"] for event in after] == ["7€", "10€", "7€", "7€"]
    assert [[one["organizer"] for one in event["organizer"]] for event in after] == [["Gym"], [], ["Gym"], ["Gym"]]
    assert [event["start_date"] for event in after] == [
        "2026-11-17 20:00:00", "2026-11-24 20:00:00", "2026-12-02 18:00:00", "2026-12-08 20:00:00",
    ]  # fmt: skip
    assert after[2]["original_start"] == "2026-12-01 20:00:00"
    assert [event["id"] for event in after] == [event["id"] for event in found]


def test_the_following_ones_become_a_series_of_their_own(world: Any) -> None:
    found = make(world, recurrence="FREQ=WEEKLY;UNTIL=20261208T235959Z")
    put(world, found[2], scope="following", title="Winter yoga", start_date="2026-12-02 19:00:00",
        end_date="2026-12-02 20:30:00")  # fmt: skip
    listed = world.get("/events").json()["events"]
    assert [event["id"] for event in listed] == [event["id"] for event in found]
    assert [event["title"] for event in listed] == ["Yoga", "Yoga", "Winter yoga", "Winter yoga"]
    assert [event["post_parent"] for event in listed] == [0, found[0]["id"], 0, found[2]["id"]]
    assert listed[0]["series"] == listed[1]["series"] != listed[2]["series"] == listed[3]["series"]
    assert listed[3]["start_date"] == "2026-12-09 19:00:00"
    assert listed[0]["recurrence"]["rule"] == "FREQ=WEEKLY;UNTIL=20261124T190000"
    assert listed[3]["slug"] == "yoga-2026-12-08"  # addresses stay


def test_a_changed_rule_keeps_trashes_and_adds(world: Any) -> None:
    found = make(world)
    put(world, found[3], scope="all", recurrence={"rule": "FREQ=WEEKLY;INTERVAL=2;COUNT=4"})
    after = occurrences(world, found[0]["series"])
    assert [event["start_date"][:10] for event in after] == ["2026-11-17", "2026-12-01", "2026-12-15", "2026-12-29"]
    assert [event["id"] for event in after][:2] == [found[0]["id"], found[2]["id"]]
    gone = world.get(f"/events/{found[1]['id']}", "administrator").json()
    assert gone["status"] == "trash"
    put(world, after[0], scope="all", recurrence=BODY["recurrence"])
    assert [event["id"] for event in occurrences(world, found[0]["series"])] == [event["id"] for event in found]


def test_a_cancelled_occurrence_is_an_exception(world: Any) -> None:
    found = make(world)
    assert world.delete(f"/events/{found[0]['id']}").json()["status"] == "trash"
    assert world.delete(f"/events/{found[2]['id']}?force=true").status_code == 200
    after = occurrences(world, found[0]["series"])
    assert [event["id"] for event in after] == [found[1]["id"], found[3]["id"]]
    assert [event["post_parent"] for event in after] == [0, found[1]["id"]]
    assert after[0]["recurrence"]["exceptions"] == ["2026-11-17 19:00:00", "2026-12-01 19:00:00"]
    put(world, found[0], status="publish")
    after = occurrences(world, found[0]["series"])
    assert [event["id"] for event in after] == [found[0]["id"], found[1]["id"], found[3]["id"]]
    assert after[0]["recurrence"]["exceptions"] == ["2026-12-01 19:00:00"]
    # The rule can be changed with these exceptions in it.
    put(world, after[0], scope="all", recurrence=after[0]["recurrence"] | {"rule": "FREQ=WEEKLY;COUNT=5"})
    assert [event["start_date"][:10] for event in occurrences(world, found[0]["series"])] == [
        "2026-11-17", "2026-11-24", "2026-12-08", "2026-12-15",
    ]  # fmt: skip


def test_a_cancelled_first_occurrence_can_be_sent_back_with_another_rule(world: Any) -> None:
    found = make(world)
    world.delete(f"/events/{found[0]['id']}")
    read = world.get(f"/events/{found[1]['id']}", "administrator").json()
    put(world, found[1], scope="all", recurrence=read["recurrence"] | {"rule": "FREQ=WEEKLY;COUNT=3"})
    assert [event["id"] for event in occurrences(world, found[0]["series"])] == [found[1]["id"], found[2]["id"]]


@pytest.mark.parametrize("force", [False, True])
def test_deleting_the_following_ones_and_all(world: Any, force: bool) -> None:
    found = make(world)
    answer = world.delete(f"/events/{found[2]['id']}?scope=following&force={str(force).lower()}")
    assert answer.status_code == 200, answer.text
    left = occurrences(world, found[0]["series"])
    assert [event["id"] for event in left] == [found[0]["id"], found[1]["id"]]
    assert left[0]["recurrence"]["rule"] == "FREQ=WEEKLY;COUNT=2"
    assert world.delete(f"/events/by-slug/{left[1]['slug']}?scope=all&force={str(force).lower()}").status_code == 200
    assert world.get("/events").json()["total"] == 0
    status = world.get(f"/events/{found[3]['id']}", "administrator").status_code
    assert status == (404 if force else 200)
    if not force:
        put(world, found[3], scope="all", status="publish")
        assert [event["id"] for event in world.get("/events").json()["events"]] == [found[2]["id"], found[3]["id"]]


def test_single_events_and_series_turn_into_each_other(world: Any) -> None:
    single = world.make("events", **{**BODY, "recurrence": None})
    put(world, single, recurrence="FREQ=DAILY;COUNT=3", scope="following", title="Daily")
    found = world.get("/events").json()["events"]
    assert [event["slug"] for event in found] == ["yoga", "yoga-2026-11-18", "yoga-2026-11-19"]
    assert {event["title"] for event in found} == {"Daily"}
    put(world, found[1], recurrence="", scope="following")
    after = world.get("/events").json()["events"]
    assert [event["id"] for event in after] == [event["id"] for event in found]
    assert [event["series"] for event in after] == [found[0]["series"], None, None]
    put(world, after[0], recurrence=None, scope="all")
    after = world.get("/events").json()["events"]
    assert [(event["series"], event["recurrence"], event["original_start"]) for event in after] == [(None,) * 3] * 3
    assert world.get(f"/events?series={found[0]['series']}").status_code == 400


def test_a_scope_on_a_single_event_is_ignored(world: Any) -> None:
    single = world.make("events", **{**BODY, "recurrence": None})
    assert put(world, single, scope="all", title="Other")["title"] == "Other"
    assert put(world, single, scope="following", recurrence="")["series"] is None
    assert world.delete(f"/events/{single['id']}?scope=following").json()["status"] == "trash"


def test_a_new_slug_is_the_stem_of_all(world: Any) -> None:
    found = make(world)
    put(world, found[1], slug="guests")
    put(world, found[0], scope="all", slug="tai-chi-2026-11-17")
    slugs = [event["slug"] for event in occurrences(world, found[0]["series"])]
    assert slugs == ["tai-chi-2026-11-17", "guests", "tai-chi-2026-12-01", "tai-chi-2026-12-08"]
    again = make(world, slug="tai-chi")
    assert again[0]["slug"] == "tai-chi-2026-11-17-2"
    copied = make(world, slug="judo-2026-11-17")
    assert [event["slug"] for event in copied] == [f"judo-{day}" for day in DAYS]
    put(world, copied[0], scope="all", recurrence="")
    put(world, copied[0], recurrence="FREQ=DAILY;COUNT=2")
    assert world.get("/events/by-slug/judo-2026-11-18").json()["start_date"] == "2026-11-18 19:00:00"


def test_if_match_covers_the_occurrence_or_the_series(world: Any) -> None:
    found = make(world)
    path = f"/events/{found[0]['id']}"

    def etag() -> dict[str, str]:
        return {"If-Match": world.get(path, "editor").headers["ETag"]}

    before = etag()
    put(world, found[1], title="Guests")
    changed = world.put(f"{path}?scope=all", "editor", json={"title": "Late"}, headers=before)
    assert (changed.status_code, changed.json()["code"]) == (412, "precondition_failed")
    assert world.delete(f"{path}?scope=following", "editor", headers=before).status_code == 412
    put(world, found[0], headers=before, website="https://yoga.test/")  # the occurrence itself has not changed
    assert world.put(path, "editor", json={"title": "Late"}, headers=before).status_code == 412
    put(world, found[0], headers=etag(), scope="all", title="On time")
    assert world.get(path, "editor", headers={"If-None-Match": etag()["If-Match"]}).status_code == 304
    assert "." not in world.get(path).headers["ETag"]


def test_an_image_belongs_to_all(world: Any) -> None:
    def upload() -> int:
        return int(world.upload(png())["id"])

    def images() -> list[int | None]:
        shown = [world.read("events", event["id"])["image"] for event in found]
        return [image["id"] if image else None for image in shown]

    first, second, third = upload(), upload(), upload()
    found = make(world, image=first)
    assert images() == [first] * 4
    put(world, found[1], image=second)
    put(world, found[0], scope="all", image=third)
    assert images() == [third, second, third, third], "what one occurrence has of its own stays"
    put(world, found[2], scope="following", image="")
    assert images() == [third, second, None, None]


def test_a_password_belongs_to_all(world: Any) -> None:
    found = make(world, post_password="sesame", description="secret")
    assert [world.get(f"/events/{event['id']}").status_code for event in found] == [403] * 4
    assert [world.get(f"/events/{event['id']}?password=sesame").status_code for event in found] == [200] * 4
    put(world, found[1], post_password="other")
    put(world, found[0], scope="all", post_password="")
    assert [world.get(f"/events/{event['id']}").status_code for event in found] == [200, 403, 200, 200]
    assert world.get("/events?search=secret").json()["total"] == 3


def test_scheduled_series_are_published_together(world: Any) -> None:
    found = make(world, date="2026-11-16 00:00:00")
    assert {event["status"] for event in found} == {"future"}
    assert world.get("/events").json()["total"] == 0
    world.clock.move(days=1)
    listed = world.get("/events").json()
    assert listed["total"] == 4
    assert {event["series"] for event in listed["events"]} == {found[0]["series"]}


def test_what_was_deleted_for_good_in_the_trash_does_not_come_back(world: Any) -> None:
    found = make(world)
    world.delete(f"/events/{found[0]['id']}?scope=all")
    assert world.delete(f"/events/{found[2]['id']}?force=true").status_code == 200
    put(world, found[1], scope="all", status="publish")
    left = [event["id"] for event in world.get("/events").json()["events"]]
    assert left == [found[0]["id"], found[1]["id"], found[3]["id"]]


@pytest.mark.parametrize("rule", ["FREQ=WEEKLY;COUNT=4", "FREQ=MONTHLY"])
def test_one_occurrence_comes_back_from_a_series_in_the_trash(world: Any, rule: str) -> None:
    found = make(world, recurrence=rule)
    world.delete(f"/events/{found[0]['id']}?scope=all")
    back = put(world, found[2], status="publish")
    assert back["recurrence"]["exceptions"] == [event["start_date"] for event in found if event["id"] != back["id"]]
    assert (back["series"], back["post_parent"]) == (found[0]["series"], 0)
    listed = world.get("/events").json()["events"]
    assert [(event["id"], event["series"]) for event in listed] == [(back["id"], back["series"])]
    # The rule then says again what there is: the others can come back, and new ones are added.
    put(world, back, scope="all", recurrence="FREQ=WEEKLY;COUNT=5")
    assert [event["start_date"][:10] for event in world.get("/events").json()["events"]] == [*DAYS, "2026-12-15"]
