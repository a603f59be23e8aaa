"""The requests: lists of which no two are the same, random events, and searches.

Every choice is fixed by a seed, so each server and each version gets the same requests in the same order."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from data import COMMON, DAYS, FIRST_DAY, NOW, RARE, Sample

SEED = 20261115
PATHS = 60_000
DECADE = "start_date=2020-01-01&end_date=2030-01-01"
WINDOWS = (1, 7, 31, 92, 366, 731)  # days
START_DAYS = DAYS - WINDOWS[-1]
PAGED = 92  # days that a list must cover so that its later pages exist


@dataclass(frozen=True)
class Known:
    """What the calendar has to filter by."""

    categories: list[int]
    venues: list[int]
    words: list[str]  # of titles: few events have each
    has_pages: bool  # also a list of PAGED days


@dataclass(frozen=True)
class Parameter:
    """A parameter of the list, how many of a hundred requests that may have it do, and its values."""

    name: str
    share: int
    values: str
    draw: Callable[[Random, Known], object]


def _word(random: Random, known: Known) -> str:
    return random.choices((COMMON, RARE, random.choice(known.words)), weights=(2, 1, 7))[0]


# `start_date` and `end_date` are drawn together, and `page` only where there is such a page; see mixed_lists.
FILTERS = (
    Parameter("categories", 20, "one of all categories", lambda random, known: random.choice(known.categories)),
    Parameter("venue", 20, "one of all venues", lambda random, known: random.choice(known.venues)),
    Parameter("search", 15, "a word of a title (70 %), a common word (20 %), a rare word (10 %)", _word),
)
PER_PAGE = Parameter("per_page", 60, "5, 10, 20 or 50", lambda random, _: random.choice((5, 10, 20, 50)))
END_DATE = Parameter(
    "end_date", 75, f"{', '.join(map(str, WINDOWS))} days later", lambda random, _: random.choice(WINDOWS)
)
PAGE = Parameter(
    "page",
    40,
    f"2 to 5, where no filter is set and the window has {PAGED} days or more",
    lambda random, _: random.randint(2, 5),
)


def describe_mix(lists: Sequence[str]) -> str:
    """The table of docs/performance.md that says what the mixed lists are, with the shares that they really have."""
    rows = [("start_date", f"any day of the first {START_DAYS // 365} years of ten")]
    rows += [(one.name, one.values) for one in (END_DATE, PER_PAGE, *FILTERS, PAGE)]
    lines = ["| parameter | requests that have it | values |", "|---|--:|---|"]
    for name, values in rows:
        share = sum(f"?{name}=" in path or f"&{name}=" in path for path in lists) / len(lists)
        lines.append(f"| `{name}` | {share:.0%} | {values} |")
    return "\n".join(lines)


def mixed_lists(of: Sample, count: int = PATHS) -> list[str]:
    """Lists that vary everything that clients commonly vary. A list without `end_date` covers two years."""
    random, known = Random(SEED), _known(of)
    found: dict[str, None] = {}
    while len(found) < count:
        found[_mixed_list(random, known)] = None
    return list(found)


def _mixed_list(random: Random, known: Known) -> str:
    days = END_DATE.draw(random, known) if _has(random, END_DATE) else None
    start = FIRST_DAY + timedelta(days=random.randrange(START_DAYS))
    query = [f"start_date={start}"]
    if isinstance(days, int):
        query.append(f"end_date={start + timedelta(days=days)}")
    if _has(random, PER_PAGE):
        query.append(f"per_page={PER_PAGE.draw(random, known)}")
    filters = [f"{one.name}={one.draw(random, known)}" for one in FILTERS if _has(random, one)]
    if known.has_pages and not filters and not (isinstance(days, int) and days < PAGED) and _has(random, PAGE):
        query.append(f"page={PAGE.draw(random, known)}")
    return f"/events?{'&'.join(query + filters)}"


def _has(random: Random, parameter: Parameter) -> bool:
    return random.randrange(100) < parameter.share


def other_dates(extra: str = "", *, count: int = PATHS) -> Iterator[str]:
    """Lists that differ in their dates only."""
    days = 2000
    for number in range(count):
        start = FIRST_DAY + timedelta(days=number % days)
        yield f"/events?start_date={start}&end_date={start + timedelta(days=730 + number // days)}{extra}"


def coming_lists() -> list[str]:
    """Lists that begin on one of the next sixty days, some of a week and some of a month."""
    days = [NOW.date() + timedelta(days=number) for number in range(60)]
    return [f"/events?start_date={day}&end_date={day + timedelta(days=length)}" for length in (7, 31) for day in days]


def common_searches() -> Iterator[str]:
    """Searches for the common word, of which no two are the same."""
    return other_dates(f"&search={COMMON}")


def random_events(of: Sample) -> list[str]:
    ids = _column(of, "SELECT id FROM event WHERE visibility_level = 2")
    Random(SEED).shuffle(ids)
    return [f"/events/{id}" for id in ids[:PATHS]]


def place_of_a_venue(of: Sample) -> tuple[float, float]:
    """Latitude and longitude."""
    [lat], [lng] = (
        _column(of, f"SELECT {name} FROM venue WHERE geo_lat IS NOT NULL ORDER BY id LIMIT 1")
        for name in ("geo_lat", "geo_lng")
    )
    return float(str(lat)), float(str(lng))


def past_events(of: Sample) -> list[int]:
    return _column(of, "SELECT id FROM event WHERE visibility_level = 2 AND end_local < '2022' LIMIT 500")


def _known(of: Sample) -> Known:
    titles = _column(of, "SELECT name FROM event WHERE visibility_level = 2 LIMIT 2000")
    return Known(
        categories=_column(of, "SELECT id FROM category ORDER BY id"),
        venues=_column(of, "SELECT id FROM venue ORDER BY id"),
        words=sorted({title.split()[0].lower() for title in titles}),
        has_pages=of.events >= 10_000,
    )


def _column(of: Sample, sql: str) -> list[object]:
    connection = sqlite3.connect(of.folder / "kalends.db")
    try:
        return [value for (value,) in connection.execute(sql)]
    finally:
        connection.close()
