"""Master and workers as processes: silent connections, deaths of workers and master."""

import inspect
import os
import resource
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from granian import Granian
from granian.server import common
from tests.effort import effort
from tests.http.test_workers import PATH, SECONDS, asked, service
from tests.waiting import until

from kalends.cli.serve import LONGEST_DELAY, delay_after

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds the workers by what Linux says of processes"
)
SILENT = effort(2600, 5000)  # more than a backlog, and than most servers accept


def children_of(master: int) -> set[int]:
    return set(map(int, Path(f"/proc/{master}/task/{master}/children").read_text().split()))


def workers_of(master: int) -> list[int]:
    """The processes that serve; a helper of the interpreter has no threads."""
    return [child for child in sorted(children_of(master)) if threads_of(child) > 3 and is_there(child)]


def threads_of(process: int) -> int:
    try:
        return len(list(Path(f"/proc/{process}/task").iterdir()))
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0


def is_there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_two_deaths_within_seconds_do_not_end_the_service(tmp_path: Path) -> None:
    with service(tmp_path) as (base, process):
        for _ in range(3):
            until(lambda: len(workers_of(process.pid)) == 2)
            victim = workers_of(process.pid)[0]
            os.kill(victim, signal.SIGKILL)
            until(lambda victim=victim: not is_there(victim))
        until(lambda: len(workers_of(process.pid)) == 2)
        assert process.poll() is None
        # Each worker listens by itself: a connection that waits at one while it is killed is lost.
        until(lambda: asked(f"{base}{PATH}") is not None)


def test_a_worker_that_is_still_starting_delays_no_stop(tmp_path: Path) -> None:
    with service(tmp_path) as (_, process):
        until(lambda: len(workers_of(process.pid)) == 2)
        known = children_of(process.pid)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        until(lambda: not children_of(process.pid) <= known)
        process.terminate()
        process.wait(SECONDS)
    assert "Killing" not in (tmp_path / "err").read_text()


def test_the_delay_grows_and_has_a_bound() -> None:
    delays = [delay_after(deaths) for deaths in range(30)]
    assert delays[:4] == [0.0, 0.25, 0.5, 1.0]
    assert delays == sorted(delays)
    assert delays[-1] == LONGEST_DELAY


def test_workers_end_with_their_master(tmp_path: Path) -> None:
    with service(tmp_path) as (base, process):
        until(lambda: len(workers_of(process.pid)) == 2)
        workers = workers_of(process.pid)
        process.kill()
        process.wait(SECONDS)
        until(lambda: not any(is_there(worker) for worker in workers))
        port = int(base.rpartition(":")[2])
        with socket.socket() as again:
            again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            again.bind(("127.0.0.1", port))


@pytest.fixture
def many_files() -> Iterator[None]:
    """Lets this process open as many files as the silent connections need; the service does so by itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = SILENT + 500
    if hard != resource.RLIM_INFINITY and hard < needed:
        pytest.skip(f"a process may open {hard} files here, and {needed} are needed (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_silent_connections_leave_reads_unharmed(tmp_path: Path) -> None:
    with service(tmp_path) as (base, process), ExitStack() as opened:
        address = ("127.0.0.1", int(base.rpartition(":")[2]))
        connections = [opened.enter_context(socket.create_connection(address, SECONDS)) for _ in range(SILENT)]
        silent, half = connections[::2], connections[1::2]
        for connection in half:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        for _ in range(5):
            assert asked(f"{base}{PATH}") is not None
        # They are closed after a while, by the service.
        for connection in (silent[0], half[0]):
            connection.settimeout(SECONDS)
            while connection.recv(4096):
                pass
        assert process.poll() is None


def test_what_the_supervisor_overrides_of_granian_is_as_it_was_read() -> None:
    """Granian has no public way to wait between restarts; the supervisor overrides a method of its own. When this
    fails, read it again and see whether one is there now."""
    assert list(inspect.signature(Granian._respawn_workers).parameters) == [
        "self",
        "workers",
        "spawn_target",
        "target_loader",
        "delay",
    ]
    assert list(inspect.signature(Granian.shutdown).parameters) == ["self", "exit_code"]
    written = inspect.getsource(common)
    for name in ("self.wrks", "self.respawned_wrks", "self.interrupt_signal", "self.workers_kill_timeout"):
        assert name in written
    assert "_respawn_workers(workers, spawn_target, target_loader)" in written, "without a delay where workers died"
