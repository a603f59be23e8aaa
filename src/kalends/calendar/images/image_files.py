"""The files of images: those that are elsewhere, and those that no image names, which are removed after a day."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.languages import N_
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles, OpenFile
from kalends.store.rows import media, site
from kalends.values import dates


class DistantFiles:
    """The files of a bucket, for threads that answer requests: who waits for them gives the turn up meanwhile."""

    def __init__(self, files: MediaFiles) -> None:
        self._files = files

    def check(self) -> None:
        self._files.check()

    def save(self, name: str, data: bytes) -> None:
        with WORKER.released(FETCH):
            self._files.save(name, data)

    def read(self, name: str) -> bytes:
        with WORKER.released(FETCH):
            return self._files.read(name)

    def open(self, name: str) -> OpenFile:
        """Its pieces are read by a thread that has no turn (`http/messages/responses.py`)."""
        with WORKER.released(FETCH):
            return self._files.open(name)

    def remove(self, name: str) -> None:
        """Never refused: what should be removed would stay."""
        with WORKER.released(is_continuation=True):
            self._files.remove(name)

    def names(self) -> set[str]:
        return self._files.names()

    def remove_unfinished(self, before: datetime) -> None:
        self._files.remove_unfinished(before)


# A process that is killed between saving a picture and its record, or between deleting a record and its files, leaves
# such files. A day passes so that nothing is taken that is on its way, and that the operator who put an older
# database beside newer images finds them still there. When each was found is kept in the store, since processes end.

AGE = timedelta(days=1)
REST = 3600.0  # seconds between two looks
MOST_NOTED = 1000  # the others wait for the next sweep
NOTED = "unnamed_files"  # the key of the site

log = logging.getLogger("kalends")


def work_for_later(store: Store, files: MediaFiles, clock: Callable[[], datetime]) -> TaskKind:
    def run(run: Run) -> Done:
        sweep(store, files, clock())
        return Done()

    return TaskKind("files", N_("Delete files of pictures that are gone"), run, every=REST)


def sweep(store: Store, files: MediaFiles, now: datetime) -> int:
    """Notes what no image names, and removes what was noted long enough; how many files were removed."""
    files.remove_unfinished(now - AGE)
    names = files.names()
    with store.read() as session:
        # Read after the folder: an image of which the record came meanwhile is named.
        unnamed = sorted(names.difference(media.all_files(session)))[:MOST_NOTED]
        before = site.read(session, NOTED)
    known: dict[str, str] = msgspec.json.decode(before, type=dict[str, str]) if before else {}
    # Not later than now: a clock that was ahead may have noted it.
    noted = {name: min(known.get(name, dates.text(now)), dates.text(now)) for name in unnamed}
    latest = dates.text(now - AGE)
    removed = [name for name, found in noted.items() if found <= latest]
    for name in removed:
        files.remove(name)
        del noted[name]
    if noted != known:
        with store.write() as session:
            site.write(session, NOTED, msgspec.json.encode(noted).decode())
    if removed:
        log.info("%d files that no image named were removed", len(removed))
    return len(removed)
