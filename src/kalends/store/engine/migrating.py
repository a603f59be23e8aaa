"""Schema migrations: numbered files, each applied once, in the write transaction."""

from importlib.resources import files

from kalends.store.engine.store import AS_LONG_AS_IT_TAKES, Session, Store
from kalends.user_error import UserError


class NewerSchema(UserError):
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
        applied = applied_number(session)
        missing = [step for step in migrations(store.dialect) if step[0] > applied]
        for number, name, script in missing:
            session.run_script(script)
            session.run("INSERT INTO migration VALUES (?, ?, ?)", (number, name, at))
        return [name for _, name, _ in missing]


def is_current(store: Store) -> bool:
    """Whether every migration was applied. Raises NewerSchema for a schema of a later version."""
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
