"""Brings a store to the newest schema: numbered files, each applied once, under the writer's lock."""

from importlib.resources import files

from kalends.store.engine.store import AS_LONG_AS_IT_TAKES, Session, Store


class NewerSchema(Exception):
    """The store was made by a later version of Kalends."""


def migrations(dialect: str) -> list[tuple[int, str, str]]:
    """(number, name, script) of every migration, in order."""
    folder = files("kalends.store") / "migrations" / dialect
    found = sorted(
        (entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return [(int(name[:4]), name.removesuffix(".sql"), script) for name, script in found]


def migrate(store: Store, at: str) -> list[str]:
    """Applies what is missing; the names of what was applied. Other processes wait meanwhile."""
    if is_current(store):
        return []
    with store.write(patience=AS_LONG_AS_IT_TAKES) as session:
        session.run_script(
            "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL);"
        )
        applied = applied_number(session)
        missing = [step for step in migrations(store.dialect) if step[0] > applied]
        for number, name, script in missing:
            session.run_script(script)
            session.run("INSERT INTO migration VALUES (?, ?, ?)", (number, name, at))
        return [name for _, name, _ in missing]


def is_current(store: Store) -> bool:
    """Whether every migration is in place. A schema from the future is an error, not a no."""
    with store.read() as session:
        if not session.has_table("migration"):
            return False
        applied = applied_number(session)
    newest = migrations(store.dialect)[-1][0]
    if applied > newest:
        raise NewerSchema(f"this store has schema {applied}, and this version of Kalends knows {newest}")
    return applied == newest


def applied_number(session: Session) -> int:
    return int(session.value("SELECT coalesce(max(number), 0) FROM migration"))
