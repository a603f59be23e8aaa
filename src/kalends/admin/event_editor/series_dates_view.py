"""The dates of a series in its editor: each with its state, and skipped or brought back with a click."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kalends.admin.status_names import STATUS_NAMES
from kalends.calendar.series.single_dates import Part, SeriesDate
from kalends.contract.statuses import SCHEDULED
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.site import times
from kalends.site.records import course_parts
from kalends.store.rows.records import Event
from kalends.values import dates

SHOWN = 60  # of those to come, and as many that are over; the table has all of them
SKIPPED, MOVED = N_("Skipped"), N_("Moved from {date}")


class Row(NamedTuple):
    """One date. `start`: the time that the rule gives it, by which it is skipped and brought back."""

    start: str
    id: int  # of its event; 0 while it is skipped
    day: str
    state: str
    status: str
    note: str  # that it was moved, or is cancelled
    is_skipped: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class SeriesDates:
    """The dates of the series of the event that is open."""

    series: int
    path: str  # where a date is skipped, brought back or added
    to_come: Sequence[Row]
    over: Sequence[Row]
    more: bool  # there are others, in the table
    total: int  # of all dates of the course that are not skipped
    parts: Sequence[
        tuple[str, str]
    ] = ()  # the other series of the course: the rule in words, and the next date of it

    @property
    def table(self) -> str:
        """The table of all dates of the course."""
        return f"/admin/events?when=all&series={self.series}{'&whole=true' if self.parts else ''}"

    @classmethod
    def of(
        cls, found: Sequence[SeriesDate], parts: Sequence[Part], event: Event, now: str, language: str
    ) -> "SeriesDates":
        over = [date for date in found if (date.ends_utc or date.start) < now]
        to_come = [date for date in found if (date.ends_utc or date.start) >= now]
        return cls(
            series=event.series or 0,
            path=f"/admin/events/{event.id}/dates",
            to_come=[_row(date, event, language) for date in to_come[:SHOWN]],
            over=[_row(date, event, language) for date in over[-SHOWN:]],
            more=len(over) > SHOWN or len(to_come) > SHOWN,
            total=sum(not date.is_skipped for date in found) + sum(len(part.live) for part in parts),
            parts=[_part(part, language) for part in parts],
        )


def _part(part: Part, language: str) -> tuple[str, str]:
    last = part.live[-1].start_local
    words = course_parts.in_words(part.series, language, len(part.live), last, is_earlier=part.is_earlier)
    return words, f"/admin/events/{part.nearest.id}"


def _row(date: SeriesDate, event: Event, language: str) -> Row:
    note = ""
    if not date.is_skipped and date.event_status not in ("", SCHEDULED):
        note = translate(event_statuses.LABELS[date.event_status], language)
    elif date.begins != date.start:
        note = translate(MOVED, language).format(date=times.short_date(dates.from_text(date.start).date(), language))
    day = times.day(dates.from_text(date.begins), language)
    return Row(
        start=date.start,
        id=0 if date.is_skipped else date.id,
        day=day if event.all_day else times.moment(date.begins, language),
        state=translate(SKIPPED if date.is_skipped else STATUS_NAMES[date.status], language),
        status=date.status,
        note=note,
        is_skipped=date.is_skipped,
        is_here=date.id == event.id,
    )
