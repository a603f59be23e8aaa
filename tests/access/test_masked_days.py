"""Whether a protected event lasts all day is told to nobody who cannot read it, by no page, feed or filter."""

from typing import Any

import pytest
from tests.conftest import BASE_URL, World

pytestmark = pytest.mark.both_stores

DAYS = {"start_date": "2026-12-01 00:00:00", "end_date": "2026-12-01 23:59:59"}
WAYS = [
    "/events.ics",
    "/events.rss",
    "/events.json",
    "/events/?ical=1",
    "/event/supper/",
    "/event/supper.ics",
    "/events/list/",
    "/events/month/2026-12/",
    "/events/week/2026-12-01/",
    "/events/day/2026-12-01/",
    "/events/today/",
    "/embed",
    "/print/2026-12",
    "/events/list/?ical=1&tribe_timeofday[]=allday",
    "/events/list/?ical=1&tribe_timeofday[]=21-06",
    "/api/calendar/events/v1/events",
    "/api/calendar/events/v1/events?search=supper",
    "/api/calendar/events/v1/changes?include=records",
]


def answers(make_world: Any, *, all_day: bool, **more: Any) -> dict[str, tuple[int, str]]:
    world: World = make_world()
    world.make("events", title="Supper", post_password="sesame", **DAYS, all_day=all_day, **more)
    found = {way: world.client.get(BASE_URL + way) for way in WAYS}
    return {way: (response.status_code, response.text) for way, response in found.items()}


@pytest.mark.parametrize("more", [{}, {"recurrence": {"rule": "FREQ=DAILY;COUNT=3"}}], ids=["alone", "series"])
def test_what_lasts_all_day_is_answered_as_what_has_the_same_times(make_world: Any, more: dict[str, Any]) -> None:
    whole, timed = (answers(make_world, all_day=all_day, **more) for all_day in (True, False))
    assert not [way for way in WAYS if whole[way] != timed[way]]
    assert "Supper" in whole["/events.ics"][1]
    assert "Supper" in whole["/events/list/?ical=1&tribe_timeofday[]=21-06"][1]
    assert "Supper" not in whole["/events/list/?ical=1&tribe_timeofday[]=allday"][1]
