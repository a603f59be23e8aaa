"""The public form for events at `/submit`: off unless the settings turn it on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

import falcon

from kalends.calendar.access import ANONYMOUS, UnitOfWork
from kalends.calendar.editing import submissions
from kalends.calendar.images.processing import ImageTooLarge
from kalends.calendar.lists import filter_choices
from kalends.calendar.posts import labels
from kalends.contract.errors import ApiError, FieldError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import DefinedField, defined_fields
from kalends.contract.types.scalars import Email
from kalends.http.messages import responses
from kalends.http.middleware.request_middleware import is_foreign
from kalends.http.request_context import client_address, context_of
from kalends.http.service import Resource
from kalends.languages import N_, translate
from kalends.site.forms import name_lookup
from kalends.site.forms.defined_controls import DefinedControl, control
from kalends.site.forms.event_form import PICKED, sent_by, typed_text
from kalends.site.forms.form import (
    AROUND_PICTURE,
    FILL_IN,
    PICTURE_REFUSED,
    RETRY_AFTER,
    Form,
    busy,
    read_with_pictures,
)
from kalends.site.forms.repeats_form import MONTHLY_DAY, MONTHLY_WEEKDAY, UNTIL, WEEKLY, Repeats, recurrence_of
from kalends.site.layout.frame import SUBMIT, file_size
from kalends.site.pages import page_responses
from kalends.site.pages.html_pages import frame_of
from kalends.site.pages.public_page import ErrorPage, PublicPage
from kalends.store.engine.store import StoreUnavailable
from kalends.store.rows.reviews import Sender
from kalends.values import dates, names

TAKEN = frozenset(
    [
        "title",
        "start_day",
        "start_time",
        "end_day",
        "end_time",
        "all_day",
        "description",
        "website",
        "cost",
        "venue",
        "venue_name",
        "venue_address",
        "venue_city",
        "categories",
    ]
)
LONGEST_NAME = 200
SUGGESTED = 200  # names of venues that the browser offers
USUAL_LENGTH = timedelta(hours=2)  # of an event that was sent without an end
EVERY_SECOND_WEEK = "second_week"
REPEATS = (
    (WEEKLY, N_("Every week")),
    (EVERY_SECOND_WEEK, N_("Every second week")),
    (MONTHLY_WEEKDAY, N_("Every month, on the same weekday")),
    (MONTHLY_DAY, N_("Every month, on the same day")),
)
LONGEST_SERIES = timedelta(days=366)
CHOOSE_AGAIN = N_("Choose the file again: the browser does not keep it.")
TRAP = "company"  # a field that people do not see, and that programs fill in
LABELS = {field.name: field.label for field in EVENT.fields} | {
    "sender_name": N_("Your name"),
    "sender_email": N_("Your e-mail address"),
    "answer": N_("Answer"),
    "repeat_until": N_("Last day"),
}


@dataclass(frozen=True)
class SubmitPage(PublicPage):
    """The form with what was sent, or the thanks for it."""

    template: ClassVar[str] = "site/submit.html"
    form: object  # a kalends.site.forms.form.Form
    is_sent: bool
    opened: str  # a stamp of when the form was opened
    question: str  # which programs cannot answer
    categories: Sequence[object]  # branches of their tree
    asked: Sequence[DefinedField]  # the defined fields that the form asks for
    largest_picture: int  # bytes
    venues: Sequence[str]  # names that the browser offers
    namesakes: Sequence[object]  # calendar.posts.labels.Namesake: what may be meant by the name of a new venue

    trap: ClassVar[str] = TRAP
    repeats: ClassVar[Sequence[tuple[str, str]]] = REPEATS

    @property
    def largest(self) -> str:
        return file_size(self.largest_picture)

    @property
    def defined(self) -> list[DefinedControl]:
        return [control(row, "") for row in self.asked]

    @property
    def labels(self) -> dict[str, str]:
        own = {name: translate(label, self.frame.language) for name, label in LABELS.items()}
        return own | {row.name: row.label for row in self.asked}


def end_of(typed: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The end of an event that was sent without one: two hours after its start, and the next day if it is earlier
    than that."""
    day, time, end_day, end_time = (
        (typed.get(name) or [""])[0].strip() for name in ("start_day", "start_time", "end_day", "end_time")
    )
    if (typed.get("all_day") or [""])[0] or (end_day and end_time):
        return {}
    try:
        start = datetime.fromisoformat(f"{day} {time}")
        if end_time:
            end = datetime.fromisoformat(f"{day} {end_time}")
            end += timedelta(days=1 if end <= start else 0)
        elif not end_day or end_day == day:
            end = start + USUAL_LENGTH
        else:
            return {}
    except (ValueError, OverflowError):  # it is refused for that
        return {}
    return {"end_day": [str(end.date())], "end_time": [end.strftime("%H:%M")]}


def recurrence_in(form: Form) -> object:
    """When an event repeats, as the interface is sent it; empty for a single one. What is missing stands in the form
    then."""
    preset, until, start = form.text("repeat"), form.text("repeat_until"), form.text("start_day")
    if preset not in dict(REPEATS):
        return ""
    first, last = dates.day_in(start), dates.day_in(until)
    if last is None:
        form.refuse("repeat_until", N_("Choose the last day."))
    elif first is not None and not first < last <= first + LONGEST_SERIES:
        form.refuse("repeat_until", N_("Choose a day within a year after the first one."))
    interval = "2" if preset == EVERY_SECOND_WEEK else "1"
    preset = WEEKLY if preset == EVERY_SECOND_WEEK else preset
    return recurrence_of(Repeats(preset=preset, interval=interval, end=UNTIL, until=until), start)


class Submit(Resource):
    """The form, and what is sent with it."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        self.render(req, resp, Form(context_of(req).language), status=200 if self.is_on else 404)

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        settings, language = self.service.settings, context_of(req).language
        form = Form(language)
        if not self.is_on:
            self.render(req, resp, form, status=404)
            return
        if is_foreign(req):
            self.render(req, resp, form, status=403)
            return
        form = read_with_pictures(req, settings.max_image + AROUND_PICTURE, language)
        if form.text(TRAP):  # a program: it need not know that it was noticed
            self.render(req, resp, Form(language), is_sent=True)
            return
        self.check(req, form)
        recurrence_in(form)
        file = form.file()
        if form.has_too_large() or (file is not None and len(file.content) > settings.max_image):
            form.refuse_picture(ImageTooLarge())
        form.values.pop("venue", None)  # only by its name
        name_lookup.settle(self.service.calendar, ANONYMOUS, form, [PICKED["venue"]])
        status = 200
        if not form.errors:
            try:
                self.save(req, form)
            except StoreUnavailable as error:
                form.refuse("", busy(error))
                resp.set_header("Retry-After", RETRY_AFTER)
                status = 503
        if form.errors and file is not None:
            form.refuse("image", CHOOSE_AGAIN)
        self.render(req, resp, form, status=400 if form.errors and status == 200 else status, is_sent=not form.errors)

    @property
    def is_on(self) -> bool:
        return self.service.settings.submissions

    @property
    def asked(self) -> list[DefinedField]:
        """The defined fields of the form."""
        return [row for row in defined_fields(self.service.settings) if row.is_asked]

    def check(self, req: falcon.Request, form: Form) -> None:
        """What the form asks beside the fields of an event."""
        settings, calendar = self.service.settings, self.service.calendar
        if not form.text("sender_name"):
            form.refuse("sender_name", FILL_IN)
        try:
            if not Email().read(form.text("sender_email")):
                form.refuse("sender_email", FILL_IN)
        except FieldError as invalid:
            form.refuse("sender_email", responses.explained(invalid, form.language))
        answer = settings.submission_answer
        if settings.submission_question and names.fold(form.text("answer")) != names.fold(answer):
            form.refuse("answer", N_("This is not the answer."))
        if form.text("start_day") and not form.text("start_time") and not form.is_checked("all_day"):
            form.refuse("start_date", N_("Add the time at which it begins, or tick “All day”."))
        for row in self.asked:
            if row.required and not typed_text(form.values, row.name):
                form.refuse(row.name, FILL_IN)
        if not calendar.read(ANONYMOUS, submissions.is_plausible, form.text("opened")):
            form.refuse("", N_("The form was sent too fast or too late. Check it and send it again."))

    def save(self, req: falcon.Request, form: Form) -> None:
        calendar = self.service.calendar
        known = {*TAKEN, *(row.name for row in self.asked)}
        taken = {name: values for name, values in form.values.items() if name in known}
        sent = sent_by(taken | end_of(taken))
        sent["recurrence"] = recurrence_in(form)
        sent = {name: value for name, value in sent.items() if value not in ("", [], False)}
        sender = Sender(
            form.text("sender_name")[:LONGEST_NAME],
            form.text("sender_email"),
            dates.text(calendar.clock()),
            form.language,
        )
        file = form.file()
        picture = (file.content, file.name) if file else None

        def submit(reading: Reading) -> Any:
            address = client_address(req, self.service.settings)
            return submissions.submit_event(
                calendar, reading, sender, picture, address, context_of(req).addresses.base_url
            )

        try:
            form.submit(EVENT.fields, submit, create=True, sent=sent)
        except PICTURE_REFUSED as problem:
            form.refuse_picture(problem)
        except ApiError as error:
            form.refuse("", responses.message_of(error, form.language))

    def render(
        self, req: falcon.Request, resp: falcon.Response, form: Form, *, status: int = 200, is_sent: bool = False
    ) -> None:
        calendar = self.service.calendar
        frame = frame_of(self.service, req, f"{SUBMIT}/", is_found=status == 200)
        if status == 404:
            page_responses.send_once(resp, ErrorPage(frame, status), status)
            return
        is_asked = "venue" in form.errors or form.text("venue_same")
        namesakes = name_lookup.asked(calendar, ANONYMOUS, form, PICKED["venue"]) if is_asked else ()

        def page(work: UnitOfWork) -> SubmitPage:
            venues = filter_choices.choices(work, wanted=("venue",))["venue"][:SUGGESTED]
            return SubmitPage(
                frame,
                form,
                is_sent,
                opened=submissions.stamp(work),
                question=self.service.settings.submission_question,
                categories=labels.category_tree(work),
                asked=self.asked,
                largest_picture=self.service.settings.max_image,
                venues=[choice.name for choice in venues],
                namesakes=namesakes,
            ).with_blocks(work)

        page_responses.send_once(resp, calendar.read(ANONYMOUS, page), status)
