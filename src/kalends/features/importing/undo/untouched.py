"""Whether a record is still what an import left, by its history: then it can be undone without losing what people
did."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import KIND_OF
from kalends.features.importing.matching.identities import find
from kalends.features.importing.run_rows import ImportRun
from kalends.features.importing.undo import change_rows
from kalends.features.importing.undo.change_rows import Changed
from kalends.store.engine.store import Session
from kalends.store.rows import change_notes, history, journal, links
from kalends.store.rows.records import Event, Post, Series, Term
from kalends.values import dates

# What is not somebody's work: it follows from other changes. Nor is how public a record is that the import made: it
# may have been published since, or moved to the trash.
FOLLOWS = frozenset({"modified_utc", "own_fields"})
OF_STATUS = frozenset({"status", "trashed_from", "date_utc", "waiting"})
OF_SERIES = frozenset({"filled_to", "author", "status"})


def has_history(work: UnitOfWork, run: ImportRun) -> bool:
    """Whether every version since a run is still kept."""
    days = work.settings.history_days
    return days > 0 and run.began_utc > dates.text(work.now - timedelta(days=days))


def before_run(session: Session, row: Changed) -> tuple[int, dict[str, Any]] | None:
    """What a record was before a run changed it, and the number of that change."""
    return history.earliest(session, row.kind, row.id, row.first_rev, row.rev)


def is_untouched(work: UnitOfWork, run: ImportRun, row: Changed, record: Post | Term) -> bool:
    """Whether a record is what a run left, whatever was done and taken back since; what the clock publishes has no
    version."""
    session = work.session
    if history.is_changed_by_others(session, row.kind, row.id, (row.first_rev, row.rev), run.cause):
        return False
    if record.rev == row.rev:
        return True
    if not has_history(work, run):
        return False
    left = history.earliest(session, row.kind, row.id, row.rev + 1)
    if left is None:
        return True
    linked = links.targets_of_many(session, [row.id]) if isinstance(record, Event) else {}
    now = history.version_data(record, {of: targets[row.id] for of, targets in linked.items()})
    left_out = FOLLOWS | OF_STATUS if row.action == journal.CREATE else FOLLOWS
    if isinstance(record, Event) and record.series is not None:
        left_out |= {"post_parent"}  # the first date that is not in the trash
    return _without(now, left_out) == _without(left[1], left_out)


def is_series_untouched(work: UnitOfWork, run: ImportRun, row: Changed, found: Series) -> bool:
    """The same for the rule of a series, and for what its later dates get."""
    session = work.session
    if history.is_changed_by_others(session, row.kind, row.id, (row.first_rev, row.rev), run.cause):
        return False
    if not has_history(work, run):
        return change_notes.last_cause(session, change_notes.SERIES, row.id) <= row.rev
    left = history.earliest(session, row.kind, row.id, row.rev + 1)
    if left is None:
        return True
    return _series_without_status(left[1]["series"]) == _series_without_status(history.series_data(found))


def _series_without_status(data: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    template = data["template"]
    return (
        _without(data, OF_SERIES | {"template"}),
        _without(template, {"event"}),
        _without(template["event"], FOLLOWS | OF_STATUS),
    )


def _without(data: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """As JSON has it."""
    kept = {name: value for name, value in data.items() if name not in names}
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(kept))
    return found


def edited_since(
    work: UnitOfWork, run: ImportRun, kind: str, most: int
) -> tuple[list[tuple[Changed, Post | Term]], int]:
    """Records of a kind that somebody has changed since a run, as far as there is time to look, and how many more
    there may be."""
    found, rows = [], change_rows.changed_since(work.session, run, kind)
    for row in rows[:most]:
        record = find(work.session, KIND_OF[kind], row.id)
        if record is not None and not is_untouched(work, run, row, record):
            found.append((row, record))
    return found, max(len(rows) - most, 0)
