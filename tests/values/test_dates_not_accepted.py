"""What is not a date, and what the error says."""

import math

import pytest
from tests.values.reading_dates import NEW_YORK, NOW, error_of, local, utc

from kalends.values import dates


@pytest.mark.parametrize("written", [
    "2026-02-30", "2027-02-29", "1900-02-29", "2027-13-01", "2027-00-10", "2027-01-00", "2027-01-32",
    "20270230", "30.02.2027", "2027/02/30", "2/30/27",
    "02/30/2027", "13/10/2027", "0/10/2027", "30 February 2027", "April 31, 2027 9am", "2027-02-30T09:00:00Z",
])  # fmt: skip
def test_an_impossible_day_is_an_error_and_not_rolled_over(written: str) -> None:
    assert error_of(written).endswith("is not a day of the calendar.")


def test_the_error_of_an_impossible_day_is_the_same_in_every_form() -> None:
    assert error_of("2026-02-30") == error_of("02/30/2026") == "2026-02-30 is not a day of the calendar."


@pytest.mark.parametrize(("written", "clock"), [
    ("2027-03-10 24:00", "24:00"),
    ("2027-03-10T24:00:00", "24:00:00"),
    ("2027-03-10 24:30", "24:30"),
    ("2027-03-10 09:60", "09:60"),
    ("2027-03-10 23:59:60", "23:59:60"),
    ("2027-06-30T23:59:60Z", "23:59:60"),
    ("today 24:00", "24:00"),
    ("today 13pm", "13pm"),
    ("today 0am", "0am"),
    ("tomorrow 9:75", "9:75"),
    ("10 March 2027 13:00 pm", "13:00 pm"),
    ("03/10/2027 25:00", "25:00"),
])  # fmt: skip
def test_an_impossible_time_is_an_error(written: str, clock: str) -> None:
    assert error_of(written) == f"{clock} is not a time of day."


@pytest.mark.parametrize("offset", ["+14:01", "-15:00", "+99", "+02:60", "-1430"])
def test_an_offset_has_at_most_fourteen_hours(offset: str) -> None:
    assert error_of(f"2027-03-10T09:00:00{offset}") == (
        f"{offset} is not an offset from UTC; it has at most 14 hours."
    )


def test_a_weekday_must_be_that_of_the_day() -> None:
    assert error_of("Mon, 10 March 2027") == "2027-03-10 is a Wednesday."


@pytest.mark.parametrize("written", [
    "1899-12-31", "0000-01-01", "0001-01-01", "10 March 1066", "01/01/0999", "@-2208988801", "253402300800",
    "9" * 12, "9" * 30, "@-9999999999999999", "9999-12-31T23:59:59-05:00", "18991231",
    253402300800, 10**14, 10**400, 1e300,
])  # fmt: skip
def test_years_are_1900_to_9999(written: str | float) -> None:
    assert error_of(written) == "The year must be from 1900 to 9999."


def test_a_number_too_long_to_print_is_out_of_the_years() -> None:
    assert error_of(10**5000) == "The year must be from 1900 to 9999."


@pytest.mark.parametrize(("written", "zone"), [
    ("9999-12-31T23:00:00Z", "Asia/Tokyo"),
    ("1900-01-01T00:00:00Z", NEW_YORK),
    ("@-2208988800", "UTC-3:30"),
    ("1900-01-01T00:00:00+02:00", "UTC"),
    ("+8000 years", "UTC"),
    ("-127 years", "UTC"),
    ("-9999999 months", "UTC"),
    ("+9999999 weeks", "UTC"),
    ("-9999999 days", "UTC"),
    ("-9999999 hours", "UTC"),
])  # fmt: skip
def test_years_are_1900_to_9999_in_the_zone_too(written: str, zone: str) -> None:
    moment = dates.read(written)
    with pytest.raises(dates.NotADate, match="The year must be from 1900 to 9999"):
        moment.local(zone, NOW)
    with pytest.raises(dates.NotADate, match="The year must be from 1900 to 9999"):
        moment.utc(zone, NOW)


def test_the_first_and_last_day_are_good_where_the_zone_reaches_them() -> None:
    assert utc("1900-01-01", "Asia/Tokyo") == "1899-12-31 15:00:00"
    assert local("1900-01-01T00:00:00+02:00", "UTC+2") == "1900-01-01 00:00:00"
    assert utc("9999-12-31 23:59:59", "Asia/Tokyo") == "9999-12-31 14:59:59"
    assert local("9999-12-31 18:59:59") == "9999-12-31 18:59:59"


def test_the_last_second_is_accepted_in_every_zone_and_its_utc_is_the_last_there_is() -> None:
    assert local("9999-12-31 23:59:59") == utc("9999-12-31 23:59:59") == "9999-12-31 23:59:59"
    assert utc("9999-12-31 18:59:59") == "9999-12-31 23:59:59"
    assert utc("9999-12-31 18:59:58") == "9999-12-31 23:59:58"


@pytest.mark.parametrize("number", [-1, -86400, -(10**400), -0.5, 1804669200.5, 0.1, -1e300])
def test_a_number_is_whole_and_not_negative(number: float) -> None:
    assert error_of(number)


@pytest.mark.parametrize("written", [
    "", " ", "banana", "soon", "noon", "9am", "09:00", "2027-03", "27-03-10", "10.03.27", "2027-03/10", "10.03-2027",
    "+12027-03-10", "-2027-03-10", "2027-W10-3", "2027-069", "20270310T0900", "20270310T09000",
    "2027-03-10T", "2027-03-10T09", "2027-03-10 09:00:00.",
    "2027-03-10Z",
    "2027-03-10T09:00:00+2", "2027-03-10T09:00:00+02:0", "2027-03-10T09:00:00 EST", "2027-03-10T09:00:00ZZ",
    "2027-03-10 09:00\x00", "2027-03-10; DROP TABLE events",
    "March 2027", "March 10", "March 10th, 2027", "Marchy 10, 2027", "10 March 27", "Wed, 03/10/2027",
    "10 March 2027 9", "friday 8", "fridays", "days ago", "first day of month",
    "10 March 2027 9xm", "10 March 2027 123:00",
    "-86400", "+86400", "@", "@@0", "1.5", "@1.5", "1e9", "0x10", "1_000", "- 1",
    "today tomorrow", "+1", "+ days", "1 day", "+1.5 days", "+1 fortnight",
    "+12345678 days", "++1 day", "+1 day 9am", "next", "next day",
    "previous week", "nextmonday",
    "nan", "inf", "None", "null", "true",
])  # fmt: skip
def test_anything_else_is_not_a_date(written: str) -> None:
    assert error_of(written) == "This is not a date; write it like 2027-03-10 09:00:00."


@pytest.mark.parametrize("written", [
    "\u0662\u0660\u0662\u0667-\u0660\u0663-\u0661\u0660",  # 2027-03-10 in Arabic-Indic digits
    "2027-03-1\uff10",  # a fullwidth zero
    "\uff11\uff18",
    "@\u0967",  # a Devanagari one
    "\u0967 March 2027",
    "tomorrow \uff19am",
    "+\uff13 days",
    "\u00b2",  # a superscript two
    "la\u017ft monday",  # a long s
    "next wee\u212a",  # the sign of Kelvin
    "2027\u221203\u221210",  # minus signs
])  # fmt: skip
def test_digits_and_letters_of_other_scripts_are_not_a_date(written: str) -> None:
    assert error_of(written) == "This is not a date; write it like 2027-03-10 09:00:00."


@pytest.mark.parametrize("value", [True, False, math.nan, math.inf, -math.inf, None, [], {}, b"2027-03-10"])
def test_values_that_are_neither_text_nor_number_are_not_a_date(value: float) -> None:
    assert error_of(value) == "This is not a date; write it like 2027-03-10 09:00:00."


def test_a_long_text_is_not_a_date() -> None:
    assert local("2027-03-10".ljust(100)) == "2027-03-10 00:00:00"
    assert error_of("2027-03-10".ljust(101)) == "A date has at most 100 characters."
    assert error_of("1" * 1_000_000) == "A date has at most 100 characters."
