"""Who a password or a token belongs to. Nothing here writes on the way of a request, nor waits for a writer."""

import hmac
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

from kalends.calendar import throttling
from kalends.calendar.access import Caller
from kalends.calendar.accounts import account_rules, tokens
from kalends.calendar.accounts.account_rules import LONGEST_NAME, LONGEST_PASSWORD
from kalends.calendar.accounts.tokens import APPLICATION, BEARER
from kalends.calendar.accounts.users import caller_of
from kalends.calendar.admission import HASH, WORKER
from kalends.calendar.throttling import ThrottleKey
from kalends.calendar.transactions import Transactions
from kalends.store.rows import users as stored_users
from kalends.values.marks import has_long_run


class Authenticator:
    """Finds the caller of a credential. A verified password is remembered in memory while the stored hash is the
    same, so that its 50 ms are spent only once."""

    MOST_REMEMBERED = 1000

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._verified: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def _unknown_user_hash(self) -> str:
        """What the password of an unknown user is compared with, so that the response takes as long."""
        return account_rules.hashed(secrets.token_hex())

    def by_password(
        self, calendar: Transactions, name: str, password: str, address: str, *, application: bool = True
    ) -> Caller | None:
        """The user of this name with this password or, where `application` says so, with an application password.
        Wrong ones are throttled."""
        # No user has such a name: nothing has to be looked up, folded or hashed.
        if len(name) > LONGEST_NAME or len(password) > LONGEST_PASSWORD or has_long_run(name + password):
            return None
        now, throttle_keys = calendar.clock(), throttling.login(name, address)
        with calendar.store.read() as session:
            user = stored_users.find_user_by_name(session, name)
            if user is not None and user.disabled:
                user = None
            is_token = user is not None and application
            token = stored_users.find_token(session, tokens.digest(password.replace(" ", ""))) if is_token else None
        if (
            user is not None
            and token is not None
            and token.user == user.id
            and tokens.is_valid(token, APPLICATION, now)
        ):
            calendar.uses.note_token(token.id, token.used_utc, now)
            return caller_of(user, read_only=token.read_only)
        # Failures with this name from this address block remembered passwords too, or guessing would be unthrottled.
        # Failures from other addresses do not lock out a client that is known here.
        mark = self._mark(user.password if user else "", password, address)
        is_verified = user is not None and self._is_verified(mark)
        _check(calendar, throttle_keys[:1] if is_verified else throttle_keys)
        if user is not None and is_verified:
            return caller_of(user)
        with WORKER.aside(HASH):
            _check(calendar, throttle_keys)  # again: those who were waited for count too
            is_right = account_rules.has_password(user.password if user else self._unknown_user_hash, password)
            if user is None or not is_right:
                calendar.throttle.record_failure(throttle_keys, calendar.clock())
                return None
        with calendar.store.read() as session:
            calendar.throttle.record_success(session, throttle_keys, now)
        self._remember(mark)
        return caller_of(user)

    def by_token(self, calendar: Transactions, clear: str) -> Caller | None:
        now = calendar.clock()
        with calendar.store.read_once() as session:
            found = stored_users.find_token_and_user(session, tokens.digest(clear))
        if found is None or found[1].disabled or not tokens.is_valid(found[0], BEARER, now):
            return None
        token, user = found
        calendar.uses.note_token(token.id, token.used_utc, now)
        return caller_of(user, read_only=token.read_only)

    def _mark(self, stored: str, password: str, address: str) -> bytes:
        """What is remembered of a verified password; the password cannot be derived from it."""
        encoded = "\0".join((stored, address, password)).encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, encoded, "sha256")

    def _is_verified(self, mark: bytes) -> bool:
        with self._lock:
            if mark not in self._verified:
                return False
            self._verified.move_to_end(mark)
            return True

    def _remember(self, mark: bytes) -> None:
        with self._lock:
            self._verified[mark] = None
            if len(self._verified) > self.MOST_REMEMBERED:
                self._verified.popitem(last=False)


def _check(calendar: Transactions, keys: Sequence[ThrottleKey]) -> None:
    """Refuses those with too many wrong passwords."""
    with calendar.store.read() as session:
        calendar.throttle.raise_if_blocked(session, keys, calendar.clock())
