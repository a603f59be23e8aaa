"""The half year, and how often something happens in it: the words of a rhythm become days."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from kalends.values import zones
from kalends.values.recurrence.rules import WEEKDAYS

DAY = timedelta(days=1)
# Long enough that the clocks change in it, here or in the twin town, whenever it begins.
DAYS_BACK, DAYS_AHEAD = 31, 153
# Month and day when the town stays at home.
QUIET_DAYS = frozenset({(12, 24), (12, 25), (12, 26), (12, 31), (1, 1)})
NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True)
class Season:
    """The half year around a day."""

    today: date

    @property
    def first(self) -> date:
        return self.today - DAYS_BACK * DAY

    @property
    def last(self) -> date:
        return self.today + DAYS_AHEAD * DAY

    def days(self) -> list[date]:
        return [self.first + number * DAY for number in range(DAYS_BACK + DAYS_AHEAD + 1)]

    def on(self, weekday: str) -> list[date]:
        """Every such day on which the town does not stay at home."""
        return [day for day in self.days() if WEEKDAYS[day.weekday()] == weekday and not is_quiet(day)]


def is_quiet(first: date, days: int = 1) -> bool:
    """Whether a day on which nothing takes place is among these."""
    return any((day.month, day.day) in QUIET_DAYS for day in (first + number * DAY for number in range(days)))


def days_and_rule(when: str, season: Season) -> tuple[list[date], str]:
    """The days of a rhythm; and the rule that says the same in iCalendar, if it goes on and on."""
    match when.replace(",", "").split():
        case ["every", "year", "on", date_of_year]:
            return [day for day in season.days() if f"{day:%m-%d}" == date_of_year], ""
        case ["every", "other", weekday, *second]:
            days = [day for day in season.on(weekday) if day.toordinal() // 7 % 2 == bool(second)]
            return days, f"FREQ=WEEKLY;INTERVAL=2;BYDAY={weekday}"
        case ["every", weekday]:
            return season.on(weekday), f"FREQ=WEEKLY;BYDAY={weekday}"
        case ["last", weekday, "of", "the", "month"]:
            days = [day for day in season.on(weekday) if (day + 7 * DAY).month != day.month]
            return days, f"FREQ=MONTHLY;BYDAY=-1{weekday}"
        case [number, weekday, "of", "the", "month"]:
            days = [day for day in season.on(weekday) if (day.day + 6) // 7 == NUMBERS[number]]
            return days, f"FREQ=MONTHLY;BYDAY={NUMBERS[number]}{weekday}"
        case [weekday, "of", "week", week, *times]:  # so many weeks after the present one, and in those that follow
            monday = season.today + timedelta(weeks=int(week), days=-season.today.weekday())
            first = monday + WEEKDAYS.index(weekday) * DAY
            return [first + timedelta(weeks=number) for number in range(int(times[0]) if times else 1)], ""
        case ["clocks", direction, "in", zone]:  # the evening before the night in which they change
            wanted = 1 if direction == "forward" else -1
            return [evening for evening in season.days() if _change(evening + DAY, zone) == wanted], ""
    raise ValueError(when)


def _change(day: date, zone: str) -> int:
    """1 for a day of 23 hours, -1 for one of 25."""
    midnight = datetime.combine(day, time())
    before, after = zones.offset(midnight, zone), zones.offset(midnight + DAY, zone)
    return (after > before) - (after < before)
