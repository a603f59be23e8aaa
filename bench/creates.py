"""The lower bound of a create: a loop of the same SQL statements with the same flushes."""

import importlib
import itertools
import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kalends.store.engine.sqlite import TransactionStart
from kalends_command import CURRENT
from servers import HERE

NUMBER = re.compile(r"\d+")


class BareLoop:
    """Repeats the writes of a create on one connection, opened as the service opens its own."""

    def __init__(self, folder: Path) -> None:
        recorded = _record(folder)
        self._connection = sqlite3.connect(folder / "kalends.db", isolation_level=None, cached_statements=512)
        for sql in recorded["pragmas"]:
            self._connection.execute(sql)
        self._start = TransactionStart()
        for name, arguments, function, options in recorded["functions"]:
            self._connection.create_function(name, arguments, self._imported(function), **options)
        self._statements = [
            (one["sql"], [_progression(*pair) for pair in one["values"]]) for one in recorded["statements"]
        ]
        self._numbers = itertools.count(1)

    def rate(self, seconds: float) -> float:
        """How many creates a second."""
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            self._create(next(self._numbers), self._statements)
            done += 1
        return done / (time.perf_counter() - begun)

    def _create(self, number: int, statements: Sequence[tuple[str, Sequence[Callable[[int], Any]]]]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._start.last = None
        for sql, values in statements:
            self._connection.execute(sql, [value(number) for value in values]).fetchone()
        self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()

    def _imported(self, name: str) -> Callable[..., Any]:
        """A function of a module, or a method of the start of the transaction."""
        module, _, function = name.partition(":")
        owner, _, method = function.rpartition(".")
        found: Callable[..., Any] = getattr(self._start if owner else importlib.import_module(module), method)
        return found


def processor_times(folder: Path, count: int, rounds: int) -> dict[str, list[float]]:
    """The processor seconds of each round of so many creates, by how they are made."""
    found: dict[str, list[float]] = _printed(folder, "create_prices.py", str(count), str(rounds))
    return found


def _record(folder: Path) -> dict[str, Any]:
    return _printed(folder, "create_statements.py")


def _printed(folder: Path, script: str, *arguments: str) -> dict[str, Any]:
    """What a script prints that runs the service of a calendar in its process."""
    settings = {"KALENDS_DATA": str(folder), "TOKEN": CURRENT.token(folder)}
    done = subprocess.run(
        (sys.executable, str(HERE / script), *arguments),
        env={**os.environ, **CURRENT.environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def _progression(first: str, second: str) -> Callable[[int], Any]:
    """The value of a literal in the creates after the second one: its numbers go on as they did."""
    if not second.startswith("'"):
        last, step = int(second), int(second) - int(first)
        return lambda number: last + step * number
    texts = NUMBER.split(second[1:-1].replace("''", "'"))
    numbers = [int(found) for found in NUMBER.findall(second)]
    before = [int(found) for found in NUMBER.findall(first)]
    if len(before) != len(numbers):
        return lambda _: second[1:-1].replace("''", "'")
    steps = [now - then for then, now in zip(before, numbers, strict=True)]

    def text(number: int) -> str:
        found = (str(last + step * number) for last, step in zip(numbers, steps, strict=True))
        return "".join(itertools.chain.from_iterable(itertools.zip_longest(texts, found, fillvalue="")))

    return text
