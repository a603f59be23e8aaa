"""The publication date and the status of a post, and which changes of status a caller can make."""

from kalends.calendar.access import Caller, may_publish
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import WRONG_FORMAT, FieldError, Problems
from kalends.contract.fields import Values
from kalends.contract.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows.records import Companion, Post
from kalends.values import dates, zones

NEEDS_PUBLISHING = (PUBLISH, FUTURE, PRIVATE)


def default_status(caller: Caller) -> str:
    return PUBLISH if may_publish(caller) else DRAFT


def date_post(work: UnitOfWork, post: Post, values: Values, problems: Problems) -> None:
    """Sets the publication date; `date_utc` counts when both are sent."""
    for name, zone in (("date_utc", "UTC"), ("date", work.settings.timezone)):
        moment = values.get(name)
        if isinstance(moment, dates.Moment):
            try:
                utc = moment.utc(zone, work.now)
                zones.to_local(utc, work.settings.timezone)  # as it will be shown
                post.date_utc = dates.text(utc)
            except (dates.NotADate, zones.OutOfRange):
                problems.add(name, FieldError(WRONG_FORMAT, N_("is out of the range of dates.")))
            return


def move_status(work: UnitOfWork, post: Post, wanted: str | None) -> None:
    """Gives a post the status that was asked for, as far as the caller and the date allow."""
    status = post.status if wanted is None else wanted
    if isinstance(post, Companion) and wanted not in (None, TRASH, post.trashed_from or None):
        # A status that is named stands. Who cannot publish asks for it, and gets it with the event.
        post.waiting = wanted in (PUBLISH, FUTURE, PENDING) and not may_publish(work.caller)
    if wanted in NEEDS_PUBLISHING and not may_publish(work.caller):
        status = PENDING
    if status in (PUBLISH, FUTURE):
        status = FUTURE if post.date_utc > work.now_text else PUBLISH
    if status == TRASH and post.status != TRASH:
        post.trashed_from = post.status
    elif status != TRASH:
        post.trashed_from = ""
    post.status = status
