"""A writer that freezes, or is lost with its network or machine, in the middle of a transaction on PostgreSQL: others
write again soon, and it learns that its write failed."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress

import pytest
from tests.clusters import Cluster
from tests.effort import EVERYTHING, effort
from tests.postgresql_programs import missing

from kalends.store.engine import postgresql
from kalends.store.engine.pipeline import Pipeline, Result
from kalends.store.engine.postgresql import PostgresStore
from kalends.store.engine.store import StoreUnavailable

TURN = effort(2.0, postgresql.LONGEST_SILENCE)  # seconds
LONGEST = 30.0  # seconds, until others write again
HERE, THERE = "10.231.0.1", "10.231.0.2"  # the two ends of a cable that leads nowhere else
CLONE_NEWNET = 0x40000000
NODE = """
import math, sys
from kalends.store.engine import servers
from kalends.store.engine.postgresql import PostgresStore
from kalends.store.engine.store import StoreUnavailable

address, where = sys.argv[1:]

def stop():
    print("in the middle", flush=True)
    sys.stdin.readline()

def read_nothing(connection):
    servers.ServerConnection.next_result = usual
    stop()
    return usual(connection)

try:
    with PostgresStore(address).write(patience=math.inf if where == "migrating" else None) as session:
        session.run("INSERT INTO numbers VALUES (1)")
        if where == "copying":
            class Rows(list):  # as many as are copied
                def __iter__(self):
                    yield (1,)
                    stop()
                    yield (2,)
            session.fill("numbers", ["n"], Rows([(1,)] * 100))
        elif where == "sending":
            usual = servers.ServerConnection.next_result
            servers.ServerConnection.next_result = read_nothing
            session.all("SELECT repeat('x', 1000000) FROM generate_series(1, 60)")
        else:
            stop()
        session.run("INSERT INTO numbers VALUES (2)")
    print("acknowledged", flush=True)
except StoreUnavailable:
    print("refused", flush=True)
"""


class Network:
    """A network of two places, joined by a cable. This thread, and what it starts, moves to the first of them: where
    other tests run no network may change, for a browser gives up what it is loading when one does."""

    def __init__(self) -> None:
        self.here, self.there = f"kalends-{os.getpid()}-here", f"kalends-{os.getpid()}-there"
        self._elsewhere = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self.why_not = self._make()

    def _make(self) -> str:
        """Why it cannot be made; empty if it was."""
        if shutil.which("ip") is None:
            return "there is no ip (iproute2)"
        for command in (
            f"netns add {self.here}",
            f"netns add {self.there}",
            f"-n {self.here} link set lo up",
            f"-n {self.here} link add cable type veth peer name cable netns {self.there}",
            f"-n {self.here} address add {HERE}/30 dev cable",
            f"-n {self.here} link set cable up",
            f"-n {self.there} address add {THERE}/30 dev cable",
            f"-n {self.there} link set cable up",
        ):
            if why := self._ip(command):
                return f"no network of its own can be made here: {why}"
        place = os.open(f"/run/netns/{self.here}", os.O_RDONLY)
        try:
            return self._move_to(place)
        finally:
            os.close(place)

    def cut(self) -> None:
        """From now on every packet is lost, in both directions, and nobody is told."""
        assert not self._ip(f"-n {self.there} link set cable down")

    def mend(self) -> None:
        assert not self._ip(f"-n {self.there} link set cable up")

    def remove(self) -> None:
        self._move_to(self._elsewhere)
        for place in (self.here, self.there):
            self._ip(f"netns del {place}")

    @staticmethod
    def _move_to(place: int) -> str:
        """This thread, to the network that is open there; why it cannot, empty if it has."""
        libc = ctypes.CDLL(None, use_errno=True)
        return os.strerror(ctypes.get_errno()) if libc.setns(place, CLONE_NEWNET) else ""

    @staticmethod
    def _ip(command: str) -> str:
        if shutil.which("ip") is None:
            return "no ip"
        done = subprocess.run(["ip", *command.split()], capture_output=True, text=True, check=False)
        return (done.stderr.strip() or "failed") if done.returncode else ""


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    made = Network()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def server(network: Network) -> Iterator[Cluster]:
    if why := missing():
        pytest.skip(why)
    also = "" if network.why_not else f", {HERE}"
    made = Cluster(settings=f"listen_addresses = '127.0.0.1{also}'\n")
    with (made.data / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {THERE}/32 trust\n")
    made.start()
    made.execute("CREATE DATABASE numbers")
    made.execute(
        "CREATE TABLE numbers (n BIGINT); CREATE TABLE journal (rev BIGINT);"
        "CREATE TABLE epoch (server TEXT); INSERT INTO epoch VALUES ('')",
        "numbers",
    )
    yield made
    made.remove()


@pytest.fixture
def store(server: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresStore]:
    monkeypatch.setattr(postgresql, "LONGEST_SILENCE", TURN)
    with closing(PostgresStore(server.url("numbers"), timeout=1.0)) as store:
        with store.write() as session:
            session.run("DELETE FROM numbers")
        yield store


def begin(server: Cluster, where: str, network: Network | None = None) -> "subprocess.Popen[str]":
    """Another node, in the middle of a write."""
    address, before = server.url("numbers"), list[str]()
    if network is not None:
        address, before = address.replace("127.0.0.1", HERE), ["ip", "netns", "exec", network.there]
    node = subprocess.Popen(
        [*before, sys.executable, "-c", NODE, address, where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert node.stdout is not None
    assert node.stdout.readline() == "in the middle\n"
    return node


def until_written(store: PostgresStore, patience: float | None = None) -> float:
    """Writes as soon as that can be done; after how many seconds."""
    began, tries = time.monotonic(), 0
    while True:
        tries += 1
        with suppress(StoreUnavailable), store.write(patience=patience) as session:
            session.run("INSERT INTO numbers VALUES (3)")
            break
        assert time.monotonic() < began + LONGEST
    return time.monotonic() - began


def went_on(node: "subprocess.Popen[str]") -> str:
    said, _ = node.communicate("\n", timeout=60)
    return said.strip()


def numbers(store: PostgresStore) -> list[int]:
    with store.read() as session:
        return session.column("SELECT n FROM numbers ORDER BY n")


@pytest.mark.parametrize("where", ["between two statements", "sending", "copying"])
def test_a_frozen_process(server: Cluster, store: PostgresStore, where: str) -> None:
    node = begin(server, where)
    node.send_signal(signal.SIGSTOP)
    try:
        assert until_written(store) < LONGEST
    finally:
        node.send_signal(signal.SIGCONT)
    assert went_on(node) == "refused"
    assert numbers(store) == [3]


@pytest.mark.parametrize(
    "where",
    [
        "between two statements",
        "sending",
        "copying",
        pytest.param("migrating", marks=pytest.mark.skipif(not EVERYTHING, reason="takes 10 s: make test-all")),
    ],
)
@pytest.mark.parametrize("machine", [False, True], ids=["network", "machine"])
def test_a_lost_network_or_machine(
    server: Cluster, store: PostgresStore, network: Network, where: str, machine: bool
) -> None:
    if network.why_not:
        pytest.skip(network.why_not)
    node = begin(server, where, network)
    network.cut()
    try:
        if machine:
            node.kill()
            node.wait()
        assert until_written(store) < LONGEST
    finally:
        network.mend()
    assert went_on(node) == ("" if machine else "refused")
    assert numbers(store) == [3]


def test_a_long_write_that_goes_on_is_left_alone(
    server: Cluster, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "LONGEST_SILENCE", 0.5)
    monkeypatch.setattr(postgresql, "LOOK_AGAIN", 0.0)
    with closing(PostgresStore(server.url("numbers"))) as other, ThreadPoolExecutor() as threads:
        with other.write() as session:
            waiting = threads.submit(until_written, store, patience=0.1)
            session.all("SELECT pg_sleep(1)")  # one statement
            for number in range(10, 20):  # and many
                session.run("INSERT INTO numbers VALUES (?)", (number,))
                time.sleep(0.1)
        waiting.result()
    assert numbers(store) == [3, *range(10, 20)]


def test_without_another_writer_nobody_is_in_a_hurry(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "LONGEST_SILENCE", 0.1)
    with store.write() as session:
        session.run("INSERT INTO numbers VALUES (1)")
        time.sleep(0.5)
    assert numbers(store) == [1]


def test_a_server_that_ends_right_after_a_commit_has_committed(
    server: Cluster, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Pipeline._receive_result

    def end_the_server(pipeline: Pipeline, is_new: bool) -> Result:
        result = usual(pipeline, is_new)
        if pipeline._unread_sync is not None:  # it was the last one
            monkeypatch.setattr(Pipeline, "_receive_result", usual)
            pipeline._connection.close()
        return result

    with store.write() as session:
        session.run("INSERT INTO numbers VALUES (5)")
        monkeypatch.setattr(Pipeline, "_receive_result", end_the_server)
    assert numbers(store) == [5]
