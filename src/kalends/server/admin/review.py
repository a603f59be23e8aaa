"""The queue of events that wait for review, and the authors' view of what became of theirs."""

from typing import Any

from kalends.calendar.access import may_review
from kalends.calendar.editing.review import Decision
from kalends.calendar.series.operations import ALL, THIS
from kalends.contract.errors import ApiError
from kalends.contract.statuses import FUTURE
from kalends.languages import N_
from kalends.pages.admin import review_queue
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.legacy import FormScreen, Visit
from kalends.server.admin.who_and_when import moment, names_of_people
from kalends.server.forms import Form, number_in

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


class Review(FormScreen):
    """Events that wait; editors decide, contributors see theirs."""

    entry = "review"
    title = N_("Review")
    right = staticmethod(may_write)

    def show(self, visit: Visit, **params: Any) -> None:
        self.render(visit, visit.number("series"), None)

    def render(self, visit: Visit, series: int | None, form: Form | None) -> None:
        try:
            found = visit.calendar.review_queue(visit.caller, series)
        except ApiError:  # a series that is gone
            visit.go(PATH)
            return
        people = names_of_people(visit)
        visit.render(
            "admin/review.html",
            status=400 if form else 200,
            form=form,
            waiting=[
                review_queue.card(waiting, people, moment(visit, waiting.row.event.modified_utc), visit.language)
                for waiting in found.waiting
            ],
            more=found.total - len(found.waiting),
            series=series,
            may_decide=may_review(visit.caller),
        )

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        action, ids = form.text("action"), form.numbers("event")
        series = number_in(form.text("series"))
        back = PATH if series is None else f"{PATH}?series={series}"
        if action not in DONE or not ids:
            visit.go(back)
            return
        scope = THIS if form.text("scope") == THIS else ALL
        try:
            asked = Decision(ids[0], number_in(form.text("rev")), scope)
            events = visit.calendar.decide(visit.caller, asked, action, form.text("note"))
        except ApiError as error:
            form.take(error)
            if left := form.error("event"):
                visit.go(back, "{text}", kind="problem", text=left)
            else:
                self.render(visit, series, form)
            return
        sentence = (DONE_WITH_DATES if len(events) > 1 else DONE)[action]
        if events[0].status == FUTURE:
            sentence = SCHEDULED
        visit.go(back, sentence, name=events[0].name, count=len(events))
