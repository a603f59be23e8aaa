"""What others notice of one client that sends as much as it can: does each kind of it from one address while another
reads and writes, and prints the other's times alone and beside it.

`python bench/one_client.py` takes some minutes and prints the table; arguments choose rows by parts of their names.
The exit status is 1 when a bar is missed.
"""

import http.client
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from kalends_command import CURRENT  # first: it says which version is measured

from data import sample  # isort: skip
from one_client_work import NEEDED, OFFICE, PASSWORD, WORK, Stage, event, large_picture, slow_address, unfinished
from servers import NAMESPACE, Running, Server, kalends, running
from table import commit, machine

EVENTS = 20_000
SECONDS = 8.0  # beside each kind of work
OTHER = "127.0.0.3"  # whose times count; wrk and everybody else comes from 127.0.0.1
HERE = Path(__file__).parent
BARS = {"kept list": 0.25, "healthz": 0.25, "event page": 0.5, "list": 0.5, "write": 1.0}
KEPT_BY_ALL = 6  # requests after which most likely both workers have kept a list
EXPECTED = {"write": 201}  # the status of what is not 200
MOST_MEMORY = 300  # megabytes more of a worker
FEW_FILES = "700 unfinished requests, 256 open files"
# A connection of the other waits behind those of the one client, each of which is closed after a second.
FEW_FILES_BARS = dict.fromkeys(BARS, 6.0)
ABOVE = " **above**"
PEOPLE = ("leaver", "heir")


@dataclass
class Times:
    """The seconds of the other's requests by their kind, and which were answered otherwise than they should."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in BARS})
    wrong: list[str] = field(default_factory=list)  # the kind, and its status or what became of the connection


def other(stage: Stage, seconds: float) -> Times:
    """What the other does, in a process of its own: the threads of this one wait for each other."""
    given = {"port": stage.port, "slugs": stage.slugs, "other": stage.other, "seconds": seconds}
    command = [sys.executable, __file__, OTHER]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=True)
    return Times(**json.loads(done.stdout))


def read_and_write(stage: Stage, until: float) -> Times:
    times, random = Times(), Random(7)
    pages = itertools.cycle(random.sample(stage.slugs, len(stage.slugs)))
    days = itertools.count(random.randrange(100_000))
    while time.monotonic() < until:
        first = f"20{20 + next(days) % 9}-{next(days) % 12 + 1:02}-{next(days) % 28 + 1:02}"
        requests = {
            "kept list": lambda: stage.ask("GET", f"{NAMESPACE}/events", source=OTHER),
            "healthz": lambda: stage.ask("GET", "/healthz", source=OTHER),
            "event page": lambda: stage.ask("GET", f"/event/{next(pages)}/", source=OTHER),
            "list": lambda first=first: stage.ask(
                "GET", f"{NAMESPACE}/events?start_date={first}&per_page={10 + next(days) % 40}", source=OTHER
            ),
            "write": lambda: stage.send("POST", "/events", event("Other"), stage.other, OTHER),
        }
        for kind, ask in requests.items():
            if kind == "kept list":
                for _ in range(KEPT_BY_ALL):  # the write before has dropped it
                    with suppress(OSError):
                        ask()
            began = time.monotonic()
            try:
                status: object = ask()[0]
            except (OSError, http.client.HTTPException) as error:
                status = repr(error)
            times.seconds[kind].append(time.monotonic() - began)
            if status != EXPECTED.get(kind, 200):
                times.wrong.append(f"{kind}: {status}")
    return times


def row(stage: Stage, server: Running, name: str, alone: Times, bars: dict[str, float] = BARS) -> str:
    before, stop = server.worker_memory(), threading.Event()
    stage.answers.clear()
    work = unfinished if name == FEW_FILES else WORK[name]
    thread = threading.Thread(target=work, args=(stage, stop), daemon=True)
    thread.start()
    time.sleep(1.0)
    peak, ended = [before], threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            with suppress(OSError):
                peak.append(server.worker_memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    beside = other(stage, SECONDS)
    ended.set()
    stop.set()
    watcher.join()
    thread.join()
    cells = []
    for kind, bar in bars.items():
        slowest = max(beside.seconds[kind])
        told = f"{median(alone.seconds[kind]) * 1000:.0f} → {median(beside.seconds[kind]) * 1000:.0f}"
        cells.append(f"{told} ({slowest * 1000:.0f} of {bar * 1000:.0f})" + ("" if slowest <= bar else ABOVE))
    memory = max(peak) - before
    cells.append(
        ", ".join(f"{number} × {what}" for what, number in Counter(beside.wrong).items()) + ABOVE
        if beside.wrong
        else "0"
    )
    cells.append(f"{memory:.0f} of {MOST_MEMORY} MB" + ("" if memory <= MOST_MEMORY else ABOVE))
    cells.append(answers(stage, name))
    return f"| {name} | {' | '.join(cells)} |"


def answers(stage: Stage, name: str) -> str:
    """How the one client was answered, as far as it is not wrk. A refusal is right, except of an office; an error of
    the server is not, and neither is a row in which nothing was done."""
    found = dict(sorted(stage.answers.items(), key=lambda item: str(item[0])))
    told = ", ".join(f"{number} × {status}" for status, number in found.items())
    failed = {status for status in found if isinstance(status, int) and status >= 500 and status != 503}
    is_empty = name in NEEDED and NEEDED[name] not in found
    is_refused = name == OFFICE and {*found} != {200}
    return told + (ABOVE if failed or is_empty or is_refused else "")


def add_user(folder: Path, name: str, role: str) -> str:
    """A token of a new user."""
    CURRENT.run(
        "user", "add", name, "--role", role, "--password-stdin", "--data", str(folder), standard_input=PASSWORD
    )
    return CURRENT.run("token", "add", name, "--data", str(folder)).strip()


def prepare(folder: Path) -> Stage:
    """A calendar in which one person has half of the events, and who else there is; without its server."""
    shutil.copytree(sample(EVENTS).folder, folder)
    roles = {"poster": "author", "mounter": "administrator", "other": "administrator"}
    contributor, administrator, other = [add_user(folder, name, role) for name, role in roles.items()]
    for name in PEOPLE:
        add_user(folder, name, "author")
    with sqlite3.connect(folder / "kalends.db") as connection:
        connection.create_function("transaction_began", 0, lambda: -1)  # the history is to keep nothing of this
        people = [connection.execute(f"SELECT id FROM user WHERE name = '{name}'").fetchone()[0] for name in PEOPLE]
        connection.execute("UPDATE event SET author = ? WHERE id % 2 = 0", people[:1])
        readable = "status = 'publish' AND password IS NULL"  # the page of any other is not 200
        found = connection.execute(f"SELECT slug FROM event WHERE {readable} LIMIT 2000").fetchall()
        venue = connection.execute("SELECT min(id) FROM venue").fetchone()[0]
    connection.close()
    slugs = [slug for (slug,) in found]
    return Stage(0, slugs, other, administrator, contributor, (people[0], people[1]), venue)


@contextmanager
def served(folder: Path, stage: Stage, limit: str = "") -> Iterator[tuple[Running, Times]]:
    """The calendar behind a server, and the other's times alone. `limit`: a command of the shell before it."""
    ours = kalends(folder)
    path = os.pathsep.join((str(HERE / "unguarded"), ours.environment["PYTHONPATH"]))
    command = ("sh", "-c", f'{limit}; exec "$@"', "sh", *ours.command) if limit else ours.command
    with running(Server(ours.name, command, {**ours.environment, "PYTHONPATH": path})) as server:
        stage.port = int(server.base.split(":")[2].partition("/")[0])
        other(stage, 3.0)
        yield server, other(stage, SECONDS)


def main() -> int:
    if sys.argv[1:] == [OTHER]:
        given = json.load(sys.stdin)
        until = time.monotonic() + given.pop("seconds")
        print(json.dumps(asdict(read_and_write(Stage(**given), until))))
        return 0
    words = sys.argv[1:]
    chosen = [name for name in (*WORK, FEW_FILES) if not words or any(word in name for word in words)]
    CURRENT.check()
    rows = []
    with tempfile.TemporaryDirectory(prefix="kalends-one-client-") as temporary, slow_address():
        folder = Path(temporary) / "data"
        large_picture()
        stage = prepare(folder)
        print(f"Commit {commit()}; {machine()}; {EVENTS:,} events.\n")
        heading = f"| beside | {' | '.join(BARS)} | wrong | memory | answers |\n|{'---|' * (len(BARS) + 4)}"
        print(heading)
        if usual := [name for name in chosen if name != FEW_FILES]:
            with served(folder, stage) as (server, alone):
                for name in usual:
                    rows.append(row(stage, server, name, alone))
                    print(rows[-1], flush=True)
                    server.settle()
        if FEW_FILES in chosen:
            with served(folder, stage, "ulimit -n 256") as (server, alone):
                rows.append(row(stage, server, FEW_FILES, alone, FEW_FILES_BARS))
                print(rows[-1], flush=True)
    return 1 if any(ABOVE in one for one in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
