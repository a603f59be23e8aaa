"""Conditions of a query, joined by AND. Values are always parameters; no user's text becomes SQL."""

from collections.abc import Collection, Iterable
from typing import Any

Condition = tuple[str, list[Any]]


class Conditions:
    """Grows by `add` and `extend`; `where` and `parameters` go into the query."""

    def __init__(self, sql: Iterable[str] = (), parameters: Iterable[Any] = ()) -> None:
        self._sql: list[str] = [*sql]
        self.parameters: list[Any] = [*parameters]

    def add(self, sql: str, *parameters: Any) -> None:
        if sql != "TRUE":
            self._sql.append(sql)
            self.parameters += parameters

    def add_condition(self, condition: Condition) -> None:
        sql, parameters = condition
        self.add(sql, *parameters)

    def add_in(self, sql: str, values: Collection[object]) -> None:
        """The value of an expression is one of these, which are few; ids go by `Dialect.in_ids`."""
        self.add(f"{sql} IN ({placeholders(values)})", *values)

    def extend(self, other: "Conditions") -> None:
        self._sql += other._sql
        self.parameters += other.parameters

    def with_condition(self, sql: str, *parameters: Any) -> "Conditions":
        """These and one more; these stay as they are."""
        return Conditions([*self._sql, sql], [*self.parameters, *parameters])

    @property
    def where(self) -> str:
        return " AND ".join(self._sql) or "TRUE"


def placeholders(values: Collection[object]) -> str:
    """A `?` for each of some values."""
    return ", ".join(["?"] * len(values))
