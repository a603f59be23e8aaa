"""The editor of an event: new, changed, saved in the background, previewed, duplicated."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast
from urllib.parse import parse_qs

import falcon
import msgspec

from kalends.calendar.access import ANONYMOUS, may_create, may_edit, may_publish, may_upload
from kalends.calendar.service import Precondition, Shown
from kalends.contract.errors import FORBIDDEN, ApiError, FieldError
from kalends.contract.kinds import CATEGORY, EVENT, TAG
from kalends.contract.recurrences import SCOPES
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, TRASH
from kalends.languages import N_
from kalends.pages import event_statuses
from kalends.pages.admin import editor, event_conflict, event_form, repeats_preview
from kalends.pages.admin.conflict import Difference
from kalends.pages.admin.event_form import (
    EventForm,
    Sent,
    form_of,
    missing_in,
    recurrence_sent,
    sent_by,
    suggested,
    with_typed,
    without_new,
)
from kalends.pages.admin.navigation import may_write
from kalends.server.admin import conflicts, pictures
from kalends.server.admin.legacy import AdminRequest, FormScreen, FormWithPicture, LegacyScreen
from kalends.server.forms import FILL_IN, Form, in_words
from kalends.server.http import responses
from kalends.server.web.event_pages import EventPage
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import zones

NEW = "/admin/events/new"

# What the buttons of the form do with the status. "save" leaves it as it is.
STATUS_OF = {"publish": PUBLISH, "draft": DRAFT, "submit": PENDING, "private": PRIVATE}
# What is told when a button has changed the status, by the status that the event has then.
SAVED = {
    PUBLISH: N_("The event is public."),
    DRAFT: N_("The draft was saved."),
    PENDING: N_("The event was submitted for review."),
    PRIVATE: N_("The event was saved; only editors see it."),
}
UNCHANGED = N_("The event was saved.")
SCHEDULED = N_("The event is scheduled: it becomes public on {date}.")


def path_of(id: int | None) -> str:
    return NEW if id is None else f"/admin/events/{id}"


@dataclass(frozen=True, slots=True)
class Opened:
    """The event that is being edited; a new one has no record yet."""

    id: int | None
    event: Event | None
    shown: EventForm

    @property
    def version(self) -> str:
        return str(self.event.rev) if self.event else ""


def open_event(visit: AdminRequest, id: int | None) -> Opened:
    """The event, if the person can edit it."""
    if id is None:
        return Opened(None, None, EventForm())
    event, bundle = cast(tuple[Event, Bundle], visit.calendar.read_post(visit.caller, EVENT, id))
    if not may_edit(visit.caller, event):
        raise ApiError(FORBIDDEN)
    return Opened(id, event, form_of(event, bundle))


class EventEditor(FormWithPicture):
    """The page with the form."""

    entry = "events"
    title = N_("New event")
    right = staticmethod(may_write)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        id = params.get("id")
        opened = open_event(visit, id)
        if id is None:
            zone = visit.settings.timezone
            today = zones.to_local(visit.calendar.clock(), zone).date()
            opened = replace(opened, shown=suggested(editor.first_day(visit.param("day"), today), zone))
        self.render(visit, opened, None)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        opened = open_event(visit, params.get("id"))
        saved = save(visit, form, opened)
        if saved is None:
            self.render(visit, opened, form)
            return
        event = cast(Event, saved[0])
        if event.status == FUTURE:
            visit.go(path_of(event.id), SCHEDULED, date=editor.publication(event, visit.settings, visit.language))
        else:
            visit.go(path_of(event.id), SAVED[event.status] if form.text("do") in STATUS_OF else UNCHANGED)

    def render(self, visit: AdminRequest, opened: Opened, form: Form | None) -> None:
        shown = opened.shown if form is None else with_typed(opened.shown, form.values, typed_names(visit, form))
        current = open_event(visit, opened.id) if conflicts.is_in(form) else None
        page = editor.page(
            visit.calendar,
            visit.caller,
            opened.event,
            visit.settings,
            visit.language,
            may_publish=may_publish(visit.caller),
            may_upload=may_upload(visit.caller),
            may_create_categories=may_create(visit.caller, CATEGORY),
            may_create_tags=may_create(visit.caller, TAG),
        )
        visit.render(
            "admin/editor.html",
            event_statuses=[(word, visit.say(label)) for word, label in event_statuses.LABELS.items()],
            status=conflicts.status_of(form),
            title=opened.event.name if opened.event else "",
            form=form,
            page=page,
            shown=shown,
            picture=pictures.read(visit, form.text("image") if form else shown.text("image")),
            version=(current or opened).version,
            conflict=differences_from(current, visit, shown, page, form) if current and form else None,
            action=visit.root_path + path_of(opened.id),
            preview_link=preview_link(visit, opened.event),
            notes=[
                (visit.people.get(note.author, ""), visit.frame.day_and_time(note.at), note.text)
                for note in (visit.calendar.review_notes(visit.caller, opened.id) if opened.id is not None else [])
            ],
        )


class Autosave(FormScreen):
    """Saves an own draft in the background; answers with JSON. What would make other records stays in the form until
    a person saves: `is_whole` tells whether there was none of it."""

    right = staticmethod(may_write)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        opened = open_event(visit, params.get("id"))
        if opened.event is not None and (opened.event.status != DRAFT or opened.event.author != visit.caller.user):
            raise ApiError(FORBIDDEN)
        kept = without_new(form.values)
        is_whole = sent_by(kept) == sent_by(form.values) and not missing_in(form.values)
        form.values = kept | {"do": ["draft"]}
        saved = save(visit, form, opened)
        visit.resp.content_type, visit.is_answered = falcon.MEDIA_JSON, True
        if saved is None:
            visit.resp.status = falcon.code_to_http_status(conflicts.status_of(form))
            visit.resp.data = msgspec.json.encode({"errors": form.errors})
            return
        here = visit.root_path + path_of(saved[0].id)
        visit.resp.data = msgspec.json.encode(
            {"action": here, "autosave": f"{here}/autosave", "address": here, "version": str(saved[0].rev)}
            | {"is_whole": is_whole}
        )


class Preview(FormScreen):
    """The public page of the event as the form has it; nothing is saved."""

    right = staticmethod(may_write)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        id, page = params.get("id"), EventPage(visit.service)
        shown = form.submit(
            EVENT.fields,
            partial(visit.calendar.preview_event, visit.caller, id, base_url=visit.base_url),
            create=id is None,
            sent=sent_by(form.values),
        )
        if shown is None:
            visit.render("admin/preview_missing.html", form=form, labels=editor.labels(visit.language))
            return
        view = visit.calendar.view_around(ANONYMOUS, cast(tuple[Event, Bundle], shown))
        html, _, _ = page.page(visit.req, view)
        visit.resp.data = html.encode()


class Dates(LegacyScreen):
    """The next dates of an event that repeats, as the controls have it: a part of the page."""

    right = staticmethod(may_write)

    def show(self, visit: AdminRequest, **params: Any) -> None:
        typed = {name: list(values) for name, values in parse_qs(visit.req.query_string, max_num_fields=200).items()}
        text, problem, found = "", "", list[str]()
        try:
            text, found = repeats_preview.preview(typed, visit.settings.timezone, visit.language)
        except FieldError as invalid:
            problem = responses.explained(in_words(invalid), visit.language)
        visit.render("admin/dates.html", text=text, dates=found, problem=problem)


class Duplicate(FormScreen):
    """A new draft with everything of an event."""

    right = staticmethod(may_write)

    def act(self, visit: AdminRequest, form: Form, **params: Any) -> None:
        id: int = params["id"]
        event, bundle = cast(tuple[Event, Bundle], visit.calendar.read_post(visit.caller, EVENT, id))
        sent = event_form.copied(event, bundle) | {"status": DRAFT}

        def copy(reading: Any) -> Shown:
            return visit.calendar.copy_event(visit.caller, id, reading, visit.base_url)

        made = form.submit(EVENT.fields, copy, create=True, sent=sent)
        if made is None:
            visit.go(path_of(id), next(iter(form.errors.values())), kind="problem")
        else:
            visit.go(path_of(made[0].id), N_("This is a copy. Change what differs, then publish it."))


def save(visit: AdminRequest, form: Form, opened: Opened) -> Shown | None:
    """Creates or changes the event. None when it was refused: the form then has the errors."""
    sent = sent_by(form.values)
    button = form.text("do") or ("draft" if opened.event is None else "save")
    if button in STATUS_OF:
        sent["status"] = STATUS_OF[button]
    sent |= recurrence_sent(form.values, opened.shown)
    for control in missing_in(form.values):
        form.refuse(control, FILL_IN)
    if opened.shown.texts.get("cost") == sent.get("cost"):
        sent.pop("cost", None)  # several costs are shown as one text
    pictures.check_description(form)
    if (image := pictures.uploaded(visit, form)) is not None:
        sent["image"] = image
        form.values["image"] = [str(image)]  # it stays chosen when something else is refused
    if button == "remove_picture":
        sent["image"] = ""
    if form.errors:
        form.check(EVENT.fields, sent, create=opened.id is None)
        return None
    if opened.id is None:
        saved = form.submit(EVENT.fields, creator(visit), create=True, sent=sent)
    else:
        saved = _update(visit, form, opened.id, sent)
    if saved is not None:
        pictures.describe(visit, form, saved[0].image)
    return saved


def creator(visit: AdminRequest) -> Any:
    def create(reading: Any) -> Shown:
        return visit.calendar.create_post(visit.caller, EVENT, reading, visit.base_url)

    return create


def _update(visit: AdminRequest, form: Form, id: int, sent: Sent) -> Shown | None:
    unchanged: Precondition = conflicts.unchanged(form, lambda shown: str(shown[0].rev))

    def update(reading: Any) -> Shown:
        return visit.calendar.update_post(visit.caller, EVENT, id, reading, visit.base_url, unchanged, scope_of(form))

    sentence = N_("{name} changed this event while you were editing it.")
    saved = None
    with conflicts.noticed(visit, form, EVENT.name, id, sentence):
        saved = form.submit(EVENT.fields, update, sent=sent)
    return saved


def scope_of(form: Form) -> str:
    """Of an event that repeats: whether this one, this and the following ones, or all are meant."""
    return form.text("scope") if form.text("scope") in SCOPES else SCOPES[0]


def differences_from(
    current: Opened, visit: AdminRequest, shown: EventForm, page: editor.EditorPage, form: Form
) -> list[Difference]:
    """What is stored now, beside what was typed."""
    categories = {str(branch.term.id): branch.term.name for branch in page.categories}
    named = pictures.names(visit, [current.shown.text("image"), form.text("image")])
    return event_conflict.differences(current.shown, shown, form.values, categories, named, visit.language)


def preview_link(visit: AdminRequest, event: Event | None) -> str:
    """The secret address of an event that is not public yet."""
    if event is None or event.status in (PUBLISH, TRASH):
        return ""
    return f"{visit.base_url}/preview/{visit.calendar.preview_key(visit.caller, event.id)}/"


def typed_names(visit: AdminRequest, form: Form) -> Mapping[str, Mapping[str, str]]:
    """The names of the records that were chosen, by the name of their control."""
    return {
        control: visit.calendar.names_of(visit.caller, kind, form.numbers(control))
        for control, kind in (("venue", "venue"), ("organizer", "organizer"), ("tags", "tag"))
    }
