"""The forms in which a date may be written: a pattern for each, which `dates.py` reads.

What fits no pattern is not a date, and nothing is rolled over. White space has been brought down to single blanks
before, so that no pattern has two ways to match the same text.
"""

import re
from typing import Final

MONTHS: Final = ("january", "february", "march", "april", "may", "june", "july", "august", "september",
                 "october", "november", "december")  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Minutes, days and months. An hour is time that passes; a day is a step on the calendar, long or short.
UNITS: Final = {"minute": (1, 0, 0), "hour": (60, 0, 0), "day": (0, 1, 0), "week": (0, 7, 0),
                "month": (0, 0, 1), "year": (0, 0, 12)}  # fmt: skip
DAY_WORDS: Final = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1}
NEIGHBOURS: Final = {"next": 1, "this": 0, "last": -1}
# The zones that RFC 2822 names, in hours from UTC.
MAIL_ZONES: Final = {"ut": 0, "gmt": 0, "utc": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
                     "pst": -8, "pdt": -7}  # fmt: skip


def _pattern(form: str) -> re.Pattern[str]:
    # Without ASCII, \d would take the digits of every script, and a long s would pass for an s.
    return re.compile(form, re.ASCII | re.IGNORECASE)


def _either(names: tuple[str, ...], *more: str) -> str:
    return "|".join([*names, *(name[:3] for name in names), *more])


CLOCK: Final = (
    r"(?:T| at | )(?P<clock>noon|midnight|(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?(?: ?(?P<half>[ap]m))?| ?(?P<only_half>[ap]m)))"
)
NUMERIC_OFFSET: Final = (
    # A blank alone is the plus of an offset, lost in a query string.
    r"(?: ?(?P<sign>[+-])| )(?P<offset_hours>\d\d)(?::?(?P<offset_minutes>\d\d))?"
)
OFFSET: Final = rf"(?P<offset> ?Z|{NUMERIC_OFFSET})"
MAIL_OFFSET: Final = rf"(?P<offset> ?Z| (?P<zone>{'|'.join(MAIL_ZONES)})|{NUMERIC_OFFSET})"
TIME: Final = f"(?:{CLOCK}{OFFSET}?)?"
MAIL_TIME: Final = rf"(?:{CLOCK}(?:{MAIL_OFFSET}(?: \([a-z ]*\))?)?)?"  # a comment may follow, as in mail
WEEKDAY: Final = rf"(?P<weekday>{_either(WEEKDAYS, 'tues', 'thur', 'thurs')})"
MONTH: Final = rf"(?P<month>{_either(MONTHS, 'sept')})"
DAY: Final = r"(?P<day>\d{1,2})"
YEAR: Final = r"(?P<year>\d{4})"
NUMBERED_MONTH: Final = r"(?P<month>\d{1,2})"

YEAR_FIRST: Final = _pattern(rf"{YEAR}(?P<mark>[-/]){NUMBERED_MONTH}(?P=mark){DAY}{TIME}")
COMPACT: Final = _pattern(rf"{YEAR}(?P<month>\d\d)(?P<day>\d\d){TIME}")
COMPACT_TIME: Final = _pattern(
    r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)T(?P<clock>(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d))"
    r"(?P<offset>Z)?"
)
TIMESTAMP: Final = _pattern(r"@?(?P<digits>\d+)|@(?P<negative>-\d+)")
DAY_MONTH_YEAR: Final = _pattern(rf"{DAY}(?P<mark>[.-]){NUMBERED_MONTH}(?P=mark){YEAR}{TIME}")
SLASHES: Final = _pattern(rf"{NUMBERED_MONTH}/{DAY}/(?P<year>\d{{4}}|\d\d){TIME}")
MONTH_FIRST: Final = _pattern(rf"(?:{WEEKDAY}(?:, ?| ))?{MONTH} {DAY}(?:, ?| ){YEAR}{TIME}")
DAY_FIRST: Final = _pattern(rf"(?:{WEEKDAY}(?:, ?| ))?{DAY} {MONTH} {YEAR}{MAIL_TIME}")
DAY_WORD: Final = _pattern(rf"(?P<word>{'|'.join(DAY_WORDS)})(?:{CLOCK})?")
ON_WEEKDAY: Final = _pattern(rf"(?:(?P<way>next|last) )?{WEEKDAY}(?:{CLOCK})?")
STEP: Final = _pattern(rf"(?P<sign>[+-]) ?(?P<count>\d{{1,7}}) ?(?P<unit>{'|'.join(UNITS)})s?")
AGO: Final = _pattern(rf"(?P<count>\d{{1,7}}) ?(?P<unit>{'|'.join(UNITS)})s? ago")
NEIGHBOUR: Final = _pattern(r"(?P<way>next|last) (?P<what>week|month|year)")
END_OF_MONTH: Final = _pattern(
    rf"(?P<end>first|last) day of (?P<way>{'|'.join(NEIGHBOURS)}) month(?:{CLOCK})?"
)  # fmt: skip
