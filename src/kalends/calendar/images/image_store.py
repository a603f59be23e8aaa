"""Stores images: their files, their records, which callers can see them, and who changes and deletes them; an image
itself is never replaced."""

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from urllib.parse import unquote, urlsplit

import msgspec

from kalends.calendar import site_settings
from kalends.calendar.access import (
    PUBLIC,
    Caller,
    UnitOfWork,
    may_edit_others,
    may_manage_users,
    may_publish,
    may_upload,
    require,
)
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.images.fetching import FetchLimits, FetchRefused, fetch_image
from kalends.calendar.images.image_helpers import ImagesBusy, read_picture
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, Picture
from kalends.calendar.storing import referring
from kalends.calendar.transactions import Transactions
from kalends.contract import rights
from kalends.contract.errors import (
    FOREIGN_AUTHOR,
    IMAGE_OF_OTHERS,
    NO_MEDIA,
    OUT_OF_BOUNDS,
    UNAVAILABLE,
    UNKNOWN,
    WRONG_FORMAT,
    ApiError,
    FieldError,
    Problems,
)
from kalends.contract.fields import Reading
from kalends.contract.kinds import POSTS, Kind
from kalends.contract.roles import Role
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.files.media_files import MediaFiles, MediaUnavailable
from kalends.store.query import lists
from kalends.store.query.list_query import MEDIA, ImageFilters, ListQuery
from kalends.store.rows import journal, media, posts, tables, users
from kalends.store.rows.records import Media, Post
from kalends.store.rows.visibility import Visibility
from kalends.values import markup, names

MEDIA_PATH = "/media/"
MOST_FETCHES = 10
LONGEST_STEM = 200
LONGEST_ALT = 1000
READERS_OF_ALL = [role.name.lower() for role in Role if role >= rights.READ_OTHERS.least]
FOCUS = re.compile(r"(?:100|[0-9]{1,2})% (?:100|[0-9]{1,2})%", re.ASCII)


def can_see_image(session: Session, visibility: Visibility, user: int, image: Media) -> bool:
    """Callers see an image if they can see a record that shows it, or have uploaded it."""
    if visibility.everything or (user and image.author == user):
        return True
    return media.is_visible(session, visibility, image.id)


def read(work: UnitOfWork, *, id: int | None = None, file: str = "") -> Media:
    """An image by its id or by the name of one of its files."""
    image = media.find_by_file(work.session, file) if id is None else media.find(work.session, id)
    if image is None or not (
        can_see_image(work.session, work.visibility, work.caller.user, image)
        or media.is_in_visible_text(work.session, work.visibility, image, READERS_OF_ALL)
    ):
        raise ApiError(NO_MEDIA)
    return image


def size_of(image: Media, file: str) -> int:
    """The bytes of the original or of one of the sizes; 0 if the image has no such file."""
    sizes = {str(size["file"]): int(size["filesize"]) for size in image.sizes.values()}
    return image.filesize if file == image.file else sizes.get(file, 0)


def logo(work: UnitOfWork) -> tuple[str, int, int] | None:
    """The type, width and height of the logo of the site, which everybody sees; None if it has none."""
    file = work.settings.logo
    image = media.find_by_file(work.session, file) if file else None
    if image is None:
        return None
    files = {size["file"]: (size["mime-type"], size["width"], size["height"]) for size in image.sizes.values()}
    return files.get(file, (image.mime_type, image.width, image.height) if file == image.file else None)


def file_of_url(url: str, base_url: str) -> str | None:
    """The stored file that an address under our own names, if it is one."""
    prefix = base_url + MEDIA_PATH
    if not base_url or not url.startswith(prefix):
        return None
    return unquote(urlsplit(url).path.removeprefix(urlsplit(prefix).path))


def fetch(url: str, settings: Settings) -> Picture:
    """The picture at an address. Raises FieldError."""
    limits = FetchLimits(max_bytes=settings.max_image, timeout=settings.image_timeout)
    try:
        return read_picture(fetch_image(url, limits))
    except FetchRefused as refused:
        raise FieldError(
            WRONG_FORMAT, N_("cannot be fetched: {reason}"), reason=FieldError("", str(refused))
        ) from None
    except NotAnImage:
        raise FieldError(
            WRONG_FORMAT, N_("does not lead to an image (PNG, JPEG, GIF, WebP, AVIF or HEIC).")
        ) from None
    except ImageTooLarge:
        raise FieldError(WRONG_FORMAT, N_("leads to an image with too many pixels.")) from None
    except ImagesBusy:
        raise ApiError(UNAVAILABLE, headers={"Retry-After": "5"}) from None


def save_files(
    files: MediaFiles, picture: Picture, stem: str, caller: Caller, at: str, file: str = "", name: str = ""
) -> Media:
    """Stores the files of a picture and its sizes; the record that names them has no id yet. `file`: the name to use,
    which the picture had in another calendar; `name`: as it was uploaded. Raises FileExistsError if it is taken."""
    if not file:
        # The random part makes the name unique without a query.
        stem = f"{names.slugify(stem[:LONGEST_STEM])[:60] or 'image'}-{secrets.token_hex(4)}"
        file = f"{at[:4]}/{at[5:7]}/{stem}.{picture.extension}"
    whole_stem = file.rpartition(".")[0]
    sizes = {
        part.name: {
            "width": part.width,
            "height": part.height,
            "mime-type": part.mime_type,
            "filesize": len(part.data),
            "file": f"{whole_stem}-{part.width}x{part.height}.{picture.extension}",
        }
        for part in picture.renditions
    }
    image = Media(
        author=caller.user,
        file=file,
        extension=picture.extension,
        mime_type=picture.mime_type,
        width=picture.width,
        height=picture.height,
        filesize=len(picture.data),
        sizes=sizes,
        created_utc=at,
        name=name,
        sort_name=media.searched(name, ""),
    )
    # Two sizes may be one: a portrait of 3:4 is as large by its width as by its height.
    contents = {file: picture.data} | {str(sizes[part.name]["file"]): part.data for part in picture.renditions}
    saved: list[str] = []
    try:
        for name, data in contents.items():
            files.save(name, data)
            saved.append(name)
    except BaseException:
        _remove(files, saved)
        raise
    return image


def remove_files(files: MediaFiles, image: Media) -> None:
    """Removes the files again after a failed request."""
    _remove(files, [image.file, *(str(size["file"]) for size in image.sizes.values())])


def _remove(files: MediaFiles, which: list[str]) -> None:
    # Files that cannot be removed now stay; no record names them.
    with suppress(MediaUnavailable):
        for name in which:
            files.remove(name)


def insert_record(work: UnitOfWork, image: Media, source_url: str | None = None) -> Media:
    """Inserts the record of a stored picture. An address that another image has, which this caller cannot see, stays
    with that one."""
    image.id = tables.next_number(work.session, "post")
    is_taken = source_url is not None and media.find_by_source(work.session, source_url) is not None
    image.source_url = None if is_taken else source_url
    media.insert(work.session, image)
    journal.record(work.session, "media", image.id, journal.CREATE, public=False, at=work.now_text)
    return image


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
    # Who cannot publish changes nothing of what is public.
    require(may_publish(work.caller) or not media.is_visible(work.session, PUBLIC, id), work.caller)
    if precondition is not None:
        precondition(image)
    line = check_description(alt, focus)
    if (line, focus) != (image.alt, image.focus):
        image.alt, image.focus = line, focus
        media.describe(work.session, id, line, focus, image.name)
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
    filters = ImageFilters(work.caller.user, words=search or None, unused=unused, logo=work.settings.logo)
    query = ListQuery(work.visibility, kind=MEDIA, order="date", descending=True, only_editable=True, images=filters)
    page = lists.find_page(work.session, query, size, (number - 1) * size)
    found = media.find_many(work.session, page.ids)
    return page.total, [found[id] for id in page.ids]


def uses(work: UnitOfWork, id: int, most: int) -> tuple[int, list[tuple[Kind, Post]]]:
    """How many of the records that the caller can read show an image, and some of them."""
    session, visibility = work.session, work.visibility
    total, found = 0, list[tuple[Kind, Post]]()
    for kind in POSTS:
        total += media.count_uses(session, visibility, kind.name, id)
        some = media.uses(session, visibility, kind.name, id, most - len(found))
        found += [(kind, post) for post in posts.find_many(session, kind.name, some).values()]
    return total, found


def is_used(work: UnitOfWork, id: int) -> bool:
    """Whether the site or any record shows an image, readable or not."""
    image = media.find(work.session, id)
    return referring.shows_image(work.session, id) or (image is not None and is_logo(work.settings, image))


def is_logo(settings: Settings, image: Media) -> bool:
    """Whether the site shows an image, in any of its sizes, beside its name."""
    return bool(settings.logo) and settings.logo in (image.file, *(size["file"] for size in image.sizes.values()))


class ImageDeletion(msgspec.Struct):
    """Of an image, which is there until nothing shows it."""

    image: int


def delete_in_parts(calendar: Transactions, caller: Caller, id: int) -> Media:
    """Deletes an image for good, if the caller can edit all that shows it: that has none any more. Of many records,
    readers find it at some until all have lost it."""
    return long_work.perform(calendar, caller, DELETE, ImageDeletion(id))


def delete(work: UnitOfWork, id: int) -> Media:
    """The same in one transaction."""
    return long_work.whole(work, DELETE, ImageDeletion(id))


def _forget_image(work: UnitOfWork, deletion: ImageDeletion, until: Deadline) -> bool:
    _deletable(work, deletion.image)
    return referring.forget_image(work, deletion.image, until)


def _delete(work: UnitOfWork, deletion: ImageDeletion) -> Media:
    image = _deletable(work, deletion.image)
    if is_logo(work.settings, image) and site_settings.stored(work.session).get("logo") == work.settings.logo:
        site_settings.save(work.session, {"logo": ""}, work.now)
    media.delete(work.session, image.id)
    _journal(work, image, journal.DELETE)
    work.follow_ups["media", str(image.id)] = partial(_remove_files_of, image)
    return image


def _remove_files_of(image: Media, calendar: Transactions) -> list[range]:
    """After the transaction, of which this may have been undone."""
    with calendar.store.read() as session:
        is_gone = media.find(session, image.id) is None
    if is_gone:
        remove_files(calendar.files, image)
    return []


DELETE = LongWork("image-deletion", N_("Take deleted pictures from events"), ImageDeletion, _forget_image, _delete)


def delete_unused(work: UnitOfWork, id: int) -> Media | None:
    """Deletes an image that nothing shows."""
    return None if is_used(work, id) else delete(work, id)


def _deletable(work: UnitOfWork, id: int) -> Media:
    """The image, if the caller may delete it."""
    image = writable(work, id)
    if is_logo(work.settings, image):
        require(may_manage_users(work.caller), work.caller)  # as for the settings of the site
    if referring.is_image_used_by_others(work, id):
        raise ApiError(IMAGE_OF_OTHERS)
    return image


def writable(work: UnitOfWork, id: int) -> Media:
    """The image, if the caller may change it."""
    image = read(work, id=id)
    require(may_change(work.caller, image), work.caller)
    return image


def _journal(work: UnitOfWork, image: Media, action: str) -> None:
    public = media.is_visible(work.session, PUBLIC, image.id)
    journal.record(work.session, "media", image.id, action, public=public, at=work.now_text)
