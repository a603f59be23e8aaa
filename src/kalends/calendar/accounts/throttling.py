"""Slows down who guesses passwords: each wrong guess beyond a few doubles the time until the next may be made.
And who asks too often, where there is a limit."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from kalends.contract.errors import TOO_MANY, ApiError
from kalends.store.engine.store import Session, Store
from kalends.store.rows import throttle
from kalends.values import dates, names

MEMORY = timedelta(hours=1)
LONGEST_WAIT = 15 * 60  # seconds
COUNTING_PATIENCE = 0.05


@dataclass(frozen=True, slots=True)
class ThrottleKey:
    """What is guessed at, or who guesses, and how many mistakes are free."""

    key: str
    free: int


def login(name: str, address: str) -> tuple[ThrottleKey, ...]:
    """A log-in: this name from this address, anything from this address, and this name from anywhere."""
    person = names.fold(name)
    return (
        _guess("login", person, address, free=5),
        *login_address(address),
        _guess("login-name", person, free=100),
    )


def login_address(address: str) -> tuple[ThrottleKey, ...]:
    """Any log-in from this address, whatever the credentials say."""
    return (_guess("login-address", address, free=30),)


def event_password(event: int | None, address: str) -> tuple[ThrottleKey, ...]:
    """The password of an event, or one that a list was asked with."""
    target = "list" if event is None else str(event)
    return (
        _guess("event", target, address, free=10),
        _guess("event-address", address, free=50),
        *(() if event is None else (_guess("event", target, free=200),)),
    )


def raise_if_blocked(session: Session, guesses: Sequence[ThrottleKey], now: datetime) -> None:
    until = throttle.blocked_until(session, [guess.key for guess in guesses])
    if until is not None and until > dates.text(now):
        seconds = int((dates.from_text(until) - now).total_seconds())
        raise ApiError(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)


def record_failure(store: Store, guesses: Sequence[ThrottleKey], now: datetime) -> None:
    with store.write() as session:
        throttle.forget_before(session, dates.text(now - MEMORY))
        for guess in guesses:
            number = throttle.count(session, guess.key, dates.text(now - MEMORY)) + 1
            until = now + timedelta(seconds=wait(number, guess.free))
            throttle.note(session, guess.key, number, dates.text(now), dates.text(until))


def forget(store: Store, guesses: Sequence[ThrottleKey]) -> None:
    """A right answer clears what is held against this name at this address, if anything is."""
    key = guesses[0].key
    with store.read() as session:
        if not throttle.count(session, key, ""):
            return
    with store.write() as session:
        throttle.forget(session, key)


def take_requests(store: Store, address: str, minute: datetime, wanted: int, most: int) -> tuple[int, int]:
    """How many of the requests that an address still has in this minute are given out, as many as are wanted or what
    is left; and how many are left after that. A reader asks, so nobody waits long for another writer."""
    with store.write(patience=COUNTING_PATIENCE) as session:
        taken = throttle.add(session, _guess("requests", address, free=most).key, wanted, dates.text(minute))
        throttle.forget_before(session, dates.text(minute - MEMORY))
    return max(0, wanted - max(0, taken - most)), max(0, most - taken)


def wait(number: int, free: int) -> int:
    """The seconds after the mistake of this number: none for the free ones, then 1, 2, 4…"""
    return 0 if number < free else min(2 ** min(number - free, 20), LONGEST_WAIT)


def _guess(*parts: str, free: int) -> ThrottleKey:
    # A digest, so that names and addresses of strangers are not kept in the clear.
    return ThrottleKey(hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest(), free)
