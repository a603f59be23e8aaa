"""Dates of the calendar pages: parsing addresses, first weekdays, previous and next pages."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

from babel import Locale
from babel.core import get_global
from babel.dates import format_interval

from kalends.languages import regional_locale
from kalends.present import conventions
from kalends.site import times

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(9998, 12, 31)
WEEK = timedelta(days=7)
ONE_DAY = timedelta(days=1)

VIEWS = ("month", "week", "day", "list")

_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")
_WEEK = re.compile(r"([0-9]{4})-W([0-9]{2})")
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


@dataclass(frozen=True, slots=True)
class Period:
    """The days that a page shows; `day` is the one in its address."""

    view: str
    day: date
    first: date
    last: date

    @property
    def address(self) -> str:
        return address(self.view, self.day)


def read_address(view: str, written: str) -> date | None:
    """Parses `2027-03`, `2027-W10` or `2027-03-10`; None when there is no such day."""
    try:
        if view == "month" and (match := _MONTH.fullmatch(written)):
            found = date(int(match[1]), int(match[2]), 1)
        elif view == "week" and (match := _WEEK.fullmatch(written)):
            found = date.fromisocalendar(int(match[1]), int(match[2]), 1)
        elif match := _DAY.fullmatch(written):
            found = date(int(match[1]), int(match[2]), int(match[3]))
        else:
            return None
    except ValueError:
        return None
    return found if FIRST_DAY <= found <= LAST_DAY else None


def address(view: str, day: date) -> str:
    """The path of the page of a view that contains a day."""
    if view == "month":
        return f"/events/month/{day.isoformat()[:7]}/"
    if view == "week":
        year, week, _ = day.isocalendar()
        return f"/events/week/{year}-W{week:02}/"
    return f"/events/{view}/{day.isoformat()}/"


def period(view: str, day: date, language: str) -> Period:
    if view == "month":
        return Period(view, day, day.replace(day=1), last_of_month(day))
    if view == "week":
        first = week_start(day, language)
        # The ISO number of a week is that of its Monday, even if weeks start on another day here.
        monday = first + (-first.weekday()) % 7 * ONE_DAY
        return Period(view, monday, first, first + 6 * ONE_DAY)
    return Period(view, day, day, day)


def adjacent_day(period: Period, offset: int) -> date | None:
    """A day on the next page (1) or the one before (-1); None where the calendar ends."""
    if period.view == "month":
        months = period.day.year * 12 + period.day.month - 1 + offset
        found = date(months // 12, months % 12 + 1, 1)
    else:
        found = period.day + offset * (WEEK if period.view == "week" else ONE_DAY)
    return found if FIRST_DAY <= found <= LAST_DAY else None


def day_before(day: date) -> date:
    return max(day - ONE_DAY, FIRST_DAY)


def upcoming_window(day: date) -> dict[str, str]:
    """What is not over before a day, as filters of a list."""
    return {"ends_after": day_before(day).isoformat()}


def window_between(first: date, last: date) -> dict[str, str]:
    """What takes place on some days, as filters of a list."""
    return upcoming_window(first) | {"starts_before": last.isoformat()}


def lasting_window(now: datetime, first: date, last: date | None = None) -> dict[str, str]:
    """What takes place from a day on, or until another one, and is not over `now`, on the clock of the site."""
    begin = max(f"{now:%Y-%m-%d %H:%M:%S}", f"{first} 00:00:00")
    until = {"starts_before": f"{last} 23:59:59"} if last else {}
    return {"ends_after": begin, "strict_dates": "true"} | until


def past_window(day: date) -> dict[str, str]:
    """What ended before a day, latest first."""
    return {"end_date": day_before(day).isoformat(), "starts_after": FIRST_DAY.isoformat(), "order": "desc"}


def last_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - ONE_DAY


def in_words(period: Period, language: str) -> str:
    """`December 6 – 12, 2026`."""
    return format_interval(period.first, period.last, "yMMMMd", locale=times.locale(language))


def first_weekday(language: str) -> int:
    """0 is Monday. Unless the site has chosen one, it is that of the reader's region."""
    chosen = conventions.current()
    return chosen.first_weekday(usual_first_weekday(language, chosen.region))


def usual_first_weekday(language: str, region: str = "") -> int:
    return int(_with_territory(language, region).first_week_day)


def weekend(today: date, language: str) -> tuple[date, date]:
    """What is left of this weekend, else the next one: its days are those of the reader's region."""
    locale = _with_territory(language, conventions.current().region)
    length = (locale.weekend_end - locale.weekend_start) % 7
    into = (today.weekday() - locale.weekend_start) % 7
    first = today if into <= length else today + (7 - into) * ONE_DAY
    return first, first + (length - into if into <= length else length) * ONE_DAY


@cache
def _with_territory(language: str, region: str) -> Locale:
    """A language without a territory takes its most likely one."""
    locale = regional_locale(language, region)
    if locale.territory is None:
        likely = get_global("likely_subtags").get(language)
        locale = Locale.parse(likely) if likely else locale
    return locale


def week_start(day: date, language: str) -> date:
    return day - (day.weekday() - first_weekday(language)) % 7 * ONE_DAY


def weeks(period: Period, language: str) -> list[list[date]]:
    """Whole weeks around the days of a period."""
    start, found = week_start(period.first, language), []
    while start <= period.last:
        found.append([start + n * ONE_DAY for n in range(7)])
        start += WEEK
    return found
