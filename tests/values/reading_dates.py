"""Reads a date and places it, as the tests of dates do."""

from datetime import datetime

import pytest

from kalends.values import dates

NEW_YORK, PARIS, LORD_HOWE = "America/New_York", "Europe/Paris", "Australia/Lord_Howe"
NOW = datetime(2026, 11, 14, 19, 37, 22, 654321)  # UTC; a Saturday, 14:37:22 in New York


def local(value: str | float, zone: str = NEW_YORK, now: datetime = NOW) -> str:
    return dates.text(dates.read(value).local(zone, now))


def utc(value: str | float, zone: str = NEW_YORK, now: datetime = NOW) -> str:
    return dates.text(dates.read(value).utc(zone, now))


def error_of(value: str | float) -> str:
    with pytest.raises(dates.NotADate) as refused:
        dates.read(value)
    return str(refused.value)
