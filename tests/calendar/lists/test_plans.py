"""Every plan that the planner chooses finds what the plainest plan finds, which is the reference."""

from itertools import product
from typing import Any

import pytest
from tests.conftest import World
from tests.effort import crossed

from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.lists.queries import event_query
from kalends.calendar.storing.rendering import renderer_of
from kalends.contract.fields import read_query
from kalends.contract.kinds.event_filters import EVENT_FILTERS
from kalends.contract.roles import Role
from kalends.store.query import lists, plain_plans, search_plans, totals

WINDOWS: tuple[dict[str, str], ...] = (
    {},
    {"start_date": "1900-01-01", "end_date": "9999-12-31"},
    {"ends_after": "2026-11-20"},
    {"strict_dates": "true", "starts_after": "2026-11-20T10:00:00Z"},
)
FILTERS: tuple[dict[str, str], ...] = (
    {},
    {"search": "fair"},
    {"search": "fair -late"},
    {"categories": "music"},
    {"weekday": "1,3"},
    {"time_of_day": "06-12", "categories": "music"},
    {"cost": "0-10", "search": "fair"},
    {"city": "Graz"},
    {"categories": "music", "tags": "new"},
    {"categories": "music,arts", "tags": "new", "city": "Graz"},
)


def test_plans_find_what_the_reference_finds(world: World) -> None:
    for number in range(12):
        day = f"2026-{11 + number % 2}-{1 + 2 * number:02}"
        status = "draft" if number % 5 == 0 else "publish"
        title = f"{'Late fair' if number % 3 == 0 else 'Fair'} {number % 4}"
        made: dict[str, Any] = {"title": title, "start_date": f"{day} 10:00", "end_date": f"{day} 12:00"}
        made |= {"tags": ["New"]} if number % 3 else {}
        made |= {"venue": {"venue": f"Hall {number}", "city": "Graz"}} if number % 4 == 1 else {}
        made |= {"password": "secret"} if number == 9 else {}
        world.make("events", **made, status=status, categories=["Music"] if number % 2 else ["Arts"])
    world.make("events", title="Long fair", start_date="2026-10-01 10:00", end_date="2026-12-20 12:00")
    editor = Caller(world.ids["editor"], "editor", Role.EDITOR)
    plans = set()
    views = crossed((ANONYMOUS, editor), WINDOWS)
    orders = crossed(("start_date", "title", "date"), ("asc", "desc"))
    for (caller, window), filters, (order, direction) in product(views, FILTERS, orders):
        sent = {**window, **filters, "orderby": order, "order": direction}
        with world.calendar.reading(caller) as work:
            query, _ = event_query(work, read_query(EVENT_FILTERS, sent))
            expected = plain_plans.find_page(work.session, query, 1000, 0)
            found = lists.find_page(work.session, query, 1000, 0)
            assert (found.total, found.ids) == (expected.total, expected.ids), sent
            assert lists.find_page(work.session, query, 3, 2).ids == expected.ids[2:5], sent
            plans |= {*lists.plans(query), lists.statement_plan(query)}
    assert {search_plans.all_matches, plain_plans.statement, plain_plans.linked_to_all, None} < plans


def test_what_is_linked_to_several_is_looked_up_among_the_others_only(world: World) -> None:
    hall, art = world.make("venues", venue="Hall")["id"], world.make("categories", name="Art")["id"]
    sent = {"venue": str(hall), "categories": str(art)}
    with world.calendar.reading(ANONYMOUS) as work:
        query, _ = event_query(work, read_query(EVENT_FILTERS, sent))
        sql, _ = plain_plans.linked_to_all(work.session, query, 10, 0)
    assert sql.count("EXISTS") == 1


def test_far_pages_skip_whole_days(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever starts or ends around the edges of the window, and also after another change."""
    monkeypatch.setattr(lists, "FAR", 1)
    monkeypatch.setattr(totals.DayTotals, "LOAD_FROM", 1)
    for day in (1, 1, 1, 2, 4, 4, 9, 10, 11, 11, 20, 28):
        made = {"start_date": f"2026-11-{day:02} 10:00", "end_date": f"2026-11-{day:02} 12:00"}
        world.make("events", title=f"Fair of {day}", **made)
    world.make("events", title="Five days", start_date="2026-11-04 09:00", end_date="2026-11-09 12:00")
    world.make("events", title="Over the edge", start_date="2026-11-20 10:00", end_date="2026-12-02 12:00")
    version, kept, narrowed = renderer_of(world.calendar.settings).version, totals.DayTotals(), 0
    for turn, first, last, direction in product(range(2), (1, 2, 4, 5), (9, 12, 30), ("asc", "desc")):
        sent = {"start_date": f"2026-11-{first:02}", "end_date": f"2026-11-{last:02}", "order": direction}
        with world.calendar.reading(ANONYMOUS) as work:
            query, _ = event_query(work, read_query(EVENT_FILTERS, sent))
            expected = plain_plans.find_page(work.session, query, 1000, 0)
            for offset in range(len(expected.ids) + 2):
                found = lists.find_page(work.session, query, 2, offset, lists.FragmentOptions(version, kept))
                assert found.ids == expected.ids[offset : offset + 2], (sent, offset)
                assert not found.ids or found.total == expected.total
                part, _ = kept.skip(work.session, query.window, offset, descending=query.descending)
                narrowed += part != query.window
        if not turn and first == 5 and last == 30:
            world.make("events", title="Later", start_date="2026-11-02 10:00", end_date="2026-11-02 12:00")
    assert narrowed > 50
