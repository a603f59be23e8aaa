"""Stores images: their files, their records, and which callers can see them."""

import secrets
from contextlib import suppress
from urllib.parse import unquote, urlsplit

from kalends.calendar.access import Caller
from kalends.calendar.images.fetching import FetchLimits, FetchRefused, fetch_image
from kalends.calendar.images.image_process import ImagesBusy, read_picture
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, Picture
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NO_MEDIA, UNAVAILABLE, WRONG_FORMAT, ApiError, FieldError
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.files.media_files import MediaFiles, MediaUnavailable
from kalends.store.rows import journal, media, sequence
from kalends.store.rows.records import Media
from kalends.store.rows.visibility import Visibility
from kalends.values import names

MEDIA_PATH = "/media/"
MOST_FETCHES = 10
LONGEST_STEM = 200


def can_see_image(session: Session, visibility: Visibility, user: int, image: Media) -> bool:
    """Callers see an image if they can see a record that shows it, or have uploaded it."""
    if visibility.everything or (user and image.author == user):
        return True
    return media.is_shown(session, visibility, image.id)


def read(work: UnitOfWork, id: int | None, file: str) -> Media:
    """An image by its id or by the name of one of its files."""
    image = media.find_by_file(work.session, file) if id is None else media.find(work.session, id)
    if image is None or not can_see_image(work.session, work.visibility, work.caller.user, image):
        raise ApiError(NO_MEDIA)
    return image


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
        raise FieldError(WRONG_FORMAT, N_("does not lead to an image (PNG, JPEG, GIF, WebP or AVIF).")) from None
    except ImageTooLarge:
        raise FieldError(WRONG_FORMAT, N_("leads to an image with too many pixels.")) from None
    except ImagesBusy:
        raise ApiError(UNAVAILABLE, headers={"Retry-After": "5"}) from None


def save_files(files: MediaFiles, picture: Picture, stem: str, caller: Caller, at: str, file: str = "") -> Media:
    """Stores the files of a picture and its sizes; the record that names them has no id yet. `file`: the name to use,
    which the picture had in another calendar. Raises FileExistsError if it is taken."""
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
    image.id = sequence.next_number(work.session, "post")
    is_taken = source_url is not None and media.find_by_source(work.session, source_url) is not None
    image.source_url = None if is_taken else source_url
    media.insert(work.session, image)
    journal.record(work.session, "media", image.id, journal.CREATE, public=False, at=work.now_text)
    return image
