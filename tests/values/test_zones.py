"""Zone names in one spelling, and local times to UTC and back across every kind of clock change."""

from datetime import datetime, timedelta
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalends.values import zones

NEW_YORK, PARIS, LORD_HOWE = "America/New_York", "Europe/Paris", "Australia/Lord_Howe"
ZONES = st.sampled_from([NEW_YORK, PARIS, LORD_HOWE, "Pacific/Apia", "America/Havana", "Asia/Kathmandu",
                         "Africa/Casablanca", "UTC", "UTC+14", "UTC-3:30"])  # fmt: skip


def at(written: str) -> datetime:
    return datetime.fromisoformat(written)


@pytest.mark.parametrize(("written", "canonical"), [
    ("Europe/Paris", "Europe/Paris"),
    ("europe/paris", "Europe/Paris"),
    ("AMERICA/ARGENTINA/BUENOS_AIRES", "America/Argentina/Buenos_Aires"),
    (" Asia/Tokyo ", "Asia/Tokyo"),
    ("Etc/GMT+5", "Etc/GMT+5"),
    ("UTC", "UTC"),
    ("utc", "UTC"),
    ("UTC+2", "UTC+2"),
    ("utc+02", "UTC+2"),
    ("UTC+02:00", "UTC+2"),
    ("UTC-3:30", "UTC-3:30"),
    ("UTC+05:45", "UTC+5:45"),
    ("UTC+0:05", "UTC+0:05"),
    ("UTC-0:30", "UTC-0:30"),
    ("UTC+14", "UTC+14"),
    ("UTC-14:00", "UTC-14"),
    ("UTC+0", "UTC+0"),
    ("UTC-0", "UTC+0"),
    ("UTC 2", "UTC+2"),
])  # fmt: skip
def test_a_zone_has_one_spelling(written: str, canonical: str) -> None:
    assert zones.canonical_zone(written) == canonical
    assert zones.canonical_zone(canonical) == canonical


@pytest.mark.parametrize("written", [
    "", " ", "Mars/Olympus", "Europe", "Europe/", "/Europe/Paris", "../Europe/Paris",
    "Europe/../Europe/Paris", "/etc/localtime", "localtime", "LocalTime", "posixrules", "Factory",
    "posix/Europe/Paris", "right/UTC",
    "tzdata.zi", "zone.tab", "Europe/Paris\x00", "Europe\\Paris",
    "UTC+15", "UTC+14:01", "UTC-14:30", "UTC+2:60", "UTC+2:5", "UTC+5.5", "UTC+0530", "UTC+", "UTC++2",
    "UTC2", "UTC+100", "UTC+\u0662", "Asia/\u212aolkata", "+02:00", "Z",
])  # fmt: skip
def test_other_names_are_unknown(written: str) -> None:
    with pytest.raises(zones.UnknownZone):
        zones.canonical_zone(written)


@pytest.mark.parametrize("written", ["europe/paris", "../etc/passwd", "localtime", "UTC+15", "nowhere"])
def test_only_a_canonical_name_gives_a_zone(written: str) -> None:
    with pytest.raises(zones.UnknownZone):
        zones.zone(written)


def test_every_zone_of_the_system_works() -> None:
    for name in available_timezones() - zones.NOT_ZONES:
        assert zones.canonical_zone(name.upper()) == name
        assert abs(zones.offset(at("2027-03-10 09:00:00"), name)) <= zones.WIDEST_OFFSET


def test_a_zone_is_made_once() -> None:
    assert zones.zone(PARIS) is zones.zone(PARIS)


@given(st.text())
def test_any_text_is_a_zone_or_unknown(written: str) -> None:
    try:
        canonical = zones.canonical_zone(written)
    except zones.UnknownZone:
        return
    assert zones.zone(canonical) is not None


@pytest.mark.parametrize(("name", "local", "utc"), [
    (NEW_YORK, "2027-01-10 09:00:00", "2027-01-10 14:00:00"),
    (NEW_YORK, "2027-08-10 09:00:00", "2027-08-10 13:00:00"),
    (PARIS, "2027-01-10 09:00:00", "2027-01-10 08:00:00"),
    (PARIS, "2027-08-10 09:00:00", "2027-08-10 07:00:00"),
    (LORD_HOWE, "2027-01-10 09:00:00", "2027-01-09 22:00:00"),
    (LORD_HOWE, "2027-08-10 09:00:00", "2027-08-09 22:30:00"),
    ("Asia/Kathmandu", "2027-08-10 00:00:00", "2027-08-09 18:15:00"),
    ("UTC", "2027-08-10 09:00:00", "2027-08-10 09:00:00"),
    ("UTC+2", "2027-08-10 09:00:00", "2027-08-10 07:00:00"),
    ("UTC-3:30", "2027-08-10 09:00:00", "2027-08-10 12:30:00"),
    ("UTC+5:45", "2027-08-10 09:00:00", "2027-08-10 03:15:00"),
    ("UTC-14", "2027-12-31 23:00:00", "2028-01-01 13:00:00"),
])  # fmt: skip
def test_local_to_utc_and_back(name: str, local: str, utc: str) -> None:
    assert zones.to_utc(at(local), name) == at(utc)
    assert zones.to_local(at(utc), name) == at(local)
    assert zones.settle(at(local), name) == at(local)
    assert zones.offset(at(local), name) == at(local) - at(utc)


@pytest.mark.parametrize(("name", "written", "settled", "utc"), [
    (NEW_YORK, "2027-03-14 01:59:59", "2027-03-14 01:59:59", "2027-03-14 06:59:59"),
    (NEW_YORK, "2027-03-14 02:00:00", "2027-03-14 03:00:00", "2027-03-14 07:00:00"),
    (NEW_YORK, "2027-03-14 02:30:00", "2027-03-14 03:30:00", "2027-03-14 07:30:00"),
    (NEW_YORK, "2027-03-14 03:00:00", "2027-03-14 03:00:00", "2027-03-14 07:00:00"),
    (PARIS, "2027-03-28 02:30:00", "2027-03-28 03:30:00", "2027-03-28 01:30:00"),
    (LORD_HOWE, "2027-10-03 02:15:00", "2027-10-03 02:45:00", "2027-10-02 15:45:00"),
    (LORD_HOWE, "2027-10-03 02:30:00", "2027-10-03 02:30:00", "2027-10-02 15:30:00"),
    ("America/Havana", "2024-03-10 00:00:00", "2024-03-10 01:00:00", "2024-03-10 05:00:00"),
    ("Pacific/Apia", "2011-12-30 12:00:00", "2011-12-31 12:00:00", "2011-12-30 22:00:00"),
])  # fmt: skip
def test_a_time_that_the_clocks_skip_moves_ahead_by_the_gap(name: str, written: str, settled: str, utc: str) -> None:
    assert zones.settle(at(written), name) == at(settled)
    assert zones.to_utc(at(written), name) == at(utc)
    assert zones.to_utc(at(written).replace(fold=1), name) == at(utc)
    assert zones.to_local(at(utc), name) == at(settled)
    assert zones.offset(at(written), name) == at(settled) - at(utc)


@pytest.mark.parametrize(("name", "twice", "first", "second"), [
    (NEW_YORK, "2027-11-07 01:30:00", "2027-11-07 05:30:00", "2027-11-07 06:30:00"),
    (PARIS, "2027-10-31 02:30:00", "2027-10-31 00:30:00", "2027-10-31 01:30:00"),
    (LORD_HOWE, "2027-04-04 01:45:00", "2027-04-03 14:45:00", "2027-04-03 15:15:00"),
])  # fmt: skip
def test_a_time_that_happens_twice_is_the_first(name: str, twice: str, first: str, second: str) -> None:
    assert zones.settle(at(twice), name) == at(twice)
    assert zones.to_utc(at(twice), name) == at(first)
    assert zones.to_local(at(first), name) == zones.to_local(at(second), name) == at(twice)


def test_an_instant_in_the_second_pass_converts_back_to_itself() -> None:
    second = at("2027-11-07 06:30:00")
    local = zones.to_local(second, NEW_YORK)
    assert zones.to_utc(local, NEW_YORK) == second
    assert zones.to_utc(zones.settle(local, NEW_YORK), NEW_YORK) == second
    assert zones.abbreviation(local, NEW_YORK) == "EST"


@pytest.mark.parametrize(("name", "local", "abbreviation"), [
    (NEW_YORK, "2027-03-10 09:00:00", "EST"),
    (NEW_YORK, "2027-08-10 09:00:00", "EDT"),
    (NEW_YORK, "2027-03-14 02:30:00", "EDT"),
    (NEW_YORK, "2027-11-07 01:30:00", "EDT"),
    (PARIS, "2027-08-10 09:00:00", "CEST"),
    ("Asia/Tokyo", "2027-03-10 09:00:00", "JST"),
    ("Europe/Istanbul", "2027-03-10 09:00:00", "+03"),
    (LORD_HOWE, "2027-08-10 09:00:00", "+1030"),
    ("UTC", "2027-03-10 09:00:00", "UTC"),
    ("UTC+0", "2027-03-10 09:00:00", "UTC+0"),
    ("UTC+2", "2027-03-10 09:00:00", "UTC+2"),
    ("UTC-3:30", "2027-03-10 09:00:00", "UTC-3:30"),
])  # fmt: skip
def test_abbreviations(name: str, local: str, abbreviation: str) -> None:
    assert zones.abbreviation(at(local), name) == abbreviation


@pytest.mark.parametrize("name", [NEW_YORK, "UTC-14", "Etc/GMT+12"])
def test_the_end_of_time_west_of_utc_is_the_last_second_there_is(name: str) -> None:
    assert zones.to_utc(datetime.max, name) == datetime(9999, 12, 31, 23, 59, 59)
    with pytest.raises(zones.OutOfRange):
        zones.to_local(datetime.min, name)


@pytest.mark.parametrize("name", ["Asia/Tokyo", "UTC+14", "Pacific/Kiritimati"])
def test_the_ends_of_time_east_of_utc_are_out_of_range(name: str) -> None:
    with pytest.raises(zones.OutOfRange):
        zones.to_local(datetime.max, name)
    with pytest.raises(zones.OutOfRange):
        zones.to_utc(datetime.min, "UTC+14")


@given(st.datetimes(), ZONES)
def test_no_local_time_raises_anything_but_out_of_range(local: datetime, name: str) -> None:
    settled = zones.settle(local, name)
    assert zones.settle(settled, name) == settled
    assert zones.abbreviation(local, name)
    assert zones.offset(local, name) == zones.offset(settled, name)
    try:
        utc = zones.to_utc(local, name)
    except zones.OutOfRange:
        assert local.year in (1, 9999)
    else:
        assert zones.to_local(utc, name) == settled


@given(st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)), ZONES)
def test_every_instant_converts_to_a_zone_and_back(utc: datetime, name: str) -> None:
    local = zones.to_local(utc, name)
    assert zones.to_utc(local, name) == utc
    assert zones.offset(local, name) == local - utc
    assert abs(local - utc) <= timedelta(hours=26)
