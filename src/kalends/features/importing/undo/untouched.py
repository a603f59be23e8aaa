"""Whether a record is still what an import left, by its history: then it can be undone without losing what people
did."""

from datetime import timedelta
from typing import Any

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import KIND_OF
from kalends.contract.statuses import TRASH
from kalends.features.importing.matching.identities import find
from kalends.features.importing.undo import change_rows as import_changes
from kalends.features.importing.undo.change_rows import Changed, Entry
from kalends.store.engine.store import Session
from kalends.store.rows import history, journal, links
from kalends.store.rows.records import Event, Post, Term
from kalends.values import dates

OF_STATUS = frozenset({"status", "date_utc", "modified_utc"})  # change when a record is published
GOING = 2  # in `edited`: it was decided that a series goes, and some of its dates are gone


def has_history(work: UnitOfWork, entry: Entry) -> bool:
    """Whether every version since a run is still kept."""
    days = work.settings.history_days
    return days > 0 and entry.began_utc > dates.text(work.now - timedelta(days=days))


def before_run(session: Session, row: Changed) -> tuple[int, dict[str, Any]] | None:
    """What a record was before a run changed it, and the number of that change."""
    return history.earliest(session, row.kind, row.id, row.first_rev, row.rev)


def is_untouched(work: UnitOfWork, row: Changed, record: Post | Term, *, has_history: bool) -> bool:
    """Whether nobody has changed a record since a run; what the clock publishes has no version. What the run made may
    have been moved to the trash, and no more."""
    if row.edited == 1:
        return False
    if record.rev == row.rev:
        return True
    if not has_history:
        return False
    is_trashed = row.action == journal.CREATE and getattr(record, "status", "") == TRASH
    return import_changes.count_since(work.session, row) <= is_trashed or _was_only_published(work, row, record)


def _was_only_published(work: UnitOfWork, row: Changed, record: Post | Term) -> bool:
    """Whether a record that a run made is as it was but for its status."""
    left = history.earliest(work.session, row.kind, row.id, row.rev + 1)
    if row.action != journal.CREATE or left is None or not isinstance(record, Post):
        return False
    linked = links.targets_of_many(work.session, [row.id]) if isinstance(record, Event) else {}
    now = history.version_data(record, {of: targets[row.id] for of, targets in linked.items()})
    now, before = (
        {name: value for name, value in data.items() if name not in OF_STATUS}
        for data in (msgspec.json.decode(msgspec.json.encode(now)), left[1])
    )
    return bool(now == before)


def edited_since(
    work: UnitOfWork, entry: Entry, kind: str, most: int
) -> tuple[list[tuple[Changed, Post | Term]], int]:
    """Records of a kind that somebody has changed since a run, as far as there is time to look, and how many more
    there may be."""
    found, is_kept = [], has_history(work, entry)
    rows = import_changes.changed_since(work.session, entry.id, kind)
    for row in rows[:most]:
        record = find(work.session, KIND_OF[kind], row.id)
        if record is not None and not is_untouched(work, row, record, has_history=is_kept):
            found.append((row, record))
    return found, max(len(rows) - most, 0)
