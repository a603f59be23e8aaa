"""The list of what waits for review that somebody gets an hour after the last one."""

from typing import cast

from kalends.calendar.access import SERVICE, visibility_of
from kalends.calendar.accounts.users import caller_of
from kalends.calendar.background.task_kinds import Done, Kind, Outcome, Run
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.features.mail import letter_kinds as kinds
from kalends.features.mail import notices, outbox
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import posts, unpublished_links, users
from kalends.store.rows.records import Event

MOST = 500  # events that are looked at for one list


def review_lists(transactions: Transactions) -> Kind:
    """The work of sending such lists, for the table of background work."""

    def run(run: Run) -> Outcome:
        def also(session: Session) -> None:
            settings = transactions.site_settings.read(session)
            send(
                UnitOfWork(session, SERVICE, transactions.clock(), settings),
                int(run.task.key),
                int(run.task.payload or 0),
            )

        return Done(also=also)

    longest = notices.BETWEEN.total_seconds()
    return Kind(notices.REVIEW_TASK, N_("What is waiting for review"), run, longest=longest)


def send(work: UnitOfWork, id: int, rev: int) -> None:
    """Tells a reviewer what began to wait with a change or after it, if anything still does."""
    user = users.find_user(work.session, id)
    if user is None or not notices.wants(user, kinds.REVIEW_WAITING) or not outbox.is_on(work.settings):
        return
    ids = unpublished_links.pending_since(work.session, rev, MOST)
    found = [cast(Event, event) for event in posts.find_many(work.session, "event", ids).values()]
    readable, series = [], set[int]()
    for event in found:
        if visibility_of(caller_of(user)).can_read(event) and event.series not in series:
            readable.append(event)
            series |= {event.series} if event.series else set()
    if readable:
        notices.put_list(work, user, readable, len(readable))
