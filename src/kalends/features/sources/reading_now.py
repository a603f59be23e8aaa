"""Reads a source at once, because a person asks for it."""

import time
from functools import partial

from kalends.calendar.access import Caller, may_manage_site, require
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.service import Calendar
from kalends.features.sources import rules
from kalends.features.sources.reading import Reader
from kalends.features.sources.rows import TASK
from kalends.features.sources.rules import SourceState
from kalends.store.rows import tasks

AWAITED = 25.0  # seconds that a person waits for a read, which goes on if it takes longer


def read_now(calendar: Calendar, caller: Caller, id: int) -> SourceState:
    """Reads a source at once, in this process; how it is then. What takes long goes on in the background."""
    require(may_manage_site(caller), caller)
    calendar.read_latest(caller, rules.find, id)
    read_and_wait(calendar, id)
    return calendar.read_latest(caller, rules.find, id)


def read_and_wait(calendar: Calendar, id: int) -> None:
    """Reads a source for somebody who waits, but not for ever. Their right was asked."""
    key = str(id)
    with calendar.store.write() as session:
        is_held = calendar.background.hold(session, TASK, key)
    if is_held:
        calendar.background.begin(TASK, key, partial(Reader(calendar).run, asked=True))
    until = time.monotonic() + AWAITED
    with WORKER.released(FETCH):
        while is_under_way(calendar, id) and time.monotonic() < until:
            time.sleep(0.02)


def is_under_way(calendar: Calendar, id: int) -> bool:
    """Whether some process reads a source just now."""
    with calendar.store.read() as session:
        task = tasks.find(session, TASK, str(id))
    return task is not None and bool(task.holder)
