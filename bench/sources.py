"""What sources cost in processor time, on SQLite or with --database on PostgreSQL.

A thousand sources of ten events each that have not changed, as the part of one core that reading all of them once an
hour takes; and a source of 500 events: its first read, and one after every event has changed. The other side is a
process of its own, which is not counted. With --profile, the functions that the last of these reads spends time in.
"""

import argparse
import cProfile
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from kalends.bootstrap import make_administrator, open_calendar
from kalends.calendar.access import SERVICE
from kalends.calendar.service import Calendar
from kalends.features.sources import reading, rules
from kalends.settings import load

SOURCES, EVENTS = 1000, 500
HOUR = 3600
TARGETS = {"unchanged": 0.05, "changed": 2.0}  # of a core, seconds
NOW = datetime(2027, 1, 1, 12, tzinfo=UTC).replace(tzinfo=None)
WORDS = " ".join(f"word{number}" for number in range(60))


class Answers(BaseHTTPRequestHandler):
    """/COUNT/VERSION is a calendar file with so many events; what follows makes it another address."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        count, version, *_ = (*(part for part in self.path.split("/") if part), "0", "0")
        if Path(sys.argv[-1], "changed").exists():
            version = "1"
        tag = f'"{count}-{version}"'
        body = b"" if self.headers.get("If-None-Match") == tag else calendar_of(int(count), int(version))
        self.send_response(200 if body else 304)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def calendar_of(count: int, version: int) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//bench//EN"]
    for number in range(count):
        day = (NOW + timedelta(days=number % 300)).strftime("%Y%m%d")
        lines += ["BEGIN:VEVENT", f"UID:{number}@bench", f"DTSTART:{day}T190000", f"DTEND:{day}T210000"]
        lines += [f"SUMMARY:Event {number} of the season{' again' * version}", f"DESCRIPTION:{WORDS}"]
        lines += [f"LOCATION:Hall {number % 20}\\, Main street", f"CATEGORIES:Kind {number % 10}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def spent(work: Callable[[], object]) -> float:
    """Seconds of processor time of this process, with all its threads."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def add(calendar: Calendar, address: str) -> int:
    values = {"address": address, "every": HOUR, "back": 1, "ahead": 12}
    return calendar.write(SERVICE, rules.create, values).source.id


def measure(
    calendar: Calendar, clock: Clock, base: str, folder: str, count: int, *, profile: bool
) -> dict[str, float]:
    found: dict[str, float] = {}

    def read() -> None:
        clock.now += timedelta(hours=1, seconds=1)
        calendar.background.run_due()
        every = calendar.read(SERVICE, rules.everyone)
        failed = [one for one in every if one.state.error or not one.state.last_success]
        if failed:
            raise RuntimeError(f"{len(failed)} sources failed, the first with {failed[0].state.error}")

    for number in range(count):
        add(calendar, f"{base}/10/0/{number}")
    read()
    found["unchanged"] = min(spent(read) for _ in range(3)) / HOUR * SOURCES / count
    for one in calendar.read(SERVICE, rules.everyone):
        calendar.write(SERVICE, rules.delete, one.source.id)
    add(calendar, f"{base}/{EVENTS}/0/large")
    found["first"] = spent(read)
    Path(folder, "changed").touch()
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    found["changed"] = spent(read)
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="", help="an empty database of PostgreSQL's instead of SQLite")
    parser.add_argument("--sources", type=int, default=SOURCES, help="fewer of them, counted as a thousand")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout is not None
            base = f"http://127.0.0.1:{int(other.stdout.readline())}"
            try:
                settings = {"data": folder, "fetch_private": "true"}
                settings |= {"database": given.database} if given.database else {}
                opened = open_calendar(load(None, settings, {}))
                make_administrator(opened)
                clock = Clock()
                calendar = Calendar(opened.store, opened.files, opened.settings, clock)
                calendar.background.register(reading.SourceReader(calendar).kind())
                found = measure(calendar, clock, base, folder, given.sources, profile=given.profile)
                calendar.store.close()
            finally:
                other.terminate()
    print(f"{SOURCES} unchanged sources an hour: {found['unchanged']:.2%} of a core")
    print(
        f"a first read of {EVENTS} events: {found['first']:.2f} s; when all of them changed: {found['changed']:.2f} s"
    )
    sys.exit(any(found[name] > most for name, most in TARGETS.items()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        print(server.server_port, flush=True)
        server.serve_forever()
    main()
