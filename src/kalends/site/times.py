"""Dates and times of events as text in the language of the page."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from babel import Locale
from babel import dates as wording

from kalends.languages import N_, regional_locale, translate
from kalends.present import conventions
from kalends.store.rows.records import Event
from kalends.values import dates, zones

SOME_MONDAY = date(2024, 1, 1)
NIGHT = timedelta(hours=12)  # an event that ends this soon counts as one evening
MIDNIGHT = "00:00:00"
LAST_SECOND = "23:59:59"


ALL_DAY = N_("All day")
CITY_AND_HERE, OFFSET_AND_HERE = N_("in {city}, {here} here"), N_("{city}, {here} here")


class Span(NamedTuple):
    """The start and end of an event as stored: local time and UTC."""

    start_local: str
    end_local: str
    start_utc: str
    end_utc: str
    timezone: str
    all_day: bool

    @property
    def first(self) -> datetime:
        return dates.from_text(self.start_local)

    @property
    def last(self) -> datetime:
        return dates.from_text(self.end_local)

    @property
    def last_day(self) -> date:
        """The last day; an end at midnight belongs to the day before."""
        ends_at_midnight = self.end_local.endswith(MIDNIGHT) and self.end_local > self.start_local
        return day_of(self.end_local) - timedelta(days=1) if ends_at_midnight else day_of(self.end_local)

    @property
    def is_one_day(self) -> bool:
        return self.start_local[:10] == self.end_local[:10] or day_of(self.start_local) == self.last_day

    @property
    def is_one_evening(self) -> bool:
        """It ends on the day it starts, or in the following night."""
        return self.is_one_day or (not self.all_day and self.last - self.first <= NIGHT)

    @property
    def start_iso(self) -> str:
        return iso(self.start_local, self.start_utc, self.all_day)

    @property
    def end_iso(self) -> str:
        return iso(self.end_local, self.end_utc, self.all_day)


class Timed(Protocol):
    """An event, or the part of it that a month shows."""

    @property
    def start_local(self) -> str: ...
    @property
    def end_local(self) -> str: ...
    @property
    def all_day(self) -> bool: ...


def fills_days(event: Timed, *, masked: bool) -> bool:
    """Whether the calendar shows it without a time. The flag of a masked event is not public; its times are."""
    if masked:
        return event.start_local.endswith(MIDNIGHT) and event.end_local.endswith(LAST_SECOND)
    return event.all_day


def span_of(event: Event, *, masked: bool = False) -> Span:
    """The page of a masked event does not say whether it lasts all day."""
    return Span(
        event.start_local,
        event.end_local,
        event.start_utc,
        event.end_utc,
        event.timezone,
        event.all_day and not masked,
    )


@dataclass(frozen=True, slots=True)
class When:
    """The date and time of an event as text."""

    days: str
    hours: str
    zone: str


def when(span: Span, language: str, site_zone: str = "") -> When:
    """`Wednesday, March 10, 2027`, `7:30 – 9:00 PM`, `in Vancouver, 4:30 AM here`. `site_zone`: where the clock of
    the event is that of the site, the zone need not be said."""
    zone = foreign_zone(span, site_zone, language) if site_zone else ""
    if not span.is_one_evening and not span.all_day:
        return When(f"{_moment(span.first, language)} – {_moment(span.last, language)}", "", zone)
    days = day(span.first, language) if span.is_one_evening else days_between(span.first, span.last_day, language)
    return When(days, translate(ALL_DAY, language) if span.all_day else hours(span, language), zone)


def day_range(span: Span, language: str) -> str:
    """`Mar 10 – 12`."""
    return _between("MMMd", span.first.date(), span.last_day, language)


def short_when(span: Span, language: str, site_zone: str = "") -> str:
    """For lists whose rows show the first day already: `7:30 – 9:00 PM`, `All day`, `Mar 10 – 12`. Hours in another
    zone than the site's have its name."""
    if not span.is_one_evening:
        return day_range(span, language)
    if span.all_day:
        return translate(ALL_DAY, language)
    zone = foreign_zone(span, site_zone, language) if site_zone else ""
    return f"{hours(span, language)} {zone}".rstrip()


def foreign_zone(span: Span, site_zone: str, language: str) -> str:
    """`in Vancouver, 1:00 AM here`: after hours of a zone whose offset differs from the site's; else empty."""
    if (
        span.all_day
        or span.timezone == site_zone
        or zones.offset(span.first, span.timezone) == zones.offset(span.first, site_zone)
    ):
        return ""
    try:
        here = zones.to_local(dates.from_text(span.start_utc), site_zone)
    except zones.OutOfRange:
        return zone_city(span.timezone, language, _region())
    words = time(here, language)
    if here.date() != span.first.date():
        words = f"{short_weekday(here, language)} {words}"
    sentence = CITY_AND_HERE if "/" in span.timezone else OFFSET_AND_HERE
    city = zone_city(span.timezone, language, _region())
    return translate(sentence, language).format(city=city, here=words)


def day(moment: date, language: str) -> str:
    """`Wednesday, March 10, 2027`."""
    return _date(day_in(moment), "full", language, _region())


def short_date(moment: date, language: str) -> str:
    """`Wed, Mar 10, 2027`."""
    return _skeleton("yMMMEd", day_in(moment), language, _region())


def short_day(moment: date, language: str) -> str:
    """`Wed, Mar 10`."""
    return _skeleton("MMMEd", moment, language, _region())


def days_between(first: date, last: date, language: str) -> str:
    """`Wed, Mar 10 – Fri, Mar 12, 2027`."""
    return _between("yMMMEd", first, last, language)


def month(moment: date, language: str) -> str:
    """`March 2027`."""
    written = _skeleton("yMMMM", day_in(moment), language, _region())
    return written[:1].upper() + written[1:]


def short_month(moment: date, language: str) -> str:
    """`Mar`."""
    return _date(day_in(moment), "MMM", language, _region()).rstrip(".")


def weekday(moment: date, language: str) -> str:
    """`Wednesday`."""
    return _weekday(moment.weekday(), "cccc", language, _region())


def short_weekday(moment: date, language: str) -> str:
    """`Wed`."""
    return _weekday(moment.weekday(), "ccc", language, _region()).rstrip(".")


def day_in(moment: date) -> date:
    """The day of a moment, which may be one."""
    return moment.date() if isinstance(moment, datetime) else moment


def day_of(local: str) -> date:
    return date.fromisoformat(local[:10])


def time(moment: datetime, language: str) -> str:
    """`7:30 PM`."""
    return _clock_time(moment.time(), language, _region(), _uses_12_hours(language))


def full_hour(number: int, language: str) -> str:
    """`7 PM`, `19:00`."""
    skeleton = "h" if _uses_12_hours(language) else "Hm"
    return wording.format_skeleton(skeleton, datetime(1, 1, 1, number), locale=locale(language))


def hours(span: Span, language: str) -> str:
    """`7:30 – 9:00 PM`, or one time when start and end are the same. An end in the night after names its day."""
    if span.first == span.last:
        return time(span.first, language)
    if not span.is_one_day:
        return f"{time(span.first, language)} – {time(span.last, language)} ({short_weekday(span.last, language)})"
    if language == "ja":  # whose intervals are spelled out in Unicode's data, and times are not
        return f"{time(span.first, language)}～{time(span.last, language)}"
    if span.last.date() != span.first.date():
        return f"{time(span.first, language)} – {time(span.last, language)}"
    return _between("hm" if _uses_12_hours(language) else "Hm", span.first, span.last, language)


def hour_cycle(language: str) -> str:
    """The clock of the page, as scripts name it."""
    return "h12" if _uses_12_hours(language) else "h23"


def is_day_first(language: str) -> bool:
    """Whether a date begins with its day: `18 Nov`, not `Nov 18`."""
    return _skeleton("MMMd", SOME_MONDAY, language, _region()).startswith("1")


def moment(local: str, language: str) -> str:
    """A day and a time: `Wed, Mar 10, 2027, 7:30 PM`."""
    return _moment(dates.from_text(local), language)


def site_moment(utc: str, timezone: str, language: str) -> str:
    """A moment in UTC as a day and a time of the site: `Mar 10, 2027, 7:30 PM`."""
    local = zones.to_local(dates.from_text(utc), timezone)
    written = _skeleton("yMMMd", local.date(), language, _region())  # as other dates are written, without the weekday
    joined: str = locale(language).datetime_formats["medium"].format(time(local, language), written)
    return joined


def on_clock(span: Span, timezone: str) -> Span:
    """The same hours on the clock of another zone."""
    try:
        local = [dates.text(zones.to_local(dates.from_text(utc), timezone)) for utc in (span.start_utc, span.end_utc)]
    except zones.OutOfRange:
        return span
    return span._replace(start_local=local[0], end_local=local[1], timezone=timezone)


@lru_cache(1024)
def zone_city(timezone: str, language: str, region: str) -> str:
    """How people call a zone: by a town, `Vancouver`, or the zone's own text when it is an offset."""
    if "/" not in timezone:
        return timezone
    return str(wording.get_timezone_location(timezone, locale=regional_locale(language, region), return_city=True))


def iso(local: str, utc: str, all_day: bool) -> str:
    """ISO 8601: a date, or a time with its offset."""
    if all_day:
        return local[:10]
    minutes = round((dates.from_text(local) - dates.from_text(utc)).total_seconds() / 60)
    sign, minutes = ("-", -minutes) if minutes < 0 else ("+", minutes)
    return f"{local[:10]}T{local[11:]}{sign}{minutes // 60:02}:{minutes % 60:02}"


def locale(language: str) -> Locale:
    """The language as it is written in the reader's region."""
    return regional_locale(language, _region())


def _region() -> str:
    return conventions.current().region


def _uses_12_hours(language: str) -> bool:
    """Unless the site has chosen one, the clock is that of the reader's region."""
    return conventions.current().uses_12_hours(_usually_12_hours(language, _region()))


# A page has the same hours and days many times, and their wording takes longer than all else of a line. What is known
# is found by texts: a Locale compares itself with another part by part.


@cache
def _usually_12_hours(language: str, region: str) -> bool:
    return "a" in str(regional_locale(language, region).time_formats["short"].pattern)


@lru_cache(4096)
def _clock_time(at: clock_time, language: str, region: str, uses_12_hours: bool) -> str:
    locale, usual = regional_locale(language, region), _usually_12_hours(language, region)
    if uses_12_hours == usual:
        return wording.format_time(at, "short", locale=locale)
    return wording.format_skeleton("Hm" if usual else "hm", datetime.combine(date.min, at), locale=locale)


@lru_cache(4096)
def _date(day: date, form: str, language: str, region: str) -> str:
    return wording.format_date(day, form, locale=regional_locale(language, region))


@lru_cache(4096)
def _weekday(number: int, form: str, language: str, region: str) -> str:
    return wording.format_date(SOME_MONDAY + timedelta(days=number), form, locale=regional_locale(language, region))


@lru_cache(4096)
def _skeleton(form: str, day: date, language: str, region: str) -> str:
    return wording.format_skeleton(form, day, locale=regional_locale(language, region))


def _moment(at: datetime, language: str) -> str:
    written = _skeleton("yMMMEd", at.date(), language, _region())
    joined: str = locale(language).datetime_formats["medium"].format(time(at, language), written)
    return joined


def _between(skeleton: str, first: date, last: date, language: str) -> str:
    return _interval(skeleton, first, last, language, _region())


@lru_cache(4096)
def _interval(skeleton: str, first: date, last: date, language: str, region: str) -> str:
    return wording.format_interval(first, last, skeleton, locale=regional_locale(language, region))
