"""The current revision of the calendar with the settings of its site, and the publication of posts that are due.

A read never writes and never waits for a writer. Posts that are due are published by a separate thread, and the read
that finds them due waits for its first attempt. While another writer holds the lock or the store cannot be written,
the revision is overdue: reads see what is due by the clock (store/rows/journal.py), which takes them longer.
"""

import hashlib
import itertools
import logging
import threading
import time
from collections.abc import Callable, Hashable
from datetime import datetime
from typing import NamedTuple

import msgspec

from kalends import hooks
from kalends.contract.kinds.defined_fields import defined_fields
from kalends.settings import Settings
from kalends.store.engine.store import Session, Store, StoreUnavailable
from kalends.store.rows import journal
from kalends.store.rows.journal import LastChange, SiteFacts
from kalends.values import dates
from kalends.values.custom_fields import from_text

LONGEST_WAIT = 0.3  # seconds that a read waits for a publication, which takes some milliseconds unless it is blocked
PATIENCE = 10.0  # seconds that the publisher waits for the lock in later attempts
SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # between two attempts
PAUSE = 0.01  # between two parts, for other writers to have their turn

log = logging.getLogger("kalends")


class StoredSettings:
    """The settings of the process with those that the store has."""

    def __init__(self, configured: Settings) -> None:
        self.configured = configured
        self._last: tuple[str | None, str | None, Settings] = (None, None, configured)

    def read(self, session: Session) -> Settings:
        """As they are in this transaction."""
        return self.of(journal.read_facts(session))

    def of(self, facts: SiteFacts) -> Settings:
        """As the store has them. The same object while nothing changes."""
        texts, fields, settings = self._last
        if (facts.settings, facts.custom_fields) != (texts, fields):
            texts, fields = facts.settings, facts.custom_fields
            settings = self.configured.with_those_of_the_site(decoded(texts), from_text(fields))
            self._last = texts, fields, settings
        return settings

    def origin_of(self, key: str) -> str:
        """Where a value was written that wins over the store; empty if it was not."""
        return self.configured.origins.get(key, "")


def decoded(text: str | None) -> dict[str, str]:
    return msgspec.json.decode(text, type=dict[str, str]) if text else {}


class Revision(NamedTuple):
    """The calendar as it is at one moment, after one change."""

    now: datetime
    moment: str  # `now` as text
    token: Hashable  # of the store: what a read must have
    epoch: str  # numbers of changes mean the same as long as it is the same
    epochs: int  # grows with every other one that this process sees
    public: int  # the last change that an anonymous reader could notice
    changed: LastChange | None  # when that was
    due: str | None  # when the next post becomes public
    settings: Settings  # those of the process, with what the store has of the site's
    # Every request asks for these, so they are known from the beginning (`at`).
    clock_changed: str = ""  # when the clock alone last changed what features add to records, up to now
    clock_changes: str = ""  # when it will next
    is_overdue: bool = False  # something is due, and its status is not stored yet
    state: tuple[int, int, str] = (0, -1, "")  # what anonymous readers see belongs to it; a later one is greater

    def at(self, now: datetime) -> "Revision":
        """The same at another time."""
        moment = dates.text(now)
        is_overdue = self.due is not None and self.due <= moment
        # Greater also after changes were lost.
        state = self.epochs, self.public, moment if is_overdue else self.clock_changed
        return self._replace(now=now, moment=moment, is_overdue=is_overdue, state=state)


def clock_changes(session: Session, now: str) -> tuple[str, str]:
    """When, in UTC, the clock alone last changed what features add to records, and when it will next; else ""."""
    found = [ask(session, now) for ask in hooks.clock_changes]
    if not found:
        return "", ""
    return max(last for last, _ in found), min((following for _, following in found if following), default="")


def with_clock(changed: LastChange | None, clock_changed: str) -> LastChange | None:
    """The last change of what is shown, whoever made it: the journal knows all but those of the clock."""
    if not clock_changed or (changed is not None and changed.at > clock_changed):
        return changed
    return LastChange(clock_changed, alone=changed is None or changed.at < clock_changed)


class Revisions:
    """Tracks the store and the clock. `publish` publishes a part of what is due at a time; whether more is left."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        publish: Callable[[datetime, float], bool],
        site_settings: StoredSettings,
    ) -> None:
        self._store = store
        self._site_settings = site_settings
        self._clock = clock
        self._epochs = itertools.count(1)
        self._last_epoch: tuple[str, str, Settings | None, str] = "", "", None, ""
        self._publisher = Publisher(lambda patience: publish(clock(), patience))
        self.known = Revision(
            datetime.min, "", None, "", 0, -1, None, None, site_settings.configured
        )  # the last found

    def current(self) -> Revision:
        """Includes everything that was committed before this call, on any node, and what is due by the clock."""
        now, known, token = self._clock(), self.known, self._store.changes()
        revision = known if token == known.token and now == known.now else self._update(now, token)
        if revision.is_overdue and self._publisher.run():
            revision = self._update(self._clock(), self._store.changes())
        # The journal does not know yet that something changed.
        return revision._replace(changed=None) if revision.is_overdue else revision

    def look_at_settings(self) -> None:
        """For a write, which finds everything else in its transaction: `known` has the settings as they are now."""
        token = self._store.changes()
        if token == self.known.token:
            return
        with self._store.read_once(since=token) as session:
            store, facts = journal.read_site(session)
        if store != self._last_epoch[0] or self._site_settings.of(facts) is not self.known.settings:
            self.current()

    def last_rev(self) -> int:
        """The number of the last change in the store."""
        with self._store.read() as session:
            return journal.last_rev(session)

    def _update(self, now: datetime, token: Hashable) -> Revision:
        known = self.known
        if token != known.token or (known.clock_changes and known.clock_changes <= dates.text(now)):
            with self._store.read_once(since=token) as session:
                facts, store, rev, public, changed = journal.read_state(session)
                clock_changed, changes_next = clock_changes(session, dates.text(now))
            settings = self._site_settings.of(facts)
            current = self._epoch(store, self._store.server_of(token), settings)
            epochs = known.epochs if current == known.epoch else next(self._epochs)
            token = self._store.changes_with(token, rev)
            changed = with_clock(changed, clock_changed)
            found = Revision(
                *(now, "", token, current, epochs, public, changed, facts.due, settings, clock_changed, changes_next)
            )
            known = self.known = found.at(now)
        elif now != known.now:
            known = self.known = known.at(now)
        return known

    def _epoch(self, store: str, server: str, settings: Settings) -> str:
        """Nearly every change leaves it as it was: the settings are then the same object."""
        last_store, last_server, last_settings, found = self._last_epoch
        if settings is not last_settings or (store, server) != (last_store, last_server):
            found = epoch_of(store, server, settings)
            self._last_epoch = store, server, settings, found
        return found


def epoch_of(store: str, server: str, settings: Settings) -> str:
    """Another one for a restored or moved store, for a new primary, which may have lost changes, and for settings
    that change every record."""
    currency = settings.currency_symbol, settings.currency_code, settings.currency_position
    parts: tuple[object, ...] = (store, server, settings.timezone, settings.base_url, settings.language, currency)
    if rows := defined_fields(settings):
        parts += ([(row.name, row.label, row.property_id, row.is_public) for row in rows],)
    return hashlib.blake2b(repr(parts).encode(), digest_size=6).hexdigest()


class Publisher:
    """Publishes in a separate thread, part by part, retrying until it succeeds. Only one thread runs at a time."""

    def __init__(self, publish: Callable[[float], bool]) -> None:
        self._publish = publish
        self._lock = threading.Lock()
        self._first_attempt: threading.Event | None = None  # set after the first attempt of the running thread
        self._is_blocked = False

    def run(self) -> bool:
        """Starts the thread unless it runs, and waits for its first attempt. False when that was blocked by another
        writer or failed: the thread then continues in the background."""
        with self._lock:
            if self._first_attempt is None:
                self._first_attempt, self._is_blocked = threading.Event(), False
                threading.Thread(target=self._work, args=[self._first_attempt], name="publisher", daemon=True).start()
            first_attempt = self._first_attempt
        return first_attempt.wait(LONGEST_WAIT) and not self._is_blocked

    def _work(self, first_attempt: threading.Event) -> None:
        patience, pause = 0.0, SHORTEST_PAUSE
        while True:
            try:
                is_left = self._publish(patience)
                if not is_left:
                    break
                first_attempt.set()
                time.sleep(PAUSE)
                continue
            except StoreUnavailable as error:
                if patience:
                    log.warning("what is due cannot be published now: %s", error)
            except Exception:
                log.exception("publishing what is due failed")
            self._is_blocked = True
            first_attempt.set()
            time.sleep(pause)
            patience, pause = PATIENCE, min(LONGEST_PAUSE, 2 * pause)
        with self._lock:
            self._first_attempt = None
        first_attempt.set()
