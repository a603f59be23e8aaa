"""The window of time of a list: the six date filters and their defaults as bounds on starts and ends."""

from datetime import date, datetime, timedelta
from functools import lru_cache

from kalends.calendar.work import Work
from kalends.contract.errors import N_, WRONG_FORMAT, Invalid, Problems
from kalends.contract.fields import Values
from kalends.store.window import END_OF_TIME, Window
from kalends.values import dates, zones

WINDOW_BOUNDS = ("start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after")
DEFAULT_WINDOW_YEARS = 2
ONE_SECOND = timedelta(seconds=1)


def moment_utc(work: Work, values: Values, name: str, problems: Problems) -> datetime | None:
    """A filter's moment in UTC, read on the site's clock."""
    moment = values.get(name)
    if not isinstance(moment, dates.Moment):
        return None
    try:
        return moment.utc(work.settings.timezone, work.now)
    except dates.NotADate:
        problems.add(name, Invalid(WRONG_FORMAT, N_("is out of the range of dates.")))
        return None


def read_window(
    work: Work, values: Values, problems: Problems, *, whole: bool = False
) -> tuple[Window, dict[str, str]]:
    """The bounds that count, and how a client would write them. `include` switches them all off; `whole` is for
    what has no default window."""
    strict = bool(values.get("strict_dates"))
    if "include" in values:
        return Window(), {}
    bounds: dict[str, datetime] = {}
    for name in WINDOW_BOUNDS:
        moment = values.get(name)
        if isinstance(moment, dates.Moment):
            try:
                bounds[name] = _bound(work, name, moment, strict)
            except dates.NotADate:
                problems.add(name, Invalid(WRONG_FORMAT, N_("is out of the range of dates.")))
    for name, moment in ({} if whole else _default_bounds(values)).items():
        bounds[name] = _bound(work, name, moment, strict)
    window, written = _window(tuple(bounds.items()), work.settings.timezone, strict)
    return window, dict(written)


@lru_cache(256)  # the default window is the same all day
def _window(
    given: tuple[tuple[str, datetime], ...], timezone: str, strict: bool
) -> tuple[Window, tuple[tuple[str, str], ...]]:
    bounds = dict(given)
    window = Window(
        start_from=_latest(_text(bounds.get("start_date")), _after(bounds.get("starts_after"))),
        start_before=_text(bounds.get("starts_before")),
        end_from=_after(bounds.get("ends_after")),
        end_before=_earliest(_after(bounds.get("end_date")), _text(bounds.get("ends_before"))),
        utc=strict,
    )
    return window, tuple((name, _written(bound, timezone, strict)) for name, bound in given)


def _default_bounds(values: Values) -> dict[str, dates.Moment]:
    """Now and two years on. One that is given replaces only itself; the four others switch both off."""
    if any(name in values for name in WINDOW_BOUNDS[2:]):
        return {}
    defaults = {"start_date": dates.read("now"), "end_date": dates.read(f"+{DEFAULT_WINDOW_YEARS} years")}
    return {name: moment for name, moment in defaults.items() if name not in values}


def _bound(work: Work, name: str, moment: dates.Moment, strict: bool) -> datetime:
    """An instant in UTC, or the edge of a local day."""
    zone = work.settings.timezone
    if strict:
        return moment.utc(zone, work.now)
    day = moment.local(zone, work.now)
    if name == "start_date":
        return day.replace(hour=0, minute=0, second=0, fold=0)
    return day.replace(hour=23, minute=59, second=59, fold=0)


def _after(bound: datetime | None) -> str | None:
    """The first second after a bound."""
    if bound is None:
        return None
    return END_OF_TIME if bound > datetime.max - ONE_SECOND else dates.text(bound + ONE_SECOND)


def _latest(*bounds: str | None) -> str | None:
    return max((bound for bound in bounds if bound is not None), default=None)


def _earliest(*bounds: str | None) -> str | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def _text(bound: datetime | None) -> str | None:
    return None if bound is None else dates.text(bound)


def _written(bound: datetime, timezone: str, strict: bool) -> str:
    """On the site's clock, unless that hour happens twice."""
    if not strict:
        return dates.text(bound)
    local = zones.to_local(bound, timezone)
    return f"{bound.isoformat()}Z" if local.fold else dates.text(local)


def default_window(timezone: str, now: datetime) -> dict[str, str]:
    """The window of a list that names none, as its description shows it."""
    return {name: dates.text(moment.local(timezone, now)) for name, moment in _default_bounds({}).items()}


def steady_until(work: Work, values: Values) -> str | None:
    """Until when, in UTC, the clock alone does not change the answer: "" for ever, None not even now."""
    if any(isinstance(values.get(name), dates.Relative) for name in (*WINDOW_BOUNDS, "modified_after")):
        return None
    if "include" in values or not _default_bounds(values):
        return ""
    if values.get("strict_dates"):
        return None
    return _midnight(work.settings.timezone, work.now)


def _midnight(timezone: str, now: datetime) -> str:
    """When, in UTC, the site's next day begins."""
    return dates.text(dates.read("tomorrow").utc(timezone, now))


@lru_cache(8)
def default_days(timezone: str, now: datetime) -> tuple[date, date, str]:
    """The first and the last day of a list that names none, and until when, in UTC, they are those."""
    bounds = _default_bounds({})
    first, last = (bounds[name].local(timezone, now).date() for name in WINDOW_BOUNDS[:2])
    return first, last, _midnight(timezone, now)
