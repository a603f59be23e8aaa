"""Whether a protected event lasts all day is told to nobody who cannot read it, by no page, feed or filter."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.conftest import BASE_URL, World

pytestmark = pytest.mark.both_stores

DAYS = {"start_date": "2026-12-01 00:00:00", "end_date": "2026-12-01 23:59:59"}
WAYS = [
    "/events.ics",
    "/events.rss",
    "/events.json",
    "/event/supper/",
    "/event/supper.ics",
    "/events/list/",
    "/events/month/2026-12/",
    "/events/week/2026-12-01/",
    "/events/day/2026-12-01/",
    "/embed",
    "/print/2026-12",
    "/api/calendar/events/v1/events",
    "/api/calendar/events/v1/events?search=supper",
]


AS_PARAMETERS = pytest.mark.parametrize(
    "more", [{}, {"recurrence": {"rule": "FREQ=DAILY;COUNT=3"}}], ids=["alone", "series"]
)


def told(make_world: Any, ways: Sequence[str], *, all_day: bool, **more: Any) -> dict[str, tuple[int, str]]:
    world: World = make_world()
    world.make("events", title="Supper", post_password="sesame", **DAYS, all_day=all_day, **more)
    found = {way: world.client.get(BASE_URL + way) for way in ways}
    return {way: (response.status_code, response.text) for way, response in found.items()}


def told_alike(make_world: Any, ways: Sequence[str], **more: Any) -> dict[str, str]:
    """What is told of an event that lasts all day, which is what is told of one that has the same times."""
    whole, timed = (told(make_world, ways, all_day=all_day, **more) for all_day in (True, False))
    assert whole == timed
    return {way: text for way, (_, text) in whole.items()}


@AS_PARAMETERS
def test_what_lasts_all_day_is_answered_as_what_has_the_same_times(make_world: Any, more: dict[str, Any]) -> None:
    assert "Supper" in told_alike(make_world, WAYS, **more)["/events.ics"]
