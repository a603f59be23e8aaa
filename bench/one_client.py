"""What others notice of one client that sends as much as it can: does each kind of it from one address while another
reads and writes, and prints the other's times alone and beside it.

`python bench/one_client.py` takes some minutes and prints the table of docs/performance.md; arguments choose rows by
parts of their names.
"""

import http.client
import io
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from kalends_command import CURRENT  # first: it says which version is measured

from data import sample  # isort: skip
from servers import NAMESPACE, Running, Server, kalends, running

EVENTS = 20_000
SECONDS = 8.0  # beside each kind of work
OTHER = "127.0.0.3"  # whose times count; wrk and everybody else comes from 127.0.0.1
SLOW = ("127.0.0.4", 8080)  # accepts and never answers
HERE = Path(__file__).parent
BARS = {"kept list": 0.25, "healthz": 0.25, "event page": 0.5, "list": 0.5, "write": 1.0}
MOST_MEMORY = 300  # megabytes more of a worker
PASSWORD = "one-client-of-many"
NO_HEADERS: Mapping[str, str] = {}


@dataclass
class Times:
    """The seconds of the other's requests by their kind, and how many were refused."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in BARS})
    refused: int = 0


@dataclass
class Stage:
    """A server, and who may do what there."""

    server: Running
    slugs: list[str]
    administrator: str  # tokens
    contributor: str

    @property
    def port(self) -> int:
        return int(self.server.base.split(":")[2].partition("/")[0])

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] = NO_HEADERS,
        *,
        source: str = "127.0.0.1",
        timeout: float = 60.0,
    ) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        try:
            connection.request(method, path, body, dict(headers))
            response = connection.getresponse()
            return response.status, response.read(), response.headers.get("Location") or ""
        finally:
            connection.close()

    def send(
        self, method: str, path: str, record: object, token: str, source: str = "127.0.0.1"
    ) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        return self.ask(method, NAMESPACE + path, json.dumps(record).encode(), headers, source=source)[:2]


Work = Callable[[Stage, threading.Event], None]


def event(title: str, **more: object) -> dict[str, object]:
    return {"title": title, "start_date": "2027-05-01 10:00:00", "end_date": "2027-05-01 11:00:00", **more}


# The work of the one client. Each lasts until it is told to stop.


def loaded(path: str, connections: int, *, login: bool = False) -> Work:
    """Requests of one path by wrk, with another number in it each time."""

    def work(stage: Stage, stop: threading.Event) -> None:
        base = f"http://127.0.0.1:{stage.port}"
        script = ["-s", str(HERE / "invented.lua"), base, "--", path, "login" if login else ""]
        command = ["wrk", "-t1", f"-c{connections}", "-d600s", "--timeout", "60s", *script]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            stop.wait()
            process.terminate()

    return work


def repeated(number: int, once: Callable[[Stage, int], object]) -> Work:
    """The same by so many threads, again and again."""

    def work(stage: Stage, stop: threading.Event) -> None:
        numbers = itertools.count()

        def repeat() -> None:
            while not stop.is_set():
                with suppress(OSError, http.client.HTTPException):
                    once(stage, next(numbers))

        threads = [threading.Thread(target=repeat, daemon=True) for _ in range(number)]
        for thread in threads:
            thread.start()
        stop.wait()

    return work


def nested_category(stage: Stage, number: int) -> None:
    """Each below the one before, until that is refused."""
    parent = getattr(nested_category, "parent", 0)
    name = f"Level {number} {time.time()}"
    status, body = stage.send("POST", "/categories", {"name": name, "parent": parent}, stage.administrator)
    vars(nested_category)["parent"] = json.loads(body)["id"] if status == 201 else 0


def long_series(stage: Stage, number: int) -> None:
    text = "<p>" + "word " * 34_000 + "</p>"
    record = event(f"Daily {number}", description=text, recurrence={"rule": "FREQ=DAILY"})
    stage.send("POST", "/events", record, stage.contributor)


def feed_of_all_time(stage: Stage, number: int) -> None:
    path = (
        f"{NAMESPACE}/events.ics?starts_after=1900-01-01&search={number}" if number % 2 else f"{NAMESPACE}/events.ics"
    )
    stage.ask("GET", path, headers={"Authorization": f"Bearer {stage.contributor}"})


def event_with_picture(stage: Stage, number: int) -> None:
    address = f"http://{SLOW[0]}:{SLOW[1]}/{number}.png"
    stage.send("POST", "/events", event(f"Picture {number}", image=address), stage.contributor)


def upload(stage: Stage, number: int) -> None:
    headers = {"Authorization": f"Bearer {stage.contributor}", "Content-Type": "image/png"}
    stage.ask("POST", f"{NAMESPACE}/media", large_picture(), headers)


def slow_body(stage: Stage, number: int) -> None:
    with socket.create_connection(("127.0.0.1", stage.port), 60) as connection:
        head = f"POST {NAMESPACE}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {stage.contributor}\r\n"
        connection.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n".encode())
        for _ in range(20):
            connection.sendall(b" ")
            time.sleep(0.5)


def unfinished(stage: Stage, stop: threading.Event) -> None:
    with suppress(OSError):
        sockets = [socket.create_connection(("127.0.0.1", stage.port), 60) for _ in range(700)]
        for one in sockets:
            one.sendall(b"GET /events HTTP/1.1\r\nHost: x\r\n")
        stop.wait()
        for one in sockets:
            one.close()


def preview(stage: Stage, number: int) -> None:
    cookie, token = signed_in(stage)
    form = f"token={token}&address=http://{SLOW[0]}:{SLOW[1]}/calendar{number}.ics"
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    location = stage.ask("POST", "/admin/import", form.encode(), headers)[2]
    for _ in range(3):
        stage.ask("GET", location.partition(str(stage.port))[2] or "/admin/import", headers={"Cookie": cookie})


def merge(stage: Stage, number: int) -> None:
    """Removes an account whose events another takes over, there and back."""
    role = {"name": f"leaver{number}", "role": "author", "password": PASSWORD}
    body = stage.send("POST", "/users", role, stage.administrator)[1]
    leaver = json.loads(body)["id"]
    for page in range(20):
        stage.send("POST", "/events", event(f"Theirs {page}", author=leaver), stage.administrator)
    stage.send("DELETE", f"/users/{leaver}?force=true&reassign=1", {}, stage.administrator)


WORK: dict[str, Work] = {
    "8 × /events.rss?x=RANDOM": loaded("/events.rss?x=RANDOM", 8),
    "64 × /events.rss?x=RANDOM": loaded("/events.rss?x=RANDOM", 64),
    "64 × /events/list/?search=RANDOM": loaded("/events/list/?search=eRANDOM", 64),
    "300 × /qr.svg?path=/RANDOM": loaded("/qr.svg?path=/RANDOM", 300),
    "60 × log-in of unknown names": loaded(f"{NAMESPACE}/users/me", 60, login=True),
    "categories, each below the one before": repeated(2, nested_category),
    "4 × FREQ=DAILY with 170 KB": repeated(4, long_series),
    "4 × feed of all time, contributor": repeated(4, feed_of_all_time),
    "150 × event with a picture at a slow address": repeated(150, event_with_picture),
    "2 × preview of an import from a slow address": repeated(2, preview),
    "accounts removed, records handed over": repeated(2, merge),
    "48 × upload of 9.9 MB": repeated(48, upload),
    "24 × slow body": repeated(24, slow_body),
    "700 unfinished requests": unfinished,
    "8 × /events.ics": loaded("/events.ics?x=RANDOM", 8),
}


# The other client


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
            "write": lambda: stage.send("POST", "/events", event("Other"), stage.administrator, OTHER),
        }
        for kind, ask in requests.items():
            if kind == "kept list":
                ask()  # the write before has dropped it
            began = time.monotonic()
            status = ask()[0]
            times.seconds[kind].append(time.monotonic() - began)
            times.refused += status in (429, 503)
    return times


def row(stage: Stage, name: str, alone: Times) -> str:
    before, stop = stage.server.worker_memory(), threading.Event()
    thread = threading.Thread(target=WORK[name], args=(stage, stop), daemon=True)
    thread.start()
    time.sleep(1.0)
    peak, ended = [before], threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            with suppress(OSError):
                peak.append(stage.server.worker_memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    beside = read_and_write(stage, time.monotonic() + SECONDS)
    ended.set()
    stop.set()
    watcher.join()
    thread.join(10)
    cells = []
    for kind, bar in BARS.items():
        slowest, mark = max(beside.seconds[kind]), "" if max(beside.seconds[kind]) <= bar else " **above**"
        cells.append(f"{median(alone.seconds[kind]) * 1000:.0f} → {median(beside.seconds[kind]) * 1000:.0f}")
        cells[-1] += f" ({slowest * 1000:.0f}){mark}"
    memory = max(peak) - before
    cells += [str(beside.refused) if beside.refused == 0 else f"{beside.refused} **above**"]
    cells += [f"{memory:.0f} MB" + ("" if memory <= MOST_MEMORY else " **above**")]
    return f"| {name} | {' | '.join(cells)} |"


@contextmanager
def slow_address() -> Iterator[None]:
    """Accepts every connection and never says a word."""
    with socket.create_server(SLOW, backlog=500) as server:
        kept: list[socket.socket] = []

        def accept() -> None:
            with suppress(OSError):
                while True:
                    kept.append(server.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield
        for one in kept:
            one.close()


def large_picture() -> bytes:
    """Noise, which no format makes smaller."""
    known: bytes = vars(large_picture).get("bytes", b"")
    if not known:
        from PIL import Image

        out = io.BytesIO()
        Image.frombytes("RGB", (1800, 1800), os.urandom(1800 * 1800 * 3)).save(out, "PNG", compress_level=0)
        known = vars(large_picture)["bytes"] = out.getvalue()
    return known


def signed_in(stage: Stage) -> tuple[str, str]:
    """The cookie of a session, and the token of its forms."""
    known: tuple[str, str] | None = vars(signed_in).get("known")
    if known is None:
        connection = http.client.HTTPConnection("127.0.0.1", stage.port, timeout=60)
        form = f"name=mounter&password={PASSWORD}"
        connection.request("POST", "/admin/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        response = connection.getresponse()
        response.read()
        cookie = (response.headers["Set-Cookie"] or "").partition(";")[0]
        page = stage.ask("GET", "/admin/import", headers={"Cookie": cookie})[1].decode()
        token = page.partition('name="token" value="')[2].partition('"')[0]
        known = vars(signed_in)["known"] = cookie, token
    return known


def slugs(folder: Path) -> list[str]:
    code = (
        "import sqlite3; print(' '.join(row[0] for row in sqlite3.connect("
        f"{str(folder / 'kalends.db')!r}).execute(\"SELECT slug FROM event WHERE status = 'publish' LIMIT 2000\")))"
    )
    return CURRENT.python(code).split()


def add_user(folder: Path, name: str, role: str) -> str:
    """A token of a new user."""
    CURRENT.run(
        "user", "add", name, "--role", role, "--password-stdin", "--data", str(folder), standard_input=PASSWORD
    )
    return CURRENT.run("token", "add", name, "--data", str(folder)).strip()


def main() -> int:
    chosen = [name for name in WORK if not sys.argv[1:] or any(word in name for word in sys.argv[1:])]
    CURRENT.check()
    with tempfile.TemporaryDirectory(prefix="kalends-one-client-") as temporary, slow_address():
        folder = Path(temporary) / "data"
        shutil.copytree(sample(EVENTS).folder, folder)
        contributor, administrator = (
            add_user(folder, "poster", "author"),
            add_user(folder, "mounter", "administrator"),
        )
        ours = kalends(folder)
        path = os.pathsep.join((str(HERE / "unguarded"), ours.environment["PYTHONPATH"]))
        found = slugs(folder)
        with running(Server(ours.name, ours.command, {**ours.environment, "PYTHONPATH": path})) as server:
            stage = Stage(server, found, administrator, contributor)
            read_and_write(stage, time.monotonic() + 3)
            alone = read_and_write(stage, time.monotonic() + SECONDS)
            print(f"| beside | {' | '.join(BARS)} | refused | memory |\n|{'---|' * (len(BARS) + 3)}")
            for name in chosen:
                print(row(stage, name, alone), flush=True)
                server.settle()
    return 0


if __name__ == "__main__":
    sys.exit(main())
