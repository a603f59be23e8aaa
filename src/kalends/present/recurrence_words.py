"""A recurrence in words, in the language of the reader: `Every second Tuesday until June 30, 2027`.

Whatever a language inflects is a sentence of the catalogs of its own: weekdays and ordinals have a gender in some.
"""

import re
from dataclasses import replace
from datetime import date, datetime
from itertools import islice, takewhile
from typing import Final, NamedTuple

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names, get_month_names
from babel.lists import format_list

from kalends.languages import N_, regional_locale, translate
from kalends.store.rows.records import Series
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence, Rule, last_day
from kalends.values.recurrence.occurrences import walk
from kalends.values.recurrence.parsing import local_times

EVERY: Final = {
    "DAILY": (N_("Every day"), N_("Every second day"), N_("Every {number} days")),
    "WEEKLY": (N_("Every week"), N_("Every second week"), N_("Every {number} weeks")),
    "MONTHLY": (N_("Every month"), N_("Every second month"), N_("Every {number} months")),
    "YEARLY": (N_("Every year"), N_("Every second year"), N_("Every {number} years")),
}
EVERY_WEEKDAY: Final = (
    N_("Every Monday"),
    N_("Every Tuesday"),
    N_("Every Wednesday"),
    N_("Every Thursday"),
    N_("Every Friday"),
    N_("Every Saturday"),
    N_("Every Sunday"),
)
EVERY_SECOND_WEEKDAY: Final = (
    N_("Every second Monday"),
    N_("Every second Tuesday"),
    N_("Every second Wednesday"),
    N_("Every second Thursday"),
    N_("Every second Friday"),
    N_("Every second Saturday"),
    N_("Every second Sunday"),
)
# By the number of BYDAY: 2TU, -1FR.
NUMBERED_WEEKDAYS: Final = {
    1: (
        N_("the first Monday"),
        N_("the first Tuesday"),
        N_("the first Wednesday"),
        N_("the first Thursday"),
        N_("the first Friday"),
        N_("the first Saturday"),
        N_("the first Sunday"),
    ),
    2: (
        N_("the second Monday"),
        N_("the second Tuesday"),
        N_("the second Wednesday"),
        N_("the second Thursday"),
        N_("the second Friday"),
        N_("the second Saturday"),
        N_("the second Sunday"),
    ),
    3: (
        N_("the third Monday"),
        N_("the third Tuesday"),
        N_("the third Wednesday"),
        N_("the third Thursday"),
        N_("the third Friday"),
        N_("the third Saturday"),
        N_("the third Sunday"),
    ),
    4: (
        N_("the fourth Monday"),
        N_("the fourth Tuesday"),
        N_("the fourth Wednesday"),
        N_("the fourth Thursday"),
        N_("the fourth Friday"),
        N_("the fourth Saturday"),
        N_("the fourth Sunday"),
    ),
    5: (
        N_("the fifth Monday"),
        N_("the fifth Tuesday"),
        N_("the fifth Wednesday"),
        N_("the fifth Thursday"),
        N_("the fifth Friday"),
        N_("the fifth Saturday"),
        N_("the fifth Sunday"),
    ),
    -1: (
        N_("the last Monday"),
        N_("the last Tuesday"),
        N_("the last Wednesday"),
        N_("the last Thursday"),
        N_("the last Friday"),
        N_("the last Saturday"),
        N_("the last Sunday"),
    ),
}
IN_MONTH: Final = (
    N_("in January"),
    N_("in February"),
    N_("in March"),
    N_("in April"),
    N_("in May"),
    N_("in June"),
    N_("in July"),
    N_("in August"),
    N_("in September"),
    N_("in October"),
    N_("in November"),
    N_("in December"),
)
UNTIL: Final = N_("{rule} until {date}")
TIMES: Final = N_("{rule}, {number} times")
THESE_DATES: Final = N_("{rule}, {number} dates")
NOT_ON: Final = N_("{rule}, not on {days}")
FURTHER: Final = N_("{rule}, and on further dates")
IN_ONE_MONTH: Final = N_("{rule} {in_month}")
IN_MONTHS: Final = N_("{rule} ({months})")
ON_WEEKDAYS: Final = N_("{rhythm} on {weekdays}")
ON_DAYS: Final = N_("{rhythm} on {days}")
ON_DATE: Final = N_("{rhythm} on {date}")
MONDAY_TO_FRIDAY: Final = N_("Every day from Monday to Friday")
DAY: Final = N_("day {number}")
LAST_DAY: Final = N_("the last day")
FIRST_WORKING_DAY: Final = N_("the first working day")
LAST_WORKING_DAY: Final = N_("the last working day")
ONE_DATE: Final = N_("On one date")
SEVERAL_DATES: Final = N_("On several dates")
DATES_UNTIL: Final = N_("On {number} dates until {date}")

WORKING_DAYS: Final = tuple((0, weekday) for weekday in range(5))
MOST_NAMED: Final = 4  # days of a month or a year; a longer list is no easier to read than the dates themselves
MOST_LOOKED_AT: Final = 1000  # dates
_BEGINNING: Final = re.compile(r"\d+\.?")  # the day of `21. Dez.`
_ENDING: Final = re.compile(r"\d+\D*$")  # and of `Dec 21`, `12月21日`


class ReaderLanguage(NamedTuple):
    """The language of the sentences, and how dates and lists are written in the reader's region."""

    language: str
    locale: Locale


def series_in_words(series: Series, language: str, number: int = 0, last_start: str = "", region: str = "") -> str:
    """What a series says of its dates: how many the reader sees, and the last of them, if that is known."""
    template = series.template.event
    return in_words(
        recurrence.from_text(series.recurrence),
        dates.from_text(template.start_local),
        template.timezone,
        language,
        number,
        dates.from_text(last_start) if last_start else None,
        region,
    )


def in_words(
    recurrence: Recurrence,
    first_start: datetime,
    zone: str,
    language: str,
    number: int = 0,
    last_start: datetime | None = None,
    region: str = "",
) -> str:
    """What the recurrence says; for a rule that has no short words, how many dates there are until the last."""
    reader = ReaderLanguage(language, regional_locale(language, region))
    words = _rule_words(recurrence.rule, first_start, reader) if recurrence.rule else None
    rule = recurrence.rule
    if words is None or rule is None or rule.count == 1:
        return _dates_words(rule, number, last_start, reader)
    taken_out = _excluded_days(recurrence, first_start, zone)
    if rule.count is not None and taken_out:
        words = _said(THESE_DATES, reader, rule=words, number=rule.count - len(taken_out))
    elif rule.count is not None:
        words = _said(TIMES, reader, rule=words, number=rule.count)
    elif (last := last_day(rule, first_start, zone)) is not None:
        words = _said(UNTIL, reader, rule=words, date=_long_date(last, reader))
    if 0 < len(taken_out) <= MOST_NAMED:
        words = _said(NOT_ON, reader, rule=words, days=_short_dates(taken_out, reader))
    if recurrence.dates:
        words = _said(FURTHER, reader, rule=words)
    return words


def _excluded_days(recurrence: Recurrence, first_start: datetime, zone: str) -> list[date]:
    """The days on which the rule has a date that is taken out."""
    if not recurrence.exceptions or recurrence.rule is None:
        return []
    exceptions = {*local_times(recurrence.exceptions, first_start, zone)}
    last = max(exceptions)
    starts = islice(walk(Recurrence(recurrence.rule), first_start, zone), MOST_LOOKED_AT)
    return sorted({start.date() for start in takewhile(lambda start: start <= last, starts) if start in exceptions})


def _short_dates(days: list[date], reader: ReaderLanguage) -> str:
    """`Dec 21 and 28`, `21 and 28 Dec`; the month of each where it is not the same."""
    named = [format_skeleton("MMMd", day, locale=reader.locale) for day in days]
    if len({(day.year, day.month) for day in days}) > 1:
        return _listed(named, reader)
    if is_day_first := named[0].startswith(str(days[0].day)):
        shorter = [_BEGINNING.match(name) for name in named[:-1]]
    else:
        shorter = [_ENDING.search(name) for name in named[1:]]
    numbers = [found[0] for found in shorter if found]
    return _listed([*numbers, named[-1]] if is_day_first else [named[0], *numbers], reader)


def _dates_words(rule: Rule | None, number: int, last_start: datetime | None, reader: ReaderLanguage) -> str:
    is_endless = rule is not None and rule.count is None and rule.until is None
    if is_endless or last_start is None:
        return translate(SEVERAL_DATES, reader.language)
    if number == 1:
        return translate(ONE_DATE, reader.language)
    return _said(DATES_UNTIL, reader, number=number, date=_long_date(last_start, reader))


def _rule_words(rule: Rule, first_start: datetime, reader: ReaderLanguage) -> str | None:
    """A rule without its end; None for one that has no short words."""
    if rule.weeks or rule.year_days or rule.has_times:
        return None
    rule = _plainer(rule)
    match rule.frequency:
        case "DAILY":
            words = None if rule.days or rule.month_days or rule.positions else _rhythm(rule, reader)
        case "WEEKLY":
            words = _weekly(rule, first_start, reader)
        case "MONTHLY":
            words = _monthly(rule, first_start, reader)
        case _:
            return _yearly(rule, first_start, reader)
    return words and _in_months(words, rule.months, reader)


def _plainer(rule: Rule) -> Rule:
    """The same dates in fewer parts: `FREQ=DAILY;BYDAY=SA` is weekly, `BYDAY=TU;BYSETPOS=2` is the second Tuesday."""
    if rule.frequency == "MONTHLY" and len(rule.positions) == 1 and len(rule.days) == 1 and not rule.month_days:
        which, weekday = rule.days[0]
        if which == 0 and rule.positions[0] in NUMBERED_WEEKDAYS:
            return replace(rule, days=((rule.positions[0], weekday),), positions=())
    has_plain_days = rule.days and not any(which for which, _ in rule.days)
    if rule.interval == 1 and has_plain_days and not (rule.month_days or rule.positions):
        return replace(rule, frequency="WEEKLY")
    return rule


def _rhythm(rule: Rule, reader: ReaderLanguage) -> str:
    every, every_second, every_number = EVERY[rule.frequency]
    if rule.interval <= 2:
        return translate((every, every_second)[rule.interval - 1], reader.language)
    return _said(every_number, reader, number=rule.interval)


def _weekly(rule: Rule, first_start: datetime, reader: ReaderLanguage) -> str | None:
    if rule.positions:
        return None
    weekdays = [weekday for _, weekday in rule.days] or [first_start.weekday()]
    if rule.interval == 1 and len(weekdays) == 7:
        return translate(EVERY["DAILY"][0], reader.language)
    if rule.interval == 1 and rule.days == WORKING_DAYS:
        return translate(MONDAY_TO_FRIDAY, reader.language)
    if len(weekdays) == 1 and rule.interval <= 2:
        return translate((EVERY_WEEKDAY, EVERY_SECOND_WEEKDAY)[rule.interval - 1][weekdays[0]], reader.language)
    names = get_day_names("wide", "stand-alone", locale=reader.locale)
    listed = _listed([names[weekday] for weekday in weekdays], reader)
    return _said(ON_WEEKDAYS, reader, rhythm=_rhythm(rule, reader), weekdays=listed)


def _monthly(rule: Rule, first_start: datetime, reader: ReaderLanguage) -> str | None:
    days = _days_of_month(rule, first_start, reader)
    return days and _said(ON_DAYS, reader, rhythm=_rhythm(rule, reader), days=days)


def _days_of_month(rule: Rule, first_start: datetime, reader: ReaderLanguage) -> str | None:
    if rule.days == WORKING_DAYS and rule.positions in ((1,), (-1,)) and not rule.month_days:
        return translate((FIRST_WORKING_DAY, LAST_WORKING_DAY)[rule.positions == (-1,)], reader.language)
    if rule.positions or (rule.days and rule.month_days):
        return None
    if rule.days:
        return _numbered_weekdays(rule, reader)
    numbers = rule.month_days or (first_start.day,)
    if len(numbers) > MOST_NAMED or min(numbers) < -1:
        return None
    ordered = sorted(numbers, key=lambda number: number % 100)  # the last day last
    named = [
        translate(LAST_DAY, reader.language) if number == -1 else _said(DAY, reader, number=number)
        for number in ordered
    ]
    return _listed(named, reader)


def _numbered_weekdays(rule: Rule, reader: ReaderLanguage) -> str | None:
    if len(rule.days) > MOST_NAMED or any(which not in NUMBERED_WEEKDAYS for which, _ in rule.days):
        return None
    ordered = sorted(rule.days, key=lambda day: (day[0] % 100, day[1]))
    return _listed(
        [translate(NUMBERED_WEEKDAYS[which][weekday], reader.language) for which, weekday in ordered], reader
    )


def _yearly(rule: Rule, first_start: datetime, reader: ReaderLanguage) -> str | None:
    if rule.positions:
        return None
    rhythm = _rhythm(rule, reader)
    if rule.days:
        days = _numbered_weekdays(rule, reader) if rule.months and not rule.month_days else None
        words = days and _said(ON_DAYS, reader, rhythm=rhythm, days=days)
        return words and _in_months(words, rule.months, reader)
    months = rule.months or (tuple(range(1, 13)) if rule.month_days else (first_start.month,))
    numbers = rule.month_days or (first_start.day,)
    if min(numbers) < 1 or len(months) * len(numbers) > MOST_NAMED:
        return None
    named = [_day_of_year(month, number, reader) for month in months for number in numbers]
    return _said(ON_DATE, reader, rhythm=rhythm, date=_listed(named, reader))


def _day_of_year(month: int, number: int, reader: ReaderLanguage) -> str:
    """`June 30`; a day that no year has, such as the 31st of one month of several, is left to the rule."""
    try:
        return format_skeleton("MMMMd", date(2000, month, number), locale=reader.locale)
    except ValueError:
        return ""


def _in_months(words: str, months: tuple[int, ...], reader: ReaderLanguage) -> str:
    if not months or len(months) == 12:
        return words
    if len(months) == 1:
        return _said(IN_ONE_MONTH, reader, rule=words, in_month=translate(IN_MONTH[months[0] - 1], reader.language))
    names = get_month_names("wide", locale=reader.locale)
    return _said(IN_MONTHS, reader, rule=words, months=_listed([names[one] for one in months], reader))


def _said(sentence: str, reader: ReaderLanguage, **values: object) -> str:
    return translate(sentence, reader.language).format(**values)


def _listed(words: list[str], reader: ReaderLanguage) -> str:
    return format_list([word for word in words if word], locale=reader.locale)


def _long_date(moment: date, reader: ReaderLanguage) -> str:
    return format_date(moment, "long", locale=reader.locale)
