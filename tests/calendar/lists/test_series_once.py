"""Lists in which each series is one row: the same as the plain list without the later dates of each series."""

from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.conftest import World
from tests.effort import effort

from kalends.calendar.access import Caller
from kalends.calendar.lists.queries import event_query
from kalends.contract.fields import read_query
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.roles import Role
from kalends.store.query import lists, series_plans
from kalends.store.query.list_query import ListQuery
from kalends.store.rows import posts

STATUSES = ("publish", "draft", "pending")


@pytest.fixture
def filled(world: World) -> World:
    """Single events and series, of which single dates have another status or another title."""
    random = Random(7)
    for number in range(effort(3, 8)):
        day = f"2026-{random.randint(10, 12)}-{random.randint(1, 28):02}"
        single = {"title": f"Fair {number}", "start_date": f"{day} 10:00", "end_date": f"{day} 12:00"}
        world.make("events", **single, status=random.choice(STATUSES), who=random.choice(["author", "editor"]))
        made = world.make(
            "events",
            **single | {"title": f"Course {number}"},
            recurrence=f"FREQ=WEEKLY;COUNT={random.randint(2, 9)}",
            status=random.choice(STATUSES),
            who=random.choice(["author", "editor"]),
        )
        for change in ({"status": "draft"}, {"title": "A fair among courses"}):
            dates = world.get(f"/events?series={made['series']}&per_page=50&start_date=2000-01-01", "administrator")
            chosen = random.choice(dates.json()["events"] or [made])
            world.put(f"/events/{chosen['id']}", json=change)
    return world


def queries(world: World, who: str) -> list[tuple[Any, ListQuery]]:
    found = []
    with world.calendar.reading(caller_of(world, who)) as work:
        for order, direction, status, more in product(
            ("start_date", "title", "modified"),
            ("asc", "desc"),
            ("publish,draft,pending", "draft"),
            ({}, {"search": "fair"}, {"start_date": "2026-11-15", "end_date": "2026-12-24"}),
        ):
            sent = {"start_date": "1900-01-01", "end_date": "9999-12-31", "show_hidden": "true", "status": status}
            reading = read_query(EVENT_FILTERS, sent | {"orderby": order, "order": direction} | more)
            found.append((sent | more, event_query(work, reading, None)[0]))
    return found


def caller_of(world: World, who: str) -> Caller:
    return Caller(world.ids[who], who, Role.EDITOR if who == "editor" else Role.AUTHOR)


@pytest.mark.parametrize(("who", "near"), [("editor", series_plans.NEAR), ("editor", 0), ("author", 0)])
def test_each_series_is_where_its_first_date_is(
    filled: World, who: str, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`near`: so many events are read from the beginning of the list; without them every page is far down."""
    monkeypatch.setattr(series_plans, "NEAR", near)
    with filled.calendar.store.read() as session:
        for asked, query in queries(filled, who):
            ids = lists.find_page(session, query, 1000, 0).ids
            events = posts.find_many(session, "event", ids)
            first: dict[int, int] = {}
            for id in ids:
                first.setdefault(getattr(events[id], "series", None) or id, id)
            expected = list(first.values())
            for size in effort((4,), (1, 4, 100)):
                for offset in range(0, len(expected) + size, size * effort(3, 1)):
                    page = lists.find_page(session, replace(query, series_once=True), size, offset)
                    assert page.ids == expected[offset : offset + size], (asked, query.order, size, offset)
                    assert page.total == len(expected), (asked, query.order, size, offset)
            monkeypatch.setattr(series_plans, "NEAR", 1000)
            counts = series_plans.counts_by_status(session, query, STATUSES)
            monkeypatch.setattr(series_plans, "NEAR", near)
            assert counts is not None
            assert counts.all == len(expected)
            for status in STATUSES:
                members = {
                    getattr(event, "series", None) or id for id, event in events.items() if event.status == status
                }
                assert counts.by_status.get(status, 0) == len(members), (asked, status)
            by_series = series_plans.dates_of(session, query, [id for id in first if id not in ids])
            assert {date.id for dates in by_series.values() for date in dates} == {
                id for id, event in events.items() if getattr(event, "series", None)
            }


def test_a_total_that_need_not_be_exact_tells_of_more_rows(filled: World) -> None:
    with filled.calendar.store.read() as session:
        for _, query in queries(filled, "editor"):
            exact = lists.find_page(session, replace(query, series_once=True), 2, 0)
            page = lists.find_page(session, replace(query, count_to=3, series_once=True), 2, 0)
            assert page.ids == exact.ids
            assert page.total == exact.total if page.is_exact else 2 < page.total <= exact.total


def test_a_list_of_very_many_events_is_counted_only_where_an_index_does_it(
    filled: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled.calendar.store.read() as session:
        for asked, query in queries(filled, "editor"):
            monkeypatch.setattr(series_plans, "NEAR", 1000)
            expected = series_plans.counts_by_status(session, query, STATUSES)
            monkeypatch.setattr(series_plans, "NEAR", 0)
            counts = series_plans.counts_by_status(session, query, STATUSES)
            is_indexed = "search" not in asked and asked["status"] != "draft"
            assert expected is not None
            assert counts == (expected if is_indexed or not expected.all else None), asked
