"""Replicas of a database: reads go to one that is up to date; one that lags or is lost is left out for a while."""

import itertools
import logging
import threading
from collections.abc import Mapping, Sequence
from functools import partial

import psycopg

from kalends.store.engine.last_rev import PrimaryChange
from kalends.store.engine.pipeline import Result, Statement
from kalends.store.engine.pool import Connection, Pool
from kalends.store.engine.store import StoreUnavailable

# What a replica has: the last change, and of which primary.
STATE = b"SELECT coalesce(max(rev), 0), (SELECT server FROM epoch) FROM journal"

log = logging.getLogger("kalends")

SECONDS_BETWEEN_CHECKS = 1.0
MOST_STALE = 20  # reads in a row that found a replica behind; a moment after a write it may well be


class Replicas:
    """The first queries of a read are sent together with a query for the replica's last change, so no read is older
    than required."""

    def __init__(self, pools: Sequence[Pool]) -> None:
        self._pools = pools
        self._good = [True] * len(pools)
        self._revs = [0] * len(pools)
        self._stale = [0] * len(pools)
        self._newest = PrimaryChange("", 0)
        self._next_number = itertools.count()
        self._closing = threading.Event()
        self._watch: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(
        self, since: PrimaryChange, queries: Sequence[Statement]
    ) -> tuple[Pool, Connection, list[Result]] | None:
        """Begins a read on a replica that has this change; None if there is none now."""
        newest = self._newest
        self._newest = since if since.server != newest.server else max(newest, since)
        good = [number for number, is_good in enumerate(self._good) if is_good]
        if not good:
            return None
        number = good[next(self._next_number) % len(good)]
        pool = self._pools[number]
        try:
            connection, [last, *results] = pool.start(partial(execute, [(STATE, ()), *queries]))
        except StoreUnavailable as error:
            self._leave_out(number, f"it does not respond: {error}")
            return None
        except psycopg.errors.UndefinedTable:
            self._leave_out(number, "it does not have the tables yet")
            return None
        state = PrimaryChange(last.rows[0][1], last.rows[0][0])
        self._revs[number] = state.rev
        if _has(state, since):
            self._stale[number] = 0
            return pool, connection, results
        pool.give_back(connection)
        self._stale[number] += 1
        if self._stale[number] >= MOST_STALE:
            self._leave_out(number, f"it has change {state.rev} and not yet {since.rev} of the same primary")
        return None

    def figures(self) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for number, (good, rev) in enumerate(zip(self._good, self._revs, strict=True), 1):
            found[f"replica_{number}_used"] = float(good)
            found[f"replica_{number}_lag"] = max(0, self._newest.rev - rev)
        return found

    def close(self) -> None:
        self._closing.set()
        for pool in self._pools:
            pool.close()

    def _leave_out(self, number: int, reason: str) -> None:
        with self._lock:
            if self._good[number]:
                self._good[number] = False
                log.info("replica %d is left out: %s", number + 1, reason)
            if self._watch is None or not self._watch.is_alive():
                self._watch = threading.Thread(target=self._watch_lost, name="replicas", daemon=True)
                self._watch.start()

    def _watch_lost(self) -> None:
        """Uses replicas again once they have caught up; ends when none is left out."""
        while not self._closing.wait(SECONDS_BETWEEN_CHECKS):
            for number, pool in enumerate(self._pools):
                if not self._good[number] and self._is_up_to_date(number, pool):
                    self._good[number], self._stale[number] = True, 0
                    log.info("replica %d is used again", number + 1)
            with self._lock:
                if all(self._good):
                    self._watch = None
                    return

    def _is_up_to_date(self, number: int, pool: Pool) -> bool:
        try:
            state = last_change(pool)
        except (StoreUnavailable, psycopg.errors.UndefinedTable):
            return False
        self._revs[number] = state.rev
        return _has(state, self._newest)


def last_change(pool: Pool) -> PrimaryChange:
    """The last change on a server."""
    connection, [last] = pool.start(lambda connection: connection.pipeline.execute([(STATE, ())], are_last=True))
    pool.give_back(connection)
    return PrimaryChange(last.rows[0][1], last.rows[0][0])


def _has(state: PrimaryChange, since: PrimaryChange) -> bool:
    """A replica that is ahead of a new primary has changes that were lost, and must not be read."""
    return state.rev >= since.rev and state.server == since.server


def execute(statements: Sequence[Statement], connection: Connection, *, are_last: bool = False) -> list[Result]:
    return connection.pipeline.execute(statements, are_last=are_last)
