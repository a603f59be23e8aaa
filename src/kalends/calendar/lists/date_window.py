"""The window of time of a list: the six date filters and their defaults as bounds on starts and ends."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import WRONG_FORMAT, FieldError, Problems
from kalends.contract.fields import Values
from kalends.languages import N_
from kalends.store.query.list_query import END_OF_TIME, Window
from kalends.values import dates, zones

WINDOW_BOUNDS = ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after")
EXACT_BOUNDS = frozenset(WINDOW_BOUNDS[2:])
DEFAULT_WINDOW_YEARS = 2
DEFAULT_BOUNDS = {"start_date": dates.read("now"), "end_date": dates.read(f"+{DEFAULT_WINDOW_YEARS} years")}
Edge = Literal["start_from", "start_before", "end_from", "end_before"]
Limits = dict[Edge, str]
BEGIN_OF_TIME = f"{dates.FIRST_YEAR}-01-01 00:00:00"
NO_LIMIT: Limits = {
    "start_from": BEGIN_OF_TIME,
    "start_before": END_OF_TIME,
    "end_from": BEGIN_OF_TIME,
    "end_before": END_OF_TIME,
}
ONE_DAY, ONE_SECOND = timedelta(days=1), timedelta(seconds=1)
# Which edge of the window each filter limits, and whether by what comes after its moment.
EDGES: dict[str, tuple[Edge, bool]] = {
    "start_date": ("start_from", False),
    "end_date": ("end_before", True),
    "starts_before": ("start_before", False),
    "starts_after": ("start_from", True),
    "ends_before": ("end_before", False),
    "ends_after": ("end_from", True),
}


def moment_utc(work: UnitOfWork, values: Values, name: str, problems: Problems) -> datetime | None:
    """A filter's moment in UTC, read on the site's clock."""
    moment = values.get(name)
    if not isinstance(moment, dates.Moment):
        return None
    try:
        return moment.utc(work.settings.timezone, work.now)
    except dates.NotADate:
        problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
        return None


def read_window(
    work: UnitOfWork, values: Values, problems: Problems, *, whole: bool = False
) -> tuple[Window, dict[str, str]]:
    """The bounds that count, and how a client would write them. `include` switches them all off; `whole` is for
    what has no default window."""
    if "include" in values:
        return Window(), {}
    moments = {} if whole else _default_bounds(values)
    for name in WINDOW_BOUNDS:
        if name in values and isinstance(moment := values[name], dates.Moment):
            moments[name] = moment
    place = _instants if values.get("strict_dates") else _days
    return place(work, moments, problems)


Bounds = tuple[Window, dict[str, str]]


def _days(work: UnitOfWork, moments: Mapping[str, dates.Moment], problems: Problems) -> Bounds:
    """Whole days, on the events' own calendars."""
    days: list[tuple[str, date]] = []
    for name, moment in moments.items():
        try:
            days += ((name, _day(work, moment)),)
        except dates.NotADate:
            problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
    return _window_of_days(*days)


@lru_cache(1024)  # most lists are of the same days
def _window_of_days(*days: tuple[str, date]) -> Bounds:
    limits: Limits = {}
    written: dict[str, str] = {}
    for name, day in days:
        limit, written[name] = _limit_of_day(name, day)
        _narrow(limits, EDGES[name][0], limit)
    # A bound that leaves nothing out would only lead a database to the wrong index.
    return Window(**{edge: limit for edge, limit in limits.items() if limit != NO_LIMIT[edge]}, utc=False), written


def _limit_of_day(name: str, day: date) -> tuple[str, str]:
    """The limit that a filter sets with a whole day, and how a client would write it."""
    begin, end = f"{day} 00:00:00", f"{day} 23:59:59"
    if name == "start_date":
        return begin, begin
    # The last evening of the calendar may have no UTC, so that it could not be read again.
    return _next_day(day) if EDGES[name][1] else end, end if day.year < date.max.year else day.isoformat()


def _instants(work: UnitOfWork, moments: Mapping[str, dates.Moment], problems: Problems) -> Bounds:
    """Exact instants, in UTC."""
    limits: Limits = {}
    written: dict[str, str] = {}
    zone = work.settings.timezone
    for name, moment in moments.items():
        try:
            utc = moment.utc(zone, work.now)
        except dates.NotADate:
            problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
            continue
        edge, is_after = EDGES[name]
        _narrow(limits, edge, after(utc) if is_after else dates.text(utc))
        # On the site's clock, unless that hour happens twice.
        local = zones.to_local(utc, zone)
        written[name] = f"{utc.isoformat()}Z" if local.fold else dates.text(local)
    return Window(**limits, utc=True), written


def _narrow(limits: Limits, edge: Edge, limit: str) -> None:
    """The narrowest of the limits of each edge counts."""
    if edge not in limits:
        limits[edge] = limit
    else:
        limits[edge] = (max if edge in ("start_from", "end_from") else min)(limits[edge], limit)


def _day(work: UnitOfWork, moment: dates.Moment) -> date:
    # A day as written needs no zone.
    if isinstance(moment, dates.Wall) and moment.at.year >= dates.FIRST_YEAR:
        return moment.at.date()
    return moment.local(work.settings.timezone, work.now).date()


def _default_bounds(values: Values) -> dict[str, dates.Moment]:
    """Now and two years on. One that is given replaces only itself; the four others switch both off."""
    if not EXACT_BOUNDS.isdisjoint(values) or ("start_date" in values and "end_date" in values):
        return {}
    return {name: moment for name, moment in DEFAULT_BOUNDS.items() if name not in values}


def _next_day(day: date) -> str:
    return END_OF_TIME if day == date.max else f"{day + ONE_DAY} 00:00:00"


def after(instant: datetime) -> str:
    """The first second after an instant."""
    return END_OF_TIME if instant > datetime.max - ONE_SECOND else dates.text(instant + ONE_SECOND)


def default_window(timezone: str, now: datetime) -> dict[str, str]:
    """The window of a list that names none, as its description shows it."""
    return {name: dates.text(moment.local(timezone, now)) for name, moment in _default_bounds({}).items()}


def valid_until(work: UnitOfWork, values: Values) -> str | None:
    """Until when, in UTC, the clock alone does not change the answer: "" for ever, None not even now."""
    for value in values.values():
        if isinstance(value, dates.Relative):
            return None
    if "include" in values or not _default_bounds(values):
        return ""
    if values.get("strict_dates"):
        return None
    return _midnight(work.settings.timezone, work.now)


@lru_cache(8)
def _midnight(timezone: str, now: datetime) -> str:
    """When, in UTC, the site's next day begins."""
    return dates.text(dates.read("tomorrow").utc(timezone, now))
