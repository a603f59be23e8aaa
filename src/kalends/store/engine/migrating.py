"""Schema migrations: numbered files, each applied once, in the write transaction."""

from importlib.resources import files

from kalends.store.engine.store import AS_LONG_AS_IT_TAKES, Session, Store


class NewerSchema(Exception):
    """The store has the schema of a later version of Kalends."""


def migrations(dialect: str) -> list[tuple[int, str, str]]:
    """(number, name, script) of every migration, in order."""
    folder = files("kalends.store") / "migrations" / dialect
    found = sorted(
        (entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return [(int(name[:4]), name.removesuffix(".sql"), script) for name, script in found]


def migrate(store: Store, at: str) -> list[str]:
    """Applies the missing migrations; their names. Other processes wait meanwhile."""
    if is_current(store):
        return []
    with store.write(patience=AS_LONG_AS_IT_TAKES) as session:
        session.run_script(
            "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL);"
        )
        applied = applied_numbers(session)
        missing = [step for step in migrations(store.dialect) if step[0] not in applied]
        for number, name, script in missing:
            session.run_script(script)
            session.run("INSERT INTO migration VALUES (?, ?, ?)", (number, name, at))
        return [name for _, name, _ in missing]


def is_current(store: Store) -> bool:
    """Whether every migration was applied. Raises NewerSchema for a schema of a later version."""
    with store.read() as session:
        if not session.has_table("migration"):
            return False
        applied = applied_numbers(session)
    known = [number for number, _, _ in migrations(store.dialect)]
    if applied and max(applied) > known[-1]:
        raise NewerSchema(f"this store has schema {max(applied)}, and this version of Kalends knows {known[-1]}")
    return applied.issuperset(known)


def applied_numbers(session: Session) -> set[int]:
    """All of them, not only the last: numbers may have been given to branches that were merged in another order."""
    return set(session.column("SELECT number FROM migration"))
