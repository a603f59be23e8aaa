"""Makes a series what another program says that it is: what is sent is how all of its dates are.

It is compared with the template and not with a date, so what a single date has for itself stays its own, and what is
sent again changes nothing. A start is that of the rule, whichever date stands for the series by now. Dates that were
added or cancelled here, alone, stay so: they are what the recurrence has besides the one that was sent before. Parts
that were split off here are dates of the series again, with what they have for themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import Key
from kalends.calendar.posts.references import LINKING, is_linked, without_repeated
from kalends.calendar.series import changing, new_occurrences, series_change, shared_fields
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.grouping import COMPARED
from kalends.calendar.series.statuses import trash
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError
from kalends.contract.fields import Reading, Values
from kalends.contract.kinds import EVENT, KIND_OF
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import links, series
from kalends.store.rows.records import Event, Post, SentRecurrence, Series, defined_in, put, value_of
from kalends.values import dates, recurrence
from kalends.values.recurrence import Recurrence

Times = set[datetime]


def of(work: UnitOfWork, key: Key) -> int | None:
    """The series that an event belongs to."""
    found = posts.find(work, EVENT, key)
    return found.series if isinstance(found, Event) else None


def update(
    work: UnitOfWork, id: int, key: Key, reading: Reading, precondition: Callable[[Post], None] | None = None
) -> Event:
    """Stores what is new in what was sent, if anything is; the date that stands for the series. Raises
    RecurrenceError."""
    posts.check(work, EVENT, reading.values, reading.problems)
    post = posts.writable(work, EVENT, key)
    if precondition is not None:
        precondition(post)
    edit = SeriesEdit.load(work, id)
    edit.require_rights()
    change = _Change(edit, reading)
    change.apply()
    return _first(edit, post.id)


def join_parts(work: UnitOfWork, id: int) -> None:
    """Takes back what was split off a series here."""
    edit = SeriesEdit.load(work, id)
    if parts := _join_parts(edit):
        edit.fill()
        edit.save()
        for part in parts:
            series_change.remove(work, part)


def _first(edit: SeriesEdit, otherwise: int) -> Event:
    """The date that stands for the series, as it was stored; of one that ended, the event that is left."""
    found = next((event for event in edit.events if event.status != TRASH), None)
    if found is None:
        found = next((event for event in edit.events if event.id == otherwise), edit.events[0])
    return found


class _Change:
    def __init__(self, edit: SeriesEdit, reading: Reading) -> None:
        self._edit = edit
        self._work = edit.work
        self._values = dict(reading.values)
        self._problems = reading.problems
        self._parts = _join_parts(edit)
        self._before = _plain_date(edit)
        self._after = msgspec.structs.replace(self._before)

    def apply(self) -> None:
        edit, template = self._edit, self._edit.template
        rule = self._values.pop("recurrence", changing.KEEP)
        status = self._wanted_status()
        targets = self._give()
        names = shared_fields.changed(self._before, self._after) - {"source", "external_id"}
        was_public = any(event.status == PUBLISH for event in edit.events)
        request = changing.Request(
            self._before, self._after, names, targets, status, is_whole=not was_public, is_of_template=True
        )
        by, merged = request.start_moved, edit.recurrence
        revived = self._comes_back(status) and template.status != TRASH
        if revived and rule == changing.KEEP:
            rule = replace(edit.recurrence, exceptions=())
        if isinstance(rule, Recurrence):
            by, merged = self._fitting(rule, revived=revived)
        is_new_rule = isinstance(rule, Recurrence) and (by != request.start_moved or not self._has(merged, request))
        request = replace(request, rule=merged if is_new_rule else changing.KEEP if rule is not None else None)
        if not (names or targets or is_new_rule or rule is None or self._parts or self._comes_back(status)):
            self._remember(rule)
            return
        zone = template.timezone
        _, is_restored = changing.share(edit, request, zone, by)
        if is_new_rule:
            new_occurrences.check_number(merged, template, len(edit.before))
            edit.set_recurrence(merged)
            edit.changed.add(_first(edit, edit.events[0].id).id)  # which tells that the rule is another
        self._note(rule)
        if rule is None:
            self._leave_one()
            edit.make_single()
        else:
            if is_new_rule or is_restored or self._parts or not shared_fields.PLACING.isdisjoint(names):
                edit.fill()
            edit.save()
        for part in self._parts:
            series_change.remove(self._work, part)

    def _wanted_status(self) -> str | None:
        status = self._values.get("status")
        return None if status is None else str(status)

    def _comes_back(self, status: str | None) -> bool:
        """Whether a series comes back of which every date is in the trash."""
        return status not in (None, TRASH) and all(event.status == TRASH for event in self._edit.events)

    def _give(self) -> dict[str, list[int]]:
        """Gives the template's date what was sent; what that is linked to, as far as it is another."""
        work, linked = self._work, self._edit.series.template.links
        if self._values.pop("post_parent", 0):
            self._problems.add("post_parent", parent_is_fixed())
        sent_links = Values({name: self._values.pop(name) for name in LINKING & self._values.keys()})
        for name in list(sent_links):
            if is_linked(work, name, sent_links[name], linked.get(LINKED_KINDS[name].name, [])):
                del sent_links[name]
        values = without_repeated(work, self._after, Values(self._values))
        posts.give(work, EVENT, self._after, values, self._problems)
        self._problems.raise_any()
        if values.get("slug"):
            self._after.slug = new_occurrences.stem_of(str(values["slug"]), self._edit.template.start_local)
        found = posts.links_of(work, sent_links, self._after)
        return {kind: ids for kind, ids in found.items() if ids != linked.get(kind, [])}

    def _fitting(self, rule: Recurrence, *, revived: bool) -> tuple[timedelta, Recurrence]:
        """How far the dates move, and their recurrence: the one that was sent, with what was done to single dates
        here. Dates stay where they are if half of them can: their ids are those of these days."""
        edit, zone = self._edit, self._after.timezone
        first = dates.from_text(self._after.start_local)
        sent = rule.localized(first, zone)
        live = [event for event in edit.events if event.status != TRASH] or edit.events
        starts = [event.original_start for event in live]
        old = dates.from_text(edit.template.start_local)
        by = first - old
        of_day = datetime.combine(old, first.time()) - old
        best, most = by, -1
        for candidate in dict.fromkeys((timedelta(0), of_day, by)):
            moved = {new_occurrences.moved(start, candidate) for start in starts}
            kept = len(new_occurrences.starts_among(replace(sent, exceptions=()), self._after, moved))
            if kept * 2 >= len(starts) and kept:
                best = candidate
                break
            if kept > most or (kept == most and candidate == by):
                best, most = candidate, kept
        added, cancelled, returned = self._done_here(old, edit.template.timezone, revived=revived)
        exceptions = (set(_times(sent.exceptions)) - _shifted(returned, best)) | _shifted(cancelled, best)
        with_added = set(_times(sent.dates)) | _shifted(added, best)
        return best, Recurrence(sent.rule, tuple(sorted(with_added)), tuple(sorted(exceptions)))

    def _done_here(self, start: datetime, zone: str, *, revived: bool) -> tuple[Times, Times, Times]:
        """The dates that were added, cancelled and brought back here since the recurrence was sent."""
        edit = self._edit
        here = edit.recurrence.localized(start, zone)
        sent, by = Recurrence(here.rule, (), ()), timedelta(0)
        if (known := edit.series.template.sent) is not None:
            sent, by = recurrence.from_text(known.recurrence), start - dates.from_text(known.start)
        dates_then, exceptions_then = (_shifted(set(_times(part)), by) for part in (sent.dates, sent.exceptions))
        cancelled = set(_times(here.exceptions)) - exceptions_then
        if revived:
            cancelled -= {dates.from_text(event.original_start) for event in edit.events}
        return set(_times(here.dates)) - dates_then, cancelled, exceptions_then - set(_times(here.exceptions))

    def _has(self, merged: Recurrence, request: changing.Request) -> bool:
        """Whether the series has this recurrence, once it is moved."""
        here, moved = self._edit.recurrence, request.start_moved
        start = dates.from_text(self._edit.template.start_local)
        here = here.localized(start, self._edit.template.timezone)
        return (
            not moved
            and here.rule == merged.rule
            and set(_times(here.dates)) == set(merged.dates)
            and set(_times(here.exceptions)) == set(merged.exceptions)
        )

    def _note(self, rule: object) -> bool:
        """Notes the recurrence that was sent; whether it is another than before."""
        if not isinstance(rule, Recurrence):
            return False
        start = dates.from_text(self._after.start_local)
        sent = SentRecurrence(rule.localized(start, self._after.timezone).to_text(), self._after.start_local)
        template = self._edit.series.template
        was, template.sent = template.sent, sent
        return was != sent

    def _remember(self, rule: object) -> None:
        if self._note(rule):
            series.update(self._work.session, self._edit.series)

    def _leave_one(self) -> None:
        """Of a series that became a single event, its first date is left, or else the one that stood for it."""
        edit = self._edit
        start = edit.template.start_local
        live = [event for event in edit.events if event.status != TRASH] or edit.events
        stays = next((event for event in edit.events if event.original_start == start), live[0])
        self._take_own(stays)
        stays.original_start = start
        new_occurrences.set_times(stays, edit.template)
        if self._comes_back(edit.template.status):
            stays.status, stays.trashed_from = edit.allowed(edit.template.status), ""
        for event in edit.events:
            if event is not stays:
                trash(event)
        edit.hand_on_identity(stays)
        edit.changed.add(stays.id)
        edit.events.sort(key=lambda event: event is not stays)

    def _take_own(self, event: Event) -> None:
        """A single event has nothing of its own beside what was sent."""
        template = self._edit.series.template
        own, event.own_fields = event.own_fields, []
        for name in own:
            if shared_fields.is_shared(name):
                put(event, name, value_of(template.event, name))
            elif name in KIND_OF:
                self._edit.link(event.id, {name: list(template.links.get(name, ()))})
        if "status" in own and event.status != TRASH:
            event.status = self._edit.allowed(template.event.status)


def _plain_date(edit: SeriesEdit) -> Event:
    """A date at the start of the series that has nothing of its own."""
    found = new_occurrences.occurrence(edit.work, edit.series, dates.from_text(edit.template.start_local))
    found.slug = edit.template.slug
    return found


def _join_parts(edit: SeriesEdit) -> list[Series]:
    """Takes back the dates that were split off here; the series that they had, which are to be removed."""
    work, own = edit.work, edit.series.id
    arriving: list[Event] = []
    joined: list[Series] = []
    for number in series.of_course(work.session, own):
        if number == own:
            continue
        part = SeriesEdit.load(work, number)
        if any(event.external_id for event in part.events) or part.template.start_local < edit.template.start_local:
            continue
        part.require_rights()
        edit.before |= part.before
        arriving += part.events
        joined.append(part.series)
    if arriving:
        _adopt(edit, arriving)
    return joined


def _adopt(edit: SeriesEdit, arriving: Sequence[Event]) -> None:
    """Makes events dates of a series: one that is at another time keeps it, and one in the trash is an exception."""
    work, template = edit.work, edit.template
    known = edit.series.template.sent
    given = {} if known is None else _given_by_day(recurrence.from_text(known.recurrence), template, arriving)
    targets = links.targets_of_many(work.session, [event.id for event in arriving])
    cancelled: Times = set()
    for event in arriving:
        event.series = edit.series.id
        event.original_start = given.get(event.original_start[:10], event.original_start)
        expected = new_occurrences.occurrence(work, edit.series, dates.from_text(event.original_start))
        expected.slug = new_occurrences.dated(template.slug, event.original_start)
        shared_fields.mark_overrides(event, (*COMPARED, *defined_in(event, expected)), expected)
        shared_fields.mark_link_overrides(
            event, {kind: found[event.id] for kind, found in targets.items()}, edit.series.template
        )
        if event.status == TRASH:
            cancelled.add(dates.from_text(event.original_start))
    edit.events = sorted((*edit.events, *arriving), key=lambda event: (event.original_start, event.id))
    rule = edit.recurrence
    added = {dates.from_text(event.original_start) for event in arriving} - cancelled
    if known is not None:
        sent = recurrence.from_text(known.recurrence)
        added -= {
            dates.from_text(one) for one in new_occurrences.starts_among(sent, template, set(map(dates.text, added)))
        }
        rule = replace(rule, rule=sent.rule)
    edit.set_recurrence(
        replace(rule, dates=(*rule.dates, *sorted(added)), exceptions=(*rule.exceptions, *sorted(cancelled)))
    )


def _given_by_day(rule: Recurrence, template: Event, arriving: Sequence[Event]) -> dict[str, str]:
    """The start that a rule gives on each of the days of some dates."""
    clock = template.start_local[10:]
    wanted = {event.original_start[:10] + clock for event in arriving}
    return {start[:10]: start for start in new_occurrences.starts_among(rule, template, wanted)}


def _times(when: Sequence[object]) -> list[datetime]:
    return [one for one in when if isinstance(one, datetime)]


def _shifted(times: Times, by: timedelta) -> Times:
    return {when + by for when in times}


def parent_is_fixed() -> FieldError:
    return FieldError(OUT_OF_BOUNDS, N_("cannot be set on an event that repeats: it is the first of the series."))
