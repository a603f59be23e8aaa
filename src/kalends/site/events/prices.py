"""Costs of events and prices of tickets in the language of the page."""

import unicodedata
from decimal import Decimal, InvalidOperation

from babel.numbers import format_currency

from kalends.languages import N_, translate
from kalends.site import times
from kalends.store.rows.records import Event
from kalends.values import cost
from kalends.values.cost import Currency

FREE = N_("Free")


NO_BREAK = "\xa0"


def cost_of(event: Event, currency: Currency, language: str) -> str:
    text, details = cost.describe(event.cost, currency)
    values = details["values"]
    is_free = isinstance(values, list) and bool({"0", "free"}.intersection(values))
    return _spaced(text.replace("Free", translate(FREE, language)) if is_free else text)


def _spaced(text: str) -> str:
    """With a space between a number and the sign of a currency behind it, as people write it: `12 €`."""
    before = [False, *(character.isdigit() for character in text)]
    return "".join(
        f"{NO_BREAK}{character}" if is_behind and unicodedata.category(character) == "Sc" else character
        for is_behind, character in zip(before, text, strict=False)
    )


def is_free(event: Event, currency: Currency) -> bool:
    """Whether nothing else is said than that it costs nothing."""
    values = cost.describe(event.cost, currency)[1]["values"]
    return not event.tickets and isinstance(values, list) and bool(values) and {"0", "free"}.issuperset(values)


def ticket_price(price: str, code: str, currency: Currency, language: str) -> str:
    code = code or currency.code
    try:
        amount = Decimal(price)
    except InvalidOperation:
        return price
    if not amount:
        return translate(FREE, language)
    if len(code) == 3 and code.isalpha():
        return format_currency(amount, code.upper(), locale=times.locale(language))
    return _spaced(cost.describe([price], currency)[0])
