"""Records that were merged into others, by their ids: what still names an old one means the one that stays."""

from collections.abc import Collection

from kalends.store.engine.store import Ids, Session
from kalends.store.rows.records import POST_TYPES


def merged_into(session: Session, kind: str, ids: Collection[int]) -> dict[int, int]:
    """For those of some ids whose record was merged into another, the id of the one that stays. A merged record that
    was brought back from the trash is itself again."""
    if not ids:
        return {}
    gone = "old.id IS NULL OR old.status = 'trash'" if kind in POST_TYPES else "old.id IS NULL"
    rows = session.all(
        "SELECT merged.old, merged.target FROM merged"
        f" JOIN {kind} kept ON kept.id = merged.target LEFT JOIN {kind} old ON old.id = merged.old"
        f" WHERE merged.kind = ? AND merged.old {session.dialect.in_ids} AND ({gone})",
        [kind, Ids(ids)],
    )
    return dict(rows)


def every(session: Session, kind: str) -> dict[int, int]:
    """All merges of a kind."""
    return dict(session.all("SELECT old, target FROM merged WHERE kind = ? ORDER BY old", (kind,)))


def add(session: Session, kind: str, old: int, target: int) -> None:
    """From now on a record stands for another one, and for what was merged into that one before."""
    session.run("UPDATE merged SET target = ? WHERE kind = ? AND target = ?", (target, kind, old))
    session.run("DELETE FROM merged WHERE kind = ? AND old = ?", (kind, target))  # it had been merged and came back
    session.run(
        "INSERT INTO merged (kind, old, target) VALUES (?, ?, ?)"
        " ON CONFLICT (kind, old) DO UPDATE SET target = excluded.target",
        (kind, old, target),
    )


def forget(session: Session, kind: str, id: int) -> None:
    """After a record was deleted for good: nothing means it any more."""
    session.run("DELETE FROM merged WHERE kind = ? AND target = ?", (kind, id))
