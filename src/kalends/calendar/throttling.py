"""Throttles wrong passwords: each one beyond a few doubles the time until the next attempt. Also counts the requests
of an address, where the settings have a rate limit.

A wrong password counts in this process at once, and in the store, for all processes, as soon as that can be written:
nobody who asks waits for another writer.

The clocks of two nodes may differ a little, and a clock that was far ahead comes back: what was noted for later than
the longest wait from now does not count.
"""

import contextlib
import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from kalends.contract.errors import TOO_MANY, ApiError
from kalends.store.engine.store import Session, Store, StoreUnavailable
from kalends.store.rows import sessions, users
from kalends.values import dates, names
from kalends.values.dates import furthest

# When tokens and sessions were last used, to ten minutes.

GRAIN = timedelta(minutes=10)
MOST_COLLECTED = 10_000  # what does not fit is collected by the next request

Note = Callable[[Session, int, str], None]


class CredentialUses:
    """The uses that are not in the store yet."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._collected: dict[tuple[Note, int], str] = {}
        self._lock = threading.Lock()

    def note(self, note: Note, id: int, now: datetime) -> None:
        """Any other use of something."""
        self._note((note, id), None, now)

    def note_token(self, id: int, last: str | None, now: datetime) -> None:
        """`last`: what the store has."""
        self._note((users.note_use, id), last, now)

    def note_session(self, id: int, last: str, now: datetime) -> None:
        self._note((sessions.note_use, id), last, now)

    def write(self, patience: float) -> None:
        """Raises StoreUnavailable when another writer takes longer; then they are written by the next call."""
        if not self._collected:
            return
        with self._lock:
            taken, self._collected = self._collected, {}
        try:
            with self._store.write(patience=patience) as session:
                for (note, id), at in taken.items():
                    note(session, id, at)
        except BaseException:
            with self._lock:
                self._collected = taken | self._collected
            raise

    def _note(self, key: tuple[Note, int], last: str | None, now: datetime) -> None:
        if last is not None and last > dates.text(now - GRAIN):
            return
        with self._lock:
            if key in self._collected or len(self._collected) < MOST_COLLECTED:
                self._collected[key] = dates.text(now)


MEMORY = timedelta(hours=1)
LONGEST_WAIT = 15 * 60  # seconds
COUNTING_PATIENCE = 0.05
MOST_WAITING = 10_000  # keys with attempts that are not in the store yet; the oldest are dropped


@dataclass(frozen=True, slots=True)
class ThrottleKey:
    """What attempts are counted by, and how many failures have no consequence."""

    key: str
    free: int


def login(name: str, address: str) -> tuple[ThrottleKey, ...]:
    """A log-in: this name from this address, anything from this address, and this name from anywhere."""
    person = names.fold(name)
    return (
        _key("login", person, address, free=5),
        *login_address(address),
        _key("login-name", person, free=100),
    )


def login_address(address: str) -> tuple[ThrottleKey, ...]:
    """Any log-in from this address, whatever the credentials say."""
    return (_key("login-address", address, free=30),)


def event_password(event: int | None, address: str) -> tuple[ThrottleKey, ...]:
    """The password of an event, or one that a list was asked with."""
    target = "list" if event is None else str(event)
    return (
        _key("event", target, address, free=10),
        _key("event-address", address, free=50),
        *(() if event is None else (_key("event", target, free=200),)),
    )


class Attempts(NamedTuple):
    """Attempts of one key that the store does not have yet."""

    failures: int
    at: datetime  # of the last one
    starts_again: bool = False  # after a success: what came before does not count

    def then(self, later: "Attempts") -> "Attempts":
        """Both, one after the other."""
        return (
            later
            if later.starts_again
            else later._replace(failures=self.failures + later.failures, starts_again=self.starts_again)
        )


NONE = Attempts(0, datetime.min)
Collected = dict[ThrottleKey, Attempts]


class Throttle:
    """The failed attempts of a calendar, as this process knows them: those in the store, and its own that are on
    their way there."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending: Collected = {}
        self._being_written: Collected = {}  # still counted here until they are committed
        self._lock = threading.Lock()  # of the two
        self._writer = threading.Lock()

    def raise_if_blocked(self, session: Session, keys: Sequence[ThrottleKey], now: datetime) -> None:
        until = max((self._blocked_until(session, key, now) for key in keys), default=now)
        if until > now:
            seconds = int((until - now).total_seconds())
            raise ApiError(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)

    def consume_requests(self, address: str, period: datetime, wanted: int, most: int) -> tuple[int, int]:
        """Reserves requests, see `consume_requests`. Nobody waits long for it: raises StoreUnavailable."""
        with self._store.write(patience=COUNTING_PATIENCE) as session:
            return consume_requests(session, address, period, wanted, most)

    def check_address(self, address: str, now: datetime) -> None:
        """Refuses any log-in from an address with too many wrong ones."""
        with self._store.read() as session:
            self.raise_if_blocked(session, login_address(address), now)

    def record_failure(self, keys: Sequence[ThrottleKey], now: datetime) -> None:
        self._collect(keys, Attempts(1, now))
        with contextlib.suppress(StoreUnavailable):
            self.write(COUNTING_PATIENCE)

    def record_success(self, session: Session, keys: Sequence[ThrottleKey], now: datetime) -> None:
        """The count of the first key, this name at this address, starts again."""
        key = keys[0]
        if users.has_attempts(session, key.key) or self._unwritten(key) is not NONE:
            self._collect([key], Attempts(0, now, starts_again=True))

    def write(self, patience: float) -> None:
        """Writes what was collected into the store. Raises StoreUnavailable when another writer takes longer; then it
        waits here for the next call."""
        if not self._pending or not self._writer.acquire(timeout=patience):
            return
        try:
            with self._lock:
                self._being_written, self._pending = self._pending, {}
            try:
                with self._store.write(patience=patience) as session:
                    for key, attempts in self._being_written.items():
                        _write(session, key, attempts)
            except BaseException:
                with self._lock:
                    later, self._pending = self._pending, self._being_written
                    for key, attempts in later.items():
                        self._add(key, attempts)
                raise
            finally:
                self._being_written = {}
        finally:
            self._writer.release()

    def _collect(self, keys: Sequence[ThrottleKey], attempts: Attempts) -> None:
        with self._lock:
            for key in keys:
                self._add(key, attempts)

    def _add(self, key: ThrottleKey, attempts: Attempts) -> None:
        known = self._pending.pop(key, NONE)
        self._pending[key] = known.then(attempts)
        while len(self._pending) > MOST_WAITING:
            del self._pending[next(iter(self._pending))]

    def _unwritten(self, key: ThrottleKey) -> Attempts:
        with self._lock:
            being_written, waiting = self._being_written.get(key), self._pending.get(key)
        if being_written is None or waiting is None:
            return waiting or being_written or NONE
        return being_written.then(waiting)

    def _blocked_until(self, session: Session, key: ThrottleKey, now: datetime) -> datetime:
        attempts, latest = self._unwritten(key), _latest(now)
        if attempts.failures:
            if attempts.at > latest:
                return now
            return attempts.at + timedelta(seconds=wait(_number(session, key, attempts), key.free))
        until = None if attempts.starts_again else users.blocked_until(session, key.key, dates.text(latest))
        return now if not until else dates.from_text(until)


def _latest(now: datetime) -> datetime:
    """Until when what was noted counts."""
    return furthest(now, timedelta(seconds=LONGEST_WAIT))


def _number(session: Session, key: ThrottleKey, attempts: Attempts) -> int:
    if attempts.starts_again:
        return attempts.failures
    since, latest = dates.text(attempts.at - MEMORY), dates.text(_latest(attempts.at))
    return users.count_attempts(session, key.key, since, latest) + attempts.failures


def _write(session: Session, key: ThrottleKey, attempts: Attempts) -> None:
    at = attempts.at
    users.forget_attempts_before(session, dates.text(at - MEMORY))
    if not attempts.failures:
        users.forget_attempts(session, key.key)
        return
    number = _number(session, key, attempts)
    until = at + timedelta(seconds=wait(number, key.free))
    users.note_attempts(session, key.key, number, dates.text(at), dates.text(until))


def consume_requests(session: Session, address: str, period: datetime, wanted: int, most: int) -> tuple[int, int]:
    """Reserves requests of an address in this minute or hour. Returns how many were granted, and how many are left
    then."""
    taken = users.count_requests(session, _key("requests", address, free=most).key, wanted, dates.text(period))
    users.forget_attempts_before(session, dates.text(period - MEMORY))
    return max(0, wanted - max(0, taken - most)), max(0, most - taken)


def wait(number: int, free: int) -> int:
    """The seconds to wait after this failure: none for the free ones, then 1, 2, 4…"""
    return 0 if number < free else min(2 ** min(number - free, 20), LONGEST_WAIT)


def _key(*parts: str, free: int) -> ThrottleKey:
    # A digest, so that names and addresses of clients are not stored in clear text.
    return ThrottleKey(hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest(), free)
