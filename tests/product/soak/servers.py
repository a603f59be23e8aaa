"""The processes under test: `kalends serve` with its workers, and what Linux tells of them."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
from tests.clusters import free_port
from tests.forked import Forked
from tests.http.test_supervising import workers_of
from tests.product.soak.entry import VARIABLE

PASSWORD = "a long password"
START = [sys.executable, "-m", "tests.product.soak.entry"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}


@dataclass(frozen=True)
class Footprint:
    """What a process holds."""

    megabytes: float
    files: int
    threads: int
    connections: int


class Server:
    """One `kalends serve`, which is started again after it was killed."""

    def __init__(self, name: str, data: Path, clock: Path | None, workers: int, **settings: str) -> None:
        self.name, self.workers = name, workers
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ns = f"{self.url}/api/calendar/events/v1"
        self.log = data.parent / f"{name}.log"
        given = {"data": str(data), "admin_password": PASSWORD, "cache_size": "8MB"} | settings
        self.environ = CLEAN | {f"KALENDS_{key.upper()}": value for key, value in given.items()}
        if clock is not None:
            self.environ[VARIABLE] = str(clock)
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def start(self) -> None:
        self.process = self.launched("serve", "--port", str(self.port), "--workers", str(self.workers))
        self.wait()

    def launched(self, *arguments: str) -> "subprocess.Popen[bytes] | Forked":
        """A command as a process in a session of its own."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*START, *arguments], env=self.environ, stdout=log, stderr=log, start_new_session=True
            )

    def wait(self, seconds: float = 90) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise TimeoutError(f"{self.name} does not come up:\n{self.log.read_text()[-2000:]}")

    def worker_ids(self) -> list[int]:
        return workers_of(self.process.pid) if self.process is not None and self.process.poll() is None else []

    def kill_master(self) -> None:
        """Its workers end by themselves, and give the port back."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def kill(self) -> None:
        """Everything at once, as a power cut would."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> float:
        """Ends it in order; how many seconds it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(30)
        finally:
            self.kill()
        return time.monotonic() - began


def footprint(process: int) -> Footprint:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    files = []
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed just now
            files.append(str(link.readlink()))
    sockets = sum(name.startswith("socket:") for name in files)
    return Footprint(int(status["VmRSS"].split()[0]) / 1024, len(files), int(status["Threads"]), sockets)
