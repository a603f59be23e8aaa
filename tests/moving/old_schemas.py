"""Stores with the schema of an earlier version: built by its migrations, filled with rows of a store of today."""

import math
from typing import Any

from kalends.store.copies.copying import TABLES
from kalends.store.engine.migrating import migrations
from kalends.store.engine.store import Session, Store

Rows = dict[str, list[dict[str, Any]]]  # by table; tables and columns under their names of today

RENAMED = 6  # the migration that gave tables and columns their names of today
OLD_TABLES = {"throttle": "failure", "fragment": "ready"}
NEW_COLUMNS = {"reach": "visibility_level", "slot": "search_row", "made": "render_version", "linked": "links"}
# The migration that added a table or a sequence.
TABLE_SINCE = {
    **{"fragment": 2, "session": 7, "one_time_link": 7, "series": 8, "import_record": 9, "import_run": 9},
    **{"redirect": 12, "version": 13, "review_note": 14, "submission": 14, "import_job": 16},
    **{"merged": 18, "series_reference": 18, "task": 30, "webhook": 32, "delivery": 32},
    **{"idempotency_key": 33, "event_custom": 34},
    **{"mail": 36, "refusing_address": 36, "known_browser": 36, "follow": 36},
    **{"import_entry": 39, "import_change": 39, "import_memory": 39, "number_gap": 43},
}
SEQUENCE_SINCE = {"part": 2, "session": 7, "link": 7, "note": 14, "import_job": 16, "mail": 36, "follow": 36}
SEQUENCE_SINCE |= {"webhook": 32, "delivery": 32, "import_entry": 39}
TEXTS = ("event_text", "venue_text", "organizer_text")
TEXTS_ARE_TABLES_SINCE = 3


def rows_of(store: Store) -> Rows:
    """Every row of a store of today."""
    with store.read() as session:
        return {table: _rows(session, table) for table in TABLES}


def build(store: Store, schema: int, rows: Rows) -> None:
    """Applies the migrations up to a number to an empty store, and adds the rows as far as that schema has them."""
    with store.write(patience=math.inf) as session:
        session.run_script(
            "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL);"
        )
        for number, name, script in migrations(store.dialect):
            if number > schema:
                break
            session.run_script(script)
            session.run("INSERT INTO migration VALUES (?, ?, ?)", (number, name, "2026-01-01 00:00:00"))
        session.run("DELETE FROM sequence")
        for table in TABLES:
            if TABLE_SINCE.get(table, 1) <= schema:
                _fill(session, schema, table, rows[table])


def _rows(session: Session, table: str) -> list[dict[str, Any]]:
    columns = session.columns_of(table)
    listed = ", ".join(f'"{column}"' for column in columns)
    return [dict(zip(columns, row, strict=True)) for row in session.all(f'SELECT {listed} FROM "{table}"')]


def _fill(session: Session, schema: int, table: str, rows: list[dict[str, Any]]) -> None:
    name = OLD_TABLES.get(table, table) if schema < RENAMED else table
    is_full_text_index = table in TEXTS and schema < TEXTS_ARE_TABLES_SINCE
    columns = ["rowid", "title", "body"] if is_full_text_index else session.columns_of(name)
    if table == "sequence":
        rows = [row for row in rows if SEQUENCE_SINCE.get(row["name"], 1) <= schema]
    session.fill(
        name, columns, [tuple(row.get(NEW_COLUMNS.get(column, column)) for column in columns) for row in rows]
    )
