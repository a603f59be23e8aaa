"""Secret links to the page of an event that is not public yet, for people without an account.

A link shows what the person who made it can read, at the moment when it is used. It ends when that person may not
edit the event any more, and when the event is public or in the trash.
"""

from datetime import timedelta

from kalends.calendar import signing
from kalends.calendar.access import PUBLIC, may_edit
from kalends.calendar.accounts import users
from kalends.calendar.images.image_store import can_see_image
from kalends.calendar.posts import posts
from kalends.calendar.posts.shown import Shown, show
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NO_MEDIA, NOT_FOUND, ApiError
from kalends.contract.kinds import EVENT
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.store.rows import media
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import users as stored_users
from kalends.store.rows.records import Event, Media

PURPOSE = "preview"
LIFETIME = timedelta(days=30)


def key_of(work: UnitOfWork, id: int) -> str:
    """The key of the link, for those who can edit the event. It names who made it, and is good for some weeks."""
    posts.writable(work, EVENT, id)
    text = f"{id}-{work.caller.user}-{(work.now + LIFETIME):%Y%m%d}"
    return f"{text}-{signing.sign(work.session, PURPOSE, text)}"


def read(work: UnitOfWork, key: str) -> Shown:
    """The event of a key, with what its maker sees of it."""
    return show(*_opened(work, key))


def read_image(work: UnitOfWork, key: str, file: str) -> Media:
    """An image of the page that the key leads to, by the name of one of its files."""
    event, bundle = show(*_opened(work, key))
    shown = {record.image for record in (event, *bundle.venues, *bundle.organizers)}
    image = media.find_by_file(work.session, file)
    if image is None or not (image.id in shown or can_see_image(work.session, PUBLIC, 0, image)):
        raise ApiError(NO_MEDIA)
    return image


def _opened(work: UnitOfWork, key: str) -> tuple[UnitOfWork, Event]:
    """The event, and the work of the maker of its link, whose rights are asked anew."""
    text, _, signature = key.rpartition("-")
    if not signing.is_signed(work.session, PURPOSE, text, signature) or text.count("-") != 2:
        raise ApiError(NOT_FOUND[EVENT.name])
    id, user, until = text.split("-")
    maker = stored_users.find_user(work.session, int(user))
    event = stored_posts.find(work.session, EVENT.name, int(id))
    if maker is None or maker.disabled or f"{work.now:%Y%m%d}" > until or not isinstance(event, Event):
        raise ApiError(NOT_FOUND[EVENT.name])
    caller = users.caller_of(maker)
    if event.status in (PUBLISH, TRASH) or not may_edit(caller, event):
        raise ApiError(NOT_FOUND[EVENT.name])
    return UnitOfWork(work.session, caller, work.now, work.settings, work.base_url), event
