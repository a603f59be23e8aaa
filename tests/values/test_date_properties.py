"""Properties of reading dates: a value is read or is not a date, and what was written is read as itself."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from kalends.values import dates, zones

NEW_YORK, PARIS, LORD_HOWE = "America/New_York", "Europe/Paris", "Australia/Lord_Howe"
NOW = datetime(2026, 11, 14, 19, 37, 22, 654321)  # UTC; a Saturday, 14:37:22 in New York


def local(value: str | float, zone: str = NEW_YORK, now: datetime = NOW) -> str:
    return dates.text(dates.read(value).local(zone, now))


def outcome(value: str | float, zone: str) -> str:
    try:
        shown = dates.read(value).local(zone, NOW)
    except dates.NotADate as error:
        return "error" if str(error).endswith(".") else "error without a sentence"
    return "placed" if 1900 <= shown.year <= 9999 else "placed out of the years"


@given(st.text(max_size=120) | st.integers() | st.floats() | st.booleans())
def test_any_value_reads_or_is_not_a_date(value: str | float) -> None:
    assert outcome(value, "UTC") in {"placed", "error"}


PIECES = ["next", "last", "+", "-", "@", "now", "tomorrow", "monday", "march", "week", "months", "9am",
          "noon", "T", "Z", " ", ",", ":", "/", "2027", "10", "03", "9", "0", "9999999", "2027-03-10",
          "09:00"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join),
       st.sampled_from([NEW_YORK, "UTC+14", "UTC-14"]))  # fmt: skip
@example("-9999999months", "UTC-14")
def test_pieces_of_dates_in_any_order_are_placed_or_not_a_date(written: str, zone: str) -> None:
    assert outcome(written, zone) in {"placed", "error"}


def read_or_error(read: Callable[[str], dates.Moment], written: str) -> dates.Moment | str:
    try:
        return read(written)
    except dates.NotADate as error:
        return str(error)


@given(st.from_regex(r"(?a)\d{4}-\d\d-\d\d(?:[ Tt]\d\d:\d\d:\d\d)?", fullmatch=True)
       | st.datetimes().map(lambda at: at.isoformat(" ", "seconds"))
       | st.datetimes(datetime(1890, 1, 1), datetime(1910, 1, 1)).map(lambda at: at.isoformat("T", "seconds"))
       | st.dates().map(str))  # fmt: skip
@example("2027-02-29")
@example("2027-03-10 24:00:00")
@example("2027-03-10T23:59:60")
@example("1899-12-31 23:59:59")
@example("٢٠٢٧-03-10")
@example("2027-03-10\n")
def test_plain_iso_dates_are_read_as_by_the_forms(written: str) -> None:
    assert read_or_error(dates.read, written) == read_or_error(dates._read_any_form, written)


OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(datetime(1901, 1, 1), datetime(9998, 12, 31), timezones=OFFSETS),
       st.sampled_from([NEW_YORK, PARIS, LORD_HOWE, "UTC", "UTC+5:45"]))  # fmt: skip
def test_an_aware_time_in_iso_form_is_the_same_instant(aware: datetime, zone: str) -> None:
    expected = aware.astimezone(UTC).replace(microsecond=0, tzinfo=None)
    for written in (aware.isoformat(), aware.isoformat(" "), aware.isoformat().replace("+", " ")):
        moment = dates.read(written)
        assert moment.utc(zone, NOW) == expected
        assert moment.local(zone, NOW) == zones.to_local(expected, zone)


@given(st.datetimes(datetime(1900, 1, 2), datetime(9999, 12, 30)))
def test_stored_text_reads_as_itself(moment: datetime) -> None:
    written = dates.text(moment)
    assert local(written, "UTC") == written
    assert dates.text(dates.from_text(written)) == written
