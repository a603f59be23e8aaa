"""What all files have in common: how they are opened, and how an import of the same file is recognised."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from kalends.contract.texts import LONGEST_SOURCE
from kalends.importing.record import SourceError
from kalends.languages import N_
from kalends.values import markup

SAMPLE = 65_536
POSITIONS = b"2"  # changes with what `numbered` counts, so that no import goes on at another record


class FileSource:
    """A file. `name` is what its records remember: another file of that name is a newer one of the same."""

    remarks: Sequence[str]

    def __init__(self, path: Path, name: str = "", label: str = "") -> None:
        self.path = path
        self.name = source_name(name or path.name)
        self.label = label or path.name

    @property
    def fingerprint(self) -> str:
        """Of the size, the beginning and the end, and of how positions in it are counted."""
        digest = hashlib.blake2b(POSITIONS, digest_size=12)
        with self.opened() as file:
            size = file.seek(0, 2)
            file.seek(0)
            digest.update(str(size).encode() + file.read(SAMPLE))
            file.seek(max(0, size - SAMPLE))
            digest.update(file.read(SAMPLE))
        return digest.hexdigest()

    def opened(self) -> IO[bytes]:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise SourceError(N_("{file} cannot be read: {reason}"), file=self.label, reason=error.strerror) from None


def source_name(written: str) -> str:
    """A name that can be part of an address."""
    return markup.plain(written.replace("/", "~"))[:LONGEST_SOURCE].strip() or "import"
