"""How much work for later there is: what metrics tell, and what administrators see and can do about it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork, may_manage_site, require, require_to_read
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.store.engine.store import Session
from kalends.store.rows import tasks
from kalends.store.rows.tasks import Count, Task
from kalends.values import dates

MOST_FAILED = 100
LATE = timedelta(minutes=1)  # after which what nobody has taken is late


def counts(session: Session, now: datetime) -> list[Count]:
    """How many tasks there are of each kind, on all nodes."""
    return tasks.counts(session, dates.text(now), dates.text(now - LATE))


class TasksState(NamedTuple):
    """How much of each kind there is, and what failed, the latest first."""

    counts: Sequence[Count]
    failed: Sequence[Task]


def state(work: UnitOfWork) -> TasksState:
    require_to_read(may_manage_site(work.caller), work.caller)
    return TasksState(counts(work.session, work.now), tasks.failed(work.session, MOST_FAILED))


def run_again(work: UnitOfWork, kind: str, key: str) -> None:
    """Runs a task that failed at once."""
    require(may_manage_site(work.caller), work.caller)
    found = tasks.find(work.session, kind, key)
    if found is None:
        raise ApiError(NO_ROUTE)
    tasks.add(work.session, kind, key, work.now_text, found.payload, found.rev)
