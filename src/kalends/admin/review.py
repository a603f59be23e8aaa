"""The queue of events that wait for review, and the authors' view of what became of theirs."""

from kalends.admin import pictures, review_queue
from kalends.admin.request import AdminRequest
from kalends.calendar.access import may_review
from kalends.calendar.editing import review
from kalends.calendar.editing.review import Decision, Waiting
from kalends.calendar.lists import filter_choices
from kalends.calendar.series.operations import ALL, THIS
from kalends.contract.errors import ApiError
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import FUTURE
from kalends.features.history import admin_page as history_page
from kalends.features.history.admin import linked_in, names_of
from kalends.features.history.admin_page import Difference
from kalends.languages import N_
from kalends.site.forms.event_form import PICKED
from kalends.site.forms.form import Form, number_in
from kalends.store.rows.records import Event

PATH = "/admin/review"
DONE = {
    "publish": N_("“{name}” is public."),
    "send_back": N_("“{name}” was sent back."),
    "decline": N_("“{name}” is in the trash."),
}
DONE_WITH_DATES = {
    "publish": N_("“{name}” is public on {count} dates."),
    "send_back": N_("“{name}” was sent back with {count} dates."),
    "decline": N_("“{name}” is in the trash with {count} dates."),
}
SCHEDULED = N_("“{name}” is scheduled, and public from its publication date on.")


def show(request: AdminRequest) -> None:
    """Events that wait; editors decide, contributors see theirs."""
    series = number_in(request.form.text("series")) or request.number("series")
    try:
        found = request.calendar.read(request.caller, review.queue, series)
    except ApiError:  # a series that is gone
        request.go(PATH)
        return
    new = any(one.comes_with for one in found.waiting)
    choices = request.calendar.read(request.caller, filter_choices.choices, wanted=PICKED) if new else {}
    known = review_queue.by_folded_name(choices)
    cards = [review_queue.card(one, shown_of(request, one, known)) for one in found.waiting]
    more = found.total - len(found.waiting)
    request.answer(review_queue.ReviewPage(cards, more, series, may_review(request.caller)))


def shown_of(request: AdminRequest, one: Waiting, known: review_queue.Known) -> review_queue.Shown:
    """What a card shows beside the event."""
    event, differences = one.row.event, list[Difference]()
    if one.since_public is not None:
        linked = names_of(request, linked_in(one.since_public.fields))
        custom = request.settings.custom_fields
        differences = history_page.differences(EVENT, one.since_public, request.language, linked, custom)
    image = pictures.find(request, str(event.image or ""))
    return review_queue.Shown(
        people=request.people,
        since=request.frame.day_and_time(event.modified_utc),
        picture=pictures.address(request, image, "thumbnail") if image else "",
        differences=differences,
        known=known,
        language=request.language,
    )


def decide(request: AdminRequest, form: Form) -> None:
    action, ids = form.text("action"), form.numbers("event")
    series = number_in(form.text("series"))
    back = PATH if series is None else f"{PATH}?series={series}"
    if action not in DONE or not ids:
        request.go(back)
        return
    asked = Decision(ids[0], number_in(form.text("rev")), THIS if form.text("scope") == THIS else ALL)
    events = list[Event]()
    with form.refusals():
        events = request.calendar.write(request.caller, review.decide, asked, action, form.text("note"))
    if left := form.error("event"):
        request.go(back, "{text}", kind="problem", text=left)
    elif not form.errors:
        sentence = (DONE_WITH_DATES if len(events) > 1 else DONE)[action]
        sentence = SCHEDULED if events[0].status == FUTURE else sentence
        request.go(back, sentence, name=events[0].name, count=len(events))
