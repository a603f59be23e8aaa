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
from nginx import program as nginx_program

HERE = Path(__file__).parent
WORKERS = 2
NAMESPACE = "/api/calendar/events/v1"
FRAMEWORKS = ("FastAPI", "Django REST Framework")
BASELINES = HERE / "baselines"
BASELINE_BIN = HERE.parent / ".venv-bench" / "bin"
START_TIMEOUT = 120  # seconds; of a machine that others use too
IDLE = 0.03  # seconds of processor time in a fifth of a second: what an idle server may still do


@dataclass(frozen=True)
class Server:
    """`{port}` and `{workers}` in the command become the port and the number of its workers."""

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
        until, before = time.monotonic() + START_TIMEOUT, self.cpu()
        while time.monotonic() < until:
            time.sleep(0.2)
            if (now := self.cpu()) - before < IDLE:
                return
            before = now

    def cpu(self) -> float:
        """The processor time of its processes so far, in seconds, that in the kernel included."""
        return sum(map(_ticks, self.processes())) / os.sysconf("SC_CLK_TCK")

    def worker_memory(self) -> float:
        """Megabytes of the largest process; shared pages are divided among those who share them."""
        return max(map(_proportional_megabytes, self.processes()))


def kalends(
    folder: Path, *, version: Version = CURRENT, name: str = "", database: str = "", cache_size: str = ""
) -> Server:
    """Kalends as people run it: `kalends serve`, and settings in the environment."""
    command = version.command("serve", "--port", "{port}", "--workers", "{workers}")
    settings = {"KALENDS_DATA": str(folder)}
    if database:
        settings["KALENDS_DATABASE"] = database
    if cache_size:
        settings["KALENDS_CACHE_SIZE"] = cache_size
    return Server(name or version.name, command, {**version.environment, **settings})


def bare(responses: Path) -> Server:
    """The same server with the same responses in memory and nothing behind it: the upper limit."""
    command = (sys.executable, str(HERE / "bare.py"), "{port}", "{workers}")
    return Server("bare server", command, {"RESPONSES": str(responses)})


def nginx(responses: Path) -> Server:
    """One of these responses as a file."""
    folder = str(responses.with_suffix(".nginx"))
    return Server(
        "nginx", (sys.executable, str(HERE / "nginx.py"), "{port}", "{workers}", str(responses), folder), path=""
    )


def missing(server: Server) -> str:
    """Why this one cannot be started here; empty where it can."""
    if server.name == "nginx" and nginx_program() is None:
        return "nginx is not installed (Debian: apt-get install nginx)"
    if server.name in FRAMEWORKS and not Path(server.command[0]).exists():
        return ".venv-bench is not there; `make bench` installs it"
    return ""


def baselines(folder: Path) -> list[Server]:
    """The same lists written with common frameworks, on the same SQLite file."""
    database = {"DATABASE": str(folder / "kalends.db")}
    fastapi = (
        *(str(BASELINE_BIN / "uvicorn"), "fastapi_events:app", "--app-dir", str(BASELINES)),
        *("--port", "{port}", "--workers", "{workers}", "--log-level", "warning", "--no-access-log"),
    )
    django = (
        *(str(BASELINE_BIN / "gunicorn"), "django_events.wsgi:application", "--chdir", str(BASELINES)),
        *("--bind", "127.0.0.1:{port}", "--workers", "{workers}", "--threads", "4", "--log-level", "warning"),
    )
    commands = (fastapi, django)
    return [Server(name, command, database, path="") for name, command in zip(FRAMEWORKS, commands, strict=True)]


@contextmanager
def running(server: Server, workers: int = WORKERS) -> Iterator[Running]:
    """Starts a server, waits until it answers, and stops it."""
    port = free_port()
    command = [part.replace("{port}", str(port)).replace("{workers}", str(workers)) for part in server.command]
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _descendants(parent: int) -> list[int]:
    """A process and its descendants."""
    found, waiting = [], [parent]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        with suppress(OSError):  # it has ended
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                waiting += map(int, children.read_text().split())
    return found


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0
    return int(fields[11]) + int(fields[12])


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
