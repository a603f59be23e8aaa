"""Lists of one series, and lists that show of each series only the first occurrence."""

from random import Random
from typing import Any

import pytest
from tests.calendar.series.test_scopes import WHOLE, make, put

pytestmark = pytest.mark.both_stores


@pytest.fixture(scope="module")
def mixed(build_world: Any) -> Any:
    """Series and single events, of which some are hidden, masked, drafts or in the trash."""
    world, random = build_world(), Random(7)
    for number in range(4):
        day = random.randint(16, 28)
        found = make(
            world,
            title=f"Series {number}",
            start_date=f"2026-11-{day} 10:00",
            end_date=f"2026-11-{day} 11:00",
            recurrence=f"FREQ=DAILY;INTERVAL={random.randint(1, 5)};COUNT={random.randint(2, 9)}",
            status="draft" if number == 3 else "publish",
            tags=["Odd"] if number % 2 else [],
        )
        put(world, random.choice(found), status="publish" if number == 3 else "draft")
        put(world, random.choice(found), hide_from_listings=True)
        put(world, random.choice(found), post_password="sesame")
        put(world, random.choice(found), start_date="2026-11-20 12:00", end_date="2026-11-20 13:00", title="Moved")
        world.delete(f"/events/{found[0]['id']}")
        day = random.randint(16, 28)
        world.make("events", title=f"Single {number}", start_date=f"2026-11-{day}", end_date=f"2026-11-{day}")
    return world


FILTERS = ("", "search=series", "search=e", "tags=odd", "start_date=2026-11-20", "orderby=title", "order=desc",
           "start_date=2026-11-18&end_date=2026-11-25", "orderby=id&order=desc", "ends_after=2026-11-20")  # fmt: skip


@pytest.mark.parametrize("who", ["anonymous", "author", "administrator"])
@pytest.mark.parametrize("filters", FILTERS)
def test_a_collapsed_list_has_the_first_of_each_series(mixed: Any, who: str, filters: str) -> None:
    """Compared with the whole list, collapsed in Python: the same events, counts, totals and pages."""
    whole = mixed.get(f"/events?{filters}&per_page=100", who).json()["events"]
    groups: dict[Any, list[dict[str, Any]]] = {}
    for event in whole:
        groups.setdefault(event["series"] or -event["id"], []).append(event)
    firsts = {
        min(found, key=lambda one: (one["start_date"], one["id"]))["id"]: len(found) for found in groups.values()
    }
    expected = [event | {"occurrences": firsts[event["id"]]} for event in whole if event["id"] in firsts]
    pages: list[dict[str, Any]] = []
    for number in range(1, -(-len(expected) // 3) + 1):
        answer = mixed.get(f"/events?{filters}&collapse=series&per_page=3&page={number}", who)
        assert answer.json()["total"] == len(expected) == int(answer.headers["X-WP-Total"])
        assert "collapse=series" in answer.json()["rest_url"]
        pages += answer.json()["events"]
    assert pages == expected
    assert mixed.get(f"/events?{filters}&collapse=series&page=99", who).status_code == 404
    assert any(event["occurrences"] > 1 for event in pages)


def test_a_list_of_one_series(mixed: Any) -> None:
    listed = mixed.get(f"/events?{WHOLE}", "administrator").json()["events"]
    for series in {event["series"] for event in listed} - {None}:
        expected = [event["id"] for event in listed if event["series"] == series]
        answer = mixed.get(f"/events?series={series}&{WHOLE}", "administrator").json()
        assert [event["id"] for event in answer["events"]] == expected
        assert answer["total"] == len(expected)
        assert f"series={series}" in answer["rest_url"]
    for bad in ("series=0", "series=x", "series=999999", "collapse=all", "collapse="):
        answer = mixed.get(f"/events?{bad}")
        assert answer.status_code == 400
        assert list(answer.json()["data"]["params"]) == [bad.partition("=")[0]]
