"""Secret links to the page of an event that is not public yet, for people without an account."""

from datetime import timedelta

from kalends.calendar import signing
from kalends.calendar.posts import posts
from kalends.calendar.posts.shown import Shown
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NOT_FOUND, ApiError
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import TRASH
from kalends.store.query.visibility import Visibility
from kalends.store.rows.bundles import bundle_events
from kalends.store.rows.records import Event

PURPOSE = "preview"
LIFETIME = timedelta(days=30)


def key_of(work: UnitOfWork, id: int) -> str:
    """The key of the link, for those who can edit the event. It is good for some weeks."""
    posts.writable(work, EVENT, id)
    text = f"{id}-{(work.now + LIFETIME):%Y%m%d}"
    return f"{text}-{signing.sign(work.session, PURPOSE, text)}"


def read(work: UnitOfWork, key: str) -> Shown:
    """The event of a key, with everything that it shows. In the trash it is gone."""
    text, _, signature = key.rpartition("-")
    if not signing.is_signed(work.session, PURPOSE, text, signature):
        raise ApiError(NOT_FOUND[EVENT.name])
    id, _, until = text.partition("-")
    if f"{work.now:%Y%m%d}" > until:
        raise ApiError(NOT_FOUND[EVENT.name])
    event = posts.find(work, EVENT, int(id))
    if event.status == TRASH or not isinstance(event, Event):
        raise ApiError(NOT_FOUND[EVENT.name])
    return event, bundle_events(work.session, Visibility(everything=True), [event])[0]
