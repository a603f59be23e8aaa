"""Whether a record is still what an import left: then it can be undone without losing what people did."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import KIND_OF
from kalends.contract.statuses import FUTURE, PUBLISH, TRASH
from kalends.features.history import versions as history
from kalends.features.importing import change_rows as import_changes
from kalends.features.importing.change_rows import Changed, Entry
from kalends.features.importing.identities import find
from kalends.store.engine.store import Session
from kalends.store.rows import history as versions
from kalends.store.rows import journal, merges
from kalends.store.rows.records import Post, Term
from kalends.values import dates

GOING = 2  # in `edited`: it was decided that a series goes, and some of its dates are gone
NOT_COMPARED = ("modified_utc", "trashed_from")


def has_history(work: UnitOfWork, entry: Entry) -> bool:
    """Whether every version since a run is still kept."""
    days = work.settings.history_days
    return days > 0 and entry.began_utc > dates.text(work.now - timedelta(days=days))


def before_run(session: Session, row: Changed) -> tuple[int, dict[str, Any]] | None:
    """What a record was before a run changed it, and the number of that change."""
    return versions.earliest(session, row.kind, row.id, row.first_rev, row.rev)


def is_untouched(
    work: UnitOfWork, row: Changed, record: Post | Term, *, has_history: bool, may_be_trashed: bool = False
) -> bool:
    """Whether a record is what a run left. What the clock published, what a merge of venues linked anew and what was
    changed and changed back is; `may_be_trashed`: what somebody only moved to the trash is, too."""
    if row.edited == 1:
        return False
    if record.rev == row.rev:
        return True
    if not has_history or getattr(record, "password", None) is not None:  # of which no version is kept
        return False
    left = versions.earliest(work.session, row.kind, row.id, row.rev + 1)
    if left is None:  # what the clock publishes has no version
        return journal.actors_since(work.session, row.kind, row.id, row.rev) == {0}
    now = msgspec.json.decode(msgspec.json.encode(history.data_of(work, record)))
    if _same(work.session, left[1], now, may_be_trashed=may_be_trashed):
        return True
    # What another import has changed since is nobody's work, so what this one made may still go.
    if row.action == journal.CREATE:
        for later in import_changes.later(work.session, row):
            began = versions.earliest(work.session, row.kind, row.id, later.first_rev, later.rev)
            if began is not None and _same(work.session, left[1], began[1], may_be_trashed=False):
                return is_untouched(work, later, record, has_history=has_history, may_be_trashed=may_be_trashed)
    return False


def edited_since(
    work: UnitOfWork, entry: Entry, kind: str, most: int
) -> tuple[list[tuple[Changed, Post | Term]], int]:
    """Records of a kind that somebody has changed since a run, as far as there is time to look, and how many more
    there may be."""
    found, is_kept = [], has_history(work, entry)
    rows = import_changes.changed_since(work.session, entry.id, kind)
    for row in rows[:most]:
        record = find(work.session, KIND_OF[kind], row.id)
        may_be_trashed = row.action == journal.CREATE
        if record is not None and not is_untouched(
            work, row, record, has_history=is_kept, may_be_trashed=may_be_trashed
        ):
            found.append((row, record))
    return found, max(len(rows) - most, 0)


def _same(session: Session, left: Mapping[str, Any], now: Mapping[str, Any], *, may_be_trashed: bool) -> bool:
    one, other = _comparable(session, left), _comparable(session, now)
    if (left.get("status"), now.get("status")) == (FUTURE, PUBLISH):
        other["status"] = FUTURE
    if may_be_trashed and now.get("status") == TRASH:
        for values in (one, other):
            values["status"] = ""
            values["own_fields"] = [name for name in values.get("own_fields", ()) if name != "status"]
    return one == other


def _comparable(session: Session, data: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in data.items() if name not in NOT_COMPARED}
    if "links" in data:
        found["links"] = {kind: _kept(session, kind, ids) for kind, ids in data["links"].items() if ids}
    return found


def _kept(session: Session, kind: str, ids: list[int]) -> list[int]:
    merged = merges.merged_into(session, kind, ids)
    return list(dict.fromkeys(merged.get(id, id) for id in ids))
