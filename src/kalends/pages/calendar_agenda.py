"""Events as lines, grouped by day: for the list view and for the month on a phone."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from kalends.contract.kinds import EVENT
from kalends.languages import N_, translate
from kalends.pages import event_statuses, head_metadata, prices, times
from kalends.pages.calendar_days import ONE_DAY
from kalends.pages.calendar_grid import MAX_SHOWN, Entry
from kalends.pages.head_metadata import Picture
from kalends.pages.layout import Frame
from kalends.pages.look import event_class
from kalends.pages.times import Span
from kalends.present.render_context import RenderContext
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event

Shown = tuple[Event, Bundle]


UNTIL = N_("until {time}")
DATES = N_("{count} dates")


@dataclass(frozen=True, slots=True)
class Line:
    """An event on a day."""

    title: str
    href: str
    time: str
    iso: str
    end_iso: str = ""  # where its time is shown up to its end
    days: str = ""  # the range of an event over several days
    zone: str = ""
    place: str = ""
    terms: str = ""
    cost: str = ""
    dates: str = ""  # of its series, where a list shows it once
    featured: bool = False
    is_continued: bool = False
    mark: str = ""  # the class of its category's colour
    status: str = ""  # as in contract/statuses.py; empty as planned
    picture: Picture | None = None
    day: date | None = None


@dataclass(slots=True)
class Day:
    """A day with its events."""

    day: date
    is_today: bool
    lines: list[Line] = field(default_factory=list)
    more: int = 0
    month: str = ""  # where a new month begins

    @property
    def is_free(self) -> bool:
        """Nothing is new on it; today counts what goes on too."""
        return not any(self.is_today or not line.is_continued for line in self.lines)

    @property
    def month_name(self) -> str:
        return f"{self.day:%Y-%m}"


def by_start(
    shown: Sequence[Shown],
    earliest: date | None,
    today: date,
    frame: Frame,
    render_context: RenderContext,
    occurrences: Sequence[int] | None = None,
) -> list[Day]:
    """The days on which events start; events that started before the earliest day are listed on it. `occurrences`:
    how many dates each of them stands for."""
    found: list[Day] = []
    for pair, count in zip(shown, occurrences or [1] * len(shown), strict=True):
        span = span_of(pair)
        day = max(span.first.date(), earliest) if earliest else span.first.date()
        if not found or found[-1].day != day:
            new_month = not found or found[-1].day.replace(day=1) != day.replace(day=1)
            month = times.month(day, frame.language) if new_month else ""
            found.append(Day(day, day == today, month=month))
        dates = translate(DATES, frame.language).format(count=count) if count > 1 else ""
        found[-1].lines.append(replace(line(span, pair, day, frame, render_context), dates=dates))
    return found


def of_month(first: date, last: date, entries: Sequence[Entry], today: date, frame: Frame) -> list[Day]:
    """Every day of the month, for narrow screens. An event over several days is new on the first of them, and the
    others list it last: a phone shows it there when the day is opened."""
    new: dict[date, list[Entry]] = {day: [] for day in days_from(first, last)}
    continued: dict[date, list[Entry]] = {day: [] for day in new}
    for entry in entries:
        day = max(entry.first, first)
        for there in days_from(day, min(entry.last, last)):
            (new if there == day else continued)[there].append(entry)
    return [_day_of_month(day, new[day], continued[day], today, frame) for day in new]


def _day_of_month(day: date, new: Sequence[Entry], continued: Sequence[Entry], today: date, frame: Frame) -> Day:
    lines = [_short(one, frame) for one in new[:MAX_SHOWN]]
    lines += [_short(one, frame, is_continued=True) for one in continued[: MAX_SHOWN - len(lines)]]
    return Day(day, day == today, lines, len(new) + len(continued) - len(lines))


def _short(entry: Entry, frame: Frame, *, is_continued: bool = False) -> Line:
    href = frame.page_of(EVENT, entry.slug)
    return Line(
        entry.title,
        href,
        entry.time,
        entry.iso,
        zone=entry.zone,
        featured=entry.featured,
        mark=entry.mark,
        status=entry.status,
        is_continued=is_continued,
    )


def line(
    span: Span, pair: Shown, day: date, frame: Frame, render_context: RenderContext, *, in_short: bool = False
) -> Line:
    event, bundle = pair
    language = frame.language
    featured = event.featured and not bundle.masked
    mark, status = event_class(bundle.categories), event_statuses.shown(event, bundle)
    # Later days show no time of day that scripts could show on the reader's clock.
    iso = span.start_iso if span.first.date() == day else day.isoformat()
    if in_short:
        href, time = frame.page_of(EVENT, event.slug), _time(span, day, language)
        zone = times.foreign_zone(span, render_context.timezone)
        return Line(
            event.name,
            href,
            time,
            iso,
            zone=zone,
            featured=featured,
            is_continued=True,
            mark=mark,
            status=status,
        )
    return Line(
        title=event.name,
        href=frame.page_of(EVENT, event.slug),
        time=_time(span, day, language),
        iso=iso,
        end_iso=span.end_iso if span.is_one_evening and not span.all_day else "",
        days="" if span.is_one_evening else times.days_taken(span, language),
        zone=times.foreign_zone(span, render_context.timezone),
        place=", ".join(venue.name for venue in bundle.venues),
        terms=", ".join(term.name for term in bundle.categories),
        cost="" if bundle.masked else prices.cost_of(event, render_context, language),
        featured=featured,
        picture=None if bundle.masked else head_metadata.picture_of(event, bundle, frame),
        day=day,
        mark=mark,
        status=status,
    )


def _time(span: Span, day: date, language: str) -> str:
    """The time shown on this day."""
    begins, ends = span.first.date() == day, span.last_day == day
    if span.all_day or not (begins or ends):
        return translate(times.ALL_DAY, language)
    if begins and span.is_one_evening:
        return times.hours(span, language)
    if begins:
        return times.time(span.first, language)
    return translate(UNTIL, language).format(time=times.time(span.last, language))


def span_of(pair: Shown) -> Span:
    event, bundle = pair
    return replace(times.span_of(event), all_day=times.fills_days(event, masked=bundle.masked))


def days_from(first: date, last: date) -> list[date]:
    return [first + n * ONE_DAY for n in range((last - first).days + 1)]
