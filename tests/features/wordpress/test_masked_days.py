"""Whether a protected event lasts all day is not told by feeds and filters of WordPress' calendar either."""

from typing import Any

import pytest
from tests.calendar.access.test_masked_days import AS_PARAMETERS, told_alike

pytestmark = pytest.mark.both_stores

WAYS = (
    "/events/?ical=1",
    "/events/today/",
    "/events/list/?ical=1&tribe_timeofday[]=allday",
    "/events/list/?ical=1&tribe_timeofday[]=21-06",
)


@AS_PARAMETERS
def test_feeds_and_filters_tell_no_difference(make_world: Any, more: dict[str, Any]) -> None:
    told = told_alike(make_world, WAYS, **more)
    assert "Supper" in told["/events/list/?ical=1&tribe_timeofday[]=21-06"]
    assert "Supper" not in told["/events/list/?ical=1&tribe_timeofday[]=allday"]
