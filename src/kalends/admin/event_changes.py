"""Changes of events from the table and the month: one action for several, another day, the trash, and undo."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, NamedTuple, cast

import msgspec

from kalends.admin.frame import UndoForm
from kalends.admin.navigation import Right, may_edit_all, may_write
from kalends.admin.outcomes import NOTHING, PUBLISHED, in_words
from kalends.admin.request import AdminRequest
from kalends.calendar import single_records
from kalends.calendar.access import may_edit, may_publish
from kalends.calendar.editing import bulk
from kalends.calendar.editing.bulk import MOST_DAYS, BulkOutcome, Change, Chosen, MovedBy, Previous
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.series import operations
from kalends.calendar.series.rejoining import Split
from kalends.contract.errors import FORBIDDEN, INVALID_JSON, ApiError
from kalends.contract.fields import Values
from kalends.contract.kinds import CATEGORY, EVENT, TAG
from kalends.contract.kinds.events import EVENT_LINKS, LINKED_KINDS
from kalends.contract.statuses import DRAFT, PUBLISH, TRASH
from kalends.contract.types.lists import TermName
from kalends.contract.types.recurrences import SCOPES
from kalends.languages import N_
from kalends.site.forms.form import Form, number_in
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series
from kalends.values import dates

PATH = "/admin/events"
UNDONE = N_("The change was undone.")
UNDOABLE = frozenset(
    {
        *("status", *LINKED_KINDS),
        *("featured", "hide_from_listings", "start_date", "end_date"),
    }
)


def sends(**values: object) -> Callable[[Form], Change]:
    """A change that is the same for every event."""
    return lambda form: lambda event, bundle: dict(values)


def adds_category(form: Form) -> Change | None:
    chosen = form.numbers("category")
    return _with_term("categories", chosen[0]) if chosen else None


def adds_tag(form: Form) -> Change | None:
    return _with_term("tags", TermName(form.text("tag"))) if form.text("tag") else None


def removes_category(form: Form) -> Change | None:
    chosen = form.numbers("category")
    return _without_term("categories", chosen[0]) if chosen else None


def removes_tag(form: Form) -> Change | None:
    return _without_term("tags", form.text("tag")) if form.text("tag") else None


def sets(name: str) -> Callable[[Form], Change | None]:
    """One record in place of those that an event is linked to."""

    def change(form: Form) -> Change | None:
        chosen = form.numbers(name)
        return (lambda event, bundle: {name: [chosen[0]]}) if chosen else None

    return change


def moves_by_days(form: Form) -> Change | None:
    """By how many days; a number below zero is earlier."""
    text = form.text("days").replace("\u2212", "-")  # as some keyboards write it
    days = number_in(text.removeprefix("-")) or 0
    return MovedBy(-days if text.startswith("-") else days) if 0 < days <= MOST_DAYS else None


def _with_term(name: str, term: object) -> Change:
    def change(event: Event, bundle: Bundle) -> Values:
        known = bundle.linked[LINKED_KINDS[name].name]
        if any(term in (found.id, found.name) for found in known):
            return {}
        return {name: [*(found.id for found in known), term]}

    return change


def _without_term(name: str, term: int | str) -> Change:
    """A tag is known by its name, however it is written."""
    wanted = term.casefold() if isinstance(term, str) else term

    def change(event: Event, bundle: Bundle) -> Values:
        known = bundle.linked[LINKED_KINDS[name].name]
        left = [found.id for found in known if wanted not in (found.id, found.name.casefold())]
        return {} if len(left) == len(known) else {name: left}

    return change


class Action(NamedTuple):
    """What can be done with several events at once."""

    label: str
    done: str | Mapping[str, str]  # what is said then, by status where that matters
    change: Callable[[Form], Change | None]  # None where the form does not say enough
    right: Right = may_write


ACTIONS = {
    "publish": Action(N_("Publish"), PUBLISHED, sends(status=PUBLISH), may_publish),
    "draft": Action(N_("Back to draft"), N_("Back to draft: {count}."), sends(status=DRAFT)),
    "feature": Action(N_("Feature"), N_("Featured: {count}."), sends(featured=True), may_publish),
    "unfeature": Action(N_("Do not feature"), N_("No longer featured: {count}."), sends(featured=False), may_publish),
    "hide": Action(
        N_("Hide from lists"), N_("Hidden from lists: {count}."), sends(hide_from_listings=True), may_publish
    ),
    "unhide": Action(
        N_("Show in lists"), N_("Shown in lists: {count}."), sends(hide_from_listings=False), may_publish
    ),
    "category": Action(N_("Add a category"), N_("Category added: {count}."), adds_category, may_edit_all(CATEGORY)),
    "tag": Action(N_("Add a tag"), N_("Tag added: {count}."), adds_tag, may_edit_all(TAG)),
    "uncategory": Action(
        N_("Remove a category"), N_("Category removed: {count}."), removes_category, may_edit_all(CATEGORY)
    ),
    "untag": Action(N_("Remove a tag"), N_("Tag removed: {count}."), removes_tag, may_edit_all(TAG)),
    **{link.name: Action(*link.sets, sets(link.name)) for link in EVENT_LINKS if link.sets[0]},
    "move": Action(N_("Move by days"), N_("Moved: {count}."), moves_by_days),
    "trash": Action(N_("Move to the trash"), N_("Moved to the trash: {count}."), sends(status=TRASH)),
}


def undo(request: AdminRequest, form: Form) -> None:
    """Takes a change of several events back."""
    try:
        parts = [msgspec.json.decode(text, type=Previous) for text in form.all("previous")]
    except msgspec.DecodeError as error:
        raise ApiError(INVALID_JSON, reason=str(error)) from None
    previous = [
        part._replace(values={name: value for name, value in part.values.items() if name in UNDOABLE})
        for part in parts
    ]
    outcome = bulk.undo_changes(request.calendar, request.caller, previous)
    said = in_words(UNDONE, outcome, request.language)
    request.go(back_to(form.text("back")), "{said}", said=said, kind="done" if outcome.changed else "problem")


def trash(request: AdminRequest, form: Form, id: int) -> None:
    """Moves one event to the trash."""
    scope = form.text("scope")
    if scope in SCOPES[1:]:  # several dates of a series
        known: list[Series] = []

        def note(shown: BundledPost) -> None:
            known[:] = [] if shown[1].series is None else [shown[1].series]

        trashed = request.calendar.write(
            request.caller, single_records.delete_post, EVENT, id, force=False, precondition=note, scope=scope
        )
        undo = undo_of_split(request, known, trashed)
        if undo is None and isinstance(trashed[0], Event) and trashed[0].series is not None:
            undo = UndoForm("/admin/trash", {"action": ["restore"], "item": [f"series-{trashed[0].series}"]})
        request.go(PATH, N_("The dates are in the trash."), undo)
        return
    outcome = bulk.change_events(
        request.calendar, request.caller, [Chosen(id)], lambda event, bundle: {"status": TRASH}
    )
    go_back(request, PATH, N_("The event is in the trash."), outcome)


def undo_of_split(request: AdminRequest, known: Sequence[Series], saved: BundledPost) -> UndoForm | None:
    """What brings a series back of which a change has made two; not for very many dates, which change in steps."""
    event, later = saved[0], saved[1].series
    if not known or later is None or later.id == known[0].id:
        return None
    stored = request.calendar.read(request.caller, operations.find_series, later.id)
    if stored is None or stored.rev != later.rev:
        return None
    split = Split(later.id, later.rev, known[0].rev, known[0].recurrence)
    return UndoForm(
        f"/admin/events/{event.id}/rejoin", {name: [str(value)] for name, value in split._asdict().items()}
    )


@dataclass(frozen=True, slots=True)
class MovePage:
    """One event to another day."""

    template: ClassVar[str] = "admin/move.html"

    action: str
    back: str
    day: str
    time: str  # of the start; empty of an event that lasts all day


def show_move(request: AdminRequest, id: int) -> None:
    """Another day for an event. The month has a form for each event; this page is for what was refused."""
    event = cast(Event, single_records.read_post(request.calendar, request.caller, EVENT, id)[0])
    if not may_edit(request.caller, event):
        raise ApiError(FORBIDDEN)
    back = back_to(
        request.form.text("back") or request.param("back") or f"{PATH}/month?month={event.start_local[:7]}"
    )
    time = "" if event.all_day else event.start_local[11:16]
    request.answer(MovePage(f"{PATH}/{id}/move", back, event.start_local[:10], time), title=event.name)


def move(request: AdminRequest, form: Form, id: int) -> None:
    """Moves an event to another day, at its time of day or, if that was sent, at another."""
    day, time = dates.day_in(form.text("day")), form.text("time")
    if day is None or not re.fullmatch(r"(([01]\d|2[0-3]):[0-5]\d)?(:\d\d)?", time):
        form.refuse("day", N_("This is not a date."))
        return
    back = back_to(form.text("back"))
    with form.refusals():
        outcome = bulk.change_events(request.calendar, request.caller, [Chosen(id)], moved_to(day, time[:5]))
        go_back(request, back, N_("The event was moved."), outcome)
    if form.errors:
        form.errors = {"day": next(iter(form.errors.values()))}  # the only field


def moved_to(day: date, time: str) -> Change:
    """Another day at the same times, or so that it starts at this one."""

    def change(event: Event, bundle: Bundle) -> Values:
        values = MovedBy((day - dates.from_text(event.start_local).date()).days)(event)
        if not values or event.all_day or time in ("", event.start_local[11:16]):
            return values
        start, end = (dates.from_text(str(values[name])) for name in ("start_date", "end_date"))
        later = start.replace(hour=int(time[:2]), minute=int(time[3:]), second=0)
        return {"start_date": dates.text(later), "end_date": dates.text(end + (later - start))}

    return change


def go_back(request: AdminRequest, back: str, sentence: str, outcome: BulkOutcome) -> None:
    """Says that one event was changed, and offers to take it back."""
    if outcome.changed:
        request.go(back, sentence, undo_of(outcome.previous, back))
    else:
        request.go(back, NOTHING)


def undo_of(previous: Sequence[Previous], back: str) -> UndoForm:
    return UndoForm(
        f"{PATH}/undo", {"previous": [msgspec.json.encode(part).decode() for part in previous], "back": [back]}
    )


def back_to(path: str) -> str:
    """The page of the table, or the editor, that an action came from."""
    if re.fullmatch(rf"{PATH}/\d{{1,18}}", path):
        return path
    is_table = path.partition("?")[0] in (PATH, f"{PATH}/month") and path.isascii() and path.isprintable()
    return path if is_table else PATH
