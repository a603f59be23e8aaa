"""The number by which the word index knows an event: the day it starts on and a number within that day, as in
202703100012. So what a word leads to comes in the order of days, and a window of time is a range of numbers. Close
numbers keep the index small, so there is not room for everything that might start on one day; what finds none is put
behind all days, and as long as there is such an event, numbers tell nothing about days."""

from kalends.store.database import Session
from kalends.store.records import Event

DAY = 10**4  # how many slots a day has; the migrations say it too
CROWD = 10**8 * DAY  # the slots behind all days


def of_day(time: str) -> int:
    """The slot that comes before all others of a day."""
    return int(time[:4] + time[5:7] + time[8:10]) * DAY


def day_of(slot: int) -> int:
    return slot - slot % DAY


def between(session: Session, low: str | None, high: str | None) -> tuple[int, int] | None:
    """From and before which slots the events are that start from a time and before another, on whole days; None if
    there is no telling."""
    if session.value("SELECT 1 FROM event WHERE slot >= ? LIMIT 1", (CROWD,)):
        return None
    end = CROWD if high is None else of_day(high) + (0 if high[10:] == " 00:00:00" else DAY)
    return 0 if low is None else of_day(low), end


def take(session: Session, event: Event) -> int:
    """The slot of an event. It keeps the one it has as long as it starts on the same day."""
    day = of_day(event.start_local)
    kept: int | None = session.value("SELECT slot FROM event WHERE id = ?", (event.id,))
    if kept is not None and day < kept < day + DAY:
        return kept
    return free(session, event)


def free(session: Session, event: Event) -> int:
    """A slot for an event that has none on its day."""
    day = of_day(event.start_local)
    last: int = session.value("SELECT max(slot) FROM event WHERE slot > ? AND slot < ?", (day, day + DAY)) or day
    if last + 1 < day + DAY:
        return last + 1
    # What was given back is taken again only when there is nothing else, since it has to be looked for.
    taken = set(session.column("SELECT slot FROM event WHERE slot > ? AND slot < ?", (day, day + DAY)))
    return next((slot for slot in range(day + 1, day + DAY) if slot not in taken), CROWD + event.id)
