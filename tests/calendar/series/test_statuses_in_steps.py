"""All dates of a long series are hidden, published, put into the trash, brought back or deleted in steps.

Others write in between, what a kill leaves is done later, and nobody is told of it before it is so.
"""

from collections.abc import Callable
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.series.test_changes_in_steps import after_each_step, breaking_off
from tests.calendar.series.test_scopes import make, occurrences, put
from tests.effort import crossed
from tests.parts import make_small

from kalends.calendar.access import Caller, Role
from kalends.calendar.editing import bulk
from kalends.calendar.editing.trash import empty_trash
from kalends.calendar.series import new_occurrences as series_dates
from kalends.calendar.series.series_change import is_pending
from kalends.contract.fields import read_query
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.store.rows import history

pytestmark = pytest.mark.both_stores

DATES = 12
EVERY = "status=publish,future,draft,pending,private,trash&start_date=2020-01-01&end_date=2040-01-01&per_page=100"


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(series_dates, "AT_ONCE", 2)  # so that twelve dates are very many
    make_small(monkeypatch)
    return make_world()


def many(world: Any, **body: Any) -> list[dict[str, Any]]:
    return make(
        world, recurrence=f"FREQ=DAILY;COUNT={DATES}", **({"venue": {"venue": "Hall"}, "tags": ["Slow"]} | body)
    )


def delete(world: Any, event: dict[str, Any], query: str = "scope=all", who: str = "administrator") -> Any:
    answer = world.delete(f"/events/{event['id']}?{query}", who)
    assert answer.status_code == 200, answer.text
    return answer.json()


def statuses(world: Any, dates: list[dict[str, Any]]) -> list[str]:
    """Of each date, in order; those that are deleted have none."""
    found = world.get(f"/events?series={dates[0]['series']}&{EVERY}", "administrator").json().get("events", [])
    by_id = {event["id"]: event["status"] for event in found}
    return [by_id.get(date["id"], "") for date in dates]


def public(world: Any, dates: list[dict[str, Any]]) -> int:
    """How many of them anybody finds."""
    found = world.get(f"/events?series={dates[0]['series']}&start_date=2020-01-01").json()
    return int(found.get("total", 0))  # a series is unknown where nothing of it can be read


def finish_later(world: Any) -> None:
    world.clock.move(seconds=60)
    world.calendar.background.run_due()


def trash(world: Any, date: dict[str, Any]) -> None:
    assert delete(world, date)["status"] == "trash"


def delete_for_good(world: Any, date: dict[str, Any]) -> None:
    delete(world, date, "scope=all&force=true")


def draft(world: Any, date: dict[str, Any]) -> None:
    assert put(world, date, scope="all", status="draft")["status"] == "draft"


def protect(world: Any, date: dict[str, Any]) -> None:
    put(world, date, scope="all", post_password="open sesame")


ACTS = {trash: "trash", draft: "draft", delete_for_good: "", protect: "publish"}


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_everything_is_hidden_before_the_answer_and_others_write_between(
    world: Any, monkeypatch: pytest.MonkeyPatch, act: Callable[[Any, dict[str, Any]], None]
) -> None:
    dates = many(world)
    put(world, dates[7], title="Guests", status="publish")
    seen = [public(world, dates)]

    def write() -> None:
        world.make("events", title="Between")
        seen.append(public(world, dates))

    with monkeypatch.context() as patch:
        after_each_step(patch, write)
        act(world, dates[3])
    assert len(seen) >= DATES // 2
    assert statuses(world, dates) == [ACTS[act]] * DATES
    if act is protect:
        found = world.get(f"/events/{dates[9]['id']}")
        assert found.status_code == 401 or "sesame" not in found.text
        assert all(event["description"] == "" for event in world.get("/events").json()["events"] if event["series"])
    else:
        assert seen == sorted(seen, reverse=True)
        assert public(world, dates) == 0
    store_checks.check(world.calendar.store, world.calendar.settings)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_what_a_kill_leaves_is_done_later(
    world: Any, monkeypatch: pytest.MonkeyPatch, act: Callable[[Any, dict[str, Any]], None]
) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        act(world, dates[3])
    with world.calendar.store.read() as session:
        assert is_pending(session, dates[0]["series"])
    if act is not protect:
        assert 0 < public(world, dates) < DATES
    finish_later(world)
    assert statuses(world, dates) == [ACTS[act]] * DATES
    with world.calendar.store.read() as session:
        assert not is_pending(session, dates[0]["series"])
        if ACTS[act]:
            assert history.last_actor(session, "event", dates[-1]["id"]) == world.ids["administrator"]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_a_series_that_was_deleted_is_unknown(world: Any) -> None:
    dates = many(world)
    delete_for_good(world, dates[0])
    assert all(world.get(f"/events/{date['id']}", "administrator").status_code == 404 for date in dates)
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM series") == 0


@pytest.mark.parametrize("is_broken_off", [False, True])
def test_all_come_back_but_those_that_were_cancelled_before(
    world: Any, monkeypatch: pytest.MonkeyPatch, is_broken_off: bool
) -> None:
    dates = many(world)
    delete(world, dates[0], "scope=this")  # then the second is the parent of the others
    delete(world, dates[5], "scope=this")
    put(world, dates[8], status="private")
    trash(world, dates[3])
    assert statuses(world, dates) == ["trash"] * DATES
    store_checks.check(world.calendar.store, world.calendar.settings)
    with breaking_off(monkeypatch, steps=2 if is_broken_off else 100):
        put(world, dates[3], scope="all", status="publish")
    finish_later(world)
    wanted = {0: "trash", 5: "trash", 8: "private"}
    assert statuses(world, dates) == [wanted.get(number, "publish") for number in range(DATES)]
    found = occurrences(world, dates[0]["series"])
    assert [event["post_parent"] for event in found] == [0, *[found[0]["id"]] * (len(found) - 1)]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_a_series_without_an_end_goes_on_after_the_trash(world: Any) -> None:
    dates = make(world, recurrence="FREQ=MONTHLY")
    trash(world, dates[0])
    world.clock.move(days=200)
    world.calendar.background.run_due()
    assert set(statuses(world, dates)) == {"trash"}
    put(world, dates[0], scope="all", status="publish")
    finish_later(world)
    found = occurrences(world, dates[0]["series"])
    assert {event["status"] for event in found} == {"publish"}
    assert len(found) > len(dates)
    store_checks.check(world.calendar.store, world.calendar.settings)


AFTER = {
    "trash": (lambda world, date: delete(world, date), "trash"),
    "draft": (lambda world, date: put(world, date, scope="all", status="draft"), "draft"),
    "publish": (lambda world, date: put(world, date, scope="all", status="publish"), "publish"),
    "delete": (lambda world, date: delete(world, date, "scope=all&force=true"), ""),
    "title": (lambda world, date: put(world, date, scope="all", title="Pilates"), None),
    "length": (lambda world, date: put(world, date, scope="all", end_date="2026-11-19 22:00:00"), None),
}


@pytest.mark.parametrize(
    ("first", "second"), [pair for pair in crossed(["draft", "trash"], AFTER) if pair[0] != pair[1]]
)
def test_the_last_of_two_changes_holds(world: Any, monkeypatch: pytest.MonkeyPatch, first: str, second: str) -> None:
    """The second comes while the first is under way, through a date that has had its turn."""
    dates = many(world)
    with breaking_off(monkeypatch):
        AFTER[first][0](world, dates[2])
    AFTER[second][0](world, dates[2])
    finish_later(world)
    wanted = AFTER[second][1]
    assert statuses(world, dates) == [AFTER[first][1] if wanted is None else wanted] * DATES
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_a_draft_that_went_to_the_trash_does_not_come_back_public(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        draft(world, dates[2])
    trash(world, dates[2])
    finish_later(world)
    with world.calendar.store.read() as session:
        rows = session.column("SELECT DISTINCT trashed_from FROM event WHERE series = ?", (dates[0]["series"],))
    assert rows == ["draft"]


def test_a_date_with_a_status_of_its_own_keeps_it(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        draft(world, dates[0])
    put(world, dates[-1], status="private")  # while the others become drafts
    put(world, dates[1], status="publish")
    finish_later(world)
    assert statuses(world, dates) == ["draft", "publish", *["draft"] * (DATES - 3), "private"]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_who_may_not_publish_does_not_by_restoring(world: Any) -> None:
    dates = many(world, who="contributor", tags=[])
    assert statuses(world, dates) == ["draft"] * DATES
    assert world.delete(f"/events/{dates[0]['id']}?scope=all", "contributor").status_code == 200
    put(world, dates[0], "contributor", scope="all", status="publish")
    assert statuses(world, dates) == ["pending"] * DATES


def test_what_is_not_ones_own_stays(world: Any) -> None:
    dates = many(world, who="author", tags=[])
    put(world, dates[4], author=world.ids["editor"])
    for query in ("scope=all", "scope=all&force=true"):
        assert world.delete(f"/events/{dates[0]['id']}?{query}", "author").status_code == 403
    assert world.put(f"/events/{dates[0]['id']}?scope=all", "author", json={"status": "draft"}).status_code == 403
    assert statuses(world, dates) == ["publish"] * DATES


def parents(world: Any, dates: list[dict[str, Any]]) -> list[int]:
    found = world.get(f"/events?series={dates[0]['series']}&{EVERY}", "administrator").json()["events"]
    by_id = {event["id"]: event["post_parent"] for event in found}
    return [by_id.get(date["id"], -1) for date in dates]


@pytest.mark.parametrize("query", ["scope=this", "scope=this&force=true"])
def test_the_first_date_goes_and_the_others_get_another_parent(
    world: Any, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        delete(world, dates[0], query)
    assert public(world, dates) == DATES - 1
    finish_later(world)
    second, is_deleted = dates[1]["id"], "force" in query
    assert parents(world, dates) == [-1 if is_deleted else second, 0, *[second] * (DATES - 2)]
    assert (world.get(f"/events/{dates[0]['id']}", "administrator").status_code == 404) == is_deleted
    store_checks.check(world.calendar.store, world.calendar.settings)
    if not is_deleted:
        back = put(world, dates[0], status="publish")
        assert back["post_parent"] == 0
        assert parents(world, dates) == [0, *[dates[0]["id"]] * (DATES - 1)]
        store_checks.check(world.calendar.store, world.calendar.settings)


def test_one_date_is_cancelled_comes_back_and_is_deleted(world: Any) -> None:
    dates = many(world)
    gone = delete(world, dates[4], "scope=this")
    assert gone["recurrence"]["exceptions"] == ["2026-11-21 19:00:00"]
    assert put(world, dates[4], status="publish")["recurrence"]["exceptions"] == []
    delete(world, dates[4], "scope=this&force=true")
    assert statuses(world, dates) == [*["publish"] * 4, "", *["publish"] * (DATES - 5)]
    assert occurrences(world, dates[0]["series"])[0]["recurrence"]["exceptions"] == ["2026-11-21 19:00:00"]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_one_date_comes_back_from_a_series_in_the_trash(world: Any) -> None:
    dates = many(world)
    trash(world, dates[0])
    assert put(world, dates[6], status="publish")["post_parent"] == 0
    assert statuses(world, dates) == [*["trash"] * 6, "publish", *["trash"] * (DATES - 7)]
    store_checks.check(world.calendar.store, world.calendar.settings)
    trash(world, dates[6])
    for date in dates:  # one after the other, the first before those that have it as their parent
        delete(world, date, "scope=this&force=true")
    with world.calendar.store.read() as session:
        assert session.value("SELECT count(*) FROM series") == 0
    store_checks.check(world.calendar.store, world.calendar.settings)


@pytest.mark.parametrize(("act", "is_broken_off"), crossed(["trash", "delete", "draft", "title"], [True, False]))
def test_a_date_and_the_following_ones_become_a_series_of_their_own(
    world: Any, monkeypatch: pytest.MonkeyPatch, act: str, is_broken_off: bool
) -> None:
    dates = many(world)
    sent = {"draft": {"status": "draft"}, "title": {"title": "Pilates"}}
    with breaking_off(monkeypatch, steps=2 if is_broken_off else 100):
        if act in sent:
            assert put(world, dates[3], scope="following", **sent[act])["post_parent"] == 0
        else:
            delete(world, dates[3], "scope=following" + ("&force=true" if act == "delete" else ""))
    if is_broken_off:
        finish_later(world)
    found = [world.get(f"/events/{date['id']}", "administrator").json() for date in dates]
    earlier, later = found[:3], found[3:]
    assert {event["series"] for event in earlier} == {dates[0]["series"]}
    assert earlier[0]["recurrence"]["rule"] != dates[0]["recurrence"]["rule"]
    assert [event["post_parent"] for event in earlier] == [0, dates[0]["id"], dates[0]["id"]]
    if act == "delete":
        assert all("series" not in event for event in later)
    else:
        [new] = {event["series"] for event in later}
        assert new != dates[0]["series"]
        assert [event["post_parent"] for event in later] == [0, *[dates[3]["id"]] * (DATES - 4)]
        assert {event["status"] for event in later} == {{"trash": "trash", "draft": "draft"}.get(act, "publish")}
        assert {event["title"] for event in later} == {"Pilates" if act == "title" else "Yoga"}
    assert {(event["title"], event["status"]) for event in earlier} == {("Yoga", "publish")}
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_what_is_under_way_holds_for_the_following_ones_too(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        draft(world, dates[0])
    put(world, dates[6], scope="following", title="Pilates")
    finish_later(world)
    found = [world.read("events", date["id"]) for date in dates]
    assert {event["status"] for event in found} == {"draft"}
    assert [event["title"] for event in found] == [*["Yoga"] * 6, *["Pilates"] * (DATES - 6)]
    store_checks.check(world.calendar.store, world.calendar.settings)


@pytest.mark.parametrize("status", ["trash", "draft"])
def test_an_action_on_the_row_of_a_series_is_told_and_taken_back(world: Any, status: str) -> None:
    dates = many(world)
    administrator = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    listed = read_query(EVENT_FILTERS, {"status": "publish", "start_date": "2020-01-01"})
    row = bulk.Chosen(dates[0]["series"], is_series=True)
    outcome = bulk.change_events(
        world.calendar, administrator, [row], lambda event, bundle: {"status": status}, listed
    )
    assert (outcome.changed, outcome.skipped) == ({status: DATES}, {})
    assert statuses(world, dates) == [status] * DATES
    undone = bulk.undo_changes(world.calendar, administrator, outcome.previous)
    assert (undone.changed.total() > 0, undone.skipped) == (True, {})
    assert statuses(world, dates) == ["publish"] * DATES
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_the_trash_is_emptied_of_a_long_series(world: Any) -> None:
    dates = many(world)
    trash(world, dates[0])
    administrator = Caller(world.ids["administrator"], "administrator", Role.ADMINISTRATOR)
    assert empty_trash(world.calendar, administrator) == DATES
    assert statuses(world, dates) == [""] * DATES
    store_checks.check(world.calendar.store, world.calendar.settings)


@pytest.mark.parametrize("then", ["another", "length", "nothing"])
def test_the_first_date_is_deleted_for_good_whatever_comes_between(
    world: Any, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        delete(world, dates[0], "scope=this&force=true")
    with breaking_off(monkeypatch):
        if then == "another":
            delete(world, dates[1], "scope=this&force=true")
        elif then == "length":
            put(world, dates[3], scope="all", end_date="2026-11-20 22:00:00")
    finish_later(world)
    gone = 2 if then == "another" else 1
    assert statuses(world, dates) == [*[""] * gone, *["publish"] * (DATES - gone)]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_what_was_published_stays_so_when_a_contributor_cancels_a_date(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dates = many(world, who="contributor", tags=[])
    with breaking_off(monkeypatch):
        put(world, dates[0], scope="all", status="publish")
    assert world.delete(f"/events/{dates[9]['id']}", "contributor").status_code == 200
    finish_later(world)
    assert statuses(world, dates) == [*["publish"] * 9, "trash", *["publish"] * (DATES - 10)]
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_nobody_changes_a_series_that_is_being_deleted(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = many(world)
    with breaking_off(monkeypatch):
        delete_for_good(world, dates[3])
    for sent in ({"title": "Pilates"}, {"status": "draft"}):
        assert world.put(f"/events/{dates[9]['id']}?scope=all", json=sent).status_code == 404
    delete(world, dates[9], "scope=all&force=true")  # once more is the same
    assert statuses(world, dates) == [""] * DATES
    store_checks.check(world.calendar.store, world.calendar.settings)


def test_a_series_without_an_end_goes_on_when_all_dates_to_come_were_cancelled(world: Any) -> None:
    dates = make(world, recurrence="FREQ=MONTHLY;INTERVAL=4")
    for date in dates:
        delete(world, date, "scope=this")
    world.clock.move(days=130)  # then there are fewer new ones than a step makes
    world.calendar.background.run_due()
    put(world, dates[-1], scope="all", status="publish")
    finish_later(world)
    found = occurrences(world, dates[0]["series"])
    assert found[0]["id"] == dates[-1]["id"]
    assert found[-1]["start_date"] > dates[-1]["start_date"]
    store_checks.check(world.calendar.store, world.calendar.settings)


CROSSING = {
    "trash": lambda world, dates: trash(world, dates[3]),
    "draft": lambda world, dates: draft(world, dates[3]),
    "first": lambda world, dates: delete(world, dates[0], "scope=this"),
    "first for good": lambda world, dates: delete(world, dates[0], "scope=this&force=true"),
    "title": lambda world, dates: put(world, dates[3], scope="all", title="Pilates"),
    "delete": lambda world, dates: delete_for_good(world, dates[3]),
}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("first for good", "trash"),
        ("first for good", "draft"),
        ("first", "trash"),
        ("trash", "first for good"),
        ("first", "delete"),
        ("title", "first for good"),
        ("draft", "first"),
        ("trash", "delete"),
    ],
)
def test_the_check_finds_nothing_between_steps_and_after_two_changes(
    world: Any, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    dates = many(world)
    for act in (first, second):
        with breaking_off(monkeypatch, steps=1):
            CROSSING[act](world, dates)
        store_checks.check(world.calendar.store, world.calendar.settings)
    finish_later(world)
    store_checks.check(world.calendar.store, world.calendar.settings)
    if "first for good" in (first, second):
        assert statuses(world, dates)[0] == ""


def test_the_first_publication_of_a_long_series_is_that_of_all(world: Any) -> None:
    """Those that waited on their own go along, a private one does not; and what else was sent is about one date."""
    dates = many(world, status="draft", title="Choir")
    put(world, dates[3], scope="this", status="pending")
    put(world, dates[4], scope="this", status="private")
    answer = put(world, dates[5], status="publish", title="Choir and band")
    assert (answer["status"], answer["title"]) == ("publish", "Choir and band")
    assert statuses(world, dates) == [*["publish"] * 4, "private", *["publish"] * 7]
    assert [event["title"] for event in occurrences(world, dates[0]["series"])].count("Choir") == 11
    put(world, dates[0], status="draft")
    put(world, dates[1], status="draft")
    put(world, dates[0], status="publish")
    assert statuses(world, dates)[:3] == ["publish", "draft", "publish"]
    store_checks.check(world.calendar.store, world.calendar.settings)
