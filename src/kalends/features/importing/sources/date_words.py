"""The words of dates and times in the nine languages, as they are compared: without case, accents and dots."""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

from babel import Locale

from kalends.languages import LANGUAGES
from kalends.values import names
from kalends.values.marks import normalized

# Beside Babel's Arabic names, which are those of Egypt: the months of the Maghreb.
_MORE_LOCALES = ("ar_DZ",)
# What stands before a day beside the name of a weekday.
_ARTICLES = """
    am, vom, von, der, den, the, on, from, of, le, la, les, du, de, des, el, los, las, del, il, lo, dal, al, op, van,
    em, no, na, do, da, dia, a partir, jour, giorno, día, يوم, في, من, ال"""
_ALL_DAY = """
    ganztägig, ganztags, ganzer Tag, den ganzen Tag, ganztägige Veranstaltung, all day, all-day, whole day,
    toute la journée, journée entière, journée, todo el día, día completo, tutto il giorno, tutta la giornata,
    intera giornata, hele dag, de hele dag, gehele dag, dia inteiro, o dia todo, o dia inteiro, dia todo,
    終日, 一日中, طوال اليوم, كل اليوم, يوم كامل"""
# Before a time.
_AT = """
    ab, ab ca., um, von, vom, gegen, ca., ca, circa, zirka, jeweils, jeweils um, jeweils ab, ab jeweils, from, at,
    starting at, starts at, starts, de, dès, à, à partir de, a las, a la, a partir de las, desde las, desde la,
    desde, de las, dalle ore, dalle, dalla, alle ore, alle, ore, a partire dalle, om, van, vanaf, das, às,
    a partir das, a partir de, desde as, من, من الساعة, الساعة, في الساعة, ابتداء من, @"""
_BETWEEN = "entre, entre las, entre as, between, zwischen, tra le, fra le, tussen, بين"
_TO = """
    -, bis, bis ca., bis um, bis zum, bis einschließlich, to, until, till, through, à, au, jusqu'à, jusqu'au, al,
    a, a las, a la, hasta, hasta las, hasta el, y las, alle ore, alle, fino alle, fino al, tot, tot en met, t/m,
    às, até, até as, até às, ao, から, ~, إلى, الى, حتى, إلى الساعة, حتى الساعة, - ca., - um, ~ """
_AND = "und, u., and, et, y, e, en, +, &, /, و, と, ・"
_UNIT = "uhr, uur, u, h, hs, hrs, hr, heures, heure, horas, hora, ore, o'clock, 時, まで, 頃, min, 開始, から開演"
_MORNING = "am, a.m., a. m., vorm., vormittags, du matin, de la mañana, di mattina, da manhã, صباحا, صباحًا, ص, 午前"
_EVENING = """
    pm, p.m., p. m., nachm., nachmittags, abends, du soir, de l'après-midi, de la tarde, de la noche, di sera,
    del pomeriggio, da tarde, da noite, مساء, مساءً, م, عصرا, ليلا, ظهرا, 午後"""
_OPEN = "ende offen, open end, offen, open, ?, ~, -, から, 終了未定, fin ouverte"


def plain(written: str) -> str:
    """Digits of any script as 0 to 9, wide letters as narrow ones, any dash as one, without case and accents."""
    text = normalized("NFKC", written)
    text = "".join(str(unicodedata.digit(letter)) if letter.isdigit() else letter for letter in text)
    text = "".join("-" if unicodedata.category(letter) == "Pd" or letter in "−〜" else letter for letter in text)
    return names.sort_key(text.replace("’", "'")).replace("〜", "~")


def _listed(words: str) -> list[str]:
    """As they are compared, the longest first."""
    return sorted({plain(word.strip()) for word in words.split(",")}, key=len, reverse=True)


ALL_DAY = frozenset(_listed(_ALL_DAY))
ARTICLES = frozenset(word for words in _listed(_ARTICLES) for word in words.split())
AT, BETWEEN, TO, AND, UNIT, MORNING, EVENING, OPEN = map(
    _listed, (_AT, _BETWEEN, _TO, _AND, _UNIT, _MORNING, _EVENING, _OPEN)
)


@cache
def months() -> dict[str, int]:
    """The numbers of months by their names, long and short."""
    found: dict[str, int] = {}
    for widths in (locale.months for locale in _locales()):
        for words in (widths[use][width] for use in ("format", "stand-alone") for width in ("wide", "abbreviated")):
            for number, word in words.items():
                found.setdefault(plain(word.rstrip(".")), number)
    # Short forms that people write beside those of the standard.
    return found | {"sep": 9, "mrz": 3, "maerz": 3, "jul": 7, "jun": 6, "mar": 3, "janner": 1, "feber": 2, "sept": 9}


@cache
def weekdays() -> dict[str, frozenset[int]]:
    """Which days of the week a word can mean, Monday is 0: `do` is a Thursday in German and a Sunday in Spanish."""
    found: dict[str, set[int]] = {}
    for locale in _locales():
        for number, word in _names_of_days(locale):
            found.setdefault(plain(word.rstrip(".")), set()).add(number)
    # Japanese names of days, which have two forms, and short ones of schools and offices.
    more = {"tues": 1, "thur": 3, "thurs": 3, "sonnabend": 5, "mitt": 2, "donn": 3}
    for word, number in more.items():
        found.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items() if word}


def _names_of_days(locale: Locale) -> Iterator[tuple[int, str]]:
    for use in ("format", "stand-alone"):
        for width in ("wide", "abbreviated", "short"):
            yield from locale.days[use].get(width, {}).items()


def _locales() -> Iterable[Locale]:
    return [Locale.parse(language) for language in (*LANGUAGES, *_MORE_LOCALES)]
