"""Dates and times in words of the nine languages, as tables have them: `Sa., 12. März 2027, 19.30 Uhr`."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import cache

from babel import Locale

from kalends.languages import LANGUAGES
from kalends.values import names
from kalends.values.marks import normalized

LONGEST = 100
_WORD = r"[^\W\d_]+(?:[-'’][^\W\d_]+)*"
_DAY_FIRST = re.compile(
    rf"(?P<before>(?:{_WORD}[.,]*\s+){{0,2}})(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th|er|º|°)?\s+(?:(?:de|of|di|den)\s+)?"
    rf"(?P<month>{_WORD})\.?,?\s+(?:(?:de|del)\s+)?(?P<year>\d{{4}})(?!\d)(?P<rest>.*)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"(?P<before>(?:{_WORD}[.,]*\s+){{0,1}})(?P<month>{_WORD})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+"
    rf"(?P<year>\d{{4}})(?!\d)(?P<rest>.*)",
    re.IGNORECASE,
)
_JAPANESE = re.compile(
    r"(?P<before>)(?P<year>\d{4})\s*年\s*(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*日(?:\s*\(\w{1,3}\))?(?P<rest>.*)"
)
_AT = r"(?:um|ab|à|a las|a la|alle ore|alle|ore|om|às|at|الساعة)\s+"
_AFTER = r"\s*(?:uhr|uur|horas|heures|h)?\s*"
_TIME = re.compile(
    rf"[\s,]*(?:{_AT})?(?P<hour>\d{{1,2}})(?:\s*(?:[:.h]|時)\s*(?P<minute>\d{{2}})\s*分?|\s*時|(?=\s*(?:h|uhr|uur)\b))"
    rf"{_AFTER}|[\s,]*{_AT}(?P<alone>\d{{1,2}}){_AFTER}",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s*[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?", re.IGNORECASE)
# What stands before a day beside the name of a weekday.
_ARTICLES = {"am", "le", "el", "il", "la", "op", "on", "em", "den", "der", "the"}


def in_numbers(written: str) -> str:
    """`2027-03-12 19:30` for a date in words; anything else stays as it is."""
    if len(written) > LONGEST:
        return written
    text = _plain(written)
    for form in (_DAY_FIRST, _MONTH_FIRST, _JAPANESE):
        found = form.fullmatch(text)
        month = _month(found["month"]) if found is not None else None
        if found is None or month is None or not _is_weekday(found["before"]):
            continue
        try:
            day = date(int(found["year"]), month, int(found["day"]))
        except ValueError:
            return written
        return f"{day} {time_in_numbers(found['rest'])}".strip()
    return written


def time_in_numbers(written: str) -> str:
    """`19:30` for a time with words around it; anything else stays as it is."""
    found = _TIME.fullmatch(_plain(written)) if len(written) <= LONGEST else None
    hour = int(found["hour"] or found["alone"]) if found is not None else 25
    if found is None or hour > 24:
        return written.strip(" ,")
    return f"{hour:02}:{found['minute'] or '00'}"


def is_time(written: str) -> bool:
    """Whether this is a time without a day."""
    return _CLOCK.fullmatch(written) is not None


def _plain(written: str) -> str:
    """Digits of any script as 0 to 9, and wide letters as narrow ones."""
    text = normalized("NFKC", written)
    return "".join(str(unicodedata.digit(letter)) if letter.isdigit() else letter for letter in text).strip()


def _month(word: str) -> int | None:
    return int(word) if word.isdigit() else _months().get(names.sort_key(word))


def _is_weekday(words: str) -> bool:
    return all(names.sort_key(word) in _weekdays() for word in re.findall(_WORD, words))


@cache
def _months() -> dict[str, int]:
    """The numbers of months by their names, long and short, without accents."""
    found: dict[str, int] = {}
    for widths in (locale.months for locale in _locales()):
        for words in (widths[use][width] for use in ("format", "stand-alone") for width in ("wide", "abbreviated")):
            for number, word in words.items():
                found.setdefault(names.sort_key(word.rstrip(".")), number)
    # Short forms that people write beside those of the standard.
    return found | {"sep": 9, "mrz": 3, "maerz": 3, "jul": 7, "jun": 6, "mar": 3}


@cache
def _weekdays() -> frozenset[str]:
    words = (
        word.rstrip(".")
        for locale in _locales()
        for use in ("format", "stand-alone")
        for width in ("wide", "abbreviated", "short")
        for word in locale.days[use].get(width, {}).values()
    )
    return frozenset(names.sort_key(word) for word in words) | _ARTICLES


def _locales() -> Iterator[Locale]:
    return (Locale.parse(language) for language in LANGUAGES)
