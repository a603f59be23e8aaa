"""A table of records of one type, which alone names its columns."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from kalends.store.engine.store import Ids, Parameters, Row, Session
from kalends.store.rows.records import columns, from_row, to_row

R = TypeVar("R", bound=Any)  # a Struct or a NamedTuple


class Table(Generic[R]):
    """`one` and `all` take what follows WHERE. `of_row`: for a type that does not have its values as columns do."""

    def __init__(self, name: str, type_: type[R], of_row: Callable[[Row], R] | None = None) -> None:
        is_struct = issubclass(type_, msgspec.Struct)
        names: Sequence[str] = columns(type_) if is_struct else type_._fields
        self.name, self.width = name, len(names)
        self.columns = ", ".join(f'"{column}"' for column in names)  # some are reserved words, such as `user`
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
