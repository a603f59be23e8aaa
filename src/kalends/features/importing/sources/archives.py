"""Files in an archive of an export, read however the archive is damaged."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from kalends.features.importing.sources.files import FileSource
from kalends.languages import N_

LARGEST_RATIO = 300  # of a file to its compressed form
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1  # a flag of an entry
NOT_PLAIN = N_("{file}: {name} in it is encrypted, or packed in a way that is not read; pack it as a plain zip")
MISSING = N_("{file} has no {name}")
# What zipfile raises: besides its own error, those of its parts for positions and lengths that cannot be.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, OverflowError)


def is_archive(source: FileSource) -> bool:
    with source.opened() as file:
        return file.read(2) == b"PK"


@contextmanager
def opened(source: FileSource, name: str, missing: str = MISSING) -> Iterator[IO[bytes]]:
    """A file in an archive. Raises SourceError, also while it is read; with the sentence `missing` if there is none
    of this name."""
    if not is_archive(source):
        raise source.refused(missing, name=name)
    try:
        with zipfile.ZipFile(source.path) as archive, archive.open(_entry(source, archive, name, missing)) as file:
            yield file
    except DAMAGED as error:
        sentence = N_("{file}: the archive is damaged ({reason}); export it again")
        raise source.refused(sentence, reason=str(error)) from None


def _entry(source: FileSource, archive: zipfile.ZipFile, name: str, missing: str) -> zipfile.ZipInfo:
    try:
        entry = archive.getinfo(name)
    except KeyError:
        raise source.refused(missing, name=name) from None
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in PACKED:
        raise source.refused(NOT_PLAIN, name=name)
    if entry.file_size > LARGEST_RATIO * max(entry.compress_size, 1000):
        raise source.refused(N_("{file}: {name} in it is far larger than it should be"), name=name)
    return entry
