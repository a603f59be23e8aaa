"""Images that are uploaded: their files are stored before a change takes the writer's lock, and removed if
it fails or is undone."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath

from kalends.calendar.access import Caller, may_upload, require
from kalends.calendar.images import image_store
from kalends.calendar.images.image_helpers import read_picture
from kalends.calendar.transactions import Transactions
from kalends.store.rows.records import Media
from kalends.values import dates, markup

LONGEST_FILE_NAME = 200  # of an uploaded file, as it is shown


def store_image(calendar: Transactions, caller: Caller, data: bytes, name: str) -> Media:
    """Stores an uploaded image. Raises NotAnImage, ImageTooLarge or ImagesBusy."""
    require(may_upload(caller), caller)
    with saved_picture(calendar, caller, data, name) as stored:
        return calendar.write(caller, image_store.insert_record, stored)


@contextmanager
def saved_picture(calendar: Transactions, caller: Caller, data: bytes, name: str) -> Iterator[Media]:
    """The files of a picture, stored before anything waits for the writer's lock, and removed if that fails. Its
    record has no id yet."""
    picture, stem = read_picture(data), PurePosixPath(name).stem
    at, shown = dates.text(calendar.clock()), markup.plain(PurePosixPath(name).name[-LONGEST_FILE_NAME:])
    stored = image_store.save_files(calendar.files, picture, stem, caller, at, name=shown)
    try:
        yield stored
    except BaseException:
        image_store.remove_files(calendar.files, stored)
        raise
    remove_if_undone(calendar, [stored])


def remove_if_undone(calendar: Transactions, images: Iterable[Media]) -> None:
    """Where the transaction of this write goes on after it, it may still be undone."""
    if (joint := calendar.joint) is not None:
        for image in images:
            joint.when_undone(partial(image_store.remove_files, calendar.files, image))
