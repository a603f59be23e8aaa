"""The inside of a transaction on SQLite."""

import json
import sqlite3
from collections.abc import Sequence

from kalends.store.engine.store import Dialect, Ids, Parameters, Row, Session, Texts, merging, placeholders

sqlite3.register_adapter(Ids, lambda ids: str([*ids]))  # a list of integers is the same text in JSON
sqlite3.register_adapter(Texts, lambda texts: json.dumps(texts))


DIALECT = Dialect(
    in_ids="IN (SELECT value FROM json_each(?))",
    not_in_ids="NOT IN (SELECT value FROM json_each(?))",
    in_texts="IN (SELECT value FROM json_each(?))",
    day="CAST(julianday(substr({}, 1, 10)) - 2415019.5 AS INTEGER)",
    ordered_join="CROSS JOIN",
    position="instr",
    hint=" INDEXED BY {}",
    has_suffix_index=True,
    no_index="+",
    list_of="group_concat({})",
)


# Of one statement. At the end of each, the index of words is written and merged: a hundred rows in one statement take
# a fraction of the time of a hundred statements.
ROWS_TOGETHER = 100


class SqliteSession(Session):
    """A transaction on one connection, or single queries outside of a transaction."""

    dialect = DIALECT

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: Parameters = ()) -> Row | None:
        row: Row | None = self._connection.execute(sql, parameters).fetchone()
        return row

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        return self._connection.execute(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Sequence[Parameters]) -> None:
        self._connection.executemany(sql, rows)

    def run_script(self, script: str) -> None:
        current = ""
        for line in script.splitlines(keepends=True):
            current += line
            if sqlite3.complete_statement(current):
                self.run(current)
                current = ""

    def has_table(self, name: str) -> bool:
        return self.one("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)) is not None

    def columns_of(self, table: str) -> list[str]:
        # The last column is 0 unless the database computes the value.
        return [row[1] for row in self.all(f'PRAGMA table_xinfo("{table}")') if row[6] == 0]

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._insert(table, columns, rows)

    def merge(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._insert(table, columns, rows, merging(columns))

    def _insert(self, table: str, columns: Sequence[str], rows: Sequence[Row], ending: str = "") -> None:
        names, one = ", ".join(f'"{name}"' for name in columns), f"({placeholders(columns)})"
        for first in range(0, len(rows), ROWS_TOGETHER):
            some = rows[first : first + ROWS_TOGETHER]
            values = [value for row in some for value in row]
            self.run(f'INSERT INTO "{table}" ({names}) VALUES {", ".join([one] * len(some))}{ending}', values)
