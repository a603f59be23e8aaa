"""What a create costs beside the least that it could: a loop of the same statements with the same flushes."""

import dataclasses
import io
import itertools
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from contestants import kalends, running
from data import NOW, Sample
from kalends.server.app import make_app, make_calendar
from kalends.settings import load as load_settings
from kalends.store.sqlite import open_connection
from lists import NAMESPACE, environ_of
from load import Loads, load
from tokens import token_for

CLIENTS = 4
TITLE, SLUG = "Measured once", "measured-once"
WHEN = {"start_date": "2027-03-01 19:00:00", "end_date": "2027-03-01 21:00:00"}
WRITES = ("INSERT", "UPDATE", "DELETE")
SEQUENCE = re.compile(r"UPDATE sequence .* WHERE name = '(\w+)' RETURNING last")
FAR = 700_000_000
SLOTS = itertools.count(2040_01_01_0001)  # of days on which nothing starts

Application = Callable[[dict[str, Any], Callable[..., Any]], Any]


def compare_creates(of: Sample, folder: Path, seconds: int, rounds: int) -> tuple[Loads, float]:
    """Creates a second of Kalends and of the loop, each on a copy of the calendar, in turns."""
    copy = dataclasses.replace(of, folder=folder / "creating")
    shutil.copytree(of.folder, copy.folder)
    os.sync()  # or the first flushes would have to wait for the copy
    statements = recorded_statements(copy)
    token = token_for(copy)
    loads, loops = [], []
    headers = {"Authorization": f"Bearer {token}"}
    with running(kalends(copy.folder)) as ours:
        address = f"{ours.base}/events"
        load(address, 1, creating="First", headers=headers, connections=CLIENTS)
        for turn in range(rounds):
            loads.append(load(address, seconds, creating=f"Evening {turn}", headers=headers, connections=CLIENTS))
            loops.append(_loop(copy.folder / "kalends.db", statements, seconds))
    shutil.rmtree(copy.folder)
    return Loads(loads), median(loops)


def recorded_statements(of: Sample) -> list[str]:
    """What one create writes between BEGIN and COMMIT. Numbers that it took from a sequence, its slot and its slug
    become parameters."""
    calendar = make_calendar(load_settings(of.folder, {"timezone": "America/New_York"}, {}), lambda: NOW)
    app, token = make_app(calendar), token_for(of)
    connection = open_connection(of.folder / "kalends.db")
    names = [name for (name,) in connection.execute("SELECT name FROM sequence")]
    # Numbers that occur nowhere else can be told from all others.
    connection.executemany(
        "UPDATE sequence SET last = ? WHERE name = ?", [(FAR * place, name) for place, name in enumerate(names, 1)]
    )
    heard: list[str] = []
    calendar.store._writing_connection().set_trace_callback(heard.append)
    _post(app, token, {"title": TITLE, "description": "An evening.", "status": "publish"} | WHEN)
    calendar.store.close()
    numbers = dict(connection.execute("SELECT last, name FROM sequence"))
    numbers |= dict(connection.execute("SELECT slot, 'slot' FROM event WHERE slug = ?", (SLUG,)))
    connection.close()
    begun = max(place for place, sql in enumerate(heard) if sql == "BEGIN IMMEDIATE")
    written = [sql for sql in heard[begun:] if sql.startswith(WRITES)]
    # A statement is told once more for each one that its trigger runs.
    return [_with_parameters(sql, numbers) for sql, _ in itertools.groupby(written)]


def _with_parameters(sql: str, numbers: Mapping[int, str]) -> str:
    for number, name in numbers.items():
        sql = re.sub(rf"\b{number}\b", f":{name}", sql)
    return sql.replace(f"'{SLUG}'", ":slug")


def _post(app: Application, token: str, event: Mapping[str, str]) -> None:
    body, told = json.dumps(event).encode(), []
    environ = {
        **environ_of(f"{NAMESPACE}/events"),
        "REQUEST_METHOD": "POST",
        "HTTP_AUTHORIZATION": f"Bearer {token}",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    app(environ, lambda status, headers, *_: told.append(status))
    if not told[0].startswith("201"):
        raise RuntimeError(f"a create was answered with {told[0]}")


def _loop(path: Path, statements: list[str], seconds: int) -> float:
    """The statements again and again, on one connection as Kalends opens it; how often a second."""
    connection = open_connection(path)
    begun, done = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        values: dict[str, int | str] = {"slug": f"bare-{time.monotonic_ns()}", "slot": next(SLOTS)}
        connection.execute("BEGIN IMMEDIATE")
        for sql in statements:
            found = connection.execute(sql, values).fetchone()
            if taken := SEQUENCE.match(sql):
                values[taken[1]] = found[0]
        connection.execute("COMMIT")
        done += 1
    connection.close()
    return done / (time.perf_counter() - begun)
