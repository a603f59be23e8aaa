"""The security log: what the core tells is stored in its transaction; refusals, which have none, a moment later."""

import threading
import weakref
from datetime import timedelta

from kalends.calendar.access import UnitOfWork, may_manage_users, require_to_read
from kalends.calendar.background.background import ProcessWork
from kalends.calendar.background.task_kinds import Done, Run, TaskKind
from kalends.calendar.security import SecurityEntry
from kalends.calendar.service import Calendar
from kalends.calendar.transactions import Transactions
from kalends.features.signing_in import identities
from kalends.features.signing_in import log_rows as rows
from kalends.features.signing_in.log_rows import SecurityEvent
from kalends.languages import N_
from kalends.values import dates

KEPT = timedelta(days=180)
MOST_REFUSALS = 20_000  # a flood of guesses must not fill the disk
MOST_WAITING = 1_000
PART = 500
REFUSED = "refused"


class Refusals:
    """Those of one process that are not stored yet. The same one several times is one line."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._waiting: dict[SecurityEntry, tuple[str, int]] = {}
        self._lock = threading.Lock()

    def add(self, entry: SecurityEntry) -> None:
        key = entry._replace(at="")
        with self._lock:
            if key in self._waiting or len(self._waiting) < MOST_WAITING:
                self._waiting[key] = entry.at, self._waiting.get(key, ("", 0))[1] + 1

    def are_waiting(self) -> bool:
        return bool(self._waiting)

    def write(self) -> None:
        with self._lock:
            taken, self._waiting = self._waiting, {}
        try:
            with self._transactions.store.write() as session:
                for entry, (at, times) in taken.items():
                    rows.insert(session, SecurityEvent(**entry._replace(at=at)._asdict(), times=times))
        except BaseException:
            with self._lock:
                self._waiting = taken | self._waiting
            raise


_REFUSALS: weakref.WeakKeyDictionary[Transactions, Refusals] = weakref.WeakKeyDictionary()


def refusals_of(calendar: Transactions) -> Refusals:
    return _REFUSALS.setdefault(calendar, Refusals(weakref.proxy(calendar)))


def note(work: UnitOfWork, entry: SecurityEntry) -> None:
    identities.check_administrators(work, entry.what, entry.user)
    rows.insert(work.session, SecurityEvent(**entry._asdict()))


def note_refusal(calendar: Transactions, entry: SecurityEntry) -> None:
    refusals_of(calendar).add(entry)


def events(work: UnitOfWork, what: str, name: str, before: int, most: int) -> list[SecurityEvent]:
    require_to_read(may_manage_users(work.caller), work.caller)
    return rows.page(work.session, what, name, before, most)


def register_tasks(calendar: Calendar) -> None:
    refusals = refusals_of(calendar)

    def forget(run: Run) -> Done:
        oldest = dates.text(calendar.clock() - KEPT)

        def forgot_all() -> bool:
            with calendar.store.write() as session:
                return rows.forget(session, oldest, REFUSED, MOST_REFUSALS, PART) < PART

        while not forgot_all():
            run.pause()
        return Done()

    calendar.background.register(TaskKind("security-log", N_("Shorten the security log"), forget, every=3600.0))
    calendar.background.add_process_work(ProcessWork("refusals", refusals.are_waiting, refusals.write))
