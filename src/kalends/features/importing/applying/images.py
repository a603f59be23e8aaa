"""Stores the images of records, before the transaction that names them."""

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from kalends.calendar.access import Caller, UnitOfWork
from kalends.calendar.fetching.reach import ANYWHERE, PUBLIC
from kalends.calendar.images import image_store
from kalends.calendar.images.fetching import FetchLimits, FetchRefused, fetch_image
from kalends.calendar.images.image_helpers import ImagesBusy, read_picture
from kalends.calendar.images.processing import ImageTooLarge, NotAnImage, Picture
from kalends.calendar.service import Calendar
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import ImageRef, Record, SourceError
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.files.media_files import MissingFile
from kalends.store.rows import media
from kalends.store.rows.records import Media
from kalends.values import dates

# The name of an original as Kalends gives it.
FILE_NAME = re.compile(r"[0-9]{4}/[0-9]{2}/[\w-]{1,80}-[0-9a-f]{8}\.[a-z]{3,4}")
LEFT_OUT = N_("left out: image {address}: {reason}")
AT_ONCE = 4  # fetches, whose bytes are in memory together

Fetch = Callable[[str], Picture]


class ImageFailed(Exception):
    """An image that is left out; the record comes without it."""

    def __init__(self, reason: str) -> None:
        super().__init__(str(reason))
        self.reason = reason


def guarded_fetch(calendar: Calendar, *, allow_private: bool, private_host: str = "") -> Fetch:
    """Fetches images for an import. `allow_private`: an administrator lets it reach internal addresses; with
    `private_host` only those of that host, so that a site cannot name others inside of the network."""
    settings = calendar.settings
    limits = FetchLimits(max_bytes=settings.max_image, timeout=settings.image_timeout)

    def fetch(url: str) -> Picture:
        is_private = allow_private and private_host in ("", urlsplit(url).hostname)
        try:
            return read_picture(fetch_image(url, limits, ANYWHERE if is_private else PUBLIC))
        except FetchRefused as refused:
            raise ImageFailed(ImportMessage(str(refused))) from None

    return fetch


@contextmanager
def stored(
    calendar: Calendar, caller: Caller, fetch: Fetch, records: Sequence[Record], known: dict[str, int | None]
) -> Iterator[dict[str, Media]]:
    """The new images of some records by their keys, with their files stored; those that have a record already are
    added to `known`. Files without a record at the end are removed."""
    wanted = {
        record.image.key: (record.image, record)
        for record in records
        if record.image is not None and record.image.key not in known
    }
    with calendar.store.read() as session:
        here = {key: _find(session, image) for key, (image, _) in wanted.items()}
    for key, found in here.items():
        if found is not None and _is_same(calendar, found, wanted[key][0]):
            known[key] = found.id
            del wanted[key]
    at = dates.text(calendar.clock())
    images: dict[str, Media] = {}
    try:
        for key, image, record, picture in _pictures(fetch, wanted):
            if isinstance(picture, Picture):
                images[key] = _save(calendar, caller, image, picture, at)
            else:
                known[key] = None
                record.notes.append(ImportMessage(LEFT_OUT, address=key, reason=picture))
        yield images
    except BaseException:
        for one in images.values():
            image_store.remove_files(calendar.files, one)
        raise
    for one in images.values():
        if not one.id:
            image_store.remove_files(calendar.files, one)


def _find(session: Session, image: ImageRef) -> Media | None:
    """The image here that came from the same address, or has the name that one of an archive has there."""
    return media.find_by_source(session, image.url) if image.url else media.find_by_file(session, image.file)


def _is_same(calendar: Calendar, here: Media, image: ImageRef) -> bool:
    """Whether an image of an archive is this one: names of files are the same by chance, too."""
    if image.read is None:
        return True
    try:
        return calendar.files.read(here.file) == image.read()
    except (MissingFile, SourceError):
        return False


def insert(
    work: UnitOfWork, images: dict[str, Media], known: dict[str, int | None], records: Sequence[Record]
) -> None:
    """Inserts the records of stored images. One that had a record before the transaction can be deleted by now."""
    there = media.find_many(work.session, [id for id in known.values() if id is not None])
    for key, id in known.items():
        if id is not None and id not in there:
            known[key] = None
            reason = ImportMessage(N_("it was deleted a moment ago; import again to have it"))
            for record in (one for one in records if one.image is not None and one.image.key == key):
                record.notes.append(ImportMessage(LEFT_OUT, address=key, reason=reason))
    for key, image in images.items():
        image_store.insert_record(work, image, image.source_url)
        known[key] = image.id


def _pictures(
    fetch: Fetch, wanted: dict[str, tuple[ImageRef, Record]]
) -> Iterator[tuple[str, ImageRef, Record, Picture | str]]:
    """Each image, or why there is none. A few are fetched at once, and no more than these are in memory."""

    def read(image: ImageRef) -> Picture | str:
        try:
            if image.read is not None:
                return read_picture(image.read())
            return fetch(image.url)
        except SourceError as failed:
            return failed.message
        except ImageFailed as failed:
            return failed.reason
        except NotAnImage:
            return ImportMessage(N_("it is not an image (PNG, JPEG, GIF, WebP, AVIF or HEIC)"))
        except ImageTooLarge:
            return ImportMessage(N_("it has too many pixels"))
        except ImagesBusy:
            return ImportMessage(N_("images are busy; import again to have it"))

    entries = list(wanted.items())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for first in range(0, len(entries), AT_ONCE):
            some = entries[first : first + AT_ONCE]
            pictures = pool.map(read, [image for _, (image, _) in some])
            for (key, (image, record)), picture in zip(some, pictures, strict=True):
                yield key, image, record, picture


def _save(calendar: Calendar, caller: Caller, image: ImageRef, picture: Picture, at: str) -> Media:
    path = urlsplit(image.url).path
    stem = PurePosixPath(path or image.file).stem
    saved: Media | None = None
    # An image of another Kalends keeps its name, and so its address when the whole site moves.
    file = image.file or path.rpartition("/media/")[2]
    if FILE_NAME.fullmatch(file) and file.endswith(f".{picture.extension}"):
        try:
            saved = image_store.save_files(calendar.files, picture, stem, caller, at, file=file)
        except FileExistsError:
            stem = f"{stem}-{secrets.token_hex(2)}"
    saved = saved or image_store.save_files(calendar.files, picture, stem, caller, at)
    saved.source_url = image.url or None
    return saved
