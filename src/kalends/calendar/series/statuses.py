"""The statuses of the dates of a series: the way to the trash and back, and what all of them are given."""

from kalends.calendar.access import UnitOfWork
from kalends.calendar.posts.apply_fields import NEEDS_PUBLISHING, move_status
from kalends.contract.statuses import DRAFT, PENDING, TRASH
from kalends.store.rows.records import Event


def apply_status(work: UnitOfWork, event: Event, wanted: str | None, *, is_whole: bool) -> None:
    """Gives a date the status of all, unless it has its own. `is_whole`: one that only waited goes along."""
    if is_whole and wanted is not None and event.status in (DRAFT, PENDING):
        event.own_fields = [name for name in event.own_fields if name != "status"]
    move_status(work, event, None if "status" in event.own_fields else wanted)


def trash(event: Event) -> None:
    if event.status != TRASH:
        event.trashed_from, event.status = event.status, TRASH


def restore(event: Event, template: Event, *, publishes: bool) -> None:
    """A date comes back from the trash, as it was before if it has a status of its own."""
    own = event.trashed_from if "status" in event.own_fields else template.status
    event.status, event.trashed_from = allowed(own or template.status, publishes=publishes), ""


def allowed(status: str, *, publishes: bool) -> str:
    """The status for what a person adds: a contributor never publishes."""
    return PENDING if status in NEEDS_PUBLISHING and not publishes else status
