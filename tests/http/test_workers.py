"""Two workers of one service, as processes: /metrics is one sum through any of them, and the log has one form."""

import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.clusters import free_port
from tests.forked import Forked, nothing
from tests.waiting import until

from kalends.cli.serve import shared_counter_folder
from kalends.settings import SettingError, load

SETTINGS = {"METRICS": "127.0.0.1", "LOG_FORMAT": "json", "LOG_REQUESTS": "yes", "BASE_URL": "http://calendar.test"}
SECONDS = 60

PATH = "/api/calendar/events/v1/events"
EVENTS = f'kalends_requests_total{{method="GET",route="{PATH}",status="200"}}'
READY = 'kalends_requests_total{method="GET",route="/readyz"'


@contextmanager
def service(folder: Path, before: Callable[[], None] = nothing) -> Iterator[tuple[str, Forked]]:
    """A service that is gone at the end; its error output is in `folder`, and its temporary files below `folder`."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}
    environ |= {f"KALENDS_{name}": value for name, value in SETTINGS.items()} | {"TMPDIR": str(folder / "tmp")}
    (folder / "tmp").mkdir()
    process = Forked(
        "serve", "--workers", 2, "--port", port, "--data", folder / "data",
        environ=environ, out=Path(os.devnull), err=folder / "err", before=before,
    )  # fmt: skip
    try:
        base = f"http://127.0.0.1:{port}"
        until(lambda: asked(f"{base}/readyz") is not None)
        yield base, process
        process.terminate()
        process.wait(SECONDS)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(SECONDS)


def asked(address: str) -> str | None:
    """On a connection of its own, which goes to either worker."""
    with suppress(httpx.TransportError):
        response = httpx.get(address, timeout=SECONDS)
        if response.status_code == 200:
            return response.text
    return None


def figure(base: str, start: str) -> float:
    text = asked(f"{base}/metrics") or ""
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(start))


def status_of_address(base: str, length: int) -> int:
    """Of a request whose address has so many bytes."""
    connection = HTTPConnection(base.removeprefix("http://"), timeout=SECONDS)
    with closing(connection):
        connection.request("GET", "/readyz?a=".ljust(length, "x"))
        return connection.getresponse().status


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers by what Linux says of processes")
def test_every_worker_shows_the_sum_even_after_a_respawn(tmp_path: Path) -> None:
    with service(tmp_path) as (base, process):
        count = 0

        def both_have_answered() -> bool:
            nonlocal count
            count += asked(f"{base}{PATH}?secret=hidden") is not None
            # Each worker has to make this answer once.
            return figure(base, "kalends_cache_misses_total") - figure(base, READY) >= 2

        until(both_have_answered)
        until(lambda: [figure(base, EVENTS) for _ in range(8)] == [count] * 8)  # within a second
        assert figure(base, "kalends_workers") == 2
        assert [status_of_address(base, length) for length in (65_534, 65_535)] == [200, 414]  # as our docs say
        [folder] = (tmp_path / "tmp").iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700

        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        until(lambda: "Unexpected exit" in (tmp_path / "err").read_text())
        until(lambda: figure(base, "kalends_workers") == 2)
        assert [figure(base, EVENTS) for _ in range(4)] == [count] * 4
        assert sorted(path.name for path in folder.glob("counter*")) == ["counter_0.db", "counter_1.db"]
    assert list((tmp_path / "tmp").iterdir()) == []
    written = (tmp_path / "err").read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert {line["logger"] for line in lines} == {"kalends", "_granian"}
    assert sum(line.get("path") == PATH for line in lines) == count
    assert "hidden" not in written


def test_without_a_place_to_count_the_start_ends_in_one_line(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nothing"))
    with shared_counter_folder(load(tmp_path, {}, {})):
        pass  # nothing is to be counted
    together = shared_counter_folder(load(tmp_path, {"metrics": "127.0.0.1"}, {}))
    with pytest.raises(SettingError, match="no folder to count in for /metrics: No such file"):
        together.__enter__()
