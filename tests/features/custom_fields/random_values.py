"""Custom fields of random calendars, and the values that events have (tests/calendar/lists/random_calendar.py)."""

from collections.abc import Callable
from functools import partial
from typing import Any


def define(world: Any, **definition: Any) -> None:
    made = world.post("/custom-fields", json=definition)
    assert made.status_code == 201, made.text


AUDIENCES = ("Adults", "Both, all", "Children")
CUSTOM: dict[str, tuple[Callable[[Any], None], tuple[Any, ...]]] = {
    "doors": (partial(define, label="Doors"), ("18:30", "19:00", "é, a")),
    "seats": (partial(define, label="Seats", type="number"), (0, 9.5, 10, 100)),
    "until": (partial(define, label="Until", type="date"), ("2026-12-01", "2027-03-10")),
    "audience": (partial(define, label="Audience", type="choices", options=[*AUDIENCES]), AUDIENCES),
}
