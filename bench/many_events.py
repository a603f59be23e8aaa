"""What it costs to write many events together, and to read them right after it: a batch of a hundred, a series of 730
dates and its retitling, the first and the second list of fifty after these, what the background does later, and a
feed after a change of one event; and in an earlier version, measured the same way on the same machine, in alternating
processes.

    python bench/many_events.py [--events 5000] [--rounds 3] [--before COMMIT] [--postgresql]

Each request is a call of the application in this process: the time of the clock, without a network. With TMPDIR in
memory it is without a disk, too. Of each the least counts: other work of the machine only ever adds to it.
"""

import argparse
import io
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from data import SITE
from kalends.bootstrap import make_calendar
from kalends.calendar.storing.prerender_task import Prerenderer
from kalends.settings import load
from kalends.worker import make_app
from kalends_command import CURRENT, Version

NAMESPACE = "/api/calendar/events/v1"
TIMES = 3  # how often a process does each
TEXT = "An evening of songs for everybody who likes to sing. Bring a friend, or come alone: nobody stays so. " * 10
DATES = 730
WHAT = {
    "batch": "a batch of 100 creates",
    "list": "the first list of 50 after it",
    "again": "a second one",
    "series": f"a series of {DATES} dates",
    "title": "another title for all of them",
    "month": "the first list of 50 after it, of the series",
    "sweep": "what is rendered afterwards",
    "feed": "a feed of all events after a change of one",
    "bytes": "the lists",
}


class Application:
    """A worker's application over a copy of the calendar."""

    def __init__(self, folder: Path, token: str, database: str) -> None:
        self.calendar = make_calendar(load(folder, SITE | ({"database": database} if database else {}), {}))
        self._call = make_app(self.calendar).wsgi
        self._token = token

    def ask(self, method: str, path: str, body: Any = None, *, expected: str = "20") -> tuple[float, bytes]:
        """The seconds of a request, and what it answers."""
        sent = b"" if body is None else json.dumps(body).encode()
        address, _, query = path.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": NAMESPACE + address,
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(sent)),
            "SERVER_NAME": "calendar.test",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "calendar.test",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(sent),
            "wsgi.errors": io.StringIO(),
            "wsgi.version": (1, 0),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        if method != "GET":
            environ["HTTP_AUTHORIZATION"] = f"Bearer {self._token}"
        statuses: list[str] = []
        begun = time.perf_counter()
        found = self._call(environ, lambda status, headers, *_: statuses.append(status))  # type: ignore[arg-type, return-value]
        answer = b"".join(found)
        taken = time.perf_counter() - begun
        if not statuses[-1].startswith(expected):
            raise SystemExit(f"{method} {path}: {statuses[-1]} {answer[:500]!r}")
        return taken, answer

    def sweep(self) -> float:
        """The seconds of rendering what is not rendered, without the pauses of the background."""
        begun = time.perf_counter()
        prerenderer = Prerenderer(self.calendar.store, self.calendar.settings)
        deferred = getattr(prerenderer, "render_deferred", None)  # an earlier version has none
        for _ in deferred() if deferred is not None else ():
            pass
        return time.perf_counter() - begun


def measure(folder: Path, database: str, version: Version, year: int) -> dict[str, float]:
    """The least seconds of each, with events of a year that has none yet."""
    worker = Application(folder, version.token(folder, database), database)
    found: dict[str, list[float]] = {key: [] for key in WHAT}
    for turn in range(TIMES):
        day = f"{year}-{turn + 1:02}"
        one = {"description": TEXT, "start_date": f"{day}-01 19:00:00", "end_date": f"{day}-01 21:00:00"}
        created = [{"method": "POST", "path": "/events", "body": one | {"title": f"Song {n}"}} for n in range(100)]
        listed = f"/events?per_page=50&start_date={day}-01&end_date={day}-28"
        worker.sweep()
        worker.ask("GET", "/events?per_page=49")
        found["batch"].append(worker.ask("POST", "/batch", {"requests": created})[0])
        first, answer = worker.ask("GET", listed)
        found["list"].append(first)
        found["again"].append(worker.ask("GET", f"{listed}&order=asc")[0])
        found["bytes"].append(len(answer))
        repeated = one | {"title": f"Choir {turn}", "recurrence": f"FREQ=DAILY;COUNT={DATES}"}
        seconds, answer = worker.ask("POST", "/events", repeated)
        found["series"].append(seconds)
        id = json.loads(answer)["id"]
        found["title"].append(worker.ask("PUT", f"/events/{id}?scope=all", {"title": f"Songs {turn}"})[0])
        listed = f"/events?per_page=50&start_date={day}-02&end_date={year + 3}-01-01"
        found["month"].append(worker.ask("GET", listed)[0])
        found["sweep"].append(worker.sweep())
        worker.ask("DELETE", f"/events/{id}?scope=all&force=true")
        one_of_them = json.loads(worker.ask("GET", "/events?per_page=1")[1])["events"][0]["id"]
        for again in range(2):
            worker.ask("PUT", f"/events/{one_of_them}", {"title": f"Solo {year} {turn} {again}"})
            seconds, _ = worker.ask("GET", "/events.ics?start_date=2000-01-01&end_date=2100-01-01")
        found["feed"].append(seconds)
    worker.calendar.store.close()
    return {key: min(values) for key, values in found.items()}


@contextmanager
def copies(version: Version, events: int, *, in_postgresql: bool) -> Iterator[tuple[Path, str]]:
    """The calendar as that version makes it, to be written to."""
    made = Path(version.python(f"from data import sample; print(sample({events}).folder)").split()[-1])
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data"
        shutil.copytree(made, data)
        database = ""
        if in_postgresql:
            from postgresql import new_database, server

            database = new_database(stack.enter_context(server(throw_away=True)), "many")
            version.run("move", "--data", str(data), "--to", database)
        yield data, database


def compare(before: Version, events: int, rounds: int, *, in_postgresql: bool) -> Iterator[str]:
    """Lines of Markdown."""
    versions = (before, CURRENT)
    found: list[dict[str, list[float]]] = [{key: [] for key in WHAT} for _ in versions]
    with ExitStack() as stack:
        places = [stack.enter_context(copies(one, events, in_postgresql=in_postgresql)) for one in versions]
        for turn in range(rounds):
            order = (0, 1) if turn % 2 else (1, 0)
            for which in order:
                folder, database = places[which]
                for key, value in _in_a_process(versions[which], folder, database, 2030 + 4 * turn).items():
                    found[which][key].append(value)
    yield f"| {'PostgreSQL' if in_postgresql else 'SQLite'} | {before.name} | now | |"
    yield "|---|--:|--:|--:|"
    for key, what in WHAT.items():
        was, now = (min(one[key]) for one in found)
        if key == "bytes":
            yield f"| {what} | {was:,.0f} bytes | {now:,.0f} bytes | |"
        else:
            ratio = f"{now / was:.2f} ×" if was > 0.001 else ""
            yield f"| {what} | {1000 * was:.1f} ms | {1000 * now:.1f} ms | {ratio} |"


def _in_a_process(version: Version, folder: Path, database: str, year: int) -> dict[str, float]:
    sent = ["many_events", "--json", "--folder", str(folder), "--database", database, "--year", str(year)]
    code = f"import runpy, sys; sys.argv = {sent!r}; runpy.run_path({__file__!r}, run_name='__main__')"
    printed: dict[str, float] = json.loads(version.python(code).splitlines()[-1])
    return printed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3, help="processes of each version")
    parser.add_argument("--before", default="main", help="the earlier version, a commit")
    parser.add_argument("--postgresql", action="store_true", help="in a server of its own")
    parser.add_argument("--json", action="store_true", help="only of this version, for programs")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--database", default="")
    parser.add_argument("--year", type=int, default=2030)
    options = parser.parse_args()
    if options.json:
        here = Path(sys.modules["kalends"].__file__ or "").parents[2]
        print(json.dumps(measure(options.folder, options.database, Version("", here), options.year)))
        return
    from before import checked_out  # here, since an earlier version need not have it

    with checked_out(options.before) as before:
        for line in compare(before, options.events, options.rounds, in_postgresql=options.postgresql):
            print(line, flush=True)


if __name__ == "__main__":
    main()
