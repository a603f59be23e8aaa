"""Regular expressions of JSON Schema for what clients may write: numbers, words and dates as text.

They match nothing that the types do not accept, and leave out only unusual spellings.
"""

from collections.abc import Iterable

FIRST_SECOND = -2208988800  # 1900-01-01
LAST_SECOND = 253402300799  # 9999-12-31 23:59:59

BLANK = r"^[\s,]*$"
NOT_BLANK = r"[^\s]"

_YEAR = "(?:19[0-9]{2}|[2-9][0-9]{3})"
_LEAP_YEAR = "(?:(?:19|[2-9][0-9])(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)"
_MONTH_AND_DAY = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_DAY = f"(?:{_YEAR}-{_MONTH_AND_DAY}|{_LEAP_YEAR}-02-29)"
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?"
_PRECISE_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
_OFFSET = "(?:Z|[+-](?:(?:0[0-9]|1[0-3])(?::?[0-5][0-9])?|14(?::?00)?))"
_SPOKEN_CLOCK = f"(?:noon|midnight|(?:[1-9]|1[0-2])(?::[0-5][0-9])? ?[ap]m|{_CLOCK})"
_SAFE_DAY = "(?:0?[1-9]|1[0-9]|2[0-8])"


def up_to(largest: int, *, zero: bool = True) -> str:
    """A whole number from 0 or 1 to the largest, without zeros in front. What is larger than anything in use
    is cut to a round number of digits."""
    digits = str(largest) if largest < 10**18 else "9" * 18
    alternatives = ["0"] if zero else []
    if len(digits) > 1:
        alternatives.append(f"[1-9][0-9]{{0,{len(digits) - 2}}}")
    for place, digit in enumerate(digits):
        least = 0 if place else 1
        if int(digit) > least:
            alternatives.append(digits[:place] + _digit(least, int(digit) - 1) + _digits(len(digits) - place - 1))
    if set(digits) == {"9"}:
        alternatives = [*(["0"] if zero else []), f"[1-9][0-9]{{0,{len(digits) - 1}}}"]
    else:
        alternatives.append(digits)
    return "(?:" + "|".join(alternatives) + ")"


def _digit(least: int, most: int) -> str:
    return str(most) if least == most else f"[{least}-{most}]"


def _digits(count: int) -> str:
    return "[0-9]" * count if count < 2 else f"[0-9]{{{count}}}"


def whole(minimum: int, maximum: int) -> str:
    """A whole number as text: `3`, `+3`, `003`, `3.0`."""
    written = rf"\+?0{{0,20}}{up_to(maximum, zero=minimum <= 0)}(?:\.0{{1,10}})?"
    return written if minimum > 0 else rf"(?:{written}|-0(?:\.0{{1,10}})?)"


def decimal(bound: int) -> str:
    """A number as text, from minus to plus the bound."""
    return rf"[+-]?0{{0,20}}(?:{bound}(?:\.0*)?|{up_to(bound - 1)}(?:\.[0-9]*)?)"


def padded(form: str) -> str:
    """A form that may have white space around it."""
    return rf"^\s*{form}\s*$"


def comma_list(element: str, most: int | None = None) -> str:
    """One element or several, separated by commas; empty ones count for nothing, except where there is a bound."""
    if most is not None:
        return rf"^\s*{element}\s*(?:,\s*{element}\s*){{0,{most - 1}}}$"
    return rf"^[\s,]*{element}(?:\s*,[\s,]*{element})*[\s,]*$"


def words(choices: Iterable[str]) -> str:
    """One of some words, with a capital or without."""
    return "(?:" + "|".join(_either_case(word) for word in choices) + ")"


def dates(months: Iterable[str], weekdays: Iterable[str], days: Iterable[str], units: Iterable[str]) -> list[str]:
    """The forms of a date and time: ISO 8601, timestamps, days in numbers, month names, and distances from now."""
    month, weekday = words(months), words(weekdays)
    clock = f"(?:(?:T| | at ){_SPOKEN_CLOCK})?"
    short_month, unit = "(?:0?[1-9]|1[0-2])", words(units)
    return [
        f"^{_DAY}(?:[ T]{_PRECISE_CLOCK}{_OFFSET}?)?$",
        # Eight digits without a sign are a day.
        "^(?:[0-9]{1,7}|[0-9]{9,11}|[01][0-9]{11}|[0-9]{13})$",
        f"^@(?:[0-9]{{13}}|0{{0,20}}{up_to(LAST_SECOND)})$",
        f"^@-{up_to(-FIRST_SECOND, zero=False)}$",
        f"^{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|1[0-9]|2[0-8])(?:T(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]Z?)?$",
        f"^{_YEAR}(?:-{short_month}-|/{short_month}/){_SAFE_DAY}{clock}$",
        f"^{_SAFE_DAY}(?:-{short_month}-|\\.{short_month}\\.){_YEAR}{clock}$",
        f"^{short_month}/{_SAFE_DAY}/(?:{_YEAR}|[0-9]{{2}}){clock}$",
        f"^{month} {_SAFE_DAY},? {_YEAR}{clock}$",
        f"^{_SAFE_DAY} {month} {_YEAR}{clock}$",
        f"^{words(days)}{clock}$",
        f"^(?:(?:next|last) )?{weekday}{clock}$",
        f"^[+-] ?[0-9]{{1,2}} ?{unit}s?$",
        f"^[0-9]{{1,2}} {unit}s? ago$",
        "^(?:next|last) (?:week|month|year)$",
        f"^(?:first|last) day of (?:next|this|last) month{clock}$",
    ]


def _either_case(word: str) -> str:
    return f"[{word[0].upper()}{word[0]}]{word[1:]}" if word[0].isalpha() else word
