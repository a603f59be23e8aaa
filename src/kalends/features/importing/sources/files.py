"""What all files have in common: how they are opened, refused, counted through and recognised again."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import IO

from kalends.contract.types.texts import LONGEST_SOURCE
from kalends.features.importing.records.record import Item, Record, SourceError
from kalends.languages import N_
from kalends.values import markup

SAMPLE = 65_536
POSITIONS = b"3"  # changes with what `items` counts, so that no import goes on at another record


class FileSource:
    """A file. `name` is what its records remember: another file of that name is a newer one of the same."""

    remarks: Sequence[str] = ()
    lost: Mapping[str, int] = MappingProxyType({})

    def __init__(self, path: Path, name: str = "", label: str = "") -> None:
        self.path = path
        self.name = source_name(name or path.name)
        self.label = label or path.name
        self._found = set[str]()  # sources that records of the file have instead of its name

    @property
    def sources(self) -> Set[str]:
        return {self.name, *self._found}

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

    def items(self, start: str) -> Iterator[Item]:
        """Its items with their number as the position; those up to `start` are left out."""
        first = int(start) if start.isdigit() else 0
        for number, item in enumerate(self.read(), 1):
            if isinstance(item, Record):
                self._found.add(item.ref.source)
            if number <= first:
                continue
            if isinstance(item, Record):
                item.position = str(number)
                yield item
            else:
                yield replace(item, position=str(number))

    def read(self) -> Iterator[Item]:
        """Everything that the file has."""
        raise NotImplementedError

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The file. Raises SourceError, also while it is read."""
        try:
            with self.path.open("rb") as file:
                yield file
        except OSError as error:
            raise self.refused(N_("{file} cannot be read: {reason}"), reason=error.strerror) from None

    def refused(self, sentence: str, /, **arguments: object) -> SourceError:
        """An error that names the file."""
        return SourceError(sentence, file=self.label, **arguments)


def source_name(written: str) -> str:
    """A name that can be part of an address."""
    return markup.plain(written.replace("/", "~"))[:LONGEST_SOURCE].strip() or "import"
