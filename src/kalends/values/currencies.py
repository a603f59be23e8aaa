"""How prices are written in a country: its currency, the symbol, and on which side of the number that stands."""

import unicodedata
from functools import cache

from babel.core import Locale, UnknownLocaleError, get_global
from babel.languages import get_official_languages
from babel.numbers import get_currency_symbol

from kalends.values.cost import POSTFIX, PREFIX, Currency

LONGEST_SYMBOL = 8


@cache
def of_country(country: str) -> str:
    """The code of what is paid with in a country today; empty where nothing is known."""
    found = get_global("territory_currencies").get(country, ())
    current = [code for code, _since, until, is_tender in found if until is None and is_tender]
    return str(current[-1]) if current else ""


@cache
def usual(code: str, country: str, language: str) -> Currency:
    """A currency as it is written in a country, or without one in a language. `code`: else that of the country."""
    code = code or of_country(country)
    if not code:
        return Currency()
    locale = _locale(country, language)
    pattern = locale.currency_formats["standard"].pattern
    position = PREFIX if pattern.find("¤") < pattern.find("0") else POSTFIX
    return Currency(_plain(get_currency_symbol(code, locale)) or code, code, position)


def _locale(country: str, language: str) -> Locale:
    """The language of the site as it is written in the country; if it is not one of its languages, one that is."""
    own = Locale.parse(language)
    spoken = get_official_languages(country, regional=False, de_facto=True) if country else ()
    for spoken_one in sorted(spoken, key=lambda one: one != own.language):
        try:
            return Locale.parse(f"{spoken_one}_{country}")
        except (UnknownLocaleError, ValueError):
            continue
    return own


def _plain(symbol: str) -> str:
    """Without marks of direction, which the pages set themselves; empty for what no setting takes."""
    shown = "".join(one for one in symbol if unicodedata.category(one) != "Cf").replace("\xa0", " ").strip()
    return shown if len(shown) <= LONGEST_SYMBOL and not any(one.isdigit() for one in shown) else ""
