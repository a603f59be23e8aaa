"""Connections to the hosts of a PostgreSQL address, on which no wait is without an end.

A machine that hangs, or whose storage does, keeps its connections open: neither the socket nor TCP tells that nobody
answers. So every wait is watched here. After `timeout` seconds of silence the same host is asked for another
connection: a server that works on a long statement gives one, or refuses it, and then the wait goes on. Of one that
does not, the connection is given up, and for a while only one thread at a time tries to reach it.
"""

import select
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
from psycopg import pq
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.array import ListDumper

from kalends.store.engine.store import Ids, Row, StoreRefused, StoreUnavailable, Texts

LONGEST_STATEMENT = 30_000  # milliseconds
LONGEST_SILENCE = 35.0  # seconds: a little more than a statement may take
LARGEST_ID = 2**63 - 1
QUICKEST_CONNECT = 2  # seconds: psycopg waits no shorter for a new connection
PAUSE = 1.0  # seconds after which a host that did not answer is tried again

Value = TypeVar("Value")


class _IdsDumper(ListDumper):
    """Leaves out numbers beyond BIGINT, which no record can have."""

    def dump(self, obj: Any) -> Any:
        return super().dump([id for id in obj if -LARGEST_ID <= id <= LARGEST_ID])


class _TextsDumper(ListDumper):
    """Writes a tuple as an array."""

    def dump(self, obj: Any) -> Any:
        return super().dump([*obj])


class ServerConnection(psycopg.Connection[Row]):
    """A connection that is given up when its host does not answer; then it is closed, and OperationalError raised."""

    host: "Host"
    longest = LONGEST_SILENCE  # seconds, also while the host answers others

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._readable = select.poll()
        self._readable.register(self.pgconn.socket, select.POLLIN)
        self._both_ways = select.poll()
        self._both_ways.register(self.pgconn.socket, select.POLLIN | select.POLLOUT)

    def watch(self, host: "Host") -> None:
        """From now on its waits end."""
        self.host = host
        self._milliseconds = host.timeout * 1000

    def flush(self) -> None:
        """Sends what is queued. The server may be sending, and read nothing more until its output is consumed."""
        while self.pgconn.flush():
            if not self._both_ways.poll(self._milliseconds):
                self._wait_on(self._both_ways)
            self.pgconn.consume_input()

    def next_result(self) -> "pq.abc.PGresult | None":
        """The next result of what was sent; None ends those of one command."""
        while self.pgconn.is_busy():
            if not self._readable.poll(self._milliseconds):  # lets other threads run; `get_result` would not
                self._wait_on(self._readable)
            self.pgconn.consume_input()
        return self.pgconn.get_result()

    def last_result(self) -> "pq.abc.PGresult":
        """The result of the one command that was sent."""
        self.flush()
        last = self.next_result()
        while (result := self.next_result()) is not None:
            last = result
        if last is None:
            raise psycopg.OperationalError("the connection was lost")
        return last

    def wait(self, gen: PQGen[Value], *how: Any, **named: Any) -> Value:
        """Whatever psycopg does by itself waits here."""
        return super().wait(self._watched(gen), *how, **named)

    def _watched(self, gen: PQGen[Value]) -> Generator[Any, Any, Value]:
        began = asked = time.monotonic()
        ready = None  # what psycopg sends about ten times a second while there is nothing
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    began = asked = now
                elif now - asked >= self.host.timeout:
                    self.abort_unless_alive(now - began)
                    asked = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            value: Value = end.value
            return value

    def _wait_on(self, socket: "select.poll") -> None:
        """Goes on waiting after the first silence."""
        began = time.monotonic() - self.host.timeout
        while True:
            self.abort_unless_alive(time.monotonic() - began)
            if socket.poll(self._milliseconds):
                return

    def abort_unless_alive(self, silent: float) -> None:
        """After so many seconds of silence."""
        if silent < self.longest and self.host.answers():
            return
        self.close()
        raise psycopg.OperationalError(f"{self.host.name} has not answered for {silent:.0f} seconds")


class Host:
    """One host of an address."""

    def __init__(self, parameters: dict[str, str], timeout: float, *, writable: bool) -> None:
        self.timeout = timeout
        seconds = self._connect_timeout = max(QUICKEST_CONNECT, round(timeout))
        defaults = {
            "application_name": "kalends",
            "connect_timeout": str(seconds),
            # Also a primary that takes no writes now; a replica may be anything.
            "target_session_attrs": "primary" if writable else "any",
            "keepalives_idle": str(seconds),
            "keepalives_interval": "2",
            "keepalives_count": "3",
            "tcp_user_timeout": str(round(timeout * 2000)),
        }
        self._conninfo = make_conninfo(**{**defaults, **parameters})
        self._to_ask = make_conninfo(
            self._conninfo, connect_timeout=str(QUICKEST_CONNECT), target_session_attrs="any"
        )
        where = parameters.get("host") or parameters.get("hostaddr") or "the database"
        self.name = f"{where}:{parameters['port']}" if "port" in parameters else where
        self._silent_until = 0.0  # by the monotonic clock

    @property
    def is_silent(self) -> bool:
        """Whether it did not answer a moment ago, or a thread waits for it right now."""
        return time.monotonic() < self._silent_until

    def connect(self) -> ServerConnection:
        """A new connection. Raises OperationalError."""
        if self._silent_until:
            # It did not answer: one thread finds out whether it does now, while the others take it for silent.
            self._silent_until = time.monotonic() + self._connect_timeout + PAUSE
        try:
            connection = ServerConnection.connect(
                self._conninfo, autocommit=True, prepare_threshold=None, cursor_factory=psycopg.RawCursor
            )
        except psycopg.errors.ConnectionTimeout:
            self._silent_until = time.monotonic() + PAUSE
            raise
        except psycopg.OperationalError:
            self._silent_until = 0.0
            raise
        self._silent_until = 0.0
        connection.watch(self)
        connection.adapters.register_dumper(Ids, _IdsDumper)
        connection.adapters.register_dumper(Texts, _TextsDumper)
        connection.execute(
            f"SET lock_timeout = {round(self.timeout * 1000)}; SET statement_timeout = {LONGEST_STATEMENT};"
            f" SET idle_in_transaction_session_timeout = {LONGEST_STATEMENT}; SET client_encoding = 'UTF8';"
            # The server's side of the connection: it notices that this machine or the network is gone.
            " SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3;"
            " SET tcp_user_timeout = 15000;"
            # Queries take milliseconds, and compiling one to machine code longer than that.
            " SET jit = off;"
            # One snapshot per read: see `Pipeline`.
            " SET default_transaction_isolation = 'repeatable read'"
        )
        return connection

    def pause(self) -> None:
        """If it did not answer, it is left alone from now on for a moment."""
        if self._silent_until:
            self._silent_until = time.monotonic() + PAUSE

    def answers(self) -> bool:
        """Whether it says anything to a new connection, be it that it takes none."""
        if self.is_silent:
            return False
        try:
            psycopg.connect(self._to_ask).close()
        except psycopg.errors.ConnectionTimeout:
            self._silent_until = time.monotonic() + PAUSE
            return False
        except psycopg.OperationalError:
            pass
        return True


class Hosts:
    """The hosts of an address. A primary may move from one to another."""

    def __init__(self, address: str, timeout: float, *, writable: bool) -> None:
        try:
            given = {name: str(value) for name, value in conninfo_to_dict(address).items()}
            self._hosts = [Host(one, timeout, writable=writable) for one in _each_host(given)]
        except psycopg.ProgrammingError as error:
            raise StoreRefused(f"the address of the database cannot be used: {one_line(error)}") from None
        self._current = self._hosts[0]  # it accepted the last connection

    def connect(self) -> ServerConnection:
        """A new connection to a host that takes one, the last such host first. Raises StoreUnavailable."""
        problems, tried = [], []
        for host in sorted(self._hosts, key=lambda host: host is not self._current):
            if host.is_silent:
                problems.append(f"{host.name} does not answer")
                continue
            tried.append(host)
            try:
                connection = host.connect()
            except psycopg.OperationalError as error:
                problems.append(one_line(error))
                continue
            self._current = host
            return connection
        for host in tried:
            host.pause()  # counted from here: asking the others took its time
        raise StoreUnavailable("; ".join(problems))

    def uses(self, connection: ServerConnection) -> bool:
        """Whether a connection leads to the host that is used now, as far as is known."""
        return connection.host is self._current and not connection.host.is_silent


def _each_host(parameters: dict[str, str]) -> list[dict[str, str]]:
    """The parameters for each host of an address that may name several."""
    parts = {name: parameters[name].split(",") for name in ("host", "hostaddr", "port") if parameters.get(name)}
    count = max([len(values) for name, values in parts.items() if name != "port"], default=1)
    if any(len(values) not in (1, count) for values in parts.values()):
        raise psycopg.ProgrammingError("it has not as many ports as hosts")
    found = []
    for number in range(count):
        own = {name: values[number if len(values) > 1 else 0] for name, values in parts.items()}
        found.append({**parameters, **{name: value for name, value in own.items() if value}})
    return found


def one_line(message: object) -> str:
    """An error or its message, without line breaks."""
    return " ".join(str(message).split())
