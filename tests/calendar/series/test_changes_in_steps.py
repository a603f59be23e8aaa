"""What all dates of a series have in common is given to very many of them in steps, and others write in between."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests import store_checks
from tests.calendar.series.test_scopes import make, occurrences, put
from tests.parts import make_small

from kalends.calendar.background.long_work import Continuation
from kalends.calendar.series import new_occurrences as series_dates
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows import history

pytestmark = pytest.mark.both_stores

DATES = 12
SENT = {"title": "Pilates", "description": "<p>Breathing slowly</p>", "venue": {"venue": "Studio"}, "tags": ["Calm"]}


@pytest.fixture
def world(make_world: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(series_dates, "AT_ONCE", 2)  # so that twelve dates are very many
    make_small(monkeypatch)
    return make_world()


def many(world: Any, **body: Any) -> list[dict[str, Any]]:
    texts = {"description": "<p>Stretching</p>", "venue": {"venue": "Hall"}, "tags": ["Slow"]}
    return make(world, recurrence=f"FREQ=DAILY;COUNT={DATES}", **(texts | body))


def told(event: dict[str, Any]) -> tuple[Any, ...]:
    tags = [tag["name"] for tag in event["tags"]]
    return event["title"], event["description"].strip(), event["venue"]["venue"], tags


NEW = ("Pilates", "<p>Breathing slowly</p>", "Studio", ["Calm"])
OLD = ("Yoga", "<p>Stretching</p>", "Hall", ["Slow"])


def after_each_step(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    part = Continuation.next

    def then_act(parts: Continuation[Any, Any]) -> bool:
        is_more = part(parts)
        act()
        return is_more

    monkeypatch.setattr(Continuation, "next", then_act)


@contextmanager
def breaking_off(monkeypatch: pytest.MonkeyPatch, steps: int = 2) -> Iterator[None]:
    """Only the first steps of a change are done, as when the process is killed."""
    left = iter(range(steps))

    def fail() -> None:
        if next(left, None) is None:
            raise StoreUnavailable("it is away")

    with monkeypatch.context() as patch:
        after_each_step(patch, fail)
        yield


def break_off(world: Any, monkeypatch: pytest.MonkeyPatch, event: dict[str, Any], steps: int = 2) -> None:
    """Sends the change, of which only the first steps are done."""
    with breaking_off(monkeypatch, steps):
        put(world, event, scope="all", **SENT)
    found = [told(one) for one in occurrences(world, event["series"])]
    assert OLD in found
    assert NEW in found


def test_every_date_is_changed_and_others_write_between(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = many(world)
    own = put(world, dates[5], title="Guests")
    seen: list[int] = []

    def write() -> None:
        new = world.post(
            "/events", json={"title": "Between", "start_date": "2026-12-24 10:00", "end_date": "2026-12-24 11:00"}
        )
        assert new.status_code == 201
        seen.append(sum(told(one) == NEW for one in occurrences(world, dates[0]["series"])))

    with monkeypatch.context() as patch:
        after_each_step(patch, write)
        answer = world.put(f"/events/{dates[3]['id']}?scope=all", json=SENT)
    assert answer.status_code == 200
    assert seen == sorted(seen)
    assert seen[0] < seen[-1] == DATES - 1
    found = occurrences(world, dates[0]["series"])
    assert [told(one) for one in found if one["id"] != own["id"]] == [NEW] * (DATES - 1)
    assert told(found[5]) == ("Guests", *NEW[1:])
    assert world.get("/events?search=breathing&per_page=50").json()["total"] == DATES
    assert world.get("/events?search=stretching").json()["total"] == 0
    store_checks.check(world.calendar.store)


def test_what_a_kill_leaves_is_done_later_in_the_name_of_the_person(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    dates = many(world)
    break_off(world, monkeypatch, dates[0])
    alone = put(world, dates[-1], title="Guests")  # a date gets something of its own meanwhile
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    found = occurrences(world, dates[0]["series"])
    assert [told(one) for one in found[:-1]] == [NEW] * (DATES - 1)
    assert told(found[-1]) == ("Guests", *NEW[1:])
    assert found[-1]["id"] == alone["id"]
    with world.calendar.store.read() as session:
        assert history.last_actor(session, "event", dates[-2]["id"]) == world.ids["administrator"]
    store_checks.check(world.calendar.store)
    revs = [event["modified_utc"] for event in found]
    world.calendar.background.run_due()
    assert [event["modified_utc"] for event in occurrences(world, dates[0]["series"])] == revs


@pytest.mark.parametrize(
    "change",
    [
        {"scope": "all", "end_date": "2026-11-17 21:00:00"},
        {"scope": "all", "recurrence": ""},
        {"scope": "following", "tags": ["Later"]},
        {"scope": "all", "organizer": [{"organizer": "Ann"}]},
    ],
    ids=["longer", "no series", "from a date on", "in steps too"],
)
def test_another_change_of_the_series_takes_over_what_is_left(
    world: Any, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    dates = many(world)
    break_off(world, monkeypatch, dates[0])
    is_later = change["scope"] == "following"
    put(world, dates[6 if is_later else 0], **change)
    world.clock.move(seconds=60)
    world.calendar.background.run_due()
    for number, date in enumerate(dates):
        found = world.get(f"/events/{date['id']}", "administrator").json()
        tags = ["Later"] if is_later and number >= 6 else NEW[3]
        assert told(found) == (*NEW[:3], tags)
    store_checks.check(world.calendar.store)


def test_rights_and_bounds_are_those_of_every_date(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = many(world, who="author", tags=[])
    put(world, dates[4], author=world.ids["editor"])
    refused = world.put(f"/events/{dates[0]['id']}?scope=all", "author", json={"title": "Mine"})
    assert refused.status_code == 403
    monkeypatch.setattr(series_dates, "MOST_TEXT", 1000)
    long = world.put(f"/events/{dates[0]['id']}?scope=all", "editor", json={"description": "x" * 200})
    assert long.status_code == 400
    assert {(one["title"], one["description"].strip()) for one in occurrences(world, dates[0]["series"])} == {OLD[:2]}
