"""Reads events that a password protects, and throttles clients that guess it."""

from collections.abc import Sequence
from typing import cast

from kalends.calendar import signing, throttling
from kalends.calendar.access import Caller
from kalends.calendar.accounts import event_passwords
from kalends.calendar.posts import posts
from kalends.calendar.posts.posts import BundledPost, bundle_post
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import PASSWORD_PROTECTED, ApiError
from kalends.contract.kinds import EVENT
from kalends.store.rows import events
from kalends.store.rows.records import Event

PURPOSE = "event password"


def read_with_password(
    transactions: Transactions, caller: Caller, key: posts.Key, password: str, address: str
) -> BundledPost:
    """One event. The password counts only where the caller needs it."""
    with transactions.reading(caller) as work:
        event = cast(Event, posts.find(work, EVENT, key))
        if not work.visibility.can_read(event) or work.visibility.can_unmask(event):
            return bundle_post(work, posts.read(work, EVENT, key))
        # First of all: a blocked client must learn nothing about the password, not even from the time taken.
        throttle_keys = throttling.event_password(event.id, address)
        transactions.throttle.raise_if_blocked(work.session, throttle_keys, work.now)
        digest = event_passwords.digest(work.session, password)
        try:
            return bundle_post(work, posts.read(work, EVENT, key, digest), digest)
        except ApiError as api_error:
            if api_error.error_type is not PASSWORD_PROTECTED:
                raise
    transactions.throttle.record_failure(throttle_keys, work.now)
    raise ApiError(PASSWORD_PROTECTED)


def remembered_password(transactions: Transactions, caller: Caller, post: BundledPost) -> str:
    """What a browser may send instead of the password of an event; nothing can be learned from it."""
    event = cast(Event, post[0])
    with transactions.reading(caller) as work:
        return signing.sign(work.session, PURPOSE, event.password.hex()) if event.password is not None else ""


def read_remembered(
    transactions: Transactions, caller: Caller, key: posts.Key, remembered: Sequence[str]
) -> BundledPost | None:
    """The event if one of these stands for its password, which other dates of a series have too."""
    with transactions.reading(caller) as work:
        event = cast(Event, posts.find(work, EVENT, key))
        digest = event.password
        is_known = digest is not None and any(
            signing.is_signed(work.session, PURPOSE, digest.hex(), one) for one in remembered
        )
        if not is_known:
            return None
        return bundle_post(work, posts.read(work, EVENT, key, digest), digest)


def digest_for_list(transactions: Transactions, caller: Caller, password: str, address: str) -> bytes:
    """The digest of a password that came with a list. One that fits no event counts as a wrong guess."""
    throttle_keys = throttling.event_password(None, address)
    with transactions.reading(caller) as work:
        transactions.throttle.raise_if_blocked(work.session, throttle_keys, work.now)
        digest = event_passwords.digest(work.session, password)
        fits = events.has_password(work.session, work.visibility, digest)
    if not fits:
        transactions.throttle.record_failure(throttle_keys, work.now)
    return digest
