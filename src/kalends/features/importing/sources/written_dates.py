"""Dates and times as people write them in tables, in the nine languages: `Fr., 18.06.2027, 14-18 Uhr`,
`18.-20. Juni`, `ganztägig`. The parts of a text are tried from the left until all of it is understood."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from kalends.features.importing.sources.date_words import (
    ALL_DAY,
    AND,
    ARTICLES,
    AT,
    BETWEEN,
    EVENING,
    MORNING,
    OPEN,
    TO,
    UNIT,
    months,
    plain,
    weekdays,
)

LONGEST = 100
DAY_FIRST, MONTH_FIRST = "dmy", "mdy"
_GAP = re.compile(r"[\s,;|]*")
_WORD = re.compile(r"\(?\s*([^\W\d_]+(?:-[^\W\d_]+)?)(?=[.,:)\s\d/&+-]|$)(?:[.,:)/&+]|-(?=[^\W\d_]))*\s*")
_ORDINAL = r"(?:\.|st|nd|rd|th|er|re|e|o|a)?"
_NAME = r"(?P<name>[^\W\d_]+)\.?"
_YEAR = r"(?:,?\s*(?:(?:de|del|of)\s+)?(?P<year>\d{4})(?![\d:.]\d))?"
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.])\s?(?P<month>\d{1,2})\2\s?(?P<day>\d{1,2})\.?(?!\d)")
# The groups `one` and `two` are day and month in an order that the table tells.
_NUMBERS = (
    re.compile(r"(?P<one>\d{1,2})\s?([./-])\s?(?P<two>\d{1,2})\s?\2\s?(?P<year>\d{4})(?!\d)"),
    re.compile(r"(?P<one>\d{1,2})([./-])(?P<two>\d{1,2})\2'?(?P<year>\d{2})(?![\d:h])"),
    re.compile(r"(?P<one>\d{1,2})(\.)\s?(?P<two>\d{1,2})\.(?!\d)"),
    re.compile(r"(?P<one>\d{1,2})([./])(?P<two>\d{1,2})(?![\d:h])"),
)
_NAMED = (
    re.compile(rf"(?P<day>\d{{1,2}}){_ORDINAL}\s*(?:(?:de|of|di|den)\s+|d')?{_NAME}{_YEAR}"),
    re.compile(rf"{_NAME}\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.h]\d){_YEAR}"),
)
_NAMED_RANGE = re.compile(
    rf"{_NAME}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|to|through)\s*(?P<last>\d{{1,2}})(?:st|nd|rd|th)?{_YEAR}"
)
_JAPANESE = re.compile(
    r"(?:(?:(?P<year>\d{4})|令和\s*(?P<reiwa>\d{1,2}))\s*年\s*)?(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*日"
)
_JAPANESE_DAY = re.compile(r"(?P<day>\d{1,2})\s*日")
_DAY_ALONE = re.compile(rf"(?P<day>\d{{1,2}}){_ORDINAL}(?![\d:])")
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:\s?(?:[:.]|h|u|時)\s?(?P<minute>\d{2})(?!\d)(?::(?P<second>\d{2})(?!\d))?\s?分?)?"
)
_FIRST_REIWA = 2018


class WrittenDay(NamedTuple):
    """A day as it is written: its month and year can be those of another one. `weekdays`: what its name can mean."""

    day: int
    month: int = 0
    year: int = 0
    weekdays: frozenset[int] = frozenset()


class WrittenDate(NamedTuple):
    """What a text says. Times are `19:30`, empty where none is written."""

    first: WrittenDay | None = None
    last: WrittenDay | None = None  # of a range
    start: str = ""
    end: str = ""
    all_day: bool = False


@lru_cache(4096)  # the cells of a column repeat each other
def read_date(written: str, order: str = MONTH_FIRST) -> WrittenDate | None:
    """A day, or a range of them, perhaps with times; None if that is not what is written."""
    text = plain(written) if len(written) <= LONGEST else ""
    if not any(letter.isdigit() for letter in text):
        return None
    return next((when for when in _whens(text, order)), None)


@lru_cache(4096)
def read_times(written: str) -> WrittenDate | None:
    """A time, or a range of them, without a day; None if that is not what is written."""
    text = plain(written) if len(written) <= LONGEST else ""
    return _times(text, 0, is_alone=True) if text else None


def _whens(text: str, order: str) -> Iterator[WrittenDate]:
    for first, end in _days(text, 0, order):
        if first.month:
            yield from _ended(text, end, first, None)
        for last, rest in _second_days(text, end, first, order):
            if (days := _joined(first, last)) is not None:
                yield from _ended(text, rest, *days)
    before, start = _weekday_before(text, 0)
    found = _NAMED_RANGE.match(text, start)
    if found is not None and (month := months().get(found["name"], 0)):
        year = int(found["year"] or 0)
        first, last = WrittenDay(int(found["day"]), month, year, before), WrittenDay(int(found["last"]), month, year)
        yield from _ended(text, found.end(), first, last)


def _ended(text: str, end: int, first: WrittenDay, last: WrittenDay | None) -> Iterator[WrittenDate]:
    """What stands after the days."""
    if not all(_is_possible(day) for day in (first, last) if day is not None):
        return
    for rest in dict.fromkeys((_weekday_after(text, end)[1], end)):
        weekdays_after = _weekday_after(text, end)[0] if rest != end else frozenset[int]()
        times = _times(text, rest)
        if times is not None:
            one = last or first
            named = one._replace(weekdays=weekdays_after) if weekdays_after and not one.weekdays else one
            yield times._replace(first=first if last else named, last=named if last else None)


def _is_possible(day: WrittenDay) -> bool:
    """Whether these can be the numbers of a day. Whether there is such a day, its year tells."""
    return 1 <= day.month <= 12 and 1 <= day.day <= 31


def _days(text: str, start: int, order: str) -> Iterator[tuple[WrittenDay, int]]:
    """What can be a day from there on, and where it ends."""
    before, at = _weekday_before(text, start)
    if found := _YEAR_FIRST.match(text, at):
        yield WrittenDay(int(found["day"]), int(found["month"]), int(found["year"]), before), found.end()
    for pattern in _NUMBERS:
        if found := pattern.match(text, at):
            one, two = int(found["one"]), int(found["two"])
            is_day_first = found[2] != "/" or order == DAY_FIRST
            day, month = (one, two) if is_day_first else (two, one)
            year = int(found.groupdict().get("year") or 0)
            # Two digits are this century, as spreadsheets write them.
            yield WrittenDay(day, month, year if year > 99 or not year else 2000 + year, before), found.end()
    for pattern in _NAMED:
        if (found := pattern.match(text, at)) and (month := months().get(found["name"], 0)):
            yield WrittenDay(int(found["day"]), month, int(found["year"] or 0), before), found.end()
    if found := _JAPANESE.match(text, at):
        year = int(found["year"]) if found["year"] else int(found["reiwa"]) + _FIRST_REIWA if found["reiwa"] else 0
        yield WrittenDay(int(found["day"]), int(found["month"]), year, before), found.end()
    if found := _DAY_ALONE.match(text, at):
        yield WrittenDay(int(found["day"]), weekdays=before), found.end()


def _second_days(text: str, end: int, first: WrittenDay, order: str) -> Iterator[tuple[WrittenDay, int]]:
    """The end of a range; of two days joined by `and`, only if they follow each other."""
    end = _weekday_after(text, end)[1]
    for words, is_range in ((TO, True), (AND, False)):
        for start in _after_word(text, end, words):
            found = list(_days(text, start, order))
            if first.month and (japanese := _JAPANESE_DAY.match(text, start)):
                found.append((WrittenDay(int(japanese["day"]), first.month, first.year), japanese.end()))
            for last, rest in found:
                if last.month and (is_range or (last.day - first.day) in (1, -30, -29, -28, -27)):
                    yield last, rest


def _joined(first: WrittenDay, last: WrittenDay) -> tuple[WrittenDay, WrittenDay] | None:
    """A range whose days tell each other's month and year."""
    first = first if first.month else first._replace(month=last.month)
    if last.year and not first.year:
        is_new_year = (first.month, first.day) > (last.month, last.day)
        first = first._replace(year=last.year - is_new_year)
    if first.year and not last.year:
        last = last._replace(year=first.year + ((first.month, first.day) > (last.month, last.day)))
    if first.year and (first.year, first.month, first.day) > (last.year, last.month, last.day):
        return None
    return first, last


def _weekday_before(text: str, start: int) -> tuple[frozenset[int], int]:
    """The day of the week in front of a day, with articles."""
    found, at = frozenset[int](), _GAP.match(text, start).end()  # type: ignore[union-attr]
    for _ in range(4):
        word = _WORD.match(text, at)
        if word is None:
            break
        named = [word[1]] if word[1] in weekdays() else word[1].split("-")  # `Fr-So 18.-20.06.`
        if not all(one in weekdays() or one in ARTICLES for one in named):
            break
        found = found.union(*(weekdays().get(one, frozenset()) for one in named))
        at = word.end()
    return found, at


def _weekday_after(text: str, start: int) -> tuple[frozenset[int], int]:
    """The same behind it, where it often stands in brackets."""
    at = _GAP.match(text, start).end()  # type: ignore[union-attr]
    word = _WORD.match(text, at)
    if word is None or word[1] not in weekdays():
        return frozenset(), start
    return weekdays()[word[1]], word.end()


def _after_word(text: str, start: int, words: Sequence[str]) -> Iterator[int]:
    """Where one of some words ends that stand there, signs or whole words."""
    at = _GAP.match(text, start).end()  # type: ignore[union-attr]
    for word in words:
        if not text.startswith(word, at):
            continue
        end = at + len(word)
        is_word = word[-1].isalpha() and word[-1].isascii()
        if is_word and end < len(text) and text[end].isalpha():
            continue
        yield _GAP.match(text, end).end()  # type: ignore[union-attr]


# Times


class _Clock(NamedTuple):
    hour: int
    minute: int
    second: int
    half: str  # of a day, if it is told
    is_told: bool  # by minutes, a word or a half that it is a time
    end: int


def _times(text: str, start: int, *, is_alone: bool = False) -> WrittenDate | None:
    """What is left of a text as times; None if it is something else. `is_alone`: a number alone can be an hour."""
    at = _GAP.match(text, start).end()  # type: ignore[union-attr]
    if text.startswith("- ", at):
        at = _GAP.match(text, at + 1).end()  # type: ignore[union-attr]
    rest = text[at:].strip(" ,;()")
    if not rest:
        return None if is_alone else WrittenDate()
    if rest in ALL_DAY:
        return WrittenDate(all_day=True)
    begins = [(end, True, AND) for end in _after_word(text, at, BETWEEN)]
    begins += [*((end, True, TO) for end in _after_word(text, at, AT)), (at, False, TO)]
    times = (_range_of_times(text, begin, to, is_hour=has_word or is_alone) for begin, has_word, to in begins)
    return next((found for found in times if found is not None), None)


def _range_of_times(text: str, start: int, to: Sequence[str], *, is_hour: bool) -> WrittenDate | None:
    """`to`: the words before the end. `9 und 14 Uhr` are two times."""
    for first in _clocks(text, start):
        if _is_over(text, first.end) and (first.is_told or is_hour):
            return _from_to(first, None)
        for begin in _after_word(text, first.end, to):
            ends = (end for at in (begin, *_after_word(text, begin, AT)) for end in _clocks(text, at))
            for last in ends:
                if _is_over(text, last.end) and (first.is_told or last.is_told or is_hour):
                    return _from_to(first, last)
        for begin in (first.end, *_after_word(text, first.end, TO)):
            rest = text[begin:].strip(" ,;()")
            if (rest in OPEN or (not rest and begin != first.end)) and (first.is_told or is_hour):
                return _from_to(first, None)
    return None


def _is_over(text: str, end: int) -> bool:
    """Whether nothing is left. A dot behind a number makes it a date."""
    return not text[end:].strip(" ,;.()" if text[end - 1].isalpha() else " ,;()")


def _clocks(text: str, start: int) -> Iterator[_Clock]:
    """What can be a time from there on: with the words around it, and without."""
    half, at = "", start
    for words, name in ((MORNING, "am"), (EVENING, "pm")):
        for end in _after_word(text, start, words):
            half, at = name, end
    found = _CLOCK.match(text, at)
    if found is None:
        return
    hour, minute, end = int(found["hour"]), int(found["minute"] or 0), found.end()
    is_told, is_grown = found["minute"] is not None or bool(half), True
    while is_grown:
        is_grown = False
        for words, name in ((UNIT, ""), (MORNING, "am"), (EVENING, "pm")):
            for after in _after_word(text, end, words):
                half, end, is_told, is_grown = half or name, after, True, True
                break
    if minute < 60 and (hour < 24 or (hour == 24 and not minute)) and not (half and not 1 <= hour <= 12):
        yield _Clock(hour, minute, int(found["second"] or 0), half, is_told, end)


def _from_to(first: _Clock, last: _Clock | None) -> WrittenDate:
    if last is None:
        return WrittenDate(start=_clock_text(first, first.half))
    end = _clock_text(last, last.half)
    start = _clock_text(first, first.half)
    if last.half and not first.half and first.hour <= 12:  # `7-9 pm`
        start = min((_clock_text(first, half) for half in ("pm", "am")), key=lambda text: text > end)
    return WrittenDate(start=start, end=end)


def _clock_text(clock: _Clock, half: str) -> str:
    # Twelve counts as zero on a clock of twelve hours: 12am is midnight, 12pm noon.
    hour = clock.hour if not half else clock.hour % 12 + (12 if half == "pm" else 0)
    return f"{hour:02}:{clock.minute:02}" + (f":{clock.second:02}" if clock.second else "")


def day_in(day: WrittenDay, year: int) -> date | None:
    """The day in a year, if there is one."""
    try:
        return date(day.year or year, day.month, day.day)
    except ValueError:
        return None
