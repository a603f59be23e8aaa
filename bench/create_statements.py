"""Records what a create writes: `python create_statements.py`, with the service's settings in the environment.

It runs the service in this process and prints JSON: how the service opens its connection (PRAGMA statements, SQL
functions) and the statements of one create. Two creates are recorded, and the literals in which they differ become
parameters, so that nothing has to be known of the tables."""

import itertools
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from create_prices import send

LITERAL = re.compile(r"x'[0-9A-Fa-f]*'|'(?:[^']|'')*'|(?<![\w.])\d+(?![\w.])")
TIME = re.compile(r"'\d{4}-\d\d-\d\d")
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
traced: list[str] = []
functions: dict[str, tuple[str, int, str, dict[str, Any]]] = {}


class RecordingConnection(sqlite3.Connection):
    """Records every statement that runs, and every SQL function that is defined."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.set_trace_callback(traced.append)

    def create_function(self, name: str, narg: int, func: Callable[..., Any], **options: Any) -> None:  # type: ignore[override]
        functions[name] = (name, narg, f"{func.__module__}:{func.__qualname__}", options)
        super().create_function(name, narg, func, **options)


def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
    return open_connection(*arguments, **options | {"factory": RecordingConnection})


def create(app: Callable[..., Any], title: str) -> list[str]:
    """The writes of the transaction in which the event is created."""
    begun = len(traced)
    event = {"title": title, "description": "An evening.", "status": "publish"}
    event |= {"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}
    send(app, "/events", event, "201")
    transactions: list[list[str]] = []
    for sql in traced[begun:]:
        if sql.startswith("BEGIN"):
            transactions.append([])
        elif transactions and sql.startswith(WRITES):
            transactions[-1].append(sql)
    # A statement is traced once more for each one that its trigger runs.
    return [sql for sql, _ in itertools.groupby(max(transactions, key=len))]


def parameterized(first: str, second: str) -> dict[str, Any]:
    """The second statement with a parameter for each literal that differs: its value, and what each further create
    adds to it. A text that differs has numbers in it that do; blobs and times stay as they are."""
    pairs = list(zip(LITERAL.findall(first), LITERAL.findall(second), strict=True))
    values: list[Any] = []

    def parameter(found: re.Match[str]) -> str:
        before, after = pairs.pop(0)
        if before == after or after.startswith("x'") or TIME.match(after):
            return found[0]
        values.append([before, after])
        return "?"

    return {"sql": LITERAL.sub(parameter, second), "values": values}


def main() -> None:
    try:
        from kalends.worker import started
    except ImportError:  # an earlier version
        from kalends.worker import application as app_of_process
    else:
        process = ExitStack()

        def app_of_process() -> Callable[..., Any]:
            return process.enter_context(started()).wsgi

    sqlite3.connect = connect  # type: ignore[assignment]
    app = app_of_process()
    create(app, "Warm up 0")
    opening = itertools.takewhile(lambda sql: not sql.startswith("BEGIN"), traced)
    for number in (1, 2):  # the first ones also prepare what later ones find in memory
        create(app, f"Warm up {number}")
    first, second = create(app, "Measured 1000001"), create(app, "Measured 1000002")
    print(
        json.dumps(
            {
                "pragmas": [sql for sql in opening if sql.startswith("PRAGMA") and "=" in sql],
                "functions": list(functions.values()),
                "statements": [parameterized(*pair) for pair in zip(first, second, strict=True)],
            }
        )
    )


open_connection = sqlite3.connect
if __name__ == "__main__":
    main()
