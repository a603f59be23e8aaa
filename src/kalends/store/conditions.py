"""Conditions of a query, joined by AND. Values are always parameters; no user's text becomes SQL."""

import json
from collections.abc import Iterable
from typing import Any


class Conditions:
    """Grows by `add`; `where` and `parameters` go into the query."""

    def __init__(self) -> None:
        self._sql: list[str] = []
        self.parameters: list[Any] = []

    def add(self, sql: str, *parameters: Any) -> None:
        if sql != "1":
            self._sql.append(sql)
            self.parameters += parameters

    def extend(self, other: "Conditions") -> None:
        self._sql += other._sql
        self.parameters += other.parameters

    @property
    def where(self) -> str:
        return " AND ".join(self._sql) or "1"


def one_of(ids: Iterable[int]) -> str:
    """Ids as one parameter for `IN (SELECT value FROM json_each(?))`, however many there are."""
    return json.dumps(list(ids))


IN_IDS = "IN (SELECT value FROM json_each(?))"
