"""Throttles wrong passwords: each one beyond a few doubles the time until the next attempt. Also counts the requests
of an address, where the settings have a rate limit."""

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


def raise_if_blocked(session: Session, keys: Sequence[ThrottleKey], now: datetime) -> None:
    until = throttle.blocked_until(session, [throttle_key.key for throttle_key in keys])
    if until is not None and until > dates.text(now):
        seconds = int((dates.from_text(until) - now).total_seconds())
        raise ApiError(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)


def record_failure(store: Store, keys: Sequence[ThrottleKey], now: datetime) -> None:
    with store.write() as session:
        throttle.forget_before(session, dates.text(now - MEMORY))
        for throttle_key in keys:
            number = throttle.count(session, throttle_key.key, dates.text(now - MEMORY)) + 1
            until = now + timedelta(seconds=wait(number, throttle_key.free))
            throttle.note(session, throttle_key.key, number, dates.text(now), dates.text(until))


def forget(store: Store, keys: Sequence[ThrottleKey]) -> None:
    """A successful log-in resets the count of this name at this address."""
    key = keys[0].key
    with store.read() as session:
        if not throttle.count(session, key, ""):
            return
    with store.write() as session:
        throttle.forget(session, key)


def take_requests(store: Store, address: str, minute: datetime, wanted: int, most: int) -> tuple[int, int]:
    """Reserves requests of an address in this minute. Returns how many were granted, and how many are left then.
    Reads call this, so it waits only briefly for another writer."""
    with store.write(patience=COUNTING_PATIENCE) as session:
        taken = throttle.add(session, _key("requests", address, free=most).key, wanted, dates.text(minute))
        throttle.forget_before(session, dates.text(minute - MEMORY))
    return max(0, wanted - max(0, taken - most)), max(0, most - taken)


def wait(number: int, free: int) -> int:
    """The seconds to wait after this failure: none for the free ones, then 1, 2, 4…"""
    return 0 if number < free else min(2 ** min(number - free, 20), LONGEST_WAIT)


def _key(*parts: str, free: int) -> ThrottleKey:
    # A digest, so that names and addresses of clients are not stored in clear text.
    return ThrottleKey(hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest(), free)
