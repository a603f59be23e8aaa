"""A list of events on paper: its days, and on each what is on, when and where. For newspapers and notice boards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, islice
from typing import ClassVar

from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.lists.exports import Exported
from kalends.contract.statuses import PUBLISH
from kalends.features.exporting.listed import ExportPeriod, TableSelection
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.settings import Settings
from kalends.site import times
from kalends.site.calendar.calendar_list import FROM
from kalends.site.events import prices
from kalends.site.events.listed_events import UNTIL as UNTIL_HOUR
from kalends.values.dates import NO_DATE

MOST = 1000  # events on one sheet
UNTIL = N_("Until {day}")


@dataclass(frozen=True, slots=True)
class PaperLine:
    """An event on a day."""

    state: str  # that it is not as planned, or not public; empty for most
    hours: str
    title: str
    place: str
    price: str


@dataclass(frozen=True, slots=True)
class PaperDay:
    name: str
    lines: Sequence[PaperLine]


@dataclass(frozen=True, slots=True)
class Sheet:
    template: ClassVar[str] = "features/exporting/paper.html"
    most: ClassVar[int] = MOST

    days: Sequence[PaperDay]
    period: str
    columns: int
    is_cut: bool  # there are more events than fit
    back: str


def sheet(
    found: TableSelection, period: ExportPeriod, columns: int, settings: Settings, language: str, back: str
) -> Sheet:
    """What began before the period is on its first day."""
    read = list(islice(found.events(), MOST + 1))
    lines = sorted(_lines(read[:MOST], period, settings, language), key=lambda one: one[0])
    days = [
        PaperDay(times.day(day, language), [line for _, line in on_day])
        for day, on_day in groupby(lines, key=lambda one: one[0])
    ]
    return Sheet(days, in_words(period, language), columns, len(read) > MOST, back)


def _lines(
    read: Sequence[Exported], period: ExportPeriod, settings: Settings, language: str
) -> Iterator[tuple[date, PaperLine]]:
    for event, bundle in read:
        if event.start_local == NO_DATE:
            continue
        span = times.span_of(event)
        starts = span.first.date()
        day = max(starts, period.first) if period.first else starts
        if day > starts and span.last_day == day and not span.all_day:
            hours = translate(UNTIL_HOUR, language).format(time=times.time(span.last, language))
        else:
            hours = times.short_when(span, language, settings.timezone)
        states = [event_statuses.label(event.event_status, language)]
        if event.status != PUBLISH:
            states.append(translate(STATUS_NAMES[event.status], language))
        places = [", ".join(part for part in (venue.name, venue.city) if part) for venue in bundle.linked["venue"]]
        yield (
            day,
            PaperLine(
                state=", ".join(filter(None, states)),
                hours=hours,
                title=event.name,
                place="; ".join(places),
                price=prices.cost_of(event, settings.currency, language),
            ),
        )


def in_words(period: ExportPeriod, language: str) -> str:
    if period.first and period.last:
        if period.first == period.last:
            return times.day(period.first, language)
        return times.days_between(period.first, period.last, language)
    if period.first:
        return translate(FROM, language).format(day=times.day(period.first, language))
    if period.last:
        return translate(UNTIL, language).format(day=times.day(period.last, language))
    return ""
