"""A table of records of one type, which alone names its columns; and the sequences that ids come from."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from kalends.contract.kinds import POSTS, TERMS
from kalends.store.engine.store import Ids, Parameters, Row, Session, placeholders
from kalends.store.rows.records import columns, from_row, selection, to_row

# Sequences of numbers: ids of posts, terms, users and tokens, changes, and states of all that events embed.

# Tables of one sequence.
SHARING = {"post": (*(kind.name for kind in POSTS), "media"), "term": tuple(kind.name for kind in TERMS)}
LARGEST_WANTED = 10**9  # all later numbers are above it


def next_number(session: Session, name: str) -> int:
    """The next number of a sequence."""
    number: int = session.value("UPDATE sequence SET last = last + 1 WHERE name = ? RETURNING last", (name,))
    return number


def next_of_each(session: Session, *names: str) -> list[int]:
    """The next number of each of some sequences, by one statement."""
    numbers: dict[str, int] = dict(
        session.all(
            f"UPDATE sequence SET last = last + 1 WHERE name IN ({placeholders(names)}) RETURNING name, last", names
        )
    )
    return [numbers[name] for name in names]


def next_numbers(session: Session, name: str, count: int) -> range:
    """The next numbers of a sequence."""
    last: int = session.value("UPDATE sequence SET last = last + ? WHERE name = ? RETURNING last", (count, name))
    return range(last - count + 1, last + 1)


def claim_number(session: Session, name: str, wanted: int) -> int:
    """The wanted number of posts or terms, if it never named anything; else the next one."""
    if not 0 < wanted <= LARGEST_WANTED:
        return next_number(session, name)
    last = last_number(session, name)
    if wanted > last:
        session.run("UPDATE sequence SET last = ? WHERE name = ?", (wanted, name))
        _leave(session, name, last + 1, wanted - 1)
        return wanted
    found = session.one(
        "SELECT first, last FROM number_gap WHERE name = ? AND first <= ? ORDER BY first DESC LIMIT 1", (name, wanted)
    )
    if found is None or found[1] < wanted:
        return next_number(session, name)
    session.run("DELETE FROM number_gap WHERE name = ? AND first = ?", (name, found[0]))
    _leave(session, name, found[0], wanted - 1)
    _leave(session, name, wanted + 1, found[1])
    return wanted


def _leave(session: Session, name: str, first: int, last: int) -> None:
    """Notes that these numbers were passed over. What names something for ever is in no gap: records that are here,
    deleted ones, pictures, series, and what was merged."""
    if first <= last:
        session.run("INSERT INTO number_gap (name, first, last) VALUES (?, ?, ?)", (name, first, last))


def last_number(session: Session, name: str) -> int:
    number: int = session.value("SELECT last FROM sequence WHERE name = ?", (name,))
    return number


def last_numbers(session: Session) -> dict[str, int]:
    """The last number of every sequence."""
    return dict(session.all("SELECT name, last FROM sequence"))


R = TypeVar("R", bound=Any)  # a Struct or a NamedTuple


class Table(Generic[R]):
    """`one` and `all` take what follows WHERE. `of_row`: for a type that does not have its values as columns do."""

    def __init__(self, name: str, type_: type[R], of_row: Callable[[Row], R] | None = None) -> None:
        is_struct = issubclass(type_, msgspec.Struct)
        names: Sequence[str] = columns(type_) if is_struct else type_._fields
        self.name, self.width = name, len(names)
        self.columns = selection(type_, f'"{name}"') if is_struct else ", ".join(f'"{column}"' for column in names)
        self.of_row: Callable[[Row], R] = of_row or ((lambda row: from_row(type_, row)) if is_struct else type_._make)
        self.to_row: Callable[[R], dict[str, Any]] = to_row if is_struct else type_._asdict

    def columns_of(self, alias: str) -> str:
        """The columns in a query that names the table so."""
        return ", ".join(f"{alias}.{column}" for column in self.columns.split(", "))

    def one(self, session: Session, condition: str, parameters: Parameters = ()) -> R | None:
        row = session.one(f'SELECT {self.columns} FROM "{self.name}" WHERE {condition}', parameters)
        return None if row is None else self.of_row(row)

    def all(self, session: Session, condition: str, parameters: Parameters = ()) -> list[R]:
        rows = session.all(f'SELECT {self.columns} FROM "{self.name}" WHERE {condition}', parameters)
        return [self.of_row(row) for row in rows]

    def by_id(self, session: Session, ids: Collection[int]) -> dict[int, R]:
        """Those of some ids that are there. The first column is the id."""
        if not ids:
            return {}
        sql = f'SELECT {self.columns} FROM "{self.name}" WHERE id {session.dialect.in_ids}'
        return {row[0]: self.of_row(row) for row in session.all(sql, [Ids(ids)])}

    def insert(self, session: Session, record: R, **more: object) -> None:
        """`more`: columns that are no part of the record."""
        session.insert(self.name, self.to_row(record) | more)

    def update(self, session: Session, record: R, **more: object) -> None:
        """Writes a record anew, by its id."""
        row = self.to_row(record) | more
        values = ", ".join(f'"{column}" = ?' for column in row)
        session.run(f'UPDATE "{self.name}" SET {values} WHERE id = ?', [*row.values(), record.id])
