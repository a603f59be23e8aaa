"""The number of the last change of a PostgreSQL database, which every read asks for."""

import threading
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import psycopg
from psycopg import pq

from kalends.store.engine.servers import Hosts, ServerConnection, one_line
from kalends.store.engine.store import StoreUnavailable

# Callers share checks: one is asked again only when its result is too old for a caller.

Result = TypeVar("Result")


class SharedCheck(Generic[Result]):
    """Runs one check at a time. A caller gets the result of a check that began at most `seconds` before its call; of
    the callers that wait for the running one, the first runs the next for all of them. After a check that failed
    nobody waits for the next one but its caller: the others learn of the failure at once."""

    def __init__(self, check: Callable[[], Result], seconds: float = 0.0) -> None:
        self._check = check
        self._seconds = seconds
        self._running = threading.Lock()
        self._latest: tuple[float, Result | BaseException] | None = None  # when it began, and what came of it

    def __call__(self) -> Result:
        earliest = time.monotonic() - self._seconds
        latest = self._latest
        if latest is None or latest[0] < earliest:
            failed = latest is not None and isinstance(latest[1], BaseException)
            if self._running.acquire(blocking=not failed):
                try:
                    latest = self._latest
                    if latest is None or latest[0] < earliest:
                        latest = self._latest = self._run()
                finally:
                    self._running.release()
        assert latest is not None
        result = latest[1]
        if isinstance(result, BaseException):
            raise result
        return result

    def _run(self) -> tuple[float, Result | BaseException]:
        began = time.monotonic()
        try:
            return began, self._check()
        except BaseException as error:  # whoever waits shall not wait for the same failure again
            return began, error


LAST_REV = b"SELECT coalesce(max(rev), 0) FROM journal"
NAME = b"last_rev"
# The cluster and its timeline, which is another one after every promotion. Constant as long as a server is a primary.
SERVER = (
    b"SELECT (SELECT system_identifier FROM pg_control_system()) || '.'"
    b" || left(pg_walfile_name(pg_current_wal_lsn()), 8)"
)
# The server answers, but not this: another connection would wait as long.
TOO_LATE = (psycopg.errors.LockNotAvailable.sqlstate, psycopg.errors.QueryCanceled.sqlstate)


class PrimaryChange(NamedTuple):
    """A change of one primary. Another primary may have lost changes, and given their numbers to others."""

    server: str
    rev: int


class LastRev:
    """Asks on a connection of its own, with as few calls of libpq as there are: that takes a quarter of the processor
    time of a query through the pool."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        self._connection: ServerConnection | None = None
        self._server = ""  # the one that the connection leads to
        self._lock = threading.Lock()  # a connection that is in use must not be closed
        self._is_closed = False

    def __call__(self) -> PrimaryChange:
        """Raises StoreUnavailable if the server does not answer on a new connection either."""
        with self._lock:
            try:
                return self._ask()
            finally:
                if self._is_closed:  # a thread that has not ended yet; nobody would close what it opened
                    self._close()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._close()

    def _ask(self) -> PrimaryChange:
        if self._connection is not None:
            try:
                return self._last_change(self._connection)
            except psycopg.Error as error:
                if error.sqlstate in TOO_LATE:
                    raise StoreUnavailable(one_line(error)) from error
                self._close()
        try:
            connection = self._connection = self._hosts.connect()
            connection.longest = 2 * connection.host.timeout
            connection.pgconn.send_prepare(NAME, LAST_REV)
            _checked(connection.last_result())
            self._server = _server(connection)
            return self._last_change(connection)
        except psycopg.Error as error:
            self._close()
            raise StoreUnavailable(one_line(error)) from error

    def _last_change(self, connection: ServerConnection) -> PrimaryChange:
        connection.pgconn.send_query_prepared(NAME, None, result_format=pq.Format.BINARY)
        result = _checked(connection.last_result())
        return PrimaryChange(self._server, int.from_bytes(result.get_value(0, 0) or b"", "big"))

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _server(connection: ServerConnection) -> str:
    """Empty on servers that do not tell, such as some that only speak PostgreSQL's protocol."""
    connection.pgconn.send_query_params(SERVER, None)
    result = connection.last_result()
    return (result.get_value(0, 0) or b"").decode() if result.status == pq.ExecStatus.TUPLES_OK else ""


def _checked(result: "pq.abc.PGresult") -> "pq.abc.PGresult":
    if result.status not in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
        raise psycopg.errors.error_from_result(result)
    return result
