"""The dates of a recurrence as short texts, for tests."""

from datetime import datetime

from kalends.values.dates import text
from kalends.values.recurrence import occurrences, parse

BERLIN = "Europe/Berlin"
FIRST = datetime(2026, 11, 17, 19)  # a Tuesday


def starts(
    value: object, first: datetime = FIRST, zone: str = BERLIN, most: int = 1000, until: str = ""
) -> list[str]:
    last = datetime.fromisoformat(until) if until else None
    return [text(start)[:16] for start in occurrences(parse(value), first, zone, last, most)]


def days(value: object, first: str) -> list[str]:
    return [start[:10] for start in starts(value, datetime.fromisoformat(first + " 19:00"))]
