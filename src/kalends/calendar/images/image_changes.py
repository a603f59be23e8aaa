"""Changes and deletes stored images; an image itself is never replaced."""

import re
from collections.abc import Callable

from kalends.calendar import site_settings
from kalends.calendar.access import PUBLIC, Caller, may_edit, may_edit_others, may_manage_users, may_upload, require
from kalends.calendar.images import image_store
from kalends.calendar.posts import referring
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import (
    FOREIGN_AUTHOR,
    IMAGE_OF_OTHERS,
    OUT_OF_BOUNDS,
    UNKNOWN,
    WRONG_FORMAT,
    ApiError,
    FieldError,
    Problems,
)
from kalends.contract.fields import Reading
from kalends.contract.kinds import POSTS, Kind
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.query import media_lists
from kalends.store.query.media_lists import MediaQuery
from kalends.store.rows import journal, media, posts, users
from kalends.store.rows.records import Media, Post
from kalends.values import markup

LONGEST_ALT = 1000
FOCUS = re.compile(r"(?:100|[0-9]{1,2})% (?:100|[0-9]{1,2})%", re.ASCII)


def may_change(caller: Caller, image: Media) -> bool:
    """The uploader of an image can change it, and callers who can edit the records of others."""
    return may_edit_others(caller) or (may_upload(caller) and image.author == caller.user)


def change(work: UnitOfWork, id: int, reading: Reading) -> Media:
    """Gives an image to another author, or says what it shows."""
    image = writable(work, id)
    author = reading.values.get("author")
    if isinstance(author, int) and author != image.author:
        if not may_edit_others(work.caller):
            raise ApiError(FOREIGN_AUTHOR)
        if not users.is_author(work.session, author):
            reading.problems.add("author", FieldError(UNKNOWN, N_("is not the id of a user.")))
    reading.problems.raise_any()
    if isinstance(author, int) and author != image.author:
        media.change_author(work.session, id, author)
        image.author = author
        _journal(work, image, journal.UPDATE)
    if "alt" in reading.values:
        return describe(work, id, str(reading.values["alt"]), image.focus)
    return image


def describe(
    work: UnitOfWork, id: int, alt: str, focus: str, precondition: Callable[[Media], None] | None = None
) -> Media:
    """Says what an image shows, and which point of it stays visible when it is cropped. `precondition` is called with
    the image as it was."""
    image = writable(work, id)
    if precondition is not None:
        precondition(image)
    line = check_description(alt, focus)
    if (line, focus) != (image.alt, image.focus):
        image.alt, image.focus = line, focus
        media.describe(work.session, id, line, focus)
        _journal(work, image, journal.UPDATE)
    return image


def check_description(alt: str, focus: str) -> str:
    """The alternative text as it is stored."""
    line, problems = markup.plain(alt), Problems()
    if len(line) > LONGEST_ALT:
        problem = FieldError(OUT_OF_BOUNDS, N_("must have at most {maximum} characters."), maximum=LONGEST_ALT)
        problems.add("alt", problem)
    if focus and FOCUS.fullmatch(focus) is None:
        problems.add("focus", FieldError(WRONG_FORMAT, N_("must be two percentages.")))
    problems.raise_any()
    return line


def library(work: UnitOfWork, search: str, number: int, size: int, *, unused: bool) -> tuple[int, list[Media]]:
    """A page of the pictures that the caller may change, and how many there are."""
    require(may_upload(work.caller), work.caller)
    query = MediaQuery(
        work.visibility,
        work.caller.user,
        search=search or None,
        unused=unused,
        logo=work.settings.logo,
        only_own=True,
    )
    ids = media_lists.page(work.session, query, size, (number - 1) * size)
    found = media.find_many(work.session, ids)
    return media_lists.total(work.session, query), [found[id] for id in ids]


def uses(work: UnitOfWork, id: int) -> list[tuple[Kind, Post]]:
    """The records that show an image, of those that the caller can read."""
    return [
        (kind, post)
        for kind in POSTS
        for post in posts.find_many(work.session, kind.name, media.shown_by(work.session, kind.name, id)).values()
        if work.visibility.can_read(post)
    ]


def is_used(work: UnitOfWork, id: int) -> bool:
    """Whether the site or any record shows an image, readable or not."""
    image = media.find(work.session, id)
    return referring.shows_image(work.session, id) or (image is not None and is_logo(work.settings, image))


def is_logo(settings: Settings, image: Media) -> bool:
    """Whether the site shows an image, in any of its sizes, beside its name."""
    return bool(settings.logo) and settings.logo in (image.file, *(size["file"] for size in image.sizes.values()))


def delete(work: UnitOfWork, id: int) -> Media:
    """Deletes an image for good, if the caller can edit all that shows it: that has none any more. Its files are
    removed afterwards."""
    image = writable(work, id)
    if is_logo(work.settings, image):
        require(may_manage_users(work.caller), work.caller)  # as for the settings of the site
        if site_settings.stored(work.session).get("logo") == work.settings.logo:
            site_settings.save(work.session, {"logo": ""}, work.now)
    if not all(may_edit(work.caller, post) for post in referring.showing_image(work.session, id)):
        raise ApiError(IMAGE_OF_OTHERS)
    referring.forget_image(work, id)
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
