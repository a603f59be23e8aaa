"""The number of the last change of a PostgreSQL database, which every read asks for."""

import threading
from collections.abc import Callable
from typing import NamedTuple

import psycopg
from psycopg import pq

from kalends.store.engine.pool import one_line
from kalends.store.engine.store import Row, StoreUnavailable

LAST_REV = b"SELECT coalesce(max(rev), 0) FROM journal"
NAME = b"last_rev"
# The cluster and its timeline, which is another one after every promotion. Constant as long as a server is a primary.
SERVER = (
    b"SELECT (SELECT system_identifier FROM pg_control_system()) || '.'"
    b" || left(pg_walfile_name(pg_current_wal_lsn()), 8)"
)


class Change(NamedTuple):
    """A change of one primary. Another primary may have lost changes, and given their numbers to others."""

    server: str
    rev: int


class LastRev:
    """Asks on a connection of its own, by one call of libpq: that takes a quarter of the processor time of a query
    through the pool."""

    def __init__(self, connect: Callable[[], "psycopg.Connection[Row]"]) -> None:
        self._connect = connect
        self._connection: psycopg.Connection[Row] | None = None
        self._server = ""  # the one that the connection leads to
        self._lock = threading.Lock()  # a connection that is in use must not be closed

    def __call__(self) -> Change:
        """Raises StoreUnavailable if the server does not answer on a new connection either."""
        with self._lock:
            return self._ask()

    def close(self) -> None:
        with self._lock:
            self._close()

    def _ask(self) -> Change:
        if self._connection is not None:
            result = self._execute(self._connection)
            if result.status == pq.ExecStatus.TUPLES_OK:
                return Change(self._server, _number(result))
            self._close()
        connection = self._connect()
        result = connection.pgconn.prepare(NAME, LAST_REV)
        if result.status == pq.ExecStatus.COMMAND_OK:
            result = self._execute(connection)
        if result.status != pq.ExecStatus.TUPLES_OK:
            message = one_line(result.get_error_message())
            connection.close()
            raise StoreUnavailable(message)
        self._server = _server(connection)
        self._connection = connection
        return Change(self._server, _number(result))

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @staticmethod
    def _execute(connection: "psycopg.Connection[Row]") -> "pq.abc.PGresult":
        return connection.pgconn.exec_prepared(NAME, None, result_format=pq.Format.BINARY)


def _server(connection: "psycopg.Connection[Row]") -> str:
    """Empty on servers that do not tell, such as some that only speak PostgreSQL's protocol."""
    result = connection.pgconn.exec_(SERVER)
    return (result.get_value(0, 0) or b"").decode() if result.status == pq.ExecStatus.TUPLES_OK else ""


def _number(result: "pq.abc.PGresult") -> int:
    return int.from_bytes(result.get_value(0, 0) or b"", "big")
