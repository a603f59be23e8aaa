"""Turns the town's data into a plan for a given day: the bodies of all events, always the same for one day."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random

from kalends.features.demo.rhythm import DAY, Season, days_and_rule, is_quiet
from kalends.features.demo.town import TOWN, Body, Happening, Part, one_line
from kalends.values import dates, recurrence

MOST = 100  # occurrences in half a year
WEEKS_OF_NOTICE = 3, 9  # how long before it happens something is announced


@dataclass
class Planned:
    """An event to create. Links are names in the data file; `parent` and `occurrence_of` are indexes in the plan."""

    body: Body
    parent: int | None = None
    cancelled: bool = False
    repeats: bool = False
    occurrence_of: int | None = None  # the first of its series, with which it is created
    own: Body = field(default_factory=dict)  # what differs from the other occurrences


def plan(today: date) -> list[Planned]:
    """All events of the half year around a day, a parent always before what belongs to it."""
    season = Season(today)
    planned: list[Planned] = []
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
                planned.append(Planned(body, first if row.linked and place > first else None, row.cancelled))
            for part in row.parts:
                planned.append(Planned(_body(part, day + (part.day - 1) * DAY, season, chance), place))
    return planned


def _occurrence(row: Happening, rule: str, days: list[date], body: Body, first: int | None) -> Planned:
    """One of a series. The first is created as it usually is, and all have their own titles and texts afterwards."""
    usual: Body = {"title": row.title, "description": one_line(row.text), "excerpt": ""}
    own = {name: body[name] for name in usual if body[name] != usual[name]}
    if first is None:
        return Planned(body | usual | {"recurrence": _recurrence(row, rule, days)}, repeats=True, own=own)
    return Planned(body, repeats=True, occurrence_of=first, own=own)


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


def _body(row: Part, day: date, season: Season, chance: Random, title: str = "", text: str = "") -> Body:
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


def _announced(row: Part, day: date, season: Season, chance: Random) -> str:
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
