"""A change of a series under way: its row, and its events as they were and as they are to be, stored together."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork, may_edit, may_publish, require
from kalends.calendar.deadline import Deadline
from kalends.calendar.series import filling, following, new_occurrences, series_change
from kalends.calendar.series.new_occurrences import OccurrencesPlan
from kalends.calendar.series.statuses import allowed, restore, trash
from kalends.calendar.storing import batches, rendering
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import external, series
from kalends.store.rows.events import EventChange, Targets
from kalends.store.rows.records import Event, Series
from kalends.values import dates
from kalends.values.recurrence import Recurrence, RecurrenceError, Rule
from kalends.values.recurrence.parsing import MOST_DATES

ONCE = Rule("DAILY", count=1)


@dataclass(slots=True)
class SeriesEdit:
    """The whole of a series in memory. `events` are in the order of the rule, those in the trash among them."""

    work: UnitOfWork
    series: Series
    events: list[Event]
    before: dict[int, Event]  # by id; an event that is not here is new
    linked: dict[int, Targets] = field(default_factory=dict)  # links to replace, by the id of the event
    changed: set[int] = field(default_factory=set)  # ids of events that count as changed in any case
    is_unfinished: bool = False  # whether dates are left to further transactions

    @classmethod
    def load(cls, work: UnitOfWork, id: int) -> "SeriesEdit":
        series_change.settle(work, id)
        found = series.find(work.session, id)
        if found is None:
            raise LookupError(id)
        events = series.events(work.session, id)
        return cls(work, found, events, {event.id: msgspec.structs.replace(event) for event in events})

    @property
    def template(self) -> Event:
        return self.series.template.event

    @property
    def recurrence(self) -> Recurrence:
        return new_occurrences.recurrence_of(self.series)

    def put(self, before: Event, after: Event) -> None:
        """Takes an event that a request has changed already."""
        self.events = [after if event.id == after.id else event for event in self.events]
        self.before[after.id] = before

    def link(self, id: int, targets: Targets) -> None:
        """Replaces the links of these kinds of an event."""
        if targets:
            self.linked[id] = {**self.linked.get(id, {}), **targets}

    def require_rights(self) -> None:
        """Who changes a series needs the right to all its events, and to what its template will add to them."""
        work = self.work
        for event in self.before.values():
            require(may_edit(work.caller, event), work.caller)
        require(may_edit(work.caller, self.template), work.caller)

    def set_recurrence(self, rule: Recurrence) -> None:
        """Takes another recurrence; `fill` then makes the events fit. Raises RecurrenceError."""
        if rule.rule is None and not rule.dates:  # a part of a series may be a single occurrence
            rule = replace(rule, rule=ONCE)
        for part, found in (("dates", rule.dates), ("exceptions", rule.exceptions)):
            if len(found) > MOST_DATES:
                raise RecurrenceError(part, N_("{part} has at most {maximum} dates."), maximum=MOST_DATES)
        first = dates.from_text(self.template.start_local)
        self.series.recurrence = rule.localized(first, self.template.timezone).to_text()

    def fill(self) -> None:
        """Makes the events those that the recurrence gives: what remains keeps its id, what falls out goes to the
        trash, what is new is added. Raises RecurrenceError."""
        following.follow(self.work, self.template, self.events)
        rule, template, work = self.recurrence, self.template, self.work
        plan = new_occurrences.plan(work, rule, template, self.series.filled_to, len(self.before))
        if not self.before:
            self._begin_with(min(plan.over + plan.ahead))
        known = {event.original_start for event in self.events}
        wanted = new_occurrences.starts_among(rule, template, known)
        for event in self.events:
            if event.original_start not in wanted:
                trash(event)
            elif event.status == TRASH:
                self._restore(event)
        self.series.filled_to = plan.end
        if template.status == TRASH:
            return
        added = [new_occurrences.occurrence(work, self.series, at) for at in self._at_once(plan, known)]
        for event in added:
            event.status = self.allowed(event.status)
        new_occurrences.name_all(work.session, added, template.slug, self.events)
        self.events = sorted(self.events + added, key=lambda event: event.original_start)

    def _begin_with(self, start: datetime) -> None:
        """The first event of a new series is that of the first date that it gets; those long ago are not made."""
        [event] = self.events
        if (text := dates.text(start)) > event.original_start:
            event.original_start, event.own_fields = text, []
            new_occurrences.set_times(event, self.template)
        new_occurrences.name_all(self.work.session, [event], self.template.slug)

    def _at_once(self, plan: OccurrencesPlan, known: set[str]) -> list[datetime]:
        """Of many new dates those that one transaction takes. The others follow in further ones, right after it, and
        very many that are over in the background."""
        if self.allowed(self.template.status) != self.template.status:
            return [at for at in (*plan.over, *plan.ahead) if dates.text(at) not in known]
        missing, most = filling.missing_dates(plan, known), new_occurrences.at_once(self.template)
        self.series.filled_to = filling.filled_to(self.work, plan, missing[most:])
        self.is_unfinished = self.series.filled_to != plan.end
        return sorted(missing[:most])

    def allowed(self, status: str) -> str:
        """The status for what a caller adds: a contributor never publishes."""
        return allowed(status, publishes=may_publish(self.work.caller))

    def _restore(self, event: Event) -> None:
        """An occurrence that is in the trash, but belongs to the series again."""
        if self.template.status != TRASH:
            restore(event, self.template, publishes=may_publish(self.work.caller))

    def save(self, *, at_once: bool = False) -> None:
        """Stores everything; of very many dates, the rest follows right after this transaction, unless it is to be
        done `at_once`."""
        self._bound_text()
        self._ask_features()
        following.follow(self.work, self.template, self.events)
        self._stop_or_go_on()
        work, new = self.work, [event for event in self.events if not event.id]
        known = series.find(work.session, self.series.id)
        self._store_series()
        batches.assign_ids(work, new)
        self._set_parents()
        batches.insert(work, new, new_occurrences.links_of_template(work, self.series))
        changes = [
            EventChange(before, event, self.linked.get(event.id, {}))
            for event in self.events
            if (before := self.before.get(event.id)) is not None
            and (event != before or event.id in self.linked or event.id in self.changed)
        ]
        series_change.store(work, self.series, changes, self.changed, self._deadline(at_once=at_once))
        if known is not None and known.rev:
            is_public = any(event.status == PUBLISH for event in self.events)
            batches.note_series(work, known, self.series, public=is_public)
        rendering.render_series(work.session, work.settings, self.series)
        if self.is_unfinished:
            filling.ask(work, self.series.id)

    def _deadline(self, *, at_once: bool = False) -> Deadline:
        """How much fits into this transaction."""
        return Deadline(endless=at_once or self.work.is_whole)

    def _bound_text(self) -> None:
        """Refuses to give much more text to many dates. New ones are bounded by the plan."""
        grown = [
            new_occurrences.text_of(now) - new_occurrences.text_of(self.before[now.id])
            for now in self.events
            if now.id
        ]
        if sum(growth for growth in grown if growth > 0) > new_occurrences.MOST_TEXT:
            sentence = N_("is too long for an event with {dates} dates.")
            Problems({"description": FieldError(OUT_OF_BOUNDS, sentence, dates=len(grown))}).raise_any()

    def _ask_features(self) -> None:
        """Whether features take all of it, before anything is written."""
        problems = Problems()
        for refuse in hooks.refuse:
            records = [hooks.Stored(self.before.get(event.id), event) for event in self.events]
            refuse(self.work, EVENT, [one for one in records if one.before != one.after], problems)
        problems.raise_any()

    def _store_series(self) -> None:
        if self.series.id:
            series.update(self.work.session, self.series)
            return
        batches.insert_series(self.work, self.series)
        for event in self.events:
            event.series = self.series.id

    def _stop_or_go_on(self) -> None:
        """A series without an end of which every date to come was cancelled gets none by itself, until one is brought
        back."""
        if not new_occurrences.is_endless(self.recurrence):
            return
        ahead = {event.status for event in self.events if event.end_utc >= self.work.now_text}
        if any(status != TRASH for status in ahead):
            if self.series.filled_to == series.COMPLETE:
                self.series.filled_to = self._reached({event.original_start for event in self.events})
        elif ahead or any(dates.text(at) >= self.work.now_text for at in self._exceptions()):
            self.series.filled_to = series.COMPLETE

    def _reached(self, known: Collection[str]) -> str:
        """Up to when there is an event for every date of the rule; an earlier rule may have had some beyond."""
        given = sorted(new_occurrences.up_to(self.recurrence, self.template, max(known)))
        return max(takewhile(known.__contains__, given), default=self.template.start_local)

    def _exceptions(self) -> Sequence[datetime]:
        template = self.template
        local = self.recurrence.localized(dates.from_text(template.start_local), template.timezone)
        return [when for when in local.exceptions if isinstance(when, datetime)]

    def make_single(self) -> None:
        """Takes all events out of the series, and deletes it."""
        self._ask_features()
        for event in self.events:
            event.series, event.original_start, event.own_fields, event.post_parent = None, "", [], 0
        changes = [EventChange(self.before[event.id], event, self.linked.get(event.id, {})) for event in self.events]
        series_change.store(self.work, self.series, changes, self.changed, self._deadline())
        if not series_change.is_pending(self.work.session, self.series.id):  # else it goes with the last of them
            series_change.remove(self.work, self.series)

    def delete(self) -> bool:
        """Deletes all events, and the series; whether that was done in this transaction."""
        trash(self.template)
        return series_change.delete(self.work, self.series, self.events, self._deadline())

    def _set_parents(self) -> None:
        """The parent of every occurrence is the first that is not in the trash; of that one there is none."""
        live = [event for event in self.events if event.status != TRASH] or self.events
        if live:
            self.hand_on_identity(live[0])
        for event in self.events:
            event.post_parent = 0 if event is live[0] else live[0].id

    def hand_on_identity(self, first: Event) -> None:
        """The first date has the id that the whole series has at its source; where another one becomes the first, it
        takes that over, unless dates have ids of their own."""
        former = [was for was in self.before.values() if was.series == self.series.id and not was.post_parent]
        if len(former) != 1 or former[0].id == first.id or not former[0].external_id:
            return
        if any(event.external_id for event in self.events if event.id != former[0].id):
            return  # each date has an id
        for event in self.events:
            if event.id == former[0].id:
                event.source = event.external_id = ""
        external.release(self.work.session, EVENT.name, former[0].id)  # no two may have it at any moment
        first.source, first.external_id = former[0].source, former[0].external_id
        self.changed |= {former[0].id, first.id}
