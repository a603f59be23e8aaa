"""What the later dates of a series refer to follows what becomes of those records: deleted, merged, handed over."""

from typing import Any

import pytest
from tests import parts, store_checks
from tests.admin.test_merging import SINGULAR, merge, record
from tests.calendar.series.test_scopes import make, occurrences, put
from tests.pictures import png

from kalends.calendar.access import Caller
from kalends.calendar.images import image_store
from kalends.calendar.series import filling
from kalends.contract.roles import Role

pytestmark = pytest.mark.both_stores

FIELD = {"venues": "venue", "organizers": "organizer", "categories": "categories", "tags": "tags"}


@pytest.fixture
def world(make_world: Any) -> Any:
    return make_world(recurrence_months="1")


def upload(world: Any) -> int:
    return int(world.upload(png(40, 30))["id"])


def fill(world: Any, days: int = 30) -> int:
    world.clock.move(days=days)
    return filling.fill_all(world.calendar)


def linked(event: dict[str, Any], field: str) -> list[int]:
    value = event[field]
    return [one["id"] for one in (value if isinstance(value, list) else [value])]


def references(world: Any) -> list[tuple[Any, ...]]:
    with world.calendar.store.read() as session:
        found: list[tuple[Any, ...]] = session.all("SELECT kind, target FROM series_reference ORDER BY 1, 2")
        return found


def test_a_deleted_picture_does_not_stop_a_series(world: Any) -> None:
    image = upload(world)
    first, *_ = make(world, recurrence="FREQ=WEEKLY", image=image)
    assert first["image"]["id"] == image
    assert references(world) == [("media", image)]
    image_store.delete_in_parts(world.calendar, world.caller("administrator"), image)
    assert fill(world) == 4
    put(world, first, scope="all", recurrence="FREQ=WEEKLY;BYDAY=TU,WE")
    assert {event["image"] for event in occurrences(world, first["series"])} == {False}
    assert references(world) == []
    store_checks.check(world.calendar.store)


def test_a_picture_that_only_later_dates_will_show_is_used(world: Any) -> None:
    image = upload(world)
    for event in make(world, recurrence="FREQ=WEEKLY", image=image):
        put(world, event, image=0)
    caller = Caller(world.ids["editor"], "editor", Role.EDITOR)
    assert not world.calendar.write(caller, image_store.delete_unused, image)
    assert fill(world) == 4
    assert [event["image"] and event["image"]["id"] for event in occurrences(world, _series(world))][-1] == image


def _series(world: Any) -> int:
    with world.calendar.store.read() as session:
        return int(session.value("SELECT max(id) FROM series"))


@pytest.mark.parametrize("plural", SINGULAR)
def test_a_merge_also_changes_later_dates(world: Any, plural: str) -> None:
    one, two = (record(world, plural, name) for name in ("One", "Two"))
    first, *_ = make(world, recurrence="FREQ=WEEKLY", **{FIELD[plural]: [one]})
    both = make(world, recurrence="FREQ=WEEKLY", title="Both", **{FIELD[plural]: [one, two]})[0]
    merge(world, plural, one, two)
    assert fill(world) == 8
    for series in (first["series"], both["series"]):
        assert {tuple(linked(event, FIELD[plural])) for event in occurrences(world, series)} == {(two,)}
    put(world, first, scope="all", recurrence="FREQ=WEEKLY;BYDAY=TU,WE", title="Changed")
    assert {tuple(linked(event, FIELD[plural])) for event in occurrences(world, first["series"])} == {(two,)}
    kind = SINGULAR[plural]
    assert references(world) == [(kind, two)] * 2
    store_checks.check(world.calendar.store)


def test_a_merge_between_two_steps_of_filling(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalends.calendar.series.new_occurrences.AT_ONCE", 2)
    one, two = (record(world, "venues", name) for name in ("One", "Two"))
    first, *_ = make(world, recurrence="FREQ=WEEKLY", venue=[one])
    world.clock.move(days=60)
    parts.make_small(monkeypatch, 2)
    before, lengths = len(occurrences(world, first["series"])), []

    def between() -> None:
        if not lengths:
            merge(world, "venues", one, two)
        lengths.append(len(occurrences(world, first["series"])))

    assert filling.fill_all(world.calendar, between) > 4
    assert lengths[:2] == [before + 2, before + 4]
    assert {event["venue"]["id"] for event in occurrences(world, first["series"])} == {two}


@pytest.mark.parametrize("plural", SINGULAR)
def test_what_is_deleted_for_good_is_gone_from_later_dates(world: Any, plural: str) -> None:
    gone, kept = (record(world, plural, name) for name in ("Gone", "Kept"))
    first, *_ = make(world, recurrence="FREQ=WEEKLY", **{FIELD[plural]: [gone, kept]})
    assert world.delete(f"/{plural}/{gone}?force=true").status_code == 200
    assert fill(world) == 4
    put(world, first, scope="all", recurrence="FREQ=WEEKLY;BYDAY=TU,WE", title="Changed")
    assert {tuple(linked(event, FIELD[plural])) for event in occurrences(world, first["series"])} == {(kept,)}
    assert references(world) == [(SINGULAR[plural], kept)]
    store_checks.check(world.calendar.store)


def test_what_is_in_the_trash_stays_linked(world: Any) -> None:
    """Links survive the trash, those of later dates too."""
    venue = record(world, "venues", "Hall")
    first, *_ = make(world, recurrence="FREQ=WEEKLY", venue=[venue])
    assert world.delete(f"/venues/{venue}").status_code == 200
    assert fill(world) == 4
    assert world.put(f"/venues/{venue}", json={"status": "publish"}).status_code == 200
    assert {event["venue"]["id"] for event in occurrences(world, first["series"])} == {venue}


def test_later_dates_belong_to_whom_the_records_were_handed_over(world: Any) -> None:
    first, *_ = make(world, "author", recurrence="FREQ=WEEKLY", status="draft")
    heir = world.ids["editor"]
    assert world.delete(f"/users/{world.ids['author']}?reassign={heir}").status_code == 200
    assert fill(world) == 4
    assert {event["author"] for event in occurrences(world, first["series"])} == {str(heir)}
    store_checks.check(world.calendar.store)


def test_a_deleted_series_leaves_no_references(world: Any) -> None:
    venue = record(world, "venues", "Hall")
    first, *_ = make(world, recurrence="FREQ=WEEKLY", venue=[venue])
    assert world.delete(f"/events/{first['id']}?scope=all&force=true").status_code == 200
    assert references(world) == []


def test_a_trashed_series_comes_back_without_what_was_deleted_meanwhile(world: Any) -> None:
    image, venue, tag = upload(world), record(world, "venues", "Hall"), record(world, "tags", "Slow")
    first, *_ = make(world, recurrence="FREQ=WEEKLY", image=image, venue=[venue], tags=[tag])
    assert world.delete(f"/events/{first['id']}?scope=all").status_code == 200
    image_store.delete_in_parts(world.calendar, world.caller("administrator"), image)
    for path in (f"/venues/{venue}", f"/tags/{tag}"):
        assert world.delete(f"{path}?force=true").status_code == 200
    put(world, first, scope="all", status="publish")
    fill(world)
    found = occurrences(world, first["series"])
    assert len(found) > 8
    assert {(event["image"], str(event["venue"]), str(event["tags"])) for event in found} == {(False, "[]", "[]")}
    store_checks.check(world.calendar.store)


def test_a_merged_venue_that_is_then_deleted_or_brought_back_changes_nothing_for_the_series(world: Any) -> None:
    one, two, three = (record(world, "venues", name) for name in ("One", "Two", "Three"))
    first, *_ = make(world, recurrence="FREQ=WEEKLY", venue=[one])
    assert world.delete(f"/events/{first['id']}?scope=all").status_code == 200  # a merge reaches the trash too
    merge(world, "venues", one, two)
    merge(world, "venues", two, three)
    assert world.delete(f"/venues/{one}?force=true").status_code == 200
    assert world.put(f"/venues/{two}", json={"status": "publish"}).status_code == 200
    put(world, first, scope="all", status="publish")
    fill(world)
    assert {event["venue"]["id"] for event in occurrences(world, first["series"])} == {three}
    store_checks.check(world.calendar.store)


def test_children_of_a_deleted_event_have_no_parent_any_more(world: Any) -> None:
    parent = make(world, recurrence="FREQ=WEEKLY")[0]
    child = world.make("events", title="Child", post_parent=parent["id"])
    assert child["post_parent"] == parent["id"]
    assert world.delete(f"/events/{parent['id']}?scope=all&force=true").status_code == 200
    for who in ("anonymous", "administrator"):
        assert world.get(f"/events/{child['id']}", who).json()["post_parent"] == 0
    put(world, child, recurrence="FREQ=WEEKLY;COUNT=2")
    store_checks.check(world.calendar.store)
