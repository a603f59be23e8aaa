"""The row id of an event in the word index: the day it starts on and a number within that day, as in 202703100012.
So the events of a word are in the order of days, and a window of time is a range of row ids.

Close numbers keep the index small, so the ordinary range has 9,999 ids a day. Further events of a
day get ids of the overflow range, which is in the order of days too and has far more ids for each. To change these
numbers is to renumber the events of every store.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from kalends.store.engine.store import Session
from kalends.store.rows.records import Event

DAY = 10**4  # ids of a day in the ordinary range
OVERFLOW = 2**62  # begins the overflow range
OVERFLOW_DAY = 10**10  # ids of a day in it
AFTER_ALL_DAYS = 10**8

Ranges = tuple[tuple[int, int], ...]  # each from (inclusive) and before (exclusive)


def day_number(time: str) -> int:
    """The day of a time as a number, such as 20270310."""
    return int(time[:4] + time[5:7] + time[8:10])


def day_of(row_id: int) -> int:
    """The number of the day that a row id belongs to."""
    return row_id // DAY if row_id < OVERFLOW else (row_id - OVERFLOW) // OVERFLOW_DAY


def nth(day: int, number: int) -> int:
    """A row id of a day; numbers begin with 1."""
    return day * DAY + number if number < DAY else OVERFLOW + day * OVERFLOW_DAY + number


def by_day(found: Iterable[int]) -> list[int]:
    """Row ids in the order of their days."""
    ordered = sorted(found)
    if ordered and ordered[-1] >= OVERFLOW:
        ordered.sort(key=day_of)
    return ordered


def between(session: Session, low: str | None, high: str | None) -> Ranges:
    """The ranges of row ids of the events that start from a time and before another, on whole days."""
    first = 0 if low is None else day_number(low)
    end = AFTER_ALL_DAYS if high is None else day_number(high) + (0 if high[10:] == " 00:00:00" else 1)
    overflow = OVERFLOW + first * OVERFLOW_DAY, OVERFLOW + end * OVERFLOW_DAY
    ordinary = first * DAY, end * DAY
    # Few calendars use the overflow range, and reading the index twice takes longer than this query.
    if session.value("SELECT 1 FROM event WHERE search_row >= ? AND search_row < ? LIMIT 1", overflow):
        return ordinary, overflow
    return (ordinary,)


def free_for_all(session: Session, events: Sequence[Event]) -> list[int]:
    """A row id for each of some events that have none on their days, which are looked up together."""
    days = sorted({day_number(event.start_local) for event in events})
    found = session.all_of(*[(_LAST, (nth(day, 0), nth(day + 1, 0))) for day in days]) if days else []
    last = {day: rows[0][0] or nth(day, 0) for day, rows in zip(days, found, strict=True)}
    taken: Counter[int] = Counter()
    row_ids = []
    overflowed: Counter[int] = Counter()
    for event in events:
        day = day_number(event.start_local)
        taken[day] += 1
        row_id = last[day] + taken[day]
        if row_id >= nth(day + 1, 0):
            row_id = _after_last(session, nth(day, DAY) - 1, nth(day + 1, DAY) - 1) + overflowed[day]
            overflowed[day] += 1
        row_ids.append(row_id)
    return row_ids


_LAST = "SELECT max(search_row) FROM event WHERE search_row > ? AND search_row < ?"


def _after_last(session: Session, first: int, end: int) -> int:
    last: int | None = session.value(_LAST, (first, end))
    return (first if last is None else last) + 1
