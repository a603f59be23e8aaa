"""The inside of a transaction on SQLite."""

import sqlite3
from collections.abc import Sequence

import msgspec

from kalends.store.engine.store import Dialect, Having, Ids, Parameters, Row, SearchScope, Session
from kalends.store.query.conditions import Conditions
from kalends.store.search import suffix_index, word_index

sqlite3.register_adapter(Ids, lambda ids: str([*ids]))  # a list of integers is the same text in JSON


DIALECT = Dialect(
    in_ids="IN (SELECT value FROM json_each(?))",
    not_in_ids="NOT IN (SELECT value FROM json_each(?))",
    ordered_join="CROSS JOIN",
    position="instr",
    hint=" INDEXED BY {}",
    words_by_day=True,
    no_index="+",
)


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
        names, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" for _ in columns)
        self.run_many(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)

    def having(self, kind: str, words: Sequence[str], scope: SearchScope) -> Having | None:
        if not word_index.is_complete(self, kind):
            return None
        query = suffix_index.query(words, scope.years(), listed=scope.listed, unlisted=scope.unlisted)
        if not query:
            return None
        sql, parameters = list[str](), list[object]()
        for rows in [None] if scope.row_ids is None else scope.row_ids:
            indexed, long = _indexed(kind, query, rows), _long(kind, words, rows, listed=scope.listed)
            sql += [
                f"SELECT rowid AS search_row FROM {kind}_words WHERE {indexed.where}",
                f"SELECT search_row FROM {kind}_text INDEXED BY {kind}_text_long WHERE {long.where}",
            ]
            parameters += indexed.parameters + long.parameters
        key = "search_row" if kind == "event" else "id"
        return Having(key, " UNION ALL ".join(sql), parameters, suffix_index.is_exact(words), scope.listed)

    def listed_row_ids(self, words: Sequence[str], scope: SearchScope) -> list[int] | None:
        found = self.having("event", words, scope)
        if found is None or not found.exact or scope.row_ids is None:
            return None
        # Fetching one JSON text takes a fraction of the time of as many rows.
        text = self.value(f"SELECT json_group_array(search_row) FROM ({found.sql})", found.parameters)
        return msgspec.json.decode(text, type=list[int])


def _indexed(kind: str, query: str, rows: tuple[int, int] | None) -> Conditions:
    """Conditions on the word index, for row ids from and before two numbers."""
    conditions = Conditions()
    conditions.add(f"{kind}_words MATCH ?", query)
    if rows is not None:
        conditions.add("rowid >= ? AND rowid < ?", *rows)
    return conditions


def _long(kind: str, words: Sequence[str], rows: tuple[int, int] | None, *, listed: bool) -> Conditions:
    """Conditions on the texts that are too long for the word index."""
    conditions = Conditions()
    conditions.add(f"length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > {suffix_index.LONGEST_TEXT}")
    if rows is not None:
        conditions.add("search_row >= ? AND search_row < ?", *rows)
    if listed:
        conditions.add("visibility_level > 0")
    body = f"visibility_level = {suffix_index.OPEN} AND instr(body, ?) > 0" if listed else "instr(body, ?) > 0"
    for word in words:
        conditions.add(f"(instr(title, ?) > 0 OR {body})", word, word)
    return conditions
