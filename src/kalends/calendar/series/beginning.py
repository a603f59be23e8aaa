"""Begins a change of all dates of a series that has very many of them. The dates themselves follow in further
transactions (sharing.py)."""

from dataclasses import replace

import msgspec

from kalends.calendar.access import may_edit, may_publish, require
from kalends.calendar.fragments import rendering
from kalends.calendar.posts.apply_fields import move_status
from kalends.calendar.series import changing, following, new_occurrences, shared_fields, sharing
from kalends.calendar.series.changing import KEEP, Request
from kalends.calendar.series.edit import SeriesEdit
from kalends.calendar.series.exceptions import bring_back
from kalends.calendar.series.pending_change import Left, allowed, pending, trash
from kalends.calendar.storing import batches
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NOT_FOUND, OUT_OF_BOUNDS, ApiError, FieldError, Problems
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import journal, series
from kalends.store.rows.event_batches import Change
from kalends.store.rows.records import Event, Series
from kalends.store.rows.series import COMPLETE
from kalends.values import dates, recurrence
from kalends.values.custom_fields import PREFIX

IN_STEPS = (frozenset(shared_fields.SHARED) | shared_fields.FOLLOWED) - shared_fields.PLACING


def can_begin(work: UnitOfWork, request: Request) -> bool:
    """Whether a change of all dates is made in steps."""
    if request.rule != KEEP or not all(name in IN_STEPS or name.startswith(PREFIX) for name in request.names):
        return False
    return sharing.is_long(work, request.event.series or 0, request.before, request.event)


def change_following(work: UnitOfWork, request: Request) -> None:
    """The same for a date and the following ones, which become a series of their own. Raises RecurrenceError."""
    change_all(work, request, is_split=split(work, request))


def split(work: UnitOfWork, request: Request) -> bool:
    """Before a change of a date and the following ones that is one transaction: of very many dates, gives them a
    series of their own, so that those before are not read; whether it did. Raises RecurrenceError."""
    event = request.event
    if not sharing.is_long(work, event.series or 0, request.before, event):
        return False
    is_split = _split(work, event, request.before.status)
    request.before.series = event.series
    return is_split


def delete_following(work: UnitOfWork, event: Event) -> None:
    """Begins to delete a date and the following ones for good."""
    _split(work, event, event.status)
    delete_all(work, event)


def change_all(work: UnitOfWork, request: Request, *, is_split: bool = False) -> None:
    """Changes the template and one date, and leaves the others to further transactions. `is_split`: they have just
    become a series of their own. Raises RecurrenceError."""
    found = _find(work, request.event)
    left = pending(work.session, found.id)
    if left is not None and left.deletes:
        raise ApiError(NOT_FOUND[EVENT.name])
    _require_rights(work, found)
    old, rule = msgspec.structs.replace(found.template.event), found.recurrence
    names = {name for name in request.names if name in shared_fields.SHARED or name.startswith(PREFIX)}
    sharing.share(found, request.event, names, request.targets)
    _bound_text(work, found, old)
    event, own = request.event, {*names, *request.targets}
    if request.status != TRASH:
        own |= request.names & {"status"}
    event.own_fields = [name for name in event.own_fields if name not in own]
    left = Left(sorted(names), sorted(request.targets), work.caller.user, publishes=may_publish(work.caller))
    left = _with_statuses(work, found, request, left)
    if is_split:
        first = series.first_event(work.session, found.id)
        left = msgspec.structs.replace(left, renews=True, parent=left.parent or (first[0] if first else 0))
    if left.parent:
        event.post_parent = 0 if event.id == left.parent else left.parent
    series.update(work.session, found)
    batches.update(work, [Change(request.before, event, request.targets)])
    if found.recurrence != rule:
        batches.note_rule(work, found.id, public=event.status == PUBLISH)
    rendering.render_series(work.session, work.settings, found)
    sharing.ask(work, found.id, left)


def delete_all(work: UnitOfWork, event: Event) -> None:
    """Begins to delete a series for good. From now on nothing adds to it."""
    found = _find(work, event)
    _require_rights(work, found)
    trash(found.template.event)
    series.update(work.session, found)
    sharing.ask(work, found.id, Left([], [], work.caller.user, deletes=True))


def _split(work: UnitOfWork, event: Event, status: str) -> bool:
    """Leaves what comes before a date to its series, and gives the rest a series of its own, to which the date then
    belongs; False if nothing came before. `status`: that of the date until now."""
    found, at = _find(work, event), event.original_start
    template = found.template.event
    if not series.has_live_before(work.session, found.id, at):
        return False
    earlier = SeriesEdit(work, found, [], {})
    first, start = dates.from_text(template.start_local), dates.from_text(at)
    before, after = recurrence.split_at(earlier.recurrence, first, template.timezone, start)
    if before is None:
        return False
    if status == TRASH:  # and stays an exception, unless this change brings it back
        after = replace(after, exceptions=(start, *after.exceptions))
    later = SeriesEdit(work, _later(found, at), [], {})
    later.set_recurrence(after)
    series.insert(work.session, later.series)
    series.move_from(work.session, found.id, at, later.series.id)
    ahead = series.statuses_ahead(work.session, later.series.id, work.now_text)
    later.stop_or_go_on(ahead, lambda: series.original_starts(work.session, later.series.id))
    series.update(work.session, later.series)
    event.series = later.series.id
    if (left := pending(work.session, found.id)) is not None:
        sharing.ask(work, later.series.id, left)
    earlier.set_recurrence(before)
    found.filled_to = changing.filled_to_end(found, at)
    series.update(work.session, found)
    following.follow_stored(work, found)
    is_public = any(status == PUBLISH for _, status in series.owners(work.session, found.id))
    batches.note_rule(work, found.id, public=is_public)
    for id in (found.id, later.series.id):
        series.record_change(work.session, id, journal.last_rev(work.session))
    rendering.render_series(work.session, work.settings, found)
    return True


def _later(found: Series, start: str) -> Series:
    return Series(
        series_of=found.series_of,
        author=found.author,
        status=found.status,
        filled_to=found.filled_to,
        recurrence="",
        template=changing.template_from(found.template, start),
    )


def _find(work: UnitOfWork, event: Event) -> Series:
    found = series.find(work.session, event.series or 0)
    if found is None:
        raise LookupError(event.series)
    return found


def _with_statuses(work: UnitOfWork, found: Series, request: Request, left: Left) -> Left:
    """Gives the template the status that was asked for; what is left with that of the dates."""
    if request.names.isdisjoint({"status", "date_utc"}):
        return left
    wanted, template = request.status if "status" in request.names else None, found.template.event
    was_trashed = template.status == TRASH
    move_status(work, template, wanted)
    if wanted == TRASH:
        return msgspec.structs.replace(left, trashes=True, parent=series.first_of_all(work.session, found.id))
    status = "" if wanted is None else allowed(wanted, publishes=left.publishes)
    is_back = request.before.status == TRASH != request.event.status
    if not is_back and (not was_trashed or template.status == TRASH):
        return msgspec.structs.replace(left, status=status, is_whole=request.is_whole)
    edit = SeriesEdit(work, found, [request.event], {request.event.id: request.before})
    if is_back:
        bring_back(edit, request.event)
    return msgspec.structs.replace(left, status=status, restores=True, parent=_bring_back(edit))


def _bring_back(edit: SeriesEdit) -> int:
    """Before the dates that the rule gives come back from the trash: up to when the series has its dates, and the
    number of the first of them. Raises RecurrenceError."""
    work, found, rule = edit.work, edit.series, edit.recurrence
    known = series.original_starts(work.session, found.id)
    plan = new_occurrences.plan(work, rule, edit.template, found.filled_to, len(known))
    if found.filled_to == COMPLETE != plan.end:
        found.filled_to = edit.reached(known)  # and the dates after that are made when these are back
    first = min(new_occurrences.given(rule, edit.template, known), default="")
    return series.events_at(work.session, found.id, first)[0].id if first else 0


def _require_rights(work: UnitOfWork, found: Series) -> None:
    """To every date, and to what the template will add to them."""
    template = found.template.event
    require(may_edit(work.caller, template), work.caller)
    for author, status in series.owners(work.session, found.id):
        require(may_edit(work.caller, msgspec.structs.replace(template, author=author, status=status)), work.caller)


def _bound_text(work: UnitOfWork, found: Series, old: Event) -> None:
    """Refuses to give much more text to many dates."""
    growth = new_occurrences.text_of(found.template.event) - new_occurrences.text_of(old)
    count = series.count(work.session, found.id)
    if growth * count > new_occurrences.MOST_TEXT:
        sentence = N_("is too long for an event with {dates} dates.")
        Problems({"description": FieldError(OUT_OF_BOUNDS, sentence, dates=count)}).raise_any()
