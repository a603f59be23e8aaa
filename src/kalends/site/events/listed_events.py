"""An event on a page: in a list, on a day of the calendar, in its hover card. Every list shows a ListedEvent; only
the month grid has another, of less than the whole record."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from kalends.contract.kinds import EVENT
from kalends.contract.statuses import MOVED_ONLINE
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.site import times
from kalends.site.events import prices
from kalends.site.layout.appearance import category_class, event_class
from kalends.site.layout.description_html import summary
from kalends.site.layout.frame import Frame
from kalends.site.layout.head_metadata import HeadPicture, picture_of
from kalends.site.times import Span
from kalends.store.query.days import DayEvent
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values.cost import Currency

BundledEvent = tuple[Event, Bundle]

ONLINE = N_("Online")
UNTIL = N_("until {time}")
DATES = N_("{count} dates")
EXCERPT = 80


@dataclass(frozen=True, slots=True)
class EventOnPage:
    """What every place says of an event. Texts are worded on access: each place shows some of them, and a full month
    shows few of its events."""

    event: Event | DayEvent
    frame: Frame
    span: Span

    @property
    def is_masked(self) -> bool:
        """Whether only its title and time are public."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        return self.event.name

    @property
    def href(self) -> str:
        return self.frame.page_of(EVENT, self.event.slug)

    @property
    def zone(self) -> str:
        """What is said of its zone, after its time, if it is another than the site's."""
        return times.foreign_zone(self.span, self.frame.timezone, self.frame.language)

    @property
    def featured(self) -> bool:
        return self.event.featured and not self.is_masked

    @property
    def status(self) -> str:
        """As in contract/statuses.py; empty as planned."""
        return event_statuses.visible_status(self.event.event_status, masked=self.is_masked)


@dataclass(frozen=True, slots=True)
class ListedEvent(EventOnPage):
    """An event with its whole record."""

    event: Event
    bundle: Bundle
    day: datetime.date  # on which it is shown
    currency: Currency | None = None  # of the site, where the cost is shown
    occurrences: int = 1  # how many dates of its series it stands for
    at: str = ""  # the slug of the venue whose page this is: its name is not repeated
    is_brief: bool = False  # no more than its title and time: after the first day, of an event over several
    there: Span | None = None  # its times on its own clock, where `span` is on that of the site

    @property
    def is_masked(self) -> bool:
        return self.bundle.masked

    @property
    def first(self) -> datetime.date:
        return self.span.first.date()

    @property
    def last(self) -> datetime.date:
        return self.span.last_day

    @property
    def iso(self) -> str:
        """Later days show no time of day that scripts could show on the reader's clock."""
        return self.span.start_iso if self.first == self.day else self.day.isoformat()

    @property
    def end_iso(self) -> str:
        """Where its time is shown up to its end."""
        return self.span.end_iso if self.span.is_one_evening and not self.span.all_day else ""

    @property
    def time(self) -> str:
        """The time shown on this day."""
        span, language = self.span, self.frame.language
        begins, ends = self.first == self.day, self.last == self.day
        if span.all_day or not (begins or ends):
            return translate(times.ALL_DAY, language)
        if begins and span.is_one_evening:
            return times.hours(self.there or span, language)
        if begins:
            return times.time(span.first, language)
        return translate(UNTIL, language).format(time=times.time(span.last, language))

    @property
    def days(self) -> str:
        """The range of an event over several days."""
        return "" if self.span.is_one_evening else times.day_range(self.span, self.frame.language)

    @property
    def when(self) -> str:
        return times.short_when(self.there or self.span, self.frame.language, self.frame.timezone)

    @property
    def zone(self) -> str:
        if self.first != self.day:  # then only its end is told
            return times.foreign_zone(self.span, self.frame.timezone, self.frame.language)
        return times.foreign_zone(self.there or self.span, self.frame.timezone, self.frame.language)

    @property
    def starts_there(self) -> str:
        """For the axis of hours, where the end can be seen, and both clocks have to find room."""
        return times.time((self.there or self.span).first, self.frame.language)

    @property
    def weekday(self) -> str:
        return times.short_weekday(self.span.first, self.frame.language)

    @property
    def month(self) -> str:
        return times.short_month(self.span.first, self.frame.language)

    @property
    def date(self) -> str:
        return times.short_day(self.span.first, self.frame.language)

    @property
    def long_date(self) -> str:
        """The day or days with the year, where no heading has it."""
        if self.days:
            return times.days_between(self.first, self.last, self.frame.language)
        return times.short_date(self.first, self.frame.language)

    @property
    def dates(self) -> str:
        words = translate(DATES, self.frame.language)
        return words.format(count=self.occurrences) if self.occurrences > 1 else ""

    @property
    def venue_names(self) -> str:
        """Where it takes place: what has moved online has no other place."""
        if self.status == MOVED_ONLINE:
            return translate(ONLINE, self.frame.language)
        return ", ".join(venue.name for venue in self.bundle.linked["venue"] if venue.slug != self.at)

    @property
    def terms(self) -> str:
        return ", ".join(term.name for term in self.bundle.linked["category"])

    @property
    def cost(self) -> str:
        if self.bundle.masked or self.currency is None:
            return ""
        return prices.cost_of(self.event, self.currency, self.frame.language)

    @property
    def summary(self) -> str:
        return summary(*self.event.texts, most=EXCERPT)

    @property
    def mark(self) -> str:
        """The class of its category's colour."""
        return event_class(self.bundle.linked["category"])

    @property
    def picture(self) -> HeadPicture | None:
        is_hidden = self.bundle.masked or self.event.password
        return None if is_hidden else picture_of(self.event, self.bundle, self.frame)


@dataclass(frozen=True, slots=True)
class MonthEvent(EventOnPage):
    """An event in the month grid, of less than the whole record."""

    event: DayEvent
    first: datetime.date
    last: datetime.date
    is_bar: bool

    @property
    def is_masked(self) -> bool:
        return self.event.masked

    @property
    def time(self) -> str:
        """`7:30 PM`, `All day`, or the days that it takes: `Mar 10 – 12`."""
        span, language = self.span, self.frame.language
        if self.is_bar and not span.is_one_evening:
            return times.day_range(span, language)
        return translate(times.ALL_DAY, language) if span.all_day else times.time(span.first, language)

    @property
    def iso(self) -> str:
        """What `time` names: a moment, or a day."""
        return self.first.isoformat() if self.is_bar else self.span.start_iso

    @property
    def mark(self) -> str:
        """The class of its category's colour."""
        return "" if self.event.masked else category_class(self.event.category, self.event.color)


@dataclass(frozen=True, slots=True)
class MonthOfEvents:
    """The events that start in one month."""

    name: str
    rows: list[ListedEvent]


def in_list(bundled: BundledEvent, frame: Frame, at: str = "") -> ListedEvent:
    """In a list that is no part of the calendar. `at` is the slug of the venue whose page this is."""
    event, bundle = bundled
    span = times.span_of(event, masked=bundle.masked)
    return ListedEvent(event, frame, span, bundle, span.first.date(), at=at)


def on_day(
    bundled: BundledEvent,
    frame: Frame,
    currency: Currency,
    occurrences: int = 1,
    earliest: datetime.date | None = None,
) -> ListedEvent:
    """On the day of the calendar on which it starts, or the earliest that is shown."""
    event, bundle = bundled
    span = times.span_of(event)._replace(all_day=times.fills_days(event, masked=bundle.masked))
    day = max(span.first.date(), earliest) if earliest else span.first.date()
    return ListedEvent(event, frame, span, bundle, day, currency, occurrences)


def months(bundled: Iterable[BundledEvent], frame: Frame, at: str = "") -> list[MonthOfEvents]:
    """Events grouped by the month in which they start."""
    return [
        MonthOfEvents(times.month(rows[0].day, frame.language), rows)
        for _, group in groupby(bundled, key=lambda pair: pair[0].start_local[:7])
        if (rows := [in_list(pair, frame, at) for pair in group])
    ]
