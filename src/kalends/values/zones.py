"""Time zones: which names are valid, and conversion between a zone's wall clock and UTC.

All date-times here are naive. Their `fold` counts: text never carries one, so a written time that happens
twice is the first, while an instant that was brought into a zone converts back to itself.
"""

import re
import zoneinfo
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

import tzdata  # type: ignore[import-untyped]

# The rules of our pinned tzdata, not the machine's: every node must give the same answer.
zoneinfo.reset_tzpath(to=())

# Some systems keep these files beside the zones; they mean another thing on each machine, or nothing.
NOT_ZONES: Final = frozenset({"localtime", "posixrules", "Factory"})
WIDEST_OFFSET: Final = timedelta(hours=14)
LAST_SECOND: Final = datetime(9999, 12, 31, 23, 59, 59)
# A blank stands for the plus that a form or a query string turned into one.
FIXED: Final = re.compile(r"UTC([+ -])([0-9]{1,2})(?::([0-9]{2}))?", re.ASCII | re.IGNORECASE)


class UnknownZone(ValueError):
    """The name is neither an IANA zone nor an offset from UTC."""


class OutOfRange(ValueError):
    """The moment falls outside the years 1 to 9999 on the other clock."""


def canonical_zone(name: str) -> str:
    """The one spelling of a zone: `europe/paris` is `Europe/Paris`, `utc+05:45` is `UTC+5:45`."""
    stripped = name.strip()
    fixed = _fixed_offset(stripped)
    if fixed is not None:
        return _offset_name(fixed)
    # Some letters outside ASCII turn into ASCII ones in lower case, so they must go first.
    known = _spellings().get(stripped.lower()) if stripped.isascii() else None
    if known is None:
        raise UnknownZone("This is not a time zone.")
    return known


def known_zone(name: str) -> str | None:
    """The same; None for what is no zone."""
    try:
        return canonical_zone(name)
    except UnknownZone:
        return None


@cache
def zone(name: str) -> tzinfo:
    """The zone of a canonical name."""
    if name == "UTC":
        return UTC
    fixed = _fixed_offset(name)
    if fixed is not None:
        return timezone(fixed, _offset_name(fixed))
    if _spellings().get(name.lower()) != name:
        raise UnknownZone("This is not a time zone.")
    return ZoneInfo(name)


def names() -> list[str]:
    """Every zone with a name, in its one spelling."""
    return sorted(_spellings().values())


def version() -> str:
    """The version of the rules, such as `2026b`; a later one comes later in the alphabet."""
    return str(tzdata.IANA_VERSION)


def renewed(local: datetime, utc: datetime, name: str) -> tuple[datetime, datetime]:
    """A local time and its UTC by the rules of today, of a pair that was stored under earlier ones. The wall clock is
    what people meant; of a time that happens twice, UTC says which is meant."""
    first, second = _offsets(local, name)
    if second <= first and local - utc in (first, second):
        return local, utc
    settled = settle(local, name)
    return settled, to_utc(settled, name)


def settle(local: datetime, name: str) -> datetime:
    """The same local time, moved ahead by the gap when the clocks skip it."""
    first, second = _offsets(local, name)
    # A positive difference is a skipped time, a negative one a time that happens twice.
    return _shifted(local, second - first) if second > first else local


def to_utc(local: datetime, name: str) -> datetime:
    """The UTC of a local time, which is settled first. The last evening of the year 9999 west of Greenwich has no UTC
    that can be written; its UTC is the last second there is."""
    settled = settle(local, name)
    ahead = _offsets(settled, name)[settled.fold]
    return min(settled, LAST_SECOND + ahead) - ahead if ahead < timedelta(0) else _shifted(settled, -ahead)


def to_local(utc: datetime, name: str) -> datetime:
    """What the zone's clock shows at that UTC time; `fold` is 1 when it shows it for the second time."""
    try:
        return utc.replace(tzinfo=UTC).astimezone(zone(name)).replace(tzinfo=None)
    except OverflowError:
        raise OutOfRange("The date is out of range in this time zone.") from None


def on_clock(utc: datetime, name: str) -> datetime:
    """The local time whose UTC this is, as `to_utc` has it: the last second there is stands for that of the clock."""
    return utc if utc == LAST_SECOND else to_local(utc, name)


def offset(local: datetime, name: str) -> timedelta:
    """How far the zone is ahead of UTC at a local time."""
    settled = settle(local, name)
    return _offsets(settled, name)[settled.fold]


def abbreviation(local: datetime, name: str) -> str:
    """`EST`, `EDT`, `+03`; for a fixed offset its name, `UTC+2`."""
    return settle(local, name).replace(tzinfo=zone(name)).tzname() or name


@cache
def _spellings() -> dict[str, str]:
    return {name.lower(): name for name in available_timezones() - NOT_ZONES}


def _fixed_offset(name: str) -> timedelta | None:
    """The offset that a name such as `UTC-3:30` states; None for every other name."""
    found = FIXED.fullmatch(name)
    if found is None:
        return None
    sign, hours, minutes = found.groups(default="0")
    size = timedelta(hours=int(hours), minutes=int(minutes))
    if int(minutes) > 59 or size > WIDEST_OFFSET:
        raise UnknownZone("An offset from UTC has at most 14 hours.")
    return -size if sign == "-" else size


def _offset_name(size: timedelta) -> str:
    hours, minutes = divmod(abs(size) // timedelta(minutes=1), 60)
    sign = "-" if size < timedelta(0) else "+"
    return f"UTC{sign}{hours}:{minutes:02}" if minutes else f"UTC{sign}{hours}"


@lru_cache(4096)  # a page asks for those of each event several times
def _offsets(local: datetime, name: str) -> tuple[timedelta, timedelta]:
    """How far the zone is ahead of UTC when its clock shows a time: for the first time, and for the second."""
    # The zone is asked, not a date-time with it: replacing parts of one takes ten times as long as the answer.
    ahead, first = zone(name).utcoffset, local if local.fold == 0 else local.replace(fold=0)
    return ahead(first) or timedelta(0), ahead(first.replace(fold=1)) or timedelta(0)


def _shifted(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:
        raise OutOfRange("The date is out of range in this time zone.") from None
