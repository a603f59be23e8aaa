"""Who is measured: each contestant is a command that starts a server, and an address that asks it for the same."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from throwaway import free_port

HERE = Path(__file__).parent
WORKERS = 2
NAMESPACE = "/api/calendar/events/v1"
YARDSTICK_BIN = HERE.parent / ".venv-bench" / "bin"
PATIENCE = 30  # seconds until a server must answer


@dataclass(frozen=True)
class Contestant:
    """`{port}` in the command becomes the port."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    path: str = NAMESPACE  # under which the events lie


@dataclass(frozen=True)
class Running:
    """A contestant that answers."""

    name: str
    base: str
    process: subprocess.Popen[bytes]
    seconds: float  # from the start to the first answer

    def processes(self) -> list[int]:
        return _family(self.process.pid)

    def settle(self) -> None:
        """Waits until it has done what it still had to do: wrk goes away at its time, and a slow server works on."""
        until, before = time.monotonic() + PATIENCE, -1
        while time.monotonic() < until and before != (before := self._ticks()):
            time.sleep(0.2)

    def _ticks(self) -> int:
        """The time that its processes have worked, a little idling left aside."""
        stats = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.processes())
        return sum(int(fields[11]) + int(fields[12]) for fields in stats) // 3

    def worker_memory(self) -> float:
        """Megabytes of the largest process; what several share counts by halves."""
        return max(map(_own_megabytes, self.processes()))


def kalends(folder: Path, *, name: str = "Kalends", environment: Mapping[str, str] | None = None) -> Contestant:
    """Kalends as people run it. Another database is another `KALENDS_DATABASE` in the environment."""
    command = (str(Path(sys.executable).parent / "kalends"), "serve", "--port", "{port}", "--workers", str(WORKERS))
    settings = {"KALENDS_DATA": str(folder), "KALENDS_TIMEZONE": "America/New_York"}
    return Contestant(name, command, settings | dict(environment or {}))


def bare(answers: Path) -> Contestant:
    """The same server with the same answers in memory and nothing behind it: the limit."""
    command = (sys.executable, str(HERE / "bare.py"), "{port}", str(WORKERS))
    return Contestant("bare server", command, {"ANSWERS": str(answers)})


def fastapi(folder: Path) -> Contestant:
    command = (
        *(str(YARDSTICK_BIN / "uvicorn"), "fastapi_events:app", "--app-dir", str(HERE / "yardsticks")),
        *("--port", "{port}", "--workers", str(WORKERS), "--log-level", "warning", "--no-access-log"),
    )
    return Contestant("FastAPI", command, {"DATABASE": str(folder / "kalends.db")}, path="")


def django(folder: Path) -> Contestant:
    command = (
        *(str(YARDSTICK_BIN / "gunicorn"), "django_events.wsgi:application", "--chdir", str(HERE / "yardsticks")),
        *("--bind", "127.0.0.1:{port}", "--workers", str(WORKERS), "--threads", "4", "--log-level", "warning"),
    )
    return Contestant("Django REST Framework", command, {"DATABASE": str(folder / "kalends.db")}, path="")


@contextmanager
def running(contestant: Contestant) -> Iterator[Running]:
    """Starts a contestant, waits until it answers, and ends it."""
    port = free_port()
    command = [part.replace("{port}", str(port)) for part in contestant.command]
    environment = {**os.environ, **contestant.environment}
    begun = time.perf_counter()
    # In our own session: the scheduler may share the cores out by session, and wrk is in this one.
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        base = f"http://127.0.0.1:{port}{contestant.path}"
        try:
            _wait_for(f"{base}/events", process, contestant.name)
            yield Running(contestant.name, base, process, time.perf_counter() - begun)
        finally:
            _end(process)


def _family(parent: int) -> list[int]:
    """A process and all below it."""
    found, waiting = [], [parent]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            waiting += map(int, children.read_text().split())
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asks it to end, and ends what does not listen: this server's own processes, by their ids."""
    family = _family(process.pid)
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _wait_for(address: str, process: subprocess.Popen[bytes], name: str) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE):
                return
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(0.01)
    raise RuntimeError(f"{name} did not start")


def _own_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0
