"""Schema migrations: numbered files, each applied once, in the write transaction. The first is the whole schema.

Those of the core are written for each database, those of a feature, in its folder `schema`, once for both.
"""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from kalends.feature import features
from kalends.store.engine.store import AS_LONG_AS_IT_TAKES, Session, Store
from kalends.user_error import UserError

# What a script says for each of several kinds of records: `--each KIND: venue organizer` to `--end`.
FOR_EACH = re.compile(r"^--each (\w+): (.*)\n((?:.*\n)*?)--end\n", re.MULTILINE)
POSTGRESQL = "postgresql"
# The scripts of features are written for SQLite; what PostgreSQL says otherwise.
OTHERWISE = {
    r"\bTEXT\b": 'TEXT COLLATE "C"',
    r"\bINTEGER\b": "BIGINT",
    r"\bBLOB\b": "BYTEA",
    r"\bREAL\b": "DOUBLE PRECISION",
    r"\) STRICT(, WITHOUT ROWID)?;": ");",
}
CORE = ""


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


class Migration(NamedTuple):
    """A script. `owner`: the feature whose tables it is about, or CORE."""

    owner: str
    number: int
    name: str
    script: str


def migrations(dialect: str) -> list[Migration]:
    """Every one, in order: those of the core, then those of each feature."""
    found = [*_in_folder(CORE, files("kalends.store") / "migrations" / dialect)]
    for feature in features():
        if feature.tables:
            folder = files(f"kalends.features.{feature.name}") / "schema"
            found += (
                one._replace(script=_written_for(dialect, one.script)) for one in _in_folder(feature.name, folder)
            )
    return found


def _in_folder(owner: str, folder: Traversable) -> Iterator[Migration]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".sql"):
            script = FOR_EACH.sub(_expanded, entry.read_text("utf-8"))
            yield Migration(owner, int(entry.name[:4]), entry.name.removesuffix(".sql"), script)


def _expanded(block: re.Match[str]) -> str:
    word, values, text = block.groups()
    return "".join(text.replace(word, value) for value in values.split())


def _written_for(dialect: str, script: str) -> str:
    for pattern, words in OTHERWISE.items() if dialect == POSTGRESQL else ():
        script = re.sub(pattern, words, script)
    return script


def migrate(store: Store, at: str) -> list[str]:
    """Applies the missing migrations; their names. Other processes wait meanwhile."""
    if is_current(store):
        return []
    with store.write(patience=AS_LONG_AS_IT_TAKES) as session:
        session.run_script(
            "CREATE TABLE IF NOT EXISTS migration (owner TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,"
            " at TEXT NOT NULL, PRIMARY KEY (owner, number));"
        )
        applied = applied_migrations(session)
        missing = [one for one in migrations(store.dialect) if (one.owner, one.number) not in applied]
        for one in missing:
            session.run_script(one.script)
            session.run("INSERT INTO migration VALUES (?, ?, ?, ?)", (*one[:3], at))
        return [one.name for one in missing]


def is_current(store: Store) -> bool:
    """Whether every migration was applied. Raises NewerSchema for a schema of a later version, OlderSchema for one of
    before the first release. Tables of a feature that is not here any more do not matter."""
    known = {(one.owner, one.number) for one in migrations(store.dialect)}
    with store.read() as session:
        if not session.has_table("migration"):
            return False
        if "owner" not in session.columns_of("migration"):
            raise OlderSchema
        applied = applied_migrations(session)
    owners = {owner for owner, _ in known}
    if later := sorted(one for one in applied - known if one[0] in owners):
        owner, number = later[-1]
        last = max(number for of, number in known if of == owner)
        raise NewerSchema(f"this store has schema {number}, and this version of Kalends knows {last}")
    return known <= applied


def applied_migrations(session: Session) -> set[tuple[str, int]]:
    """All of them, not only the last: branches may be merged in another order."""
    return {(owner, number) for owner, number in session.all("SELECT owner, number FROM migration")}
