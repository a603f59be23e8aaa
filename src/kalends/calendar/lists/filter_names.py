"""The names that the filters of a page offer. They are the same on every page of the calendar, and reading them takes
as long as its events: so they are kept in memory for one state of the store."""

from collections.abc import Iterable

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.store.query import days
from kalends.store.query.days import Choice
from kalends.store.rows import journal

MOST_CHOICES = 200

State = tuple[str, int]  # the epoch, and the last change that the transaction sees
Names = dict[str, tuple[Choice, ...]]


class FilterNames:
    """What anonymous readers find in filters, by kind."""

    def __init__(self) -> None:
        self._kept: tuple[State, Names] = (("", -1), {})

    def of(self, work: UnitOfWork, kinds: Iterable[str]) -> Names:
        """The names of each of some kinds."""
        names: Names = {}
        if work.visibility.is_public:  # not while something is due that is not stored as public yet
            state = work.epoch, journal.last_rev(work.session)
            known, names = self._kept
            if known != state:
                names = {}
                self._kept = state, names
        for kind in kinds:
            if kind not in names:
                names[kind] = days.choices(work.session, kind, work.visibility, MOST_CHOICES)
        return names
