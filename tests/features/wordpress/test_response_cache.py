"""What is kept of answers at addresses of WordPress."""

from typing import Any

import pytest
from falcon.testing import create_environ
from tests.http.test_response_cache import follows_the_clock


def test_a_feed_is_streamed_however_its_parameter_is_written(world: Any) -> None:
    world.make("events")
    bodies = []
    for query in ("ical=1", "ical=%31"):
        bodies.append(world.front(create_environ("/", query_string=query), lambda *_: None))
    assert not any(isinstance(body, list) for body in bodies)
    plain, escaped = (b"".join(body) for body in bodies)
    assert plain.startswith(b"BEGIN:VCALENDAR")
    assert escaped.startswith(b"BEGIN:VCALENDAR")


@pytest.mark.parametrize("ahead", [1, 400])
def test_what_was_kept_while_the_clock_was_ahead_goes_with_it(world: Any, ahead: int) -> None:
    follows_the_clock(
        world, ahead, ("/events/today/", "/events/2026-11-15/", "/events/feed/", "/wp-json/tec/v1/events")
    )
