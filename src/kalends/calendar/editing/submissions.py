"""Events that anybody sends by the public form. They wait for review and are never public before."""

from contextlib import nullcontext
from datetime import datetime, timedelta

from kalends.calendar import signing, throttling
from kalends.calendar.access import Caller, UnitOfWork
from kalends.calendar.accounts import users
from kalends.calendar.images import image_store
from kalends.calendar.images.uploading import saved_picture
from kalends.calendar.series import operations
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import MISSING_PARAM, TOO_MANY, ApiError
from kalends.contract.fields import Reading
from kalends.contract.kinds import EVENT
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.contract.roles import Role
from kalends.contract.statuses import PENDING
from kalends.store.engine.store import Session
from kalends.store.rows import reviews
from kalends.store.rows.records import Post
from kalends.store.rows.reviews import Sender
from kalends.values import dates

NAME = "(public form)"  # of the author of such events; no person can have it
PURPOSE = "submit"
SHORTEST, LONGEST = timedelta(seconds=3), timedelta(hours=24)  # that a person has the form open
MOST_PER_HOUR = 5  # of one address


def stamp(work: UnitOfWork) -> str:
    """When a form was opened, signed: a program that sends at once, or an old form again and again, is refused."""
    text = work.now_text.replace(" ", "T")
    return f"{text}.{signing.sign(work.session, PURPOSE, text)}"


def is_plausible(work: UnitOfWork, written: str) -> bool:
    text, _, signature = written.partition(".")
    if not signing.is_signed(work.session, PURPOSE, text, signature):
        return False
    return SHORTEST <= work.now - dates.from_text(text.replace("T", " ")) <= LONGEST


def count_submission(session: Session, address: str, now: datetime) -> None:
    """Counts the events that an address has sent in this hour."""
    hour = now.replace(minute=0, second=0)
    granted, _ = throttling.consume_requests(session, f"submit {address}", hour, 1, MOST_PER_HOUR)
    if not granted:
        seconds = int((hour + timedelta(hours=1) - now).total_seconds()) + 1
        raise ApiError(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)


def author(session: Session, now: datetime) -> Caller:
    """Whose the events of the form are: the service itself, which may do here what a contributor may, and to which
    what others have sent is unknown."""
    return Caller(users.service_user(session, NAME, now), NAME, Role.CONTRIBUTOR, for_anybody=True)


def submit(work: UnitOfWork, reading: Reading, sender: Sender) -> Post:
    """Saves the event; the caller of `work` is the `author`. It needs what the form asks for and events need."""
    missing = [
        row.name
        for row in defined_fields(work.settings)
        if row.required and row.is_asked and reading.values.get(row.name) in (None, "")
    ]
    if missing:
        raise ApiError(MISSING_PARAM, {"params": missing}, names=", ".join(missing))
    reading.values["status"] = PENDING
    event = operations.create(work, EVENT, reading)
    reviews.add_sender(work.session, event.id, sender)
    return event


def submit_event(
    calendar: Transactions,
    reading: Reading,
    sender: Sender,
    picture: tuple[bytes, str] | None,
    address: str,
    base_url: str,
) -> Post:
    """Saves an event that somebody sent by the public form from this address, with its picture or not at all.
    Raises NotAnImage, ImageTooLarge or ImagesBusy."""
    with calendar.store.write() as session:
        count_submission(session, address, calendar.clock())
        by = author(session, calendar.clock())
    saved = saved_picture(calendar, by, *picture) if picture else nullcontext()
    with saved as stored, calendar.writing(by, base_url) as work:
        if stored is not None:
            reading.values["image"] = image_store.insert_record(work, stored).id
        return submit(work, reading, sender)
