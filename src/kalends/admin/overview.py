"""The overview: what is on, what waits, and what could be better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple

from kalends.admin.events import dates_label, editor_of, path_of
from kalends.admin.navigation import may_write
from kalends.admin.request import AdminRequest
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.access import UnitOfWork
from kalends.calendar.editing import first_steps
from kalends.calendar.editing.dashboard import LISTED, Overview, overview
from kalends.calendar.lists.series_rows import EventOrSeries
from kalends.calendar.site_settings import is_set_up
from kalends.languages import N_, translate
from kalends.site import times
from kalends.site.forms.form import Form
from kalends.site.times import Span
from kalends.store.query.days import DayEvent
from kalends.store.rows.records import Event

MOST_OF_A_DAY = 12
# The first steps: label, what it is for, and the way to it.
STEPS = {
    first_steps.NAME: (
        N_("Name and logo"),
        N_("At the top of every page, in feeds and in search results."),
        "/admin/settings",
    ),
    first_steps.COLOURS: (
        N_("Colours"),
        N_("So that the calendar looks like your site."),
        "/admin/settings/look",
    ),
    first_steps.EVENT: (N_("First event"), N_("Enter one, or import a calendar that you have."), "/admin/events/new"),
    first_steps.PEOPLE: (N_("People"), N_("Invite those who enter events with you."), "/admin/people/invite"),
    first_steps.EMBED: (N_("Embed code"), N_("Shows the calendar in your own site."), "/admin/settings/share#embed"),
    first_steps.SUBSCRIBE: (
        N_("Subscribe"),
        N_("Have the events in your own calendar program."),
        "/admin/settings/share#feeds",
    ),
}
BY_HAND = (first_steps.EMBED, first_steps.SUBSCRIBE)  # the calendar does not know whether they are done


class FirstStep(NamedTuple):
    """One of the first steps."""

    name: str
    label: str
    text: str
    path: str
    is_done: bool
    by_hand: bool


@dataclass(frozen=True, slots=True)
class OverviewEvent:
    """One event in a short list."""

    path: str
    name: str
    when: str
    note: str = ""
    status: str = ""
    status_label: str = ""
    dates: str = ""  # how many of a series it stands for


@dataclass(frozen=True, slots=True)
class OverviewDay:
    label: str
    is_today: bool
    rows: Sequence[OverviewEvent]
    more: int


@dataclass(frozen=True, slots=True)
class OverviewPage:
    template: ClassVar[str] = "admin/overview.html"

    days: Sequence[OverviewDay]
    drafts: Sequence[OverviewEvent]
    sent_back: Sequence[tuple[OverviewEvent, str]]  # with what was said in review
    draft_total: int
    pending: Sequence[OverviewEvent]
    pending_total: int
    changed: Sequence[OverviewEvent]
    unfinished: Sequence[OverviewEvent]
    has_more_unfinished: bool
    is_empty: bool
    needs_setup: bool
    steps: Sequence[FirstStep]  # of the first days; none once all are done

    @property
    def steps_done(self) -> int:
        return sum(step.is_done for step in self.steps)


def steps_of(done: Mapping[str, bool], language: str) -> list[FirstStep]:
    """The first steps with the ways to them; none when nothing is left to do."""
    if all(done.values()):
        return []
    return [
        FirstStep(name, translate(label, language), translate(text, language), path, done[name], name in BY_HAND)
        for name, (label, text, path) in STEPS.items()
        if name in done
    ]


def page(found: Overview, language: str, timezone: str, is_set_up: bool, steps: Mapping[str, bool]) -> OverviewPage:
    return OverviewPage(
        days=_days(found, language),
        drafts=[_row(row, found, language) for row in found.drafts.rows],
        draft_total=found.drafts.total,
        sent_back=[
            (_row(row, found, language, found.authors.get(note.author, "")), note.text)
            for row, note in found.sent_back
        ],
        pending=[_row(row, found, language, found.authors.get(row.event.author, "")) for row in found.pending.rows],
        pending_total=found.pending.total,
        changed=[_changed(event, found, language, timezone) for event in found.changed],
        unfinished=[
            OverviewEvent(
                editor_of(event.id),
                event.name,
                _when(event.start_local, event.all_day, language),
                translate(_lack(event.has_image, event.has_venue), language),
            )
            for event in found.unfinished[:LISTED]
        ],
        has_more_unfinished=len(found.unfinished) > LISTED,
        is_empty=found.is_empty,
        needs_setup=not is_set_up,
        steps=steps_of(steps, language),
    )


def _days(found: Overview, language: str) -> list[OverviewDay]:
    """The days that have events; one that began earlier is shown today."""
    today, by_day = found.today, dict[date, list[DayEvent]]()
    for event in found.upcoming:
        by_day.setdefault(max(today, times.day_of(event.start_local)), []).append(event)
    return [
        OverviewDay(
            label=translate(N_("Today"), language) if day == today else times.day(day, language),
            is_today=day == today,
            rows=[
                OverviewEvent(path_of(event, found.visibility), event.name, _hours(event, language))
                for event in by_day[day][:MOST_OF_A_DAY]
            ],
            more=max(0, len(by_day[day]) - MOST_OF_A_DAY),
        )
        for day in sorted(by_day)
    ]


def _hours(event: DayEvent, language: str) -> str:
    span = Span(event.start_local, event.end_local, event.start_utc, event.start_utc, event.timezone, event.all_day)
    return times.short_when(span, language)


def _row(row: EventOrSeries, found: Overview, language: str, note: str = "") -> OverviewEvent:
    event = row.event
    when = _when(event.start_local, event.all_day, language)
    return OverviewEvent(path_of(event, found.visibility), event.name, when, note, dates=dates_label(row, language))


def _changed(event: Event, found: Overview, language: str, timezone: str) -> OverviewEvent:
    label = translate(STATUS_NAMES.get(event.status, event.status), language)
    moment = times.site_moment(event.modified_utc, timezone, language)
    author = found.authors.get(event.author, "")
    return OverviewEvent(path_of(event, found.visibility), event.name, moment, author, event.status, label)


def _when(start: str, all_day: bool, language: str) -> str:
    day = times.day_of(start)
    return times.days_between(day, day, language) if all_day else times.moment(start, language)


def _lack(has_image: bool, has_venue: bool) -> str:
    if has_image:
        return N_("No place")
    return N_("No picture") if has_venue else N_("No picture, no place")


def show_overview(request: AdminRequest) -> None:
    """The first page after signing in."""
    if not may_write(request.caller):  # a subscriber has nothing here
        request.go("/admin/profile")
        return

    def read(work: UnitOfWork) -> OverviewPage:
        found = overview(work)
        is_new = len(found.changed) < LISTED  # later on people know their way
        steps = first_steps.steps(work, has_events=not found.is_empty) if is_new else {}
        return page(found, request.language, request.settings.timezone, is_set_up(work.session), steps)

    request.answer(request.read(read))


def tick(request: AdminRequest, form: Form) -> None:
    """One of the first steps is done, or the list is not needed any more."""
    if form.text("step") in (*first_steps.STEPS, ""):
        request.write(first_steps.tick, form.text("step"))
    request.go("/admin")
