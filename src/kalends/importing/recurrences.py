"""The recurrence of a series in an import: the one that is here, and whether that of the source gives other dates."""

from itertools import islice

from kalends.calendar.series import operations
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import Problems
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.store.rows import posts, series
from kalends.store.rows.records import Event, Post, Series, Term
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence, RecurrenceError

FIELD = "recurrence"
MOST_COMPARED = 1000  # dates; a series has no more
ONCE = recurrence.from_text("RRULE:FREQ=DAILY;COUNT=1")


def text_of(work: UnitOfWork, here: Post | Term) -> str:
    """How the event repeats, empty if it does not."""
    found = _series_of(work, here)
    return "" if found is None else found.recurrence


def differs(work: UnitOfWork, here: Post | Term, wanted: object) -> bool:
    """Whether the event would have other dates. The same dates can be written in more than one way."""
    found = _series_of(work, here)
    if found is None or not isinstance(wanted, Recurrence):
        return (found is None) == isinstance(wanted, Recurrence)
    if wanted.to_text() == found.recurrence:
        return False
    try:
        return _dates(found, wanted) != _dates(found, recurrence.from_text(found.recurrence))
    except RecurrenceError:
        return True


def end(work: UnitOfWork, here: Event) -> None:
    """Leaves one occurrence of a series: the source has it once, so the others are gone there."""
    operations.update(work, EVENT, here.id, Reading({FIELD: ONCE}, Problems()), operations.ALL)


def first_live(work: UnitOfWork, here: Event) -> Event:
    """The event that stands for a series whose first occurrence was cancelled here; itself if all were."""
    first = None if here.series is None else series.first_event(work.session, here.series)
    found = None if first is None else posts.find(work.session, EVENT.name, first[0])
    return found if isinstance(found, Event) else here


def _series_of(work: UnitOfWork, here: Post | Term) -> Series | None:
    if not isinstance(here, Event) or here.series is None:
        return None
    return series.find(work.session, here.series)


def _dates(of: Series, rule: Recurrence) -> list[object]:
    start = dates.from_text(of.template.event.start_local)
    return list(islice(recurrence.walk(rule, start, of.template.event.timezone), MOST_COMPARED))
