"""The habits of the reader's region, and what the site has chosen instead: the first day of the week, and the clock.

They are the same for everything that a request shows, so they are set once for its thread.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple

AUTO = "auto"
WEEKDAYS = {"monday": 0, "saturday": 5, "sunday": 6}


class Conventions(NamedTuple):
    week_start: str = AUTO
    hour_format: str = AUTO  # "12" or "24"
    find_region: Callable[[], str] = str

    @property
    def region(self) -> str:
        """That of the reader, such as "GB"; looked up only for what shows a date."""
        return self.find_region()

    def first_weekday(self, usual: int) -> int:
        """0 is Monday."""
        return WEEKDAYS.get(self.week_start, usual)

    def uses_12_hours(self, usual: bool) -> bool:
        return usual if self.hour_format == AUTO else self.hour_format == "12"


NONE = Conventions()
# For what this thread renders. A function finds them out when something asks for them, which data never does.
CURRENT: ContextVar[Conventions | Callable[[], Conventions]] = ContextVar("conventions", default=NONE)


def use(week_start: str, hour_format: str, find_region: Callable[[], str] = str) -> None:
    """For what this thread renders from now on."""
    CURRENT.set(Conventions(week_start, hour_format, find_region))


def current() -> Conventions:
    found = CURRENT.get()
    if not isinstance(found, Conventions):
        found = found()
        CURRENT.set(found)
    return found
