"""Strategies for recurrences: random rules, and recurrences with a first start and a zone that give dates."""

from datetime import datetime, timedelta
from itertools import islice

from hypothesis import assume
from hypothesis import strategies as st

from kalends.values import zones
from kalends.values.recurrence import Recurrence, RecurrenceError, occurrences, parse, walk

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ZONES = st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC-3:30"])
STARTS = st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1)).map(
    lambda start: start.replace(microsecond=0, fold=0)
)
MOST = 40


def some_of(values: list[str] | range, most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from([str(value) for value in values if value]), min_size=1, max_size=most).map(
        ",".join
    )


@st.composite
def rules(draw: st.DrawFn) -> str:
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    numbered = [f"{which}{day}" for day in WEEKDAYS for which in (1, 2, 3, 4, 5, -1, -2)]
    offered = {
        "INTERVAL": st.integers(1, 5).map(str),
        "WKST": st.sampled_from(WEEKDAYS),
        "BYMONTH": some_of(range(1, 13), 6),
        "BYDAY": some_of(list(WEEKDAYS), 5),
    }
    if frequency != "WEEKLY":
        offered["BYMONTHDAY"] = some_of(range(-31, 32), 12)
    if frequency in ("MONTHLY", "YEARLY"):
        offered["BYDAY"] = some_of([*WEEKDAYS, *numbered], 5)
        offered["BYSETPOS"] = some_of(range(-4, 5))
    if frequency == "YEARLY":
        offered["BYYEARDAY"] = some_of(range(-366, 367), 20)
    parts = draw(st.lists(st.sampled_from(sorted(offered)), unique=True, max_size=4))
    if set(parts) <= {"BYSETPOS", "INTERVAL", "WKST"}:
        parts = [part for part in parts if part != "BYSETPOS"]
    return ";".join([f"FREQ={frequency}", *(f"{part}={draw(offered[part])}" for part in parts)])


@st.composite
def recurrences(draw: st.DrawFn) -> tuple[Recurrence, datetime, str]:
    """A recurrence with at least one date, its first start, and its zone."""
    rule, start, zone = draw(rules()), draw(STARTS), draw(ZONES)
    match draw(st.sampled_from(["", "COUNT", "UNTIL"])):
        case "COUNT":
            rule += f";COUNT={draw(st.integers(1, MOST))}"
        case "UNTIL":
            until = start + draw(st.timedeltas(timedelta(), timedelta(days=1000)))
            form = draw(st.sampled_from(["%Y%m%d", "%Y%m%dT%H%M%S", "%Y%m%dT%H%M%SZ"]))
            until = zones.to_utc(until, zone) if form.endswith("Z") else until
            rule += f";UNTIL={until:{form}}"
    near = st.integers(1, 400).map(lambda days: start + timedelta(days=days))
    extra = draw(st.lists(near, max_size=3))
    value = {"rule": rule, "dates": [date.isoformat(" ") for date in extra]}
    try:
        listed = list(islice(walk(parse(value), start, zone), MOST))
        left_out = draw(st.lists(st.sampled_from(listed[1:] or [start + timedelta(days=1)]), max_size=3))
        recurrence = parse(value | {"exceptions": [date.isoformat(" ") for date in left_out]})
        occurrences(recurrence, start, zone, start + timedelta(days=365), 1000)
    except RecurrenceError:
        assume(False)
    return recurrence, start, zone
