"""Services that really run: nodes as processes of their own, in front of PostgreSQL servers of their own."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.clusters import Cluster, free_port
from tests.forked import Forked, run_to_end
from tests.pictures import png
from tests.postgresql_programs import missing

PASSWORD = "a long password"
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("KALENDS_")}


def run(*arguments: object, **settings: str) -> tuple[int, str, str]:
    """A command of Kalends, to its end: its status, what it printed, and its errors."""
    environ = CLEAN | {f"KALENDS_{name.upper()}": value for name, value in settings.items()}
    return run_to_end(*arguments, environ=environ)


class Node:
    """One `kalends serve`."""

    def __init__(self, data: Path, database: str, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ns = f"{self.url}/api/calendar/events/v1"
        self.log = data.parent / f"{data.name}-{self.port}.log"
        given = {"data": str(data), "database": database, "admin_password": PASSWORD} | settings
        self._environ = CLEAN | {f"KALENDS_{name.upper()}": value for name, value in given.items()}
        self._process: Forked | None = None

    def start(self, *, wait: bool = True) -> "Node":
        self._process = Forked("serve", "--port", self.port, environ=self._environ, out=self.log)
        if wait:
            self.wait()
        return self

    def wait(self) -> None:
        """Until it is ready."""
        for _ in range(3000):
            try:
                if httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            if self._process is not None and self._process.poll() is not None:
                break
            time.sleep(0.02)
        raise TimeoutError(self.log.read_text())

    def kill(self) -> None:
        """Ends it with its workers as a power cut would."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    stop = kill


@pytest.fixture(scope="session", autouse=True)
def needs_postgresql() -> None:
    if reason := missing():
        pytest.skip(reason)


@pytest.fixture
def clusters() -> Iterator[Any]:
    """Makes PostgreSQL servers that go with the test."""
    made: list[Cluster] = []

    def make(**how: Any) -> Cluster:
        made.append(Cluster(**how))
        return made[-1].start()

    yield make
    for cluster in reversed(made):
        cluster.remove()


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Any]:
    """Makes nodes that go with the test; they share a data folder, and so their images."""
    made: list[Node] = []

    def make(database: str, *, start: bool = True, **settings: str) -> Node:
        made.append(Node(tmp_path / "data", database, **settings))
        return made[-1].start() if start else made[-1]

    yield make
    for node in made:
        node.kill()


@pytest.fixture(scope="module")
def shared_cluster() -> Iterator[Cluster]:
    """One server for tests that need only a database of their own in it."""
    cluster = Cluster().start()
    yield cluster
    cluster.remove()


@pytest.fixture
def database(shared_cluster: Cluster, request: pytest.FixtureRequest) -> str:
    """The address of an empty database."""
    name = f"calendar_{abs(hash(request.node.nodeid)) % 10**8}"
    shared_cluster.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")  # of a first attempt
    shared_cluster.execute(f"CREATE DATABASE {name}")
    return shared_cluster.url(name)


def client(node: Node, **more: Any) -> httpx.Client:
    """Asks a node as its administrator."""
    return httpx.Client(base_url=node.ns, auth=("admin", PASSWORD), timeout=30, **more)


def event(title: str, **more: Any) -> dict[str, Any]:
    return {"title": title, "start_date": "2027-03-10 09:00:00", "end_date": "2027-03-10 11:00:00"} | more


@pytest.fixture(scope="session")
def picture() -> bytes:
    return png(400, 300, colour="navy")
