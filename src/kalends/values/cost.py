"""What an event costs: what a client sent, as it is stored, and as it is shown.

A part of a cost is an amount when it is a number with at most a currency around it, a range when amounts (or
words) stand on both sides of a dash, and else a text: `From $5`, `5 per person`, `10/8 €`. One comma or dot
before three digits divides thousands (`1,000`, `1.000 €`), but the dot of a bare number, and of a currency
with thousandths, is a decimal point, as in JSON. A currency in letters keeps its space: `10 USD`.
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from babel.core import get_global

from kalends.values.marks import has_long_run
from kalends.values.markup import plain
from kalends.values.names import slugify

MOST_PARTS = 50
LONGEST_PART = 100
LONGEST_WRITTEN = 1000  # with its markup
FREE = "Free"
# How people write that something costs nothing, as the whole of a cost.
# fmt: off
FREE_WORDS = (
    "free", "free entry", "free admission", "free entrance", "free of charge", "no charge", "no cover", "gratis",
    "frei", "kostenlos", "kostenfrei", "eintritt frei", "freier eintritt", "gratuit", "entrée libre",
    "entrée gratuite", "gratuito", "entrada libre", "entrada gratuita", "ingresso libero", "ingresso gratuito",
    "grátis", "entrada franca", "gratis toegang", "toegang gratis", "無料", "入場無料", "مجانًا", "مجاني",
    "الدخول مجاني",
)
# Nobody has to pay anything.
DONATION_WORDS = (
    "donation", "donations", "by donation", "donations welcome", "free, donations welcome", "pay what you can",
    "pay what you want", "pay what you wish", "spende", "spenden", "auf spendenbasis",
    "eintritt frei, spenden erbeten", "spende erbeten", "don libre", "prix libre", "participation libre",
    "donativo", "donación", "la voluntad", "taquilla inversa", "offerta libera", "donazione", "doação",
    "contribuição voluntária", "donatie", "vrije gift", "vrijwillige bijdrage", "カンパ制", "投げ銭", "تبرع",
)
# fmt: on
_ZEROS = ("0", "0.00", "0,00")
FREE_COSTS = (
    *FREE_WORDS,
    *DONATION_WORDS,
    *_ZEROS,
    *(f"{symbol}{zero}" for symbol in ("$", "€", "£") for zero in _ZEROS),
    *(f"{zero}{symbol}" for symbol in (" €", "€", " eur", " usd", " gbp", " chf") for zero in _ZEROS),
)
PREFIX, POSTFIX = "prefix", "postfix"

# What is legal tender somewhere today, and two codes that people still write though CLDR no longer has them so.
CURRENT_CODES = frozenset(
    code
    for currencies in get_global("territory_currencies").values()
    for code, _since, until, is_tender in currencies
    if until is None and is_tender
)
_CODES = CURRENT_CODES | {"ANG", "VED"}
# How people write a currency beside a number. Babel knows one or two symbols of each, and not `Rs.` or `Euros`.
# fmt: off
_WORDS = frozenset({
    "US$", "USD$", "$US", "A$", "AU$", "C$", "CA$", "CAD$", "$CA", "NZ$", "HK$", "S$", "R$", "MX$", "NT$",
    "R", "Rs", "Rs.", "kr", "kr.", "Kr", "Kr.", "KR", "Kč", "zł", "Ft", "lei", "лв", "лв.", "руб", "руб.",
    "р.", "грн", "Rp", "RM", "TL", "Fr", "Fr.", "SFr", "SFr.", "din", "дин", "KSh", "TSh", "USh", "S/",
    "S/.", "Bs", "Bs.", "Euro", "Euros", "euro", "euros", "EURO", "eur", "usd", "gbp", "chf", "jpy", "円",
    "元", "원", "圓", "บาท", "د.إ", "ر.س", "د.ك", "د.م.", "ج.م",
})
# fmt: on
# As ISO 4217 has them: CLDR gives the dinar of Iraq none, since nobody uses them.
_WITH_THOUSANDTHS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND", "د.ك"})

_NUMBER = r"(?:\d+(?:[.,٫٬'’ ]\d+)*|(?<![^\W\d])[.,]\d+)"
_AMOUNT = re.compile(rf"(?P<before>\D*?) ?(?P<number>{_NUMBER})(?:[.,][-–—])? ?(?P<after>\D*)")
# Every character that Unicode calls the symbol of a currency.
_SYMBOLS = (
    "$¢-¥\u058f\u060b\u07fe\u07ff\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20cf\ua838\ufdfc\ufe69\uff04"
    "\uffe0\uffe1\uffe5\uffe6\U00011fdd-\U00011fe0\U0001e2ff\U0001ecb0"
)
_CURRENCIES = sorted(_CODES | _WORDS, key=lambda word: (-len(word), word))
_CURRENCY = "|".join([f"[{_SYMBOLS}]", *(re.sub(r"[$./]", r"\\\g<0>", word) for word in _CURRENCIES)])
# A cost without a minus sign before a number, with at most a currency around the sign, at the beginning or after the
# dash of a range. The description of the interface has the same pattern, so it is one that JavaScript understands.
NOT_NEGATIVE = rf"^(?!(?:[\s\S]*[\-−–—~〜～])?\s*\(?(?:{_CURRENCY})?\s*[\-−–—]\s*(?:{_CURRENCY})?\s*[.,]?\d)"
_NOT_NEGATIVE = re.compile(NOT_NEGATIVE)
_LOOSE_DASH = re.compile(r" [-–—−~] ")
_TIGHT_DASH = re.compile(r" ?[-–—−~〜～] ?")
_SEPARATOR = re.compile("[.,' ]")


class Currency(NamedTuple):
    """The currency of the site, for costs that name none."""

    symbol: str = "$"
    code: str = ""
    position: str = PREFIX


class NotACost(ValueError):
    """What was sent cannot be a cost; the message says why."""


@dataclass(frozen=True)
class _Price:
    """An amount or a text of a cost: its value, and how it was written."""

    value: str
    written: str
    is_amount: bool = False
    symbol: str = ""
    position: str = ""
    code: str = ""
    code_behind: str = ""

    def order(self) -> tuple[bool, Decimal, str]:
        """Texts first, as `Free` is the least; but `5*`, a text whose value is a number, among numbers."""
        if self.is_amount or (self.value.isascii() and self.value.isdecimal()):
            return True, Decimal(self.value), ""
        return False, Decimal(0), self.value or self.written

    @property
    def groups_by_dot(self) -> bool:
        return bool(self.symbol) and not {self.symbol, self.code} & _WITH_THOUSANDTHS

    def formatted(self) -> str:
        if not self.is_amount:
            return self.written
        if not Decimal(self.value):
            return FREE
        return f"{_with_symbol(self.symbol, self.written, self.position)} {self.code_behind}".rstrip()


def read(value: object) -> list[str]:
    """A cost as stored: the texts of its parts, each as it was written; a range stays one part."""
    parts = value if isinstance(value, list | tuple) else [value]
    if len(parts) > MOST_PARTS:
        raise NotACost(f"A cost has at most {MOST_PARTS} parts.")
    return [text for text in map(_read_part, parts) if text]


def describe(parts: Sequence[str], currency: Currency) -> tuple[str, dict[str, object]]:
    """The `cost` and `cost_details` of a stored cost.

    A bare number takes the currency written elsewhere in the same cost; if there is none, it is shown in the
    site's.
    """
    shown, details, values = _described(tuple(parts), currency)
    return shown, {**details, "values": [*values]}


@lru_cache(256)  # most events cost the same as others, and a write shows each of them several times
def _described(parts: tuple[str, ...], currency: Currency) -> tuple[str, dict[str, object], list[str]]:
    prices = [price for part in parts for price in _prices(part, currency)]
    symbol, position = next(((price.symbol, price.position) for price in prices if price.symbol), ("", ""))
    details: dict[str, object] = {
        "currency_symbol": symbol,
        "currency_code": _code(symbol, prices, currency),
        "currency_position": position,
    }
    if not symbol:
        symbol, position = currency.symbol, currency.position
    ordered = _once(sorted(prices, key=_Price.order))
    values = [price.value for price in ordered if price.value]
    ends = ordered[:1] + ordered[-1:]
    dressed = [replace(p, symbol=p.symbol or symbol, position=p.position or position) for p in ends]
    return " – ".join(dict.fromkeys(price.formatted() for price in dressed)), details, values


def amounts(parts: Sequence[str]) -> list[tuple[float, float]]:
    """What is asked for as numbers, from and to for each part of a stored cost; a part that says nothing of an amount
    has none."""
    found = []
    for part in parts:
        prices = _prices(part, Currency())
        values = [float(price.value) for price in prices if price.is_amount]
        values += [0.0 for price in prices if not price.is_amount and price.written.casefold().strip() in FREE_WORDS]
        if values:
            found.append((min(values), max(values)))
    return found


def _read_part(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            raise NotACost("A cost is a text or a number, not true or false.")
        case int() | float():
            text = _plain_decimal(value)
        case str() if len(value) > LONGEST_WRITTEN or has_long_run(value):
            raise NotACost("A part of a cost is a short text.")
        case str():
            text = " ".join(plain(value).split())
        case _:
            raise NotACost("A cost is a text, a number, or a list of those.")
    if len(text) > LONGEST_PART:
        raise NotACost(f"A part of a cost has at most {LONGEST_PART} characters.")
    if not _NOT_NEGATIVE.match(text):  # `VIP-50` and `10-20` are not negative
        raise NotACost("A cost is not negative.")
    return text


def _plain_decimal(number: int | float) -> str:
    if not math.isfinite(number) if isinstance(number, float) else abs(number) >= 10**LONGEST_PART:
        raise NotACost("A cost is a number of ordinary size.")
    text = format(Decimal(repr(number)), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def _prices(part: str, currency: Currency) -> list[_Price]:
    if price := _amount(part, currency):
        return [price]
    return _range(part, currency) or [_Price(slugify(part), part)]


def _range(part: str, currency: Currency) -> list[_Price]:
    """The ends of `$10-$20`, `10 – 20 €` or `Free - $20`; none where the dash is an ordinary one."""
    for dash, most_ends in ((_LOOSE_DASH, MOST_PARTS), (_TIGHT_DASH, 2)):
        ends = dash.split(part)
        amounts = [_amount(end, currency) for end in ends]
        by_dot = any(amount and amount.groups_by_dot for amount in amounts)
        prices = [_amount(end, currency, by_dot) or _Price(slugify(end), end) for end in ends]
        wordy = dash is _LOOSE_DASH and all(price.is_amount or _is_wordy(price.written) for price in prices)
        if len(ends) <= most_ends and any(amounts) and (wordy or all(amounts)):
            return prices
    return []


def _is_wordy(text: str) -> bool:
    return bool(text.strip()) and not any(char.isdigit() for char in text)


def _amount(text: str, currency: Currency, by_dot: bool = False) -> _Price | None:
    match = _AMOUNT.fullmatch(text)
    if not match:
        return None
    before, after = match["before"].strip(), match["after"].strip()
    known = all(not symbol or _is_currency(symbol, currency) for symbol in (before, after))
    if not known or (before and after and after not in _CODES):
        return None
    code = next((word for word in (after, before) if word.upper() in _CODES), "").upper()
    position = PREFIX if before else POSTFIX if after else ""
    written = text[match.start("number") : match.start("after")].strip()
    price = _Price("", written, True, before or after, position, code, after if before else "")
    value = _value(match["number"], by_dot or price.groups_by_dot)
    return replace(price, value=value) if value else None


def _is_currency(symbol: str, currency: Currency) -> bool:
    if symbol in _CODES or symbol in _WORDS or symbol in (currency.symbol, currency.code):
        return True
    return len(symbol) == 1 and unicodedata.category(symbol) == "Sc"


def _value(written: str, by_dot: bool) -> str:
    """A number's value as digits with a decimal point; "" where its separators make no sense."""
    number = "".join(str(unicodedata.decimal(char, char)) for char in written)
    number = number.translate(str.maketrans("٫٬’", ".''"))
    groups = _SEPARATOR.split(number)
    separators = _SEPARATOR.findall(number)
    decimals = ""
    if separators and _ends_in_decimals(groups, separators, by_dot):
        decimals, separators = groups.pop(), separators[:-1]
    if len(set(separators)) > 1 or not _are_thousands(groups, "," in separators):
        return ""
    whole = "".join(groups).lstrip("0") or "0"
    return f"{whole}.{decimals}" if decimals else whole


def _ends_in_decimals(groups: list[str], separators: list[str], by_dot: bool) -> bool:
    last = separators[-1]
    if last not in ".," or last in separators[:-1]:
        return False
    if len(separators) > 1:
        return True
    looks_grouped = len(groups[1]) == 3 and 1 <= len(groups[0]) <= 3 and groups[0].strip("0") != ""
    return not (looks_grouped and (last == "," or by_dot))


def _are_thousands(groups: list[str], by_comma: bool) -> bool:
    first, *others = groups
    if not others:
        return True
    # Indian commas stand after two digits, except before the last three.
    middle = (2, 3) if by_comma else (3,)
    return len(first) <= 3 and len(others[-1]) == 3 and all(len(group) in middle for group in others)


def _once(ordered: list[_Price]) -> list[_Price]:
    """Each price once, as it was first written: `10` and `10.00` are the same."""
    first: dict[tuple[bool, Decimal, str], _Price] = {}
    for price in ordered:
        first.setdefault(price.order(), price)
    return list(first.values())


def _code(symbol: str, prices: list[_Price], currency: Currency) -> str:
    code = next((price.code for price in prices if price.symbol == symbol and price.code), "")
    # The site's code stands for its own symbol and for numbers without any.
    stands = symbol in ("", currency.symbol) and any(price.is_amount for price in prices)
    return code or (currency.code if stands else "")


def _with_symbol(symbol: str, number: str, position: str) -> str:
    first, second = (symbol, number) if position == PREFIX else (number, symbol)
    overlapping = symbol[-1:] if position == PREFIX else symbol[:1]
    is_word = overlapping == "." or (overlapping.isalpha() and unicodedata.east_asian_width(overlapping) not in "WF")
    return f"{first} {second}" if is_word else f"{first}{second}"
