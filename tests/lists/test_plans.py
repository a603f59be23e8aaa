"""Every plan that the planner chooses finds what the plainest plan finds, which is the reference."""

from itertools import product
from typing import Any

from tests.conftest import World

from kalends.calendar.access import ANONYMOUS, Caller
from kalends.calendar.lists.queries import event_query
from kalends.contract.events import EVENT_FILTERS
from kalends.contract.fields import read_query
from kalends.contract.roles import Role
from kalends.store.query import lists, plain_plan, search_plans

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
)


def test_plans_find_what_the_reference_finds(world: World) -> None:
    for number in range(12):
        day = f"2026-{11 + number % 2}-{1 + 2 * number:02}"
        status = "draft" if number % 5 == 0 else "publish"
        title = f"{'Late fair' if number % 3 == 0 else 'Fair'} {number % 4}"
        made: dict[str, Any] = {"title": title, "start_date": f"{day} 10:00", "end_date": f"{day} 12:00"}
        world.make("events", **made, status=status, categories=["Music"] if number % 2 else ["Arts"])
    world.make("events", title="Long fair", start_date="2026-10-01 10:00", end_date="2026-12-20 12:00")
    editor = Caller(world.ids["editor"], "editor", Role.EDITOR)
    plans = set()
    for caller, window, filters, order, direction in product(
        (ANONYMOUS, editor), WINDOWS, FILTERS, ("start_date", "title", "date"), ("asc", "desc")
    ):
        sent = {**window, **filters, "orderby": order, "order": direction}
        with world.calendar.reading(caller) as work:
            query, _ = event_query(work, read_query(EVENT_FILTERS, sent))
            expected = plain_plan.find_page(work.session, query, 1000, 0)
            found = lists.find_page(work.session, query, 1000, 0)
            assert (found.total, found.ids) == (expected.total, expected.ids), sent
            assert lists.find_page(work.session, query, 3, 2).ids == expected.ids[2:5], sent
            plans |= {*lists.plans(query), lists.statement_plan(query)}
    assert {search_plans.all_matches, plain_plan.statement, None} < plans
