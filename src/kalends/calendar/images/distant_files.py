"""Image files that are elsewhere: who waits for them gives the turn up meanwhile."""

from datetime import datetime

from kalends.calendar.admission import FETCH, WORKER
from kalends.store.files.media_files import MediaFiles, OpenFile


class DistantFiles:
    """The files of a bucket, for threads that answer requests."""

    def __init__(self, files: MediaFiles) -> None:
        self._files = files

    def check(self) -> None:
        self._files.check()

    def save(self, name: str, data: bytes) -> None:
        with WORKER.aside(FETCH):
            self._files.save(name, data)

    def read(self, name: str) -> bytes:
        with WORKER.aside(FETCH):
            return self._files.read(name)

    def open(self, name: str) -> OpenFile:
        """Its pieces are read by a thread that has no turn (`http/messages/responses.py`)."""
        with WORKER.aside(FETCH):
            return self._files.open(name)

    def remove(self, name: str) -> None:
        """Never refused: what should be removed would stay."""
        with WORKER.aside(goes_on=True):
            self._files.remove(name)

    def names(self) -> set[str]:
        return self._files.names()

    def remove_unfinished(self, before: datetime) -> None:
        self._files.remove_unfinished(before)
