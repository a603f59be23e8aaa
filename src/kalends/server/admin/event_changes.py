"""Changes of events from the table and the month: one action for several, another day, the trash, and undo."""

from collections.abc import Sequence
from datetime import date
from typing import Any, cast

import msgspec

from kalends.calendar.access import may_edit
from kalends.calendar.editing.bulk import Change, Chosen, Previous
from kalends.contract.errors import FORBIDDEN, INVALID_JSON, WRONG_FORMAT, ApiError, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import EVENT
from kalends.contract.recurrences import SCOPES
from kalends.contract.statuses import DRAFT, PUBLISH, TRASH
from kalends.languages import N_
from kalends.pages.admin.frame import Undo
from kalends.pages.admin.navigation import may_write
from kalends.pages.admin.outcomes import NOTHING
from kalends.server.admin.legacy import AdminRequest, FormScreen
from kalends.server.forms import Form
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import dates

PATH = "/admin/events"
UNDONE = N_("The change was taken back.")
UNDOABLE = frozenset({"status", "categories", "tags", "featured", "hide_from_listings", "start_date", "end_date"})


class UndoEvents(FormScreen):
    """Takes a change of several events back."""

    right = staticmethod(may_write)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        back = back_to(form.text("back"))
        try:
            parts = [msgspec.json.decode(text, type=Previous) for text in form.all("previous")]
        except msgspec.DecodeError as error:
            raise ApiError(INVALID_JSON, reason=str(error)) from None
        previous = [
            part._replace(values={name: value for name, value in part.values.items() if name in UNDOABLE})
            for part in parts
        ]
        count = visit.calendar.take_back_events(visit.caller, previous)
        visit.go(back, UNDONE if count else NOTHING, kind="done" if count else "problem")


class TrashEvent(FormScreen):
    """Moves one event to the trash."""

    right = staticmethod(may_write)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        scope = form.text("scope")
        if scope in SCOPES[1:]:  # several dates of a series: the trash restores them
            visit.calendar.delete_post(visit.caller, EVENT, params["id"], force=False, scope=scope)
            visit.go(PATH, N_("The dates are in the trash."))
            return
        outcome = visit.calendar.change_events(visit.caller, [Chosen(params["id"])], _constant(status=TRASH))
        if outcome.changed:
            visit.go(PATH, N_("The event is in the trash."), undo_of(outcome.previous, PATH))
        else:
            visit.go(PATH, NOTHING)


class MoveEvent(FormScreen):
    """Moves an event to another day; its times of day stay. The month has a form for each event; this page is for
    what was refused."""

    entry = "events"
    title = N_("Move")
    right = staticmethod(may_write)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        self.render(visit, params["id"], None)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        back = back_to(form.text("back"))
        day = dates.day_in(form.text("day"))
        if day is None:
            form.refuse("day", N_("This is not a date."))
            self.render(visit, params["id"], form)
            return
        try:
            outcome = visit.calendar.change_events(visit.caller, [Chosen(params["id"])], moved_to(day))
        except ApiError as error:
            form.take(error)
            form.errors = {"day": next(iter(form.errors.values()))}  # the only field
            self.render(visit, params["id"], form)
            return
        if outcome.changed:
            visit.go(back, N_("The event was moved."), undo_of(outcome.previous, back))
        else:
            visit.go(back, NOTHING)

    def render(self, visit: AdminRequest, id: int, form: Form | None) -> None:
        event = cast(Event, visit.calendar.read_post(visit.caller, EVENT, id)[0])
        if not may_edit(visit.caller, event):
            raise ApiError(FORBIDDEN)
        visit.render(
            "admin/move.html",
            status=400 if form else 200,
            title=event.name,
            form=form,
            action=f"{PATH}/{id}/move",
            back=back_to(form.text("back") if form else f"{PATH}/month?month={event.start_local[:7]}"),
            day=event.start_local[:10],
        )


def change_of(action: str, form: Form) -> Change | None:
    """What an action sends for each event."""
    statuses = {"publish": PUBLISH, "draft": DRAFT, "trash": TRASH}
    if action in statuses:
        return _constant(status=statuses[action])
    if action in ("feature", "unfeature"):
        return _constant(featured=action == "feature")
    if action in ("hide", "unhide"):
        return _constant(hide_from_listings=action == "hide")
    if action == "category" and form.numbers("category"):
        return _with_term("categories", form.numbers("category")[0])
    if action == "tag" and form.text("tag"):
        return _with_term("tags", form.text("tag"))
    return None


def moved_to(day: date) -> Change:
    """Another day at the same times."""

    def change(event: Event, bundle: Bundle) -> Values:
        start, end = dates.from_text(event.start_local), dates.from_text(event.end_local)
        by = day - start.date()
        try:
            return {"start_date": dates.text(start + by), "end_date": dates.text(end + by)}
        except OverflowError:  # the last days of the calendar
            Problems({"end_date": FieldError(WRONG_FORMAT, N_("is out of the range of dates."))}).raise_any()
            raise

    return change


def _constant(**values: object) -> Change:
    return lambda event, bundle: dict(values)


def _with_term(name: str, term: object) -> Change:
    def change(event: Event, bundle: Bundle) -> Values:
        known = bundle.categories if name == "categories" else bundle.tags
        if any(term in (found.id, found.name) for found in known):
            return {}
        return {name: [*(found.id for found in known), term]}

    return change


def undo_of(previous: Sequence[Previous], back: str) -> Undo:
    return Undo(
        f"{PATH}/undo", {"previous": [msgspec.json.encode(part).decode() for part in previous], "back": [back]}
    )


def back_to(path: str) -> str:
    """The page of the table that an action came from."""
    return path if path.startswith(f"{PATH}?") or path.startswith(f"{PATH}/month") else PATH
