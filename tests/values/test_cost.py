"""Costs: as The Events Calendar shows them (the recorded examples), and where this service decides itself."""

import math
import re
import sys
import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalends.contract.types.scalars import Cost
from kalends.values.cost import Currency, NotACost, describe, read

DOLLAR = Currency()
KRONE = Currency("kr", "NOK", "postfix")
EURO = Currency("€", "EUR", "postfix")


def cost_of(sent: object, site: Currency = DOLLAR) -> tuple[str, str, str, str, list[str]]:
    cost, details = describe(read(sent), site)
    assert list(details) == ["currency_symbol", "currency_code", "currency_position", "values"]
    symbol, code, position = (str(details[f"currency_{key}"]) for key in ("symbol", "code", "position"))
    return cost, symbol, code, position, values_of(details)


def values_of(details: dict[str, object]) -> list[str]:
    values = details["values"]
    assert isinstance(values, list)
    return values


CONTRACT = [
    # sent, cost, symbol, code, position, values
    ("20", "$20", "", "", "", ["20"]),
    (20, "$20", "", "", "", ["20"]),
    ("20 €", "20€", "€", "", "postfix", ["20"]),
    ("Donation", "Donation", "", "", "", ["donation"]),
    (0, "Free", "", "", "", ["0"]),
    ("0", "Free", "", "", "", ["0"]),
    ("$10-$20", "$10 – $20", "$", "", "prefix", ["10", "20"]),
    (["0$", "20$", "30$"], "Free – 30$", "$", "", "postfix", ["0", "20", "30"]),
    ("10,50", "$10,50", "", "", "", ["10.50"]),
    ("1,000.50", "$1,000.50", "", "", "", ["1000.50"]),
    ("10 USD", "10 USD", "USD", "USD", "postfix", ["10"]),
]
RECORDED = [
    ("10", "$10", "", "", "", ["10"]),
    ("$10", "$10", "$", "", "prefix", ["10"]),
    ("10 €", "10€", "€", "", "postfix", ["10"]),
    ("$10 - $20", "$10 – $20", "$", "", "prefix", ["10", "20"]),
    ("10,20", "$10,20", "", "", "", ["10.20"]),
    ("£1,234.50", "£1,234.50", "£", "", "prefix", ["1234.50"]),
]


@pytest.mark.parametrize(("sent", "cost", "symbol", "code", "position", "values"), [*CONTRACT, *RECORDED])
def test_costs_are_shown_as_in_the_recorded_examples(
    sent: object, cost: str, symbol: str, code: str, position: str, values: list[str]
) -> None:
    assert cost_of(sent) == (cost, symbol, code, position, values)


@pytest.mark.parametrize("sent", ["", "   ", [], [""], [None], ["", "<b></b>"], None])
def test_nothing_costs_nothing_and_says_nothing(sent: object) -> None:
    assert read(sent) == []
    empty = {"currency_symbol": "", "currency_code": "", "currency_position": "", "values": []}
    assert describe([], DOLLAR) == ("", empty)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1,000", "1000"),
        ("12,345,678", "12345678"),
        ("1.234,50 €", "1234.50"),
        ("1.000 €", "1000"),
        ("$1.000", "1000"),
        ("Rp10.000", "10000"),
        ("1.000", "1.000"),  # bare: a decimal point, as in JSON
        ("KWD 1.000", "1.000"),  # a dinar has thousandths
        ("10.500.000", "10500000"),
        ("1 234,50 €", "1234.50"),
        ("1\u202f234,50 €", "1234.50"),
        ("1'234.50 CHF", "1234.50"),
        ("₹1,00,000", "100000"),
        ("0,500", "0.500"),
        ("10,5", "10.5"),
        (".50", "0.50"),
        ("007", "7"),
        ("20,- kr", "20"),
        ("CHF 20.–", "20"),
        ("Rs.500", "500"),
        ("٢٠", "20"),
        ("２０円", "20"),
    ],
)
def test_numbers_of_many_countries(written: str, value: str) -> None:
    assert cost_of(written)[-1] == [value]


@pytest.mark.parametrize(
    ("written", "cost", "symbol", "code", "position"),
    [
        ("USD10", "USD 10", "USD", "USD", "prefix"),
        ("20 usd", "20 usd", "usd", "USD", "postfix"),
        ("CHF 20", "CHF 20", "CHF", "CHF", "prefix"),
        ("1500 JPY", "1500 JPY", "JPY", "JPY", "postfix"),
        ("100kr", "100 kr", "kr", "", "postfix"),
        ("50 zł", "50 zł", "zł", "", "postfix"),
        ("500 ₽", "500₽", "₽", "", "postfix"),
        ("₹ 500", "₹500", "₹", "", "prefix"),
        ("R$ 50,00", "R$50,00", "R$", "", "prefix"),
        ("1000円", "1000円", "円", "", "postfix"),
        ("20 Euro", "20 Euro", "Euro", "", "postfix"),
        ("$20 CAD", "$20 CAD", "$", "CAD", "prefix"),
        ("₿1", "₿1", "₿", "", "prefix"),
    ],
)
def test_currencies_stand_where_they_were_written(
    written: str, cost: str, symbol: str, code: str, position: str
) -> None:
    assert cost_of(written)[:4] == (cost, symbol, code, position)


@pytest.mark.parametrize(
    ("sent", "cost", "values"),
    [
        ("10-20", "$10 – $20", ["10", "20"]),
        ("10 – 20 €", "10€ – 20€", ["10", "20"]),
        ("$10-20", "$10 – $20", ["10", "20"]),
        ("1.000 - 2.000 €", "1.000€ – 2.000€", ["1000", "2000"]),
        ("Free - $20", "Free – $20", ["free", "20"]),
        (["30", "0", "9"], "Free – $30", ["0", "9", "30"]),
        (["10", "20€"], "10€ – 20€", ["10", "20"]),
        (["$10", "20€"], "$10 – 20€", ["10", "20"]),
        (["Free", "20"], "Free – $20", ["free", "20"]),
        (["20", "Donation"], "Donation – $20", ["donation", "20"]),
        (["10", "10.00"], "$10", ["10"]),
        (["Free", "0"], "Free", ["free", "0"]),
        (["100", "20"], "$20 – $100", ["20", "100"]),
    ],
)
def test_several_prices_go_from_the_least_to_the_most(sent: object, cost: str, values: list[str]) -> None:
    assert (cost_of(sent)[0], cost_of(sent)[-1]) == (cost, values)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Free", ["free"]),
        ("From $5", ["from-5"]),
        ("5 per person", ["5-per-person"]),
        ("10/8 €", ["10-8"]),
        ("1,2,3", ["1-2-3"]),
        ("2027-08-10", ["2027-08-10"]),
        ("Pay-what-you-can", ["pay-what-you-can"]),
        ("Бесплатно", ["бесплатно"]),
        ("🎟", []),
    ],
)
def test_what_is_more_than_an_amount_is_a_text(text: str, values: list[str]) -> None:
    assert cost_of(text) == (text, "", "", "", values)


def test_a_bare_number_is_shown_in_the_currency_of_the_site() -> None:
    assert cost_of("20", KRONE) == ("20 kr", "", "NOK", "", ["20"])
    assert cost_of("20", EURO)[0] == "20€"
    assert cost_of("20", Currency("", "", "prefix"))[0] == "20"


def test_the_site_that_chose_a_currency_sets_the_code_of_its_own_symbol() -> None:
    assert cost_of("20 €", EURO)[1:4] == ("€", "EUR", "postfix")
    assert cost_of("20 kr", KRONE)[1:4] == ("kr", "NOK", "postfix")
    assert cost_of("£20", EURO)[1:4] == ("£", "", "prefix")
    assert cost_of("Donation", EURO)[1:4] == ("", "", "")
    assert cost_of("20 Taler", Currency("Taler", "XTS", "postfix"))[1:4] == ("Taler", "XTS", "postfix")


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        (20.5, ["20.5"]),
        (20.0, ["20"]),
        (1e3, ["1000"]),
        (1e-7, ["0.0000001"]),
        (-0.0, ["0"]),
        (["10", 20, 2.5], ["10", "20", "2.5"]),
        (" <b>$20</b>\n ", ["$20"]),
        ("$10 - $20", ["$10 - $20"]),
        ("Tom &amp; Jerry\x00", ["Tom & Jerry"]),
    ],
)
def test_what_is_stored_is_what_was_written(sent: object, stored: list[str]) -> None:
    assert read(sent) == stored


@pytest.mark.parametrize("sent", [True, [False], {}, {"a": 1}, [[1]], [{"a": 1}], b"20"], ids=repr)
def test_what_is_neither_text_nor_number_is_not_a_cost(sent: object) -> None:
    with pytest.raises(NotACost, match=r"^A cost is .*\.$"):
        read(sent)


@pytest.mark.parametrize("sent", [math.nan, math.inf, -math.inf, -5, "-5", "-$5", "−5 €", 1e300], ids=repr)
def test_numbers_that_are_no_price_are_not_a_cost(sent: object) -> None:
    with pytest.raises(NotACost, match=r"^A .*\.$"):
        read(sent)


@pytest.mark.parametrize("sent", [10**5000, "x" * 101, ["1"] * 51], ids=["digits", "characters", "parts"])
def test_too_much_is_not_a_cost(sent: object) -> None:
    with pytest.raises(NotACost, match=r"^A .*\.$"):
        read(sent)


@pytest.mark.parametrize("sent", [["1"] * 50, "x" * 100, 10**99], ids=["parts", "characters", "digits"])
def test_the_limits_themselves_are_allowed(sent: object) -> None:
    assert read(sent)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
PRICE_LIKE = st.text(st.sampled_from("0123456789.,-–$€ krUSDFre'*"), max_size=12)
NUMBER = re.compile(r"\d+(\.\d+)?", re.ASCII)


@given(JSON | st.lists(PRICE_LIKE, max_size=5), st.sampled_from([DOLLAR, KRONE, EURO]))
def test_anything_is_a_cost_or_an_error(sent: object, site: Currency) -> None:
    try:
        parts = read(sent)
    except NotACost:
        return
    cost, details = describe(parts, site)
    assert read(parts) == parts
    assert bool(cost) == bool(parts)
    values = values_of(details)
    numbers = [Decimal(value) for value in values if NUMBER.fullmatch(value)]
    assert numbers == sorted(numbers)
    assert len(set(values)) == len(values)
    for value in values:
        assert NUMBER.fullmatch(value) or re.fullmatch(r"[^\s_-]+(-[^\s_-]+)*", value)


@pytest.mark.parametrize(
    ("written", "is_one"),
    [("pre-sale 5", True), ("VIP-50", True), ("10-20", True), ("5 – 10 €", True), ("From -5", True), ("12,-", True),
     ("-5", False), ("-EUR.5", False), ("$ -5", False), ("US$-5", False), ("10 - -5", False), ("(−5)", False),
     ("5~-5", False), ("₿-5", False)],
)  # fmt: skip
def test_the_pattern_of_the_description_says_what_is_negative(written: str, is_one: bool) -> None:
    pattern = Cost().schema()["anyOf"][0]["pattern"]
    assert bool(re.search(pattern, written)) == is_one
    if is_one:
        assert read(written) == [written]
    else:
        with pytest.raises(NotACost):
            read(written)


def test_every_symbol_of_a_currency_may_stand_beside_the_minus_of_a_negative_cost() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(char) == "Sc":
            with pytest.raises(NotACost):
                read(f"-{char}5")
