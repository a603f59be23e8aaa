"""What the soak runs against: two workers on SQLite, or two nodes on PostgreSQL with a replica."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from tests.clusters import Cluster
from tests.product.soak.disks import SmallDisk
from tests.product.soak.entry import shift
from tests.product.soak.servers import PASSWORD, Server

KINDS = ("sqlite", "postgresql")


@dataclass
class Setup:
    """Servers that run, and what they run on."""

    servers: list[Server]
    data: Path
    clock: Path
    disk: SmallDisk
    database: str = ""
    primary: Cluster | None = None
    replica: Cluster | None = None

    def token(self) -> str:
        """Of the administrator."""
        answer = httpx.post(
            f"{self.servers[0].ns}/users/1/tokens", auth=("admin", PASSWORD), json={"name": "soak"}, timeout=60
        )
        return str(answer.json()["token"])


@contextmanager
def running(kind: str) -> Iterator[Setup]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kalends-soak-")))
        disk = SmallDisk(folder / "disk")
        stack.callback(disk.remove)
        clock = folder / "clock"
        shift(clock, 0)
        setup = Setup([], disk.folder / "data", clock, disk)
        if kind == "sqlite":
            setup.servers = [Server("sqlite", setup.data, clock, workers=2)]
        else:
            _add_clusters(setup, stack)
            assert setup.replica is not None
            settings = {"database": setup.database, "database_replica": setup.replica.url("calendar")}
            names = ("node-1", "node-2")
            setup.servers = [Server(name, setup.data, clock, workers=1, **settings) for name in names]
        for server in setup.servers:
            stack.callback(server.kill)
            server.start()
        yield setup


def _add_clusters(setup: Setup, stack: ExitStack) -> None:
    setup.primary = Cluster(careful=True)
    stack.callback(setup.primary.remove)
    setup.primary.start().execute("CREATE DATABASE calendar")
    setup.replica = Cluster(copy_of=setup.primary, settings="hot_standby = on\nhot_standby_feedback = on\n")
    stack.callback(setup.replica.remove)
    setup.replica.start()
    setup.database = setup.primary.url("calendar")
