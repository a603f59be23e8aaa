"""Records that were merged into others, by their ids: what still names an old one means the one that stays."""

from collections.abc import Collection

from kalends.store.engine.store import Ids, Session


def merged_into(session: Session, kind: str, ids: Collection[int]) -> dict[int, int]:
    """For those of some ids whose record was merged into another, the id of the one that stays."""
    if not ids:
        return {}
    return dict(
        session.all(
            f"SELECT old, target FROM merged WHERE kind = ? AND old {session.dialect.in_ids}", [kind, Ids(ids)]
        )
    )


def every(session: Session, kind: str) -> dict[int, int]:
    """All merges of a kind."""
    return dict(session.all("SELECT old, target FROM merged WHERE kind = ? ORDER BY old", (kind,)))


def add(session: Session, kind: str, old: int, target: int) -> None:
    """From now on a record stands for another one, and for what was merged into that one before."""
    session.run("UPDATE merged SET target = ? WHERE kind = ? AND target = ?", (target, kind, old))
    undo(session, kind, target)
    session.run(
        "INSERT INTO merged (kind, old, target) VALUES (?, ?, ?)"
        " ON CONFLICT (kind, old) DO UPDATE SET target = excluded.target, undo = ''",
        (kind, old, target),
    )


def of_target(session: Session, kind: str, target: int) -> list[int]:
    """What was merged into a record."""
    return session.column("SELECT old FROM merged WHERE kind = ? AND target = ? ORDER BY old", (kind, target))


def remember(session: Session, kind: str, old: int, undo: str) -> None:
    """What takes a merge back, as JSON."""
    session.run("UPDATE merged SET undo = ? WHERE kind = ? AND old = ?", (undo, kind, old))


def remembered(session: Session, kind: str, old: int, target: int) -> str:
    """What takes a merge of a record into another one back; empty if nothing is known of it."""
    sql = "SELECT undo FROM merged WHERE kind = ? AND old = ? AND target = ?"
    return str(session.value(sql, (kind, old, target)) or "")


def undo(session: Session, kind: str, id: int) -> None:
    """A merged record was brought back, and is itself again."""
    session.run("DELETE FROM merged WHERE kind = ? AND old = ?", (kind, id))


def forget(session: Session, kind: str, id: int) -> None:
    """A record is deleted for good: nothing means it any more."""
    session.run("DELETE FROM merged WHERE kind = ? AND target = ?", (kind, id))
