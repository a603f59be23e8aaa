"""Old addresses of records, as rows."""

from kalends.store.engine.store import Session
from kalends.values import names


def add(session: Session, kind: str, slug: str, target: int) -> None:
    """This slug leads to a record from now on; so do all that led to it before."""
    session.run(
        "INSERT INTO redirect (kind, slug_key, target) VALUES (?, ?, ?)"
        " ON CONFLICT (kind, slug_key) DO UPDATE SET target = excluded.target",
        (kind, names.slug_key(slug), target),
    )


def follow(session: Session, kind: str, old: int, new: int) -> None:
    """What led to a record leads to another one."""
    session.run("UPDATE redirect SET target = ? WHERE kind = ? AND target = ?", (new, kind, old))


def find(session: Session, kind: str, slug: str) -> int | None:
    found = session.value("SELECT target FROM redirect WHERE kind = ? AND slug_key = ?", (kind, names.slug_key(slug)))
    return None if found is None else int(found)


def every(session: Session, kind: str) -> list[tuple[str, int]]:
    """All old slugs of a kind, each with the id of the record that it leads to."""
    sql = "SELECT slug_key, target FROM redirect WHERE kind = ? ORDER BY slug_key"
    return [(slug, target) for slug, target in session.all(sql, (kind,))]


def remove(session: Session, kind: str, slug: str) -> None:
    """This slug leads nowhere else any more."""
    session.run("DELETE FROM redirect WHERE kind = ? AND slug_key = ?", (kind, names.slug_key(slug)))


def forget(session: Session, kind: str, target: int) -> None:
    """Nothing leads to a record any more."""
    session.run("DELETE FROM redirect WHERE kind = ? AND target = ?", (kind, target))
