"""Replicas of a database: reads go to one that is up to date; one that lags or is gone is left out for a while."""

import itertools
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from kalends.store.database import ReplicaLost, Row, StoreUnavailable
from kalends.store.pooling import Connection, Pool

log = logging.getLogger("kalends")

SECONDS_BETWEEN_LOOKS = 1.0
MOST_STALE = 20  # reads in a row that found a replica behind; a moment after a write it may well be


class Replicas:
    """Each read begins with the number of the last change that the replica has, so none is older than asked for."""

    def __init__(self, pools: Sequence[Pool], begin: str) -> None:
        """`begin`: starts a transaction and answers with the number of its last change."""
        self._pools = pools
        self._begin = begin
        self._good = [True] * len(pools)
        self._revs = [0] * len(pools)
        self._stale = [0] * len(pools)
        self._newest = 0
        self._turn = itertools.count()
        self._closing = threading.Event()
        self._watch: threading.Thread | None = None
        self._lock = threading.Lock()

    @contextmanager
    def reading(self, rev: int) -> Iterator[Connection | None]:
        """A transaction on a replica that has the change `rev`; None if there is none just now."""
        self._newest = max(self._newest, rev)
        with ExitStack() as stack:
            connection = self._choose(rev, stack)
            yield connection

    def figures(self) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for number, (good, rev) in enumerate(zip(self._good, self._revs, strict=True), 1):
            found[f"replica_{number}_used"] = float(good)
            found[f"replica_{number}_lag"] = max(0, self._newest - rev)
        return found

    def close(self) -> None:
        self._closing.set()
        for pool in self._pools:
            pool.close()

    def _choose(self, rev: int, stack: ExitStack) -> Connection | None:
        good = [number for number, is_good in enumerate(self._good) if is_good]
        if not good:
            return None
        number = good[next(self._turn) % len(good)]
        try:
            connection, row = stack.enter_context(_read_only(self._pools[number], self._begin))
        except StoreUnavailable as error:
            self._leave_out(number, f"it does not answer: {error}")
            return None
        self._revs[number] = row[0]
        if row[0] >= rev:
            self._stale[number] = 0
            return connection
        stack.close()
        self._stale[number] += 1
        if self._stale[number] >= MOST_STALE:
            self._leave_out(number, f"it has change {row[0]} and not yet {rev}")
        return None

    def _leave_out(self, number: int, reason: str) -> None:
        with self._lock:
            if self._good[number]:
                self._good[number] = False
                log.info("replica %d is left out: %s", number + 1, reason)
            if self._watch is None or not self._watch.is_alive():
                self._watch = threading.Thread(target=self._look_after, name="replicas", daemon=True)
                self._watch.start()

    def _look_after(self) -> None:
        """Takes replicas back as soon as they have caught up; ends when none is left out."""
        while not self._closing.wait(SECONDS_BETWEEN_LOOKS):
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
            with pool.connection(self._begin) as (_, row):
                self._revs[number] = row[0]
                return bool(row[0] >= self._newest)
        except StoreUnavailable:
            return False


@contextmanager
def _read_only(pool: Pool, begin: str) -> Iterator[tuple[Connection, Row]]:
    started = False
    try:
        with pool.connection(begin) as (connection, row):
            started = True
            yield connection, row
    except StoreUnavailable as error:
        if started:
            raise ReplicaLost(str(error)) from error
        raise
