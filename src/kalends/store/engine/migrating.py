"""Schema migrations: numbered files, each applied once, in the write transaction. The first is the whole schema."""

import re
from importlib.resources import files

from kalends.store.engine.store import AS_LONG_AS_IT_TAKES, Session, Store
from kalends.user_error import UserError

# What a script says for each of several kinds of records: `--each KIND: venue organizer` to `--end`.
FOR_EACH = re.compile(r"^--each (\w+): (.*)\n((?:.*\n)*?)--end\n", re.MULTILINE)


class NewerSchema(UserError):
    """The store has the schema of a later version of Kalends."""


class OlderSchema(UserError):
    """The store was made before the first release, and is not upgraded."""

    def __init__(self) -> None:
        super().__init__(
            "this calendar was made by a version from before the first release, which this version cannot open:"
            " write it to a file with the program that made it (kalends export json FILE), and read that file into an"
            " empty data folder or database with this one (kalends import json FILE)"
        )


def migrations(dialect: str) -> list[tuple[int, str, str]]:
    """(number, name, script) of every migration, in order."""
    folder = files("kalends.store") / "migrations" / dialect
    found = sorted(
        (entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return [(int(name[:4]), name.removesuffix(".sql"), FOR_EACH.sub(_expanded, script)) for name, script in found]


def _expanded(block: re.Match[str]) -> str:
    word, values, text = block.groups()
    return "".join(text.replace(word, value) for value in values.split())


def migrate(store: Store, at: str) -> list[str]:
    """Applies the missing migrations; their names. Other processes wait meanwhile."""
    if is_current(store):
        return []
    with store.write(patience=AS_LONG_AS_IT_TAKES) as session:
        session.run_script(
            "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL);"
        )
        applied = applied_migrations(session)
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
        applied = applied_migrations(session)
    known = {number: name for number, name, _ in migrations(store.dialect)}
    if not applied:
        return False
    if applied.get(1, known[1]) != known[1]:
        raise OlderSchema
    if max(applied) > max(known):
        raise NewerSchema(f"this store has schema {max(applied)}, and this version of Kalends knows {max(known)}")
    return applied.keys() >= known.keys()


def applied_migrations(session: Session) -> dict[int, str]:
    """Their names by their numbers; all of them, not only the last: branches may be merged in another order."""
    return dict(session.all("SELECT number, name FROM migration"))
