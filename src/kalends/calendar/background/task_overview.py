"""What administrators see of work for later, and can do about it."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.calendar.access import may_manage_site, require, require_to_read
from kalends.calendar.background.background import counts
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import NO_ROUTE, ApiError
from kalends.store.rows import tasks
from kalends.store.rows.tasks import Count, Task

MOST_FAILED = 100


class State(NamedTuple):
    """How much of each kind there is, and what failed, the latest first."""

    counts: Sequence[Count]
    failed: Sequence[Task]


def state(work: UnitOfWork) -> State:
    require_to_read(may_manage_site(work.caller), work.caller)
    return State(counts(work.session, work.now), tasks.failed(work.session, MOST_FAILED))


def run_again(work: UnitOfWork, kind: str, key: str) -> None:
    """Runs a task that failed at once."""
    require(may_manage_site(work.caller), work.caller)
    found = tasks.find(work.session, kind, key)
    if found is None:
        raise ApiError(NO_ROUTE)
    tasks.add(work.session, kind, key, work.now_text, found.payload, found.rev)
