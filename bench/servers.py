"""The servers that are compared: each is a command that starts one, and an address under which it has the events."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from kalends_command import CURRENT, Version

HERE = Path(__file__).parent
WORKERS = 2
NAMESPACE = "/api/calendar/events/v1"
BASELINES = HERE / "baselines"
BASELINE_BIN = HERE.parent / ".venv-bench" / "bin"
START_TIMEOUT = 30  # seconds


@dataclass(frozen=True)
class Server:
    """`{port}` in the command becomes the port."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    path: str = NAMESPACE  # under which the events are


@dataclass(frozen=True)
class Running:
    """A server that is running and answers."""

    name: str
    base: str
    process: subprocess.Popen[bytes]
    seconds: float  # from the start to the first response

    def processes(self) -> list[int]:
        return _descendants(self.process.pid)

    def settle(self) -> None:
        """Waits until it is idle: wrk leaves when its time is over, and a slow server works on."""
        until, before = time.monotonic() + START_TIMEOUT, -1
        while time.monotonic() < until and before != (before := self._ticks()):
            time.sleep(0.2)

    def _ticks(self) -> int:
        """The processor time of its processes, so coarse that idling does not show."""
        stats = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.processes())
        return sum(int(fields[11]) + int(fields[12]) for fields in stats) // 3

    def worker_memory(self) -> float:
        """Megabytes of the largest process; shared pages are divided among those who share them."""
        return max(map(_proportional_megabytes, self.processes()))


def kalends(
    folder: Path, *, version: Version = CURRENT, name: str = "", database: str = "", cache_size: str = ""
) -> Server:
    """Kalends as people run it: `kalends serve`, and settings in the environment."""
    command = version.command("serve", "--port", "{port}", "--workers", str(WORKERS))
    settings = {"KALENDS_DATA": str(folder)}
    if database:
        settings["KALENDS_DATABASE"] = database
    if cache_size:
        settings["KALENDS_CACHE_SIZE"] = cache_size
    return Server(name or version.name, command, {**version.environment, **settings})


def bare(responses: Path) -> Server:
    """The same server with the same responses in memory and nothing behind it: the upper limit."""
    command = (sys.executable, str(HERE / "bare.py"), "{port}", str(WORKERS))
    return Server("bare server", command, {"RESPONSES": str(responses)})


def baselines(folder: Path) -> list[Server]:
    """The same lists written with common frameworks, on the same SQLite file; none where they are not installed."""
    if not (BASELINE_BIN / "uvicorn").exists():
        return []
    database = {"DATABASE": str(folder / "kalends.db")}
    fastapi = (
        *(str(BASELINE_BIN / "uvicorn"), "fastapi_events:app", "--app-dir", str(BASELINES)),
        *("--port", "{port}", "--workers", str(WORKERS), "--log-level", "warning", "--no-access-log"),
    )
    django = (
        *(str(BASELINE_BIN / "gunicorn"), "django_events.wsgi:application", "--chdir", str(BASELINES)),
        *("--bind", "127.0.0.1:{port}", "--workers", str(WORKERS), "--threads", "4", "--log-level", "warning"),
    )
    return [
        Server("FastAPI", fastapi, database, path=""),
        Server("Django REST Framework", django, database, path=""),
    ]


@contextmanager
def running(server: Server) -> Iterator[Running]:
    """Starts a server, waits until it answers, and stops it."""
    port = _free_port()
    command = [part.replace("{port}", str(port)) for part in server.command]
    environment = {**os.environ, **server.environment}
    begun = time.perf_counter()
    # In our own session: the scheduler may share the cores out by session, and wrk is in this one.
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        base = f"http://127.0.0.1:{port}{server.path}"
        try:
            _wait_for(f"{base}/events", process, server.name)
            yield Running(server.name, base, process, time.perf_counter() - begun)
        finally:
            _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _descendants(parent: int) -> list[int]:
    """A process and its descendants."""
    found, waiting = [], [parent]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            waiting += map(int, children.read_text().split())
    return found


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Terminates the server, then kills what is left of its own processes, by their ids."""
    descendants = _descendants(process.pid)
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        for pid in descendants:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _wait_for(address: str, process: subprocess.Popen[bytes], name: str) -> None:
    until = time.monotonic() + START_TIMEOUT
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=START_TIMEOUT):
                return
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.01)
    raise RuntimeError(f"{name} did not start")


def _proportional_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0
