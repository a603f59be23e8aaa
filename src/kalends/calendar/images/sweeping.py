"""Removes files that no image names, a day after they were first found so.

A process that is killed between saving a picture and its record, or between deleting a record and its files, leaves
such files. A day passes so that nothing is taken that is on its way, and that the operator who put an older database
beside newer images finds them still there. When each was found is kept in the store, since processes end.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from kalends.calendar.background.task_kinds import Done, Kind, Run
from kalends.languages import N_
from kalends.store.engine.store import Store
from kalends.store.files.media_files import MediaFiles
from kalends.store.rows import media, site
from kalends.values import dates

AGE = timedelta(days=1)
REST = 3600.0  # seconds between two looks
MOST_NOTED = 1000  # the others wait for the next sweep
NOTED = "unnamed_files"  # the key of the site

log = logging.getLogger("kalends")


def work_for_later(store: Store, files: MediaFiles, clock: Callable[[], datetime]) -> Kind:
    def run(run: Run) -> Done:
        sweep(store, files, clock())
        return Done()

    return Kind("files", N_("Files that no picture uses"), run, every=REST)


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
