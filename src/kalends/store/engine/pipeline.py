"""Statements on one PostgreSQL connection in libpq's pipeline mode: no round trip to begin a read, none to end it.

psycopg has a pipeline of its own, but its bookkeeping costs more than the round trips that it saves on a near server;
docs/internals/decisions.md has the measurement. So this speaks to libpq through `psycopg.pq`; values are adapted by
psycopg.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import psycopg
from psycopg import pq
from psycopg.adapt import PyFormat, Transformer

from kalends.store.engine.servers import ServerConnection
from kalends.store.engine.store import Parameters, Row

MOST_STATEMENTS = 100  # kept prepared on a connection; each takes memory of the server
ENDS_THE_CONNECTION = (b"FATAL", b"PANIC")

Statement = tuple[bytes, Parameters]
Key = tuple[bytes, tuple[int, ...]]  # the text of a statement, and the types of its parameters


class Result(NamedTuple):
    """The rows of a statement, and the number of rows that it touched."""

    rows: list[Row]
    touched: int


class Pipeline:
    """One transaction after the other.

    The queries of a read are sent without a Sync between them. So they are one implicit transaction, and with the
    isolation level that `connect` sets they see one snapshot. The Sync that ends a transaction is sent but not waited
    for: the server's answer to it is read before that to the next statement.
    """

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._pgconn = connection.pgconn
        self._values = Transformer(connection)
        self._prepared: OrderedDict[Key, bytes] = OrderedDict()  # the least recently used first
        self._names = 0
        self._is_open = False  # queries were sent since the last Sync
        self._is_whole = True  # every result was read
        self._failure: psycopg.Error | None = None  # the first one, if not
        self._unread_sync: int | None = None  # results that come before the answer to a Sync; None: there is none

    @property
    def is_active(self) -> bool:
        """Whether the connection is in pipeline mode, and of no use for psycopg itself."""
        return self._pgconn.pipeline_status != pq.PipelineStatus.OFF

    def execute(self, statements: Sequence[Statement], *, are_last: bool = False) -> list[Result]:
        """The result of each statement. All of them take one round trip together. `are_last`: nothing else belongs to
        the transaction, so the Sync that ends it goes with them; it would wake the server once more."""
        if not self._is_whole:
            raise self._failure or psycopg.OperationalError("an earlier statement of this transaction failed")
        try:
            return self._execute(statements, are_last)
        except psycopg.Error as error:
            self._failure = error
            raise

    def _execute(self, statements: Sequence[Statement], are_last: bool) -> list[Result]:
        if not self.is_active:
            self._pgconn.enter_pipeline_mode()
        self._is_open, self._is_whole = True, False  # until all results are here
        before, self._unread_sync = self._unread_sync, None
        are_new = [self._send(text, parameters) for text, parameters in statements]
        if are_last:
            self._send_sync()
        else:
            self._pgconn.send_flush_request()
            self._connection.flush()
        self._receive_sync(before)
        found = [self._receive_result(is_new) for is_new in are_new]
        if are_last:
            try:
                self._receive_unread_sync()
            except psycopg.Error as error:  # the server has done it, and ended: a COMMIT among it counts
                self._failure = error
                return found
        self._is_whole = True
        return found

    def end(self) -> None:
        """Ends a read, or what is left of a transaction that was committed or rolled back. After an error it is open
        what the server will send next, so the connection is closed."""
        if not self._is_whole:
            self._connection.close()
        elif self._is_open:
            self._send_sync()

    def leave(self) -> None:
        """Makes the connection usable for psycopg itself. A transaction that began with BEGIN goes on."""
        if self.is_active:
            if self._is_open:
                self._send_sync()
            self._receive_unread_sync()
            self._pgconn.exit_pipeline_mode()

    def _send_sync(self) -> None:
        self._is_open, self._unread_sync = False, 0
        while len(self._prepared) > MOST_STATEMENTS:
            _, name = self._prepared.popitem(last=False)
            self._pgconn.send_query_params(b"DEALLOCATE " + name, None)
            self._unread_sync += 1
        self._pgconn.pipeline_sync()
        self._connection.flush()

    def _send(self, text: bytes, parameters: Parameters) -> bool:
        """Queues a statement; whether it has to be prepared, which is a result of its own."""
        values = self._values.dump_sequence(parameters, [PyFormat.AUTO] * len(parameters))
        key = (text, tuple(self._values.types or ()))
        name = self._prepared.get(key)
        is_new = name is None
        if name is None:
            self._names += 1
            name = self._prepared[key] = b"kalends_%d" % self._names
            self._pgconn.send_prepare(name, *key)
        else:
            self._prepared.move_to_end(key)
        self._pgconn.send_query_prepared(name, values, self._values.formats, result_format=pq.Format.BINARY)
        return is_new

    def _receive_result(self, is_new: bool) -> Result:
        if is_new:
            self._receive()
        result = self._receive()
        self._values.set_pgresult(result, set_loaders=True, format=pq.Format.BINARY)
        rows: list[Row] = self._values.load_rows(0, result.ntuples, tuple)
        return Result(rows, result.command_tuples or 0)

    def _receive(self) -> "pq.abc.PGresult":
        """The result of the next command."""
        result = self._connection.next_result()
        if result is None or result.status not in (pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK):
            raise self._error(result)
        self._connection.next_result()  # None ends each command
        return result

    def _receive_unread_sync(self) -> None:
        unread, self._unread_sync = self._unread_sync, None
        self._receive_sync(unread)

    def _receive_sync(self, results_before: int | None) -> None:
        if results_before is None:
            return
        for _ in range(results_before):
            self._receive()
        result = self._connection.next_result()
        if result is None or result.status != pq.ExecStatus.PIPELINE_SYNC:
            raise self._error(result)

    def _error(self, result: "pq.abc.PGresult | None") -> psycopg.Error:
        """What psycopg itself would raise. The connection is closed if the server has ended it."""
        state = None if result is None else result.error_field(pq.DiagnosticField.SQLSTATE)
        if result is None or state is None:  # libpq's own
            self._connection.close()
            return psycopg.OperationalError(result.get_error_message() if result else "the connection was lost")
        if result.error_field(pq.DiagnosticField.SEVERITY_NONLOCALIZED) in ENDS_THE_CONNECTION:
            self._connection.close()
        try:
            return psycopg.errors.lookup(state.decode())(result.get_error_message())
        except KeyError:
            return psycopg.DatabaseError(result.get_error_message())
