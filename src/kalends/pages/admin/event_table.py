"""The rows of the table of events, and the days of its month."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar
from urllib.parse import quote

from kalends.calendar.lists.series_rows import Row as ListRow
from kalends.contract.statuses import PUBLISH
from kalends.languages import N_, translate
from kalends.pages import times
from kalends.pages.admin.editor import STATUS_NAMES
from kalends.pages.calendar_days import week_start
from kalends.store.query.days import DayEvent
from kalends.store.rows.records import Event
from kalends.store.rows.visibility import Visibility
from kalends.values import dates

TAB_NAMES = {
    "": N_("All"),
    "publish": N_("Published"),
    "future": N_("Scheduled"),
    "draft": N_("Drafts"),
    "pending": N_("Waiting"),
    "private": N_("Private"),
}
ACTION_NAMES = {
    "publish": N_("Publish"),
    "draft": N_("Back to draft"),
    "feature": N_("Feature"),
    "unfeature": N_("Do not feature"),
    "hide": N_("Hide from lists"),
    "unhide": N_("Show in lists"),
    "category": N_("Add a category"),
    "tag": N_("Add a tag"),
    "trash": N_("Move to the trash"),
}
MOST_OF_A_DAY = 6
ALL_DATES, SOME_DATES = N_("{count} dates"), N_("{count} of {total} dates")
PERIOD_NAMES = {"upcoming": N_("Upcoming"), "past": N_("Past"), "all": N_("All dates")}


def period_names(day: date | None, language: str) -> dict[str, str]:
    """What the filter offers; a day that was asked for is one more."""
    names = {word: translate(name, language) for word, name in PERIOD_NAMES.items()}
    return names if day is None else {day.isoformat(): times.short_date(day, language), **names}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: an event, or a series."""

    id: int  # of the event, or of the series
    rev: int  # the version that is shown
    is_series: bool
    dates: str  # how many of a series it stands for
    path: str  # where its title leads
    title: str
    days: str
    hours: str
    venue: str
    categories: str
    status: str
    status_name: str
    marks: Sequence[str]  # featured, hidden, with a password
    is_over: bool
    has_picture: bool


def editor_of(id: int) -> str:
    return f"/admin/events/{id}"


def path_of(event: Event | DayEvent, visibility: Visibility) -> str:
    """The editor, or the public page for people who cannot edit the event; empty while it has none."""
    if visibility.can_edit_as(event.author, event.status):
        return editor_of(event.id)
    return f"/event/{quote(event.slug)}/" if event.status == PUBLISH else ""


def dates_label(row: ListRow, language: str) -> str:
    """How many dates of its series a row stands for; empty for one of a list that has each."""
    if row.series is None:
        return ""
    sentence = ALL_DATES if row.dates == row.all_dates else SOME_DATES
    return translate(sentence, language).format(count=row.dates, total=row.all_dates)


def table(rows: Iterable[ListRow], visibility: Visibility, language: str, now: datetime) -> list[Row]:
    return [_row(row, path_of(row.event, visibility), language, dates.text(now)) for row in rows]


def _row(row: ListRow, path: str, language: str, now: str) -> Row:
    event, bundle = row.event, row.bundle
    span = times.span_of(event)
    marks = [
        translate(name, language)
        for name, has in (
            (N_("Featured"), event.featured),
            (N_("Hidden"), event.hide_from_listings),
            (N_("Password"), event.password is not None),
        )
        if has
    ]
    return Row(
        id=event.id if row.series is None else row.series.id,
        rev=row.rev,
        is_series=row.series is not None,
        dates=dates_label(row, language),
        path=path,
        title=event.name,
        days=times.short_date(span.first, language),
        hours=times.short_when(span, language),
        venue=", ".join(venue.name for venue in bundle.venues),
        categories=", ".join(category.name for category in bundle.categories),
        status=event.status,
        status_name=translate(STATUS_NAMES[event.status], language),
        marks=marks,
        is_over=event.end_utc <= now,
        has_picture=event.image is not None,
    )


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the month grid."""

    day: date
    number: str
    weekday: str
    is_other_month: bool
    is_today: bool
    name: str  # for screen readers
    events: Sequence[DayEvent]
    more: int  # events that have no room


@dataclass(frozen=True, slots=True)
class MonthPage:
    template: ClassVar[str] = "admin/event_month.html"

    first: date
    last: date
    weeks: Sequence[Sequence[Day]]
    visibility: Visibility
    language: str

    @property
    def name(self) -> str:
        return times.month(self.first, self.language)

    @property
    def previous(self) -> str:
        return f"{self.first - timedelta(days=1):%Y-%m}"

    @property
    def following(self) -> str:
        return f"{self.last + timedelta(days=1):%Y-%m}"

    def path_of(self, event: DayEvent) -> str:
        return path_of(event, self.visibility)

    def may_move(self, event: DayEvent) -> bool:
        return self.visibility.can_edit_as(event.author, event.status)

    def clock(self, event: DayEvent) -> str:
        return times.time(dates.from_text(event.start_local), self.language)

    def status_name(self, event: DayEvent) -> str:
        return STATUS_NAMES[event.status]


def month(first: date, events: Sequence[DayEvent], today: date, language: str) -> list[list[Day]]:
    """The weeks of a month. An event stands on the day on which it starts."""
    by_day: dict[str, list[DayEvent]] = {}
    for event in events:
        by_day.setdefault(event.start_local[:10], []).append(event)
    begin = week_start(first, language)
    weeks: list[list[Day]] = []
    while not weeks or begin.month == first.month:
        weeks.append([_day(begin + timedelta(days=number), first, today, by_day, language) for number in range(7)])
        begin += timedelta(days=7)
    return weeks


def _day(day: date, first: date, today: date, by_day: dict[str, list[DayEvent]], language: str) -> Day:
    events = by_day.get(day.isoformat(), ())
    return Day(
        day=day,
        number=str(day.day),
        weekday=times.short_weekday(day, language),
        is_other_month=day.month != first.month,
        is_today=day == today,
        name=times.day(datetime(day.year, day.month, day.day), language),
        events=events[:MOST_OF_A_DAY],
        more=max(0, len(events) - MOST_OF_A_DAY),
    )
