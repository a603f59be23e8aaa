"""The queue of events that wait for review, and the authors' view of what became of theirs."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from kalends.calendar.access import may_edit_others
from kalends.calendar.overview import ALL_TIME
from kalends.contract.errors import ApiError
from kalends.contract.events import EVENT_FILTERS
from kalends.contract.fields import read_query
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PENDING
from kalends.languages import N_
from kalends.pages import times
from kalends.pages.admin.navigation import may_write
from kalends.server.admin.forms import Form
from kalends.server.admin.history import moment, names_of_people
from kalends.server.admin.screen import FormScreen, Visit
from kalends.store.rows import reviews
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event
from kalends.values import markup

PATH = "/admin/review"
MOST = 50
DONE = {
    "publish": N_("“{name}” is public."),
    "send_back": N_("“{name}” was sent back."),
    "decline": N_("“{name}” is in the trash."),
}


class Waiting(NamedTuple):
    """An event of the queue."""

    id: int
    title: str
    when: str
    where: str
    text: str
    who: str
    email: str
    since: str
    was_public: bool


class Review(FormScreen):
    """Events that wait; editors decide, contributors see theirs."""

    entry = "review"
    title = N_("Review")
    right = staticmethod(may_write)

    def show(self, visit: Visit, **params: Any) -> None:
        self.render(visit, None)

    def render(self, visit: Visit, form: Form | None) -> None:
        visit.render(
            "admin/review.html",
            status=400 if form else 200,
            form=form,
            waiting=waiting(visit),
            may_decide=may_edit_others(visit.caller),
        )

    def act(self, visit: Visit, form: Form, **params: Any) -> None:
        action, ids = form.text("action"), form.numbers("event")
        if action not in DONE or not ids:
            visit.go(PATH)
            return
        try:
            event = visit.calendar.review(visit.caller, ids[0], action, form.text("note"))
        except ApiError as error:
            form.take(error)
            if decided := form.error("event"):
                visit.go(PATH, decided, kind="problem")
            else:
                self.render(visit, form)
            return
        visit.go(PATH, DONE[action], name=event.name)


def waiting(visit: Visit) -> list[Waiting]:
    sent = {"status": PENDING, "show_hidden": "true", **ALL_TIME}
    sent |= {"orderby": "modified", "order": "asc", "per_page": str(MOST)}
    if not may_edit_others(visit.caller):
        sent["author"] = str(visit.caller.user)
    _, shown = visit.calendar.list_events(visit.caller, read_query(EVENT_FILTERS, sent))
    people = names_of_people(visit)
    with visit.calendar.store.read() as session:
        senders = reviews.senders(session, [event.id for event, _ in shown])
    return [_waiting(visit, event, bundle, people, senders.get(event.id)) for event, bundle in shown]


def _waiting(
    visit: Visit, event: Event, bundle: Bundle, people: Mapping[int, str], sender: reviews.Sender | None
) -> Waiting:
    when = times.when(times.span_of(event), visit.language)
    text = markup.text_of(event.description or event.excerpt)
    return Waiting(
        id=event.id,
        title=event.name,
        when=", ".join(part for part in (when.days, when.hours) if part),
        where=", ".join(venue.name for venue in bundle.venues),
        text=text if len(text) <= 280 else f"{text[:280]}…",
        who=sender.name if sender else people.get(event.author, ""),
        email=sender.email if sender else "",
        since=moment(visit, event.modified_utc),
        was_public=any(
            "publish" in edit.fields.get("status", ()) for edit in visit.calendar.edits(visit.caller, EVENT, event.id)
        ),
    )
