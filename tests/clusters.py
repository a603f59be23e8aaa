"""Throw-away PostgreSQL servers: in a temporary folder, on a free port of this machine, gone with the tests."""

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import SystemRandom

import psycopg
from tests.postgresql_programs import missing, programs
from tests.stale_clusters import PREFIX, claim, remove_stale

SUPERUSER = "kalends"
FIXED = (
    "listen_addresses = '127.0.0.1'\n"
    "shared_buffers = 32MB\nmax_connections = 200\n"
    "autovacuum = off\nlog_min_messages = panic\nmax_wal_size = 256MB\n"
)
# What a power cut would lose does not matter here, unless a test says so.
CARELESS = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


def free_port() -> int:
    """A port for a server that starts soon, below those that the system gives to clients: one could take it first."""
    while True:
        port = SystemRandom().randrange(11_000, 32_768)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Cluster:
    """A server and its folder. PostgreSQL will not run as root, so then it runs as an ordinary user."""

    def __init__(
        self,
        *,
        careful: bool = False,
        settings: str = "",
        copy_of: "Cluster | None" = None,
        folder: Path | None = None,
    ) -> None:
        """`careful`: survives a power cut. In a folder that is named it is kept, and found again."""
        if reason := missing():
            raise RuntimeError(reason)
        self.folder = folder or _temporary_folder()
        self.port = free_port()
        self._user = _ordinary_user()
        self._process: subprocess.Popen[bytes] | None = None
        self._started: list[subprocess.Popen[bytes]] = []
        # For a process that ends without coming to `remove`.
        weakref.finalize(self, _discard, os.getpid(), self._started, self.folder if folder is None else None)
        if not self.data.exists():
            try:
                self._make(copy_of)
            except BaseException:
                self.remove()
                raise
        own = f"port = {self.port}\nunix_socket_directories = '{self.folder}'\n"
        # The last word on a setting counts.
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(FIXED + own + ("" if careful else CARELESS) + settings)

    def _make(self, copy_of: "Cluster | None") -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        if copy_of is None:
            _run(self._user, "cp", "-a", _empty_data(programs()["initdb"], self._user), self.data)
        else:
            source = f"host=127.0.0.1 port={copy_of.port} user={SUPERUSER}"
            self._run("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d", source)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, database: str, user: str = SUPERUSER) -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def start(self) -> "Cluster":
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [programs()["postgres"], "-D", self.data], stdout=log, stderr=log, user=self._user, cwd=self.folder
            )
        self._started.append(self._process)
        for _ in range(600):
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
                return self
            except psycopg.OperationalError:
                time.sleep(0.05)
            if self._process.poll() is not None:
                break
        said = (self.folder / "log").read_text()
        self.stop(signal.SIGQUIT)
        raise RuntimeError(said)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Ends the server: SIGINT lets it finish properly, SIGQUIT is a crash."""
        if self._process is not None:
            self.thaw()
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def freeze(self) -> None:
        """Stops its processes where they are, as on a machine that hangs: connections stay open, nobody answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, how: signal.Signals) -> None:
        """To the server before its children, so that there are no new ones."""
        assert self._process is not None
        self._process.send_signal(how)
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        for child in children.split():
            with suppress(ProcessLookupError):
                os.kill(int(child), how)

    def promote(self) -> None:
        """Makes a standby the primary."""
        self._run("pg_ctl", "promote", "-w", "-D", self.data)

    def execute(self, sql: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(sql.encode())

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: object) -> None:
        _run(self._user, programs()[program], *arguments)


@cache
def _empty_data(initdb: Path, user: str | None) -> Path:
    """The data of a new server, which all servers of this process are copies of: making it takes a second."""
    folder = _temporary_folder()
    atexit.register(_discard, os.getpid(), [], folder)
    try:
        if user is not None:
            shutil.chown(folder, user)
        how = ("-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        _run(user, initdb, "-D", folder / "data", *how)
    except BaseException:
        shutil.rmtree(folder)
        raise
    return folder / "data"


def _run(user: str | None, *command: object) -> None:
    # In a folder that whoever it is may enter.
    done = subprocess.run([*map(str, command)], user=user, capture_output=True, text=True, cwd="/")
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)


def _temporary_folder() -> Path:
    parent = Path(tempfile.gettempdir())
    remove_stale(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    claim(folder)
    return folder


def _discard(owner: int, started: "list[subprocess.Popen[bytes]]", folder: Path | None) -> None:
    if os.getpid() != owner:  # a child that was forked
        return
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGQUIT)
            process.send_signal(signal.SIGCONT)  # in case that it is frozen
            process.wait(30)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _ordinary_user() -> str | None:
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
