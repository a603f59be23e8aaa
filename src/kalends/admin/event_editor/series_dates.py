"""The dates of a series in its editor: each with its state, skipped or brought back with a click; what a change of
several tells, and the way back from one that has made two series of one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from kalends.admin.event_changes import UNDONE
from kalends.admin.frame import UndoForm
from kalends.admin.outcomes import NOTHING
from kalends.admin.request import AdminRequest
from kalends.admin.values_in_words import STATUS_NAMES
from kalends.calendar.posts import labels
from kalends.calendar.series import rejoining
from kalends.calendar.series.rejoining import Split
from kalends.calendar.series.shared_fields import TIMES
from kalends.calendar.series.single_dates import CoursePart, SeriesDate, of_event, other_parts, set_state
from kalends.calendar.series.single_dates import set_date as set_series_date
from kalends.contract.fields import Link, RecordField
from kalends.contract.kinds import EVENT, VENUE
from kalends.contract.kinds.defined_fields import fields_of
from kalends.contract.statuses import CANCELLED, SCHEDULED
from kalends.contract.types.recurrences import SCOPES
from kalends.languages import N_, translate
from kalends.present import event_statuses
from kalends.site import times
from kalends.site.forms.form import FILL_IN, Form, number_in
from kalends.site.records import course_parts
from kalends.store.rows.records import Event, Series
from kalends.values import dates

IS_SKIPPED, IS_TAKEN, IS_ADDED = (
    N_("Skipped: {date}."),
    N_("It takes place again: {date}."),
    N_("Added to the series: {date}."),
)
IS_CANCELLED, IS_PLANNED = N_("The date is cancelled, and shown as such."), N_("The date takes place as planned.")
STATES = (CANCELLED, SCHEDULED)
NO_DATE = N_("This is not a date.")
NEXT, SHOWN = 12, 60  # of those to come, and as many that are over; the table has all of them
SKIPPED, MOVED = N_("Skipped"), N_("Moved from {date}")
CHANGED = N_("Dates changed: {count}.")


class SeriesDateRow(NamedTuple):
    """One date. `start`: the time that the rule gives it, by which it is skipped and brought back."""

    start: str
    id: int  # of its event; 0 while it is skipped
    day: str
    state: str
    status: str
    notes: Sequence[str]  # that it is cancelled or was moved, and what it has of its own
    is_skipped: bool
    is_cancelled: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class EditorSeriesDates:
    """The dates of the series of the event that is open."""

    series: int
    path: str  # where a date is skipped, brought back or added
    to_come: Sequence[SeriesDateRow]
    over: Sequence[SeriesDateRow]
    later: Sequence[SeriesDateRow]  # those to come, after the next ones
    more: bool  # there are others, in the table
    total: int  # of all dates of the course that are not skipped
    parts: Sequence[
        tuple[str, str]
    ] = ()  # the other series of the course: the rule in words, and the next date of it

    @property
    def here(self) -> str:
        """The editor that shows them."""
        return self.path.removesuffix("/dates")

    @property
    def table(self) -> str:
        """The table of all dates of the course."""
        return f"/admin/events?when=all&series={self.series}{'&whole=true' if self.parts else ''}"

    @classmethod
    def of(
        cls, found: Sequence[SeriesDate], parts: Sequence[CoursePart], event: Event, now: str, words: "DateWords"
    ) -> "EditorSeriesDates":
        over = [date for date in found if (date.ends_utc or date.start) < now]
        to_come = [date for date in found if (date.ends_utc or date.start) >= now]
        return cls(
            series=event.series or 0,
            path=f"/admin/events/{event.id}/dates",
            to_come=[words.row(date, event) for date in to_come[:NEXT]],
            later=[words.row(date, event) for date in to_come[NEXT:SHOWN]],
            over=[words.row(date, event) for date in over[-SHOWN:]],
            more=len(over) > SHOWN or len(to_come) > SHOWN,
            total=sum(not date.is_skipped for date in found) + sum(len(part.live) for part in parts),
            parts=[_part(part, words.language) for part in parts],
        )


def _part(part: CoursePart, language: str) -> tuple[str, str]:
    last = part.live[-1].start_local
    words = course_parts.in_words(part.series, language, len(part.live), last, is_earlier=part.is_earlier)
    return words, f"/admin/events/{part.nearest.id}"


class DateWords(NamedTuple):
    """What the dates are told with: the language, the fields of events here, and names of venues."""

    language: str
    fields: Sequence[RecordField]  # those of this calendar
    venues: Mapping[str, str]

    def row(self, date: SeriesDate, event: Event) -> SeriesDateRow:
        day = times.day(dates.from_text(date.begins), self.language)
        return SeriesDateRow(
            start=date.start,
            id=0 if date.is_skipped else date.id,
            day=day if event.all_day else times.moment(date.begins, self.language),
            state=self.say(SKIPPED if date.is_skipped else STATUS_NAMES[date.status]),
            status=date.status,
            notes=[] if date.is_skipped else self.notes(date),
            is_skipped=date.is_skipped,
            is_cancelled=date.event_status == CANCELLED,
            is_here=date.id == event.id,
        )

    def say(self, sentence: str, **values: object) -> str:
        return translate(sentence, self.language).format(**values)

    def notes(self, date: SeriesDate) -> list[str]:
        """What is special about a date."""
        found = []
        if date.event_status not in ("", SCHEDULED):
            found.append(self.say(event_statuses.LABELS[date.event_status]))
        if date.begins[:10] != date.start[:10]:
            moved = times.short_date(dates.from_text(date.start).date(), self.language)
            found.append(self.say(MOVED, date=moved))
        elif not set(TIMES).isdisjoint(date.own_fields):
            found.append(self.say(N_("Other time")))
        if "name" in date.own_fields:
            found.append(date.name)
        if VENUE.name in date.own_fields:
            names = [self.venues[str(id)] for id in date.venues if str(id) in self.venues]
            found.append(", ".join(names) or self.say(N_("Without a venue")))
        if others := [label for name, label in self.labels.items() if name in date.own_fields]:
            found.append(self.say(N_("Other: {fields}"), fields=", ".join(others)))
        return found

    @property
    def labels(self) -> dict[str, str]:
        """Of what a date can have for itself besides, by column, kind or key."""
        shown_apart = {"status", "event_status", "name", "slug", VENUE.name, *TIMES}
        known = {
            field.kind.name if isinstance(field, Link) else field.stored: field
            for field in self.fields
            if isinstance(field, Link) or field.is_shared
        }
        return {
            name: field.label_in(self.language)
            for name, field in known.items()
            if name and name not in shown_apart and field.label
        }


def dates_of(request: AdminRequest, event: Event | None) -> EditorSeriesDates | None:
    """The other dates of an event that repeats."""
    if event is None or event.series is None:
        return None
    found = request.read(of_event, event.id)
    parts = request.read(other_parts, event.id)
    venues = {id for date in found for id in date.venues}
    names = request.read(labels.names_of, VENUE.name, sorted(venues))
    words = DateWords(request.language, fields_of(EVENT, request.settings), names)
    return EditorSeriesDates.of(found, parts, event, dates.text(request.calendar.clock()), words)


def act(request: AdminRequest, form: Form, id: int) -> None:
    """Skips, brings back or adds one date, as the button says."""
    back = f"/admin/events/{id}"
    if state := next((state for state in STATES if form.is_checked(state)), ""):
        _set_state(request, form, id, state)
        return
    wants_new = form.is_checked("add")
    skips = not wants_new and form.is_checked("skip")
    text = f"{form.text('day')} {form.text('time')}" if wants_new else form.text("skip") or form.text("take")
    start = _moment(text.strip())
    if start is None:
        request.go(back, NO_DATE if text.strip() else FILL_IN, kind="problem")
        return
    has_time = not wants_new or bool(form.text("time"))
    with form.refusals():
        changed = request.calendar.write(
            request.caller, set_series_date, id, start, takes_place=not skips, has_time=has_time
        )
        if not changed:
            request.go(back, NOTHING, kind="problem")
            return
        undo = UndoForm(f"{back}/dates", {"take" if skips else "skip": [changed]})
        sentence = IS_SKIPPED if skips else IS_ADDED if wants_new else IS_TAKEN
        request.go(back, sentence, undo, date=times.day(start, request.language))
    if form.errors:
        request.go(back, "{text}", kind="problem", text=next(iter(form.errors.values())))


def _set_state(request: AdminRequest, form: Form, id: int, state: str) -> None:
    """Cancels one date, which stays in the calendar as such, or takes that back."""
    back, date = f"/admin/events/{id}", number_in(form.text(state)) or 0
    before = request.calendar.write(request.caller, set_state, id, date, state)
    if not before:
        request.go(back, NOTHING, kind="problem")
        return
    undo = UndoForm(f"{back}/dates", {SCHEDULED if state == CANCELLED else CANCELLED: [str(date)]})
    request.go(back, IS_CANCELLED if state == CANCELLED else IS_PLANNED, undo)


def _moment(text: str) -> datetime | None:
    """A day, or a day and a time of day with or without seconds."""
    day, _, time = text.partition(" ")
    found = dates.day_in(day)
    if found is None:
        return None
    try:
        return datetime.combine(found, datetime.strptime(f"{time or '00:00'}:00"[:8], "%H:%M:%S").time())
    except ValueError:
        return None


def dates_changed(request: AdminRequest, event: Event, known: Sequence[Series], scope: str) -> str:
    """How many dates a change is about. `known`: the series as it was before."""
    if not known or event.series is None or scope == SCOPES[0]:
        return ""
    found = request.read(of_event, event.id)
    return request.say(CHANGED, count=sum(not date.is_skipped for date in found))


def rejoin(request: AdminRequest, form: Form, id: int) -> None:
    """Takes a split of a series back."""
    later, rev, before = (number_in(form.text(name)) or 0 for name in ("later", "rev", "before"))
    count = request.calendar.write(
        request.caller, rejoining.rejoin, Split(later, rev, before, form.text("recurrence"))
    )
    request.go(f"/admin/events/{id}", UNDONE if count else NOTHING, kind="done" if count else "problem")
