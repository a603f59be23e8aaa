"""An export with its images: a zip archive with the JSON document and the original of each image."""

import zipfile
from typing import BinaryIO

from kalends.features.exporting import json_export
from kalends.features.exporting.selection import ExportError, ExportSelection
from kalends.store.files.media_files import MissingFile
from kalends.store.rows.records import Media

DOCUMENT = "calendar.json"
IMAGES = "media/"
# The same calendar gives the same bytes, so no file has a time of its own.
EPOCH = (1980, 1, 1, 0, 0, 0)


def write(selection: ExportSelection, target: BinaryIO) -> None:
    """Writes the archive, piece by piece."""
    with zipfile.ZipFile(target, "w") as archive:
        with archive.open(_entry(DOCUMENT, zipfile.ZIP_DEFLATED), "w", force_zip64=True) as document:
            for piece in json_export.write(selection, name_of):
                document.write(piece)
        for image in selection.images():
            try:
                data = selection.calendar.files.read(image.file)
            except MissingFile:
                raise ExportError(f"the image {image.file} is missing") from None
            with archive.open(_entry(name_of(image), zipfile.ZIP_STORED), "w", force_zip64=True) as file:
                file.write(data)


def name_of(image: Media) -> str:
    """The name of an image in the archive."""
    return IMAGES + image.file


def _entry(name: str, compression: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = compression
    entry.external_attr = 0o600 << 16
    return entry
