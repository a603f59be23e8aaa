"""Changes one occurrence of a series, the whole of it, or all from an occurrence on, which then become a series of
their own. What is set on one occurrence becomes its own; in the trash, it is an exception."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import timedelta

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts import posts
from kalends.calendar.posts.apply_fields import move_status
from kalends.calendar.series import following, new_occurrences, series_change, shared_fields
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.statuses import apply_status, trash
from kalends.calendar.storing import batches, redirecting
from kalends.contract.errors import OUT_OF_BOUNDS, WRONG_FORMAT, FieldError, Problems
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.rows import redirects, series
from kalends.store.rows.events import EventChange, Targets
from kalends.store.rows.records import Event, Series, Template, put, value_of
from kalends.store.rows.series import COMPLETE
from kalends.values import dates, recurrence, zones
from kalends.values.recurrence import Recurrence

# Single dates of a series as exceptions of its rule: those that do not take place, and those that come back.


def cancel(edit: SeriesEdit, event: Event) -> None:
    """Makes an occurrence an exception of the rule."""
    start, rule = dates.from_text(event.original_start), edit.recurrence
    if start not in rule.exceptions and has_date_of(edit, event):
        edit.set_recurrence(replace(rule, exceptions=(*rule.exceptions, start)))


def revive(edit: SeriesEdit, event: Event, others: Collection[str]) -> None:
    """Brings a series back that is in the trash as a whole, with one occurrence: the others, by their times in the
    rule, are exceptions, and one without an end gets none beyond those that it has."""
    move_status(edit.work, edit.template, event.status)
    event.own_fields = [name for name in event.own_fields if name != "status"]
    rule = edit.recurrence
    given = sorted(map(dates.from_text, new_occurrences.starts_among(rule, edit.template, others)))
    rule = replace(rule, exceptions=(*rule.exceptions, *given))
    if rule.rule is not None and new_occurrences.is_endless(rule):
        last = dates.from_text(max((event.original_start, *others)))
        rule = replace(rule, rule=replace(rule.rule, until=last))
        edit.series.filled_to = series.COMPLETE
    edit.set_recurrence(rule)


def restore_date(edit: SeriesEdit, event: Event) -> None:
    """Makes an event from the trash an occurrence again: no longer an exception, or else a date besides the rule."""
    start, rule = dates.from_text(event.original_start), edit.recurrence
    rule = replace(rule, exceptions=tuple(when for when in rule.exceptions if when != start))
    edit.set_recurrence(rule)
    if not has_date_of(edit, event):
        edit.set_recurrence(replace(rule, dates=(*rule.dates, start)))


def has_date_of(edit: SeriesEdit, event: Event) -> bool:
    """Whether the recurrence has an occurrence when this event was."""
    return bool(new_occurrences.starts_among(edit.recurrence, edit.template, [event.original_start]))


KEEP = "keep"  # the recurrence stays as it is; None would end it


def change_one(work: UnitOfWork, before: Event, event: Event, names: set[str], targets: Targets) -> None:
    """Stores a changed occurrence. `names` are the fields that changed, besides the links."""
    found = series.find(work.session, event.series or 0)
    if found is None:
        raise LookupError(event.series)
    expected = new_occurrences.occurrence(work, found, dates.from_text(event.original_start))
    shared_fields.mark_overrides(event, names, expected)
    shared_fields.mark_link_overrides(event, targets, found.template)
    if (before.status == TRASH) == (event.status == TRASH):
        batches.update(work, [EventChange(before, event, targets)])
        if not shared_fields.FOLLOWED.isdisjoint(names):
            following.follow_stored(work, series.find(work.session, found.id) or found)
        return
    edit = SeriesEdit.load(work, found.id)
    edit.put(before, event)
    edit.link(event.id, targets)
    edit.changed.add(event.id)
    if event.status == TRASH:
        cancel(edit, event)
    else:
        if edit.template.status == TRASH:
            revive(edit, event, {other.original_start for other in edit.events if other is not event})
        restore_date(edit, event)
    edit.save()


def delete_one(work: UnitOfWork, event: Event) -> None:
    """Deletes an occurrence for good; the series does not make it again."""
    edit = SeriesEdit.load(work, event.series or 0)
    cancel(edit, event)
    edit.events = [other for other in edit.events if other.id != event.id]
    posts.delete_for_good(work, EVENT, event)
    edit.series.rev = event.rev
    if edit.events:
        edit.save()
    else:
        series_change.remove(work, edit.series)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for, by the occurrence that a request has changed already."""

    before: Event
    event: Event
    names: set[str]  # the fields that changed, besides the links
    targets: Targets
    status: str | None  # that was asked for
    rule: Recurrence | str | None = KEEP
    is_whole: bool = False  # the series is changed as one event, of which nothing is public yet
    is_of_template: bool = False  # the event is no date, but what dates have that have nothing of their own

    @property
    def start_moved(self) -> timedelta:
        return dates.from_text(self.event.start_local) - dates.from_text(self.before.start_local)

    @property
    def end_moved(self) -> timedelta:
        return dates.from_text(self.event.end_local) - dates.from_text(self.before.end_local)


def change_many(work: UnitOfWork, request: Request, *, following: bool) -> None:
    """Stores a change of all occurrences, or of one and the following ones. Raises RecurrenceError."""
    edit = SeriesEdit.load(work, request.event.series or 0)
    edit.put(request.before, request.event)
    earlier = split_off_earlier(edit, request.event) if following else None
    edit.require_rights()
    zone = edit.template.timezone
    if request.is_whole and request.rule is None:
        for other in (event for event in edit.events if event is not request.event):
            trash(other)
    is_moved, is_restored = share(edit, request, zone)
    if isinstance(request.rule, Recurrence):
        new_occurrences.check_number(request.rule, edit.template, len(edit.before))
        edit.set_recurrence(request.rule)
    edit.changed.add(request.event.id)
    if request.rule is None:
        edit.make_single()
    else:
        if is_moved or is_restored or isinstance(request.rule, Recurrence):
            edit.fill()
        edit.save()
    if earlier is not None:
        series.record_change(work.session, earlier.id, request.event.rev)


def delete_many(work: UnitOfWork, event: Event, *, following: bool) -> None:
    """Deletes a series for good, or an occurrence and the following ones."""
    edit = SeriesEdit.load(work, event.series or 0)
    earlier = split_off_earlier(edit, event) if following else None
    edit.require_rights()
    edit.events = [event if found.id == event.id else found for found in edit.events]
    if not edit.delete():
        event.status, event.modified_utc = TRASH, work.now_text
    if earlier is not None:
        series.record_change(work.session, earlier.id, event.rev)


def split_off_earlier(edit: SeriesEdit, event: Event) -> Series | None:
    """Leaves what comes before an occurrence to the series, and gives the rest a series of its own, which `edit` then
    is about. Returns the earlier series; None if nothing came before."""
    at, template = event.original_start, edit.template
    earlier = [found for found in edit.events if found.original_start < at]
    if all(found.status == TRASH for found in earlier):
        return None
    first = dates.from_text(template.start_local)
    before, after = recurrence.split_at(edit.recurrence, first, template.timezone, dates.from_text(at))
    if before is None:
        return None
    later = Series(
        series_of=edit.series.series_of,
        author=edit.series.author,
        status=edit.series.status,
        filled_to=edit.series.filled_to,
        recurrence="",
        template=_template_from(edit.series.template, at),
    )
    left = SeriesEdit(edit.work, edit.series, earlier, edit.before, edit.linked)
    left.set_recurrence(before)
    if left.series.filled_to >= at:  # else its dates are still being made
        left.series.filled_to = COMPLETE
    edit.series, edit.events = later, [found for found in edit.events if found.original_start >= at]
    if edit.before[event.id].status == TRASH:  # and stays an exception, unless this change brings it back
        after = replace(after, exceptions=(dates.from_text(at), *after.exceptions))
    edit.set_recurrence(after)
    edit.before = {found.id: edit.before[found.id] for found in edit.events}
    left.save()
    return left.series


def _template_from(template: Template, start: str) -> Template:
    """The template of a series that begins at a later occurrence."""
    by = dates.from_text(start) - dates.from_text(template.event.start_local)
    event = msgspec.structs.replace(
        template.event, start_local=start, end_local=new_occurrences.moved(template.event.end_local, by)
    )
    return Template(event=event, links=dict(template.links))


def share(edit: SeriesEdit, request: Request, zone: str, by: timedelta | None = None) -> tuple[bool, bool]:
    """Gives what changed to the template and to the occurrences. Whether they moved, and whether some come back from
    the trash. `by`: how far the dates move, if not as the start does; `zone` is that of the series before."""
    _share_fields(edit, request)
    is_moved = _move(edit, request, zone, request.start_moved if by is None else by)
    _share_slug(edit, request)
    return is_moved, _change_statuses(edit, request)


def _share_fields(edit: SeriesEdit, request: Request) -> None:
    """Gives the changed fields and links to the template, and to every occurrence that has none of its own."""
    names, kinds = {name for name in request.names if shared_fields.is_shared(name)}, request.targets.keys()
    edit.series.template.links |= {kind: list(ids) for kind, ids in request.targets.items()}
    for name in names:
        put(edit.template, name, value_of(request.event, name))
    # What is sent with the whole series is no longer the occurrence's own.
    others = {"slug"} if request.status == TRASH else {"slug", "status"}
    shared = {*names, *kinds, *request.names.intersection(others)}
    request.event.own_fields = [name for name in request.event.own_fields if name not in shared]
    for event in edit.events:
        for name in names.difference(event.own_fields):
            put(event, name, value_of(request.event, name))
        if taken := {kind: ids for kind, ids in request.targets.items() if kind not in event.own_fields}:
            edit.link(event.id, taken)


def _move(edit: SeriesEdit, request: Request, zone: str, by: timedelta) -> bool:
    """Moves all occurrences by the same difference on the local clock; whether that may change which there are."""
    if shared_fields.PLACING.isdisjoint(request.names):
        return False
    template, start_moved = edit.template, request.start_moved
    try:
        if start_moved:
            first, rule = dates.from_text(template.start_local), edit.recurrence
            if request.rule == KEEP:
                rule = recurrence.shifted(rule, first, zone, start_moved)
            template.start_local = new_occurrences.moved(template.start_local, start_moved)
            edit.set_recurrence(rule)
        template.end_local = new_occurrences.moved(template.end_local, request.end_moved)
        _check_order(template.start_local, template.end_local, template)
        for event in edit.events:
            event.original_start = new_occurrences.moved(event.original_start, by)
            if event is not request.event:
                new_occurrences.set_times(event, template)
            _check_order(event.start_utc, event.end_utc, event)
    except (OverflowError, dates.NotADate, zones.OutOfRange):
        Problems({"start_date": FieldError(WRONG_FORMAT, N_("is out of the range of dates."))}).raise_any()
    return True


def _check_order(start: str, end: str, event: Event) -> None:
    if end < start:
        problem = FieldError(
            OUT_OF_BOUNDS, N_("would be before the start of the occurrence on {day}."), day=event.start_local[:10]
        )
        Problems({"end_date": problem}).raise_any()


def _share_slug(edit: SeriesEdit, request: Request) -> None:
    """A new slug is the stem of all of them; what it says of the day is left to each occurrence."""
    if "slug" not in request.names:
        return
    sent = request.event
    stem = new_occurrences.stem_of(sent.slug, request.before.original_start)
    if edit.series.id and edit.template.slug != stem and any(map(redirecting.was_public, edit.before.values())):
        redirects.add(edit.work.session, redirects.SERIES, edit.template.slug, edit.series.id)
    edit.template.slug = stem
    others = [event for event in edit.events if event is not sent and "slug" not in event.own_fields]
    new_occurrences.name_all(edit.work.session, others, stem, [sent])


def _change_statuses(edit: SeriesEdit, request: Request) -> bool:
    """Gives all occurrences the status and the publication date; whether some come back from the trash."""
    if request.names.isdisjoint({"status", "date_utc"}):
        return False
    work, wanted = edit.work, request.status if "status" in request.names else None
    was_trashed = edit.template.status == TRASH
    move_status(work, edit.template, wanted)
    for event in edit.events:
        if event is request.event or event.status == TRASH:
            continue
        if wanted == TRASH:
            trash(event)
        else:
            apply_status(work, event, wanted, is_whole=request.is_whole)
    if request.is_of_template or request.before.status != TRASH or request.event.status == TRASH:
        return was_trashed and edit.template.status != TRASH
    restore_date(edit, request.event)
    return True
