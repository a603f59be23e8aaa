"""The editor of an event: new, changed, saved in the background, previewed, duplicated."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import ClassVar, cast
from urllib.parse import parse_qs

import falcon
import msgspec

from kalends.admin import conflicts, locating, pictures
from kalends.admin.event_changes import undo_of_split
from kalends.admin.event_editor import merged_form, repeats_preview, series_dates
from kalends.admin.event_editor import page as editor
from kalends.admin.event_editor.repeats_preview import RepeatsPreview
from kalends.admin.locating import Place
from kalends.admin.request import AdminRequest
from kalends.calendar.access import ANONYMOUS, UnitOfWork, may_edit
from kalends.calendar.editing import concurrent_edits, previews
from kalends.calendar.lists import event_view
from kalends.calendar.posts.labels import names_of
from kalends.calendar.posts.posts import BundledPost
from kalends.calendar.series import operations
from kalends.calendar.series.operations import ALL, THIS, WHOLE
from kalends.calendar.single_records import Precondition, copy_event, create_record, read_post, update_post
from kalends.contract.errors import FORBIDDEN, ApiError, FieldError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT, VENUE
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, TRASH
from kalends.contract.types.recurrences import SCOPES
from kalends.http.messages import responses
from kalends.languages import N_
from kalends.site import times
from kalends.site.forms import event_form, name_lookup
from kalends.site.forms.event_form import EventForm, Sent, missing_in, recurrence_sent, sent_by
from kalends.site.forms.form import FILL_IN, VERSION, Form, in_words, number_in
from kalends.site.records.event_pages import EventHandler, EventPage
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Series
from kalends.values import dates, zones

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
MERGED = N_("The event was saved, together with what {name} changed meanwhile.")
SCHEDULED = N_("The event is scheduled: it becomes public on {date}.")
CHANGED = N_("{name} changed this event while you were editing it.")


@dataclass(frozen=True, slots=True)
class DatesPart:
    """The next dates of an event that repeats, or why there are none."""

    template: ClassVar[str] = "admin/event_editor/dates.html"

    preview: RepeatsPreview
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PreviewMissing:
    template: ClassVar[str] = "admin/event_editor/preview_missing.html"

    labels: Mapping[str, str]


def open_event(request: AdminRequest, id: int | None) -> editor.OpenedEvent:
    """The event, if the person can edit it."""
    if id is None:
        return editor.OpenedEvent(None, EventForm())
    event, bundle = cast(tuple[Event, Bundle], read_post(request.calendar, request.caller, EVENT, id))
    if not may_edit(request.caller, event):
        raise ApiError(FORBIDDEN)
    is_whole = False
    if event.series is not None and event.status != TRASH:
        is_whole = not request.calendar.read(request.caller, operations.is_public, event.series)
    return editor.OpenedEvent(event, event_form.form_of(event, bundle, is_whole=is_whole), bundle.series, is_whole)


def show_editor(request: AdminRequest, id: int | None = None) -> None:
    """The page with the form."""
    opened, form = open_event(request, id), request.form
    event, stored = opened.event, opened.event_form
    if form.values:
        shown = event_form.with_typed(stored, form.values, typed_names(request))
    elif event is None:
        day = dates.day_in(request.param("day")) or dates.from_text(request.now).date() + timedelta(days=7)
        shown = event_form.suggested(day, request.settings.timezone)
    else:
        shown = stored
    page = editor.EditorPage(request, opened, shown)
    request.answer(page, title=event.name if event else "")


def typed_names(request: AdminRequest) -> Mapping[str, Mapping[str, str]]:
    """The names of the records that were chosen, by the name of their control."""
    return {
        control: request.calendar.read(request.caller, names_of, kind.name, request.form.numbers(control))
        for control, kind in LINKED_KINDS.items()
        if control != "categories"  # the form has all of them
    }


def save(request: AdminRequest, form: Form, id: int | None = None) -> None:
    opened = open_event(request, id)
    name_lookup.settle(request.calendar, request.caller, form)
    known: list[Series] = []
    place, about_place = locating.of_new_venue(request)
    with pictures.one_transaction(request, form):
        merged_with = merge(request, form, opened)
        saved = store(request, form, opened, known=known, place=place)
    if saved is None:
        return
    event = cast(Event, saved[0])
    if merged_with and form.text("do") not in STATUS_OF:
        sentence = request.say(MERGED, name=merged_with)
    elif event.status == FUTURE:
        public_at = zones.on_clock(dates.from_text(event.date_utc), request.settings.timezone)
        sentence = request.say(SCHEDULED, date=times.moment(dates.text(public_at), request.language))
    else:
        sentence = request.say(SAVED[event.status] if form.text("do") in STATUS_OF else UNCHANGED)
    dates_changed = series_dates.dates_changed(request, event, known, scope_of(form, opened))
    request.go(
        editor.path_of(event.id),
        "{text}",
        undo_of_split(request, known, saved),
        text=" ".join(filter(None, (sentence, dates_changed, about_place))),
    )


def merge(request: AdminRequest, form: Form, opened: editor.OpenedEvent) -> str:
    """Takes into the form what somebody else has saved since it was opened; the name of who that was. What both have
    changed is refused, with a choice. Where the event as it was then is not known, the precondition refuses all."""
    event, rev = opened.event, number_in(form.text(VERSION))
    if event is None:
        return ""
    form.values = merged_form.with_theirs(form.values, opened.event_form, merged_form.accepted_units(form.values))
    earlier = (
        request.calendar.read(request.caller, concurrent_edits.event_as_of, event.id, rev)
        if rev and rev != event.rev
        else None
    )
    if earlier is None:
        return ""
    image = pictures.sent_with(request, form).get("image")
    if image is not None:
        form.values["image"] = [str(image)]
        form.files.pop("picture", None)  # it is stored now
    series = opened.series if earlier.has_rule_of_now else None
    base = merged_form.form_of_earlier(earlier.event, earlier.linked, series)
    merged = merged_form.merge(base, opened.event_form, form.values, is_rule_known=earlier.is_rule_known)
    name = conflicts.last_editor(request, EVENT.name, event.id)
    form.values, form.asked = merged.values | {VERSION: [str(event.rev)]}, merged.asked
    if merged.asked:
        form.refuse(VERSION, CHANGED, name=name)
    return name


def autosave(request: AdminRequest, form: Form, id: int | None = None) -> None:
    """Saves an own draft in the background; answers with JSON. What would make other records, or decides which dates
    a series has, stays in the form until a person saves: `is_whole` tells whether there was none of it."""
    opened = open_event(request, id)
    if opened.event is not None and (opened.event.status != DRAFT or opened.event.author != request.caller.user):
        raise ApiError(FORBIDDEN)
    kept = event_form.without_new(form.values)
    left = merged_form.dates_changed(opened.event_form, form.values)
    is_whole = sent_by(kept) == sent_by(form.values) and not left and not missing_in(form.values)
    form.values = event_form.without_repeats(kept) | {"do": ["draft"]}
    with pictures.one_transaction(request, form):
        saved = store(request, form, opened, left)
    request.resp.content_type = falcon.MEDIA_JSON
    if saved is None:
        request.resp.status = falcon.code_to_http_status(request.form_status)
        request.resp.data = msgspec.json.encode({"errors": form.errors})
        return
    here = request.root_path + editor.path_of(saved[0].id)
    request.resp.data = msgspec.json.encode(
        {"action": here, "autosave": f"{here}/autosave", "address": here, "version": str(saved[0].rev)}
        | {"is_whole": is_whole}
    )


def preview(request: AdminRequest, form: Form, id: int | None = None) -> None:
    """The public page of the event as the form has it; nothing is saved."""
    shown = form.submit(
        EVENT.fields,
        lambda reading: request.calendar.read(
            request.caller, previews.preview, id, reading, base_url=request.base_url
        ),
        create=id is None,
        sent=sent_by(form.values),
    )
    if shown is None:
        request.answer(PreviewMissing(editor.labels(request.settings, request.language)), status=200)
        return
    bundled = cast(tuple[Event, Bundle], shown)

    def page(work: UnitOfWork) -> EventPage:
        return EventHandler(request.service).page(request.req, work, event_view.around(work, bundled))

    request.resp.data = request.calendar.read(ANONYMOUS, page).html()


def show_dates(request: AdminRequest) -> None:
    """The next dates of an event that repeats, as the controls have it: a part of the page."""
    typed = {name: list(values) for name, values in parse_qs(request.req.query_string, max_num_fields=200).items()}
    try:
        part = DatesPart(repeats_preview.preview(typed, request.settings.timezone, request.language))
    except FieldError as invalid:
        reason = responses.explained(in_words(invalid), request.language)
        part = DatesPart(RepeatsPreview(), reason)
    request.answer(part)


def duplicate(request: AdminRequest, form: Form, id: int) -> None:
    """A new draft with everything of an event."""
    event, bundle = cast(tuple[Event, Bundle], read_post(request.calendar, request.caller, EVENT, id))
    sent = event_form.copied(event, bundle) | {"status": DRAFT}
    copy = partial(copy_event, request.calendar, request.caller, id, base_url=request.base_url)
    made = form.submit(EVENT.fields, copy, create=True, sent=sent)
    if made is None:
        request.go(editor.path_of(id), next(iter(form.errors.values())), kind="problem")
    else:
        request.go(editor.path_of(made[0].id), N_("This is a copy. Change what differs, then publish it."))


def store(
    request: AdminRequest,
    form: Form,
    opened: editor.OpenedEvent,
    omitted: Collection[str] = (),
    known: list[Series] | None = None,
    place: Place | None = None,
) -> BundledPost | None:
    """Creates or changes the event, without the fields that are `omitted` as they are. None when it was refused: the
    form then has the errors. `known` gets the series as it was before. `place`: where its new venue is."""
    sent = {name: value for name, value in sent_by(form.values).items() if name not in omitted}
    if place is not None and not place.problem:
        sent[VENUE.name] = [
            one | {"geo_lat": place.lat, "geo_lng": place.lng} if isinstance(one, dict) else one
            for one in cast(list[object], sent[VENUE.name])
        ]
    button = form.text("do") or ("draft" if opened.event is None else "save")
    if button in STATUS_OF:
        sent["status"] = STATUS_OF[button]
    sent |= recurrence_sent(form.values, opened.event_form, is_one=scope_of(form, opened) == THIS)
    if not opened.event_form.is_occurrence:
        sent |= repeats_preview.begun_later(sent, request.settings.timezone)
    for control in missing_in(form.values):
        form.refuse(control, FILL_IN)
    if opened.event_form.texts.get("cost") == sent.get("cost"):
        sent.pop("cost", None)  # several costs are shown as one text
    sent |= pictures.sent_with(request, form)
    if form.errors:
        form.check(EVENT.fields, sent, create=opened.event is None)
        return None
    saved = write(request, form, opened, sent, known)
    if saved is not None:
        pictures.describe(request, form, saved[0].image)
    return saved


def write(
    request: AdminRequest, form: Form, opened: editor.OpenedEvent, sent: Sent, known: list[Series] | None = None
) -> BundledPost | None:
    calendar, caller, base_url = request.calendar, request.caller, request.base_url
    event, scope = opened.event, scope_of(form, opened)
    if event is None:
        create = partial(create_record, calendar, caller, EVENT, base_url=base_url)
        return cast(BundledPost | None, form.submit(EVENT.fields, create, create=True, sent=sent))
    unchanged: Precondition = conflicts.unchanged(form, lambda shown: str(shown[0].rev))

    def precondition(bundled: BundledPost) -> None:
        unchanged(bundled)
        if known is not None:
            known[:] = [bundled[1].series] if bundled[1].series is not None else []

    def update(reading: Reading) -> BundledPost:
        return update_post(
            calendar, caller, EVENT, event.id, reading, base_url, precondition, scope, first_is_whole=True
        )

    saved = None
    with conflicts.noticed(request, form, EVENT.name, event.id, CHANGED):
        saved = form.submit(EVENT.fields, update, sent=sent)
    return saved


def scope_of(form: Form, opened: editor.OpenedEvent) -> str:
    """Of an event that repeats: whether this one, this and the following ones, or all are meant."""
    scope = form.text("scope") if form.text("scope") in SCOPES else ALL if opened.is_whole else THIS
    return WHOLE if opened.is_whole and scope == ALL else scope
