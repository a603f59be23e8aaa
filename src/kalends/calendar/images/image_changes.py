"""Changes and deletes stored images, for clients of WordPress; an image itself is never replaced."""

import msgspec

from kalends.calendar.access import PUBLIC, Caller, may_edit_others, may_upload, require
from kalends.calendar.images import image_store
from kalends.calendar.posts import posts as calendar_posts
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import FOREIGN_AUTHOR, UNKNOWN, ApiError, FieldError
from kalends.contract.fields import Reading
from kalends.contract.kinds import POSTS
from kalends.languages import N_
from kalends.store.rows import journal, media, posts, users
from kalends.store.rows.records import Media


def may_change(caller: Caller, image: Media) -> bool:
    """Who uploaded an image may change it, and who may edit the records of others."""
    return may_edit_others(caller) or (may_upload(caller) and image.author == caller.user)


def change(work: UnitOfWork, id: int, reading: Reading) -> Media:
    """Gives an image to another author."""
    image = writable(work, id)
    author = reading.values.get("author")
    if isinstance(author, int) and author != image.author:
        if not may_edit_others(work.caller):
            raise ApiError(FOREIGN_AUTHOR)
        if users.find_user(work.session, author) is None:
            reading.problems.add("author", FieldError(UNKNOWN, N_("is not the id of a user.")))
    reading.problems.raise_any()
    if isinstance(author, int) and author != image.author:
        media.change_author(work.session, id, author)
        image.author = author
        _journal(work, image, journal.UPDATE)
    return image


def delete(work: UnitOfWork, id: int) -> Media:
    """Deletes an image for good. The records that showed it have none any more; its files are removed afterwards."""
    image = writable(work, id)
    for kind in POSTS:
        for post_id in media.shown_by(work.session, kind.name, id):
            post = posts.find(work.session, kind.name, post_id)
            if post is not None:
                before = msgspec.structs.replace(post)
                post.image = None
                calendar_posts.save(work, kind, before, post, {})
    media.delete(work.session, id)
    _journal(work, image, journal.DELETE)
    return image


def writable(work: UnitOfWork, id: int) -> Media:
    """The image, if the caller may change it."""
    image = image_store.read(work, id, "")
    require(may_change(work.caller, image), work.caller)
    return image


def _journal(work: UnitOfWork, image: Media, action: str) -> None:
    public = media.is_shown(work.session, PUBLIC, image.id)
    journal.record(work.session, "media", image.id, action, public=public, at=work.now_text)
