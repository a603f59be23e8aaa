"""Turns the town's data into a plan for a given day: the bodies of all events, always the same for one day."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random

from kalends.features.demo.town import TOWN, Body, Happening, TownEvent, one_line
from kalends.values import dates, recurrence, zones
from kalends.values.recurrence.rules import WEEKDAYS

# The half year, and how often something happens in it: the words of a rhythm become days.

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


MOST = 100  # occurrences in half a year
WEEKS_OF_NOTICE = 3, 9  # how long before it happens something is announced


@dataclass
class PlannedEvent:
    """An event to create. Links are names in the data file; `parent` and `occurrence_of` are indexes in the plan."""

    body: Body
    parent: int | None = None
    cancelled: bool = False
    repeats: bool = False
    occurrence_of: int | None = None  # the first of its series, with which it is created
    overrides: Body = field(default_factory=dict)  # what differs from the other occurrences


def plan(today: date) -> list[PlannedEvent]:
    """All events of the half year around a day, a parent always before what belongs to it."""
    season = Season(today)
    planned: list[PlannedEvent] = []
    for row in TOWN.happenings:
        chance = Random(f"{today} {row.title}")  # noqa: S311 - a fixed seed gives the same plan
        rhythm, rule = days_and_rule(row.when, season)
        days = list(_days(row, rhythm, season, chance))
        repeats = bool(rule) and len(days) > 1
        first = len(planned)
        for number, day in enumerate(days):
            title, text = row.programme[number % len(row.programme)] if row.programme else ("", "")
            body, place = _body(row, day, season, chance, title, text), len(planned)
            if repeats:
                planned.append(_occurrence(row, rule, days, body, None if place == first else first))
            else:
                planned.append(PlannedEvent(body, first if row.linked and place > first else None, row.cancelled))
            for part in row.parts:
                planned.append(PlannedEvent(_body(part, day + (part.day - 1) * DAY, season, chance), place))
    return planned


def _occurrence(row: Happening, rule: str, days: list[date], body: Body, first: int | None) -> PlannedEvent:
    """One of a series. The first is created as it usually is, and all have their own titles and texts afterwards."""
    usual: Body = {"title": row.title, "description": one_line(row.text), "excerpt": ""}
    own = {name: body[name] for name in usual if body[name] != usual[name]}
    if first is None:
        return PlannedEvent(body | usual | {"recurrence": _recurrence(row, rule, days)}, repeats=True, overrides=own)
    return PlannedEvent(body, repeats=True, occurrence_of=first, overrides=own)


def _recurrence(row: Happening, rule: str, days: list[date]) -> dict[str, object]:
    """The rule of a rhythm, with exceptions for the times at which it pauses."""
    first, last = (datetime.combine(day, time.fromisoformat(row.start)) for day in (days[0], days[-1]))
    rule = f"{rule};UNTIL={last:%Y%m%d}"
    given = recurrence.occurrences(recurrence.parse(rule), first, row.zone, None, MOST)
    return {"rule": rule, "exceptions": [dates.text(start) for start in given if start.date() not in days]}


def _days(row: Happening, rhythm: list[date], season: Season, chance: Random) -> Iterator[date]:
    delay = timedelta()
    for planned in rhythm:
        while not row.keeps_its_day and is_quiet(planned + delay, row.days):
            delay += timedelta(weeks=1)  # also for the rest of a course
        day = planned + delay
        paused = chance.random() < row.pauses
        if not paused and season.first <= day and day + row.days * DAY <= season.last:
            yield day


def _body(row: TownEvent, day: date, season: Season, chance: Random, title: str = "", text: str = "") -> Body:
    """The body of one request, with the names of the data file where ids will be."""
    begin = datetime.combine(day, time.fromisoformat(row.start) if row.start else time())
    end = begin + (row.days - 1) * DAY + timedelta(hours=row.hours if row.start else 0)
    body: Body = {
        "title": f"{row.title}: {title}" if title else row.title,
        "description": one_line(f"<p>{text}</p> {_paragraph(row.text)}" if text else row.text),
        "excerpt": one_line(text),
        "start_date": dates.text(begin),
        "end_date": dates.text(end),
        "timezone": row.zone,
        "all_day": not row.start,
        "cost": row.cost,
        "image": row.image,
        "venue": [row.venue] if row.venue else [],
        "organizer": list(row.organizers),
        "categories": row.categories,
        "tags": row.tags,
        "date": _announced(row, day, season, chance),
        **row.more,
    }
    if row.tickets:
        body["tickets"] = [
            {"name": name, "price": price, "currency": "EUR", "capacity": capacity, "url": "https://example.org/tickets",
             "starts": dates.text(begin - timedelta(weeks=8)), "ends": dates.text(begin - timedelta(hours=1))}
            for name, price, capacity in row.tickets
        ]  # fmt: skip
    return body


def _announced(row: TownEvent, day: date, season: Season, chance: Random) -> str:
    """When it was published: some weeks before, and by yesterday at the latest."""
    hour = time(chance.randint(8, 17), chance.choice((0, 10, 25, 40, 55)))
    notice = timedelta(days=chance.randint(7 * WEEKS_OF_NOTICE[0], 7 * WEEKS_OF_NOTICE[1]))
    yesterday = season.today - chance.randint(1, 20) * DAY
    announced = min(day - notice, yesterday)
    if row.published_in is not None:
        announced = season.today + row.published_in * DAY
    return dates.text(datetime.combine(announced, hour))


def _paragraph(text: str) -> str:
    return text if text.startswith("<") else f"<p>{text}</p>"
