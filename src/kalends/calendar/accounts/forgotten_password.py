"""A forgotten password: whoever asks gets the same answer in the same time, whether the name or address is known.

The request only writes down what was typed; the background work looks who that is, and sends the links.
"""

import hashlib
from datetime import datetime, timedelta

import msgspec

from kalends.calendar import letters, throttling
from kalends.calendar.access import SERVICE, UnitOfWork
from kalends.calendar.accounts import one_time_links
from kalends.calendar.background.task_kinds import Done, Outcome, Run, TaskKind
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import TOO_MANY, ApiError
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import tasks
from kalends.store.rows import users as stored_users
from kalends.values import dates, names

TASK = "forgotten-password"
LONGEST = 254
MOST_PER_HOUR = 10  # of one client
MOST_PER_DAY = 3  # to one person


def ask(transactions: Transactions, written: str, client: str) -> None:
    """Somebody at this network address has forgotten the password of a name or an address of mail."""
    text = written.strip()[:LONGEST]
    with transactions.store.write() as session:
        now = transactions.clock()
        count_request(session, f"forgotten {client}", now, MOST_PER_HOUR)
        key = hashlib.sha256(names.fold(text).encode("utf-8", "replace")).hexdigest()
        tasks.add(session, TASK, key, dates.text(now), text.encode("utf-8", "replace").decode())


def count_request(session: Session, key: str, now: datetime, most: int) -> None:
    """Counts what a client asks for in this hour."""
    hour = now.replace(minute=0, second=0)
    granted, _ = throttling.consume_requests(session, key, hour, 1, most)
    if not granted:
        seconds = int((hour + timedelta(hours=1) - now).total_seconds()) + 1
        raise ApiError(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)


def forgotten_passwords(transactions: Transactions) -> TaskKind:
    """The work of sending the links, for the table of background work."""

    def run(run: Run) -> Outcome:
        def also(session: Session) -> None:
            settings = transactions.site_settings.read(session)
            send(UnitOfWork(session, SERVICE, transactions.clock(), settings), run.task.payload)

        return Done(also=also)

    return TaskKind(TASK, N_("Send links for forgotten passwords"), run, longest=0.0)


def send(work: UnitOfWork, written: str) -> None:
    """Sends a link to everybody who has this name or address, and not more than some in a day."""
    if not letters.is_on(work.settings):
        return
    for user in stored_users.with_name_or_email(work.session, written):
        if not user.disabled and user.password:  # a person of a provider has none here
            one_time_links.send_reset(msgspec.structs.replace(work, caller=SERVICE), user, most_per_day=MOST_PER_DAY)
