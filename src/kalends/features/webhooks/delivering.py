"""The work for later of webhooks: sends the next message of one, in order, until the receiver takes it."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import msgspec

from kalends.calendar import letters
from kalends.calendar.access import ANONYMOUS, SERVICE, Caller, UnitOfWork
from kalends.calendar.background.background import ProcessWork
from kalends.calendar.background.task_kinds import Again, Done, Failed, LeaseLost, Outcome, Run, TaskKind
from kalends.calendar.fetching.open_connections import OpenConnections
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import ApiError
from kalends.contract.roles import Role
from kalends.features.changes import query as changes
from kalends.features.webhooks import rows as webhooks
from kalends.features.webhooks import sending, signing
from kalends.features.webhooks.contract import EVERYTHING, FAILED, GONE
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.features.webhooks.sending import SentDelivery
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import tasks, users
from kalends.store.rows.tasks import Task
from kalends.values import dates

log = logging.getLogger("kalends")

KIND = "webhook"
MOST = 100  # changes of a message
MINUTE, HOUR = 60.0, 3600.0
RETRIES = (5.0, MINUTE, 5 * MINUTE, 30 * MINUTE, *(hours * HOUR for hours in (2, 5, 10, 14, 20, 24)))
AT_ONCE = 32  # receivers of one process; a thread each, which mostly waits
LONGEST_RUN = 2.0  # seconds after which others have theirs, while there is more to tell
SPACING = timedelta(seconds=1)  # between two messages, so that many small changes are few messages
RETENTION = timedelta(days=30)  # the log
DAY = timedelta(days=1)
SCREENS = "/admin/settings/webhooks"  # where people see them


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """A page of changes as JSON, how many there are in it, the change up to which it goes, and when it did."""

    body: bytes
    count: int
    end: int
    more: bool
    at: datetime


PageOf = Callable[[Webhook, int, int | None], ChangesPage]  # of the changes after one, up to another or the last


def caller_of(webhook: Webhook) -> Caller:
    """Whose eyes a webhook has."""
    return SERVICE if webhook.sees == EVERYTHING else ANONYMOUS


class Expired(Failed):
    """What changed after a position is not known any more."""


class Deliveries:
    """Messages to receivers. `page_of` reads changes."""

    def __init__(self, transactions: Transactions, page_of: PageOf) -> None:
        self._transactions = transactions
        self._page_of = page_of
        self._reading = threading.Lock()
        self._kept = OpenConnections()

    def kind(self) -> TaskKind:
        longest = SPACING.total_seconds()
        return TaskKind(
            KIND,
            N_("Tell other services (webhooks)"),
            self.run,
            RETRIES,
            at_once=AT_ONCE,
            gave_up=self._abandon,
            longest=longest,
        )

    def closing(self) -> ProcessWork:
        """Closes connections to receivers that get no further message now."""
        return ProcessWork("webhook-connections", self._kept.has_stale, self._kept.close_stale)

    def run(self, run: Run) -> Outcome:
        """Sends the next message, if there is something to tell, and those after it while there is more."""
        webhook = self._find(int(run.task.key))
        if webhook is None or not webhook.active:
            return Done()
        try:
            page = self._page(webhook)
        except Expired:
            begin_again = self._begin_again(run, webhook)
            if begin_again is None:
                return Again()
            webhook, page = begin_again, self._page(begin_again)
        if not page.count and not _is_notice(webhook):  # nothing for this one, or by now told at a newer number
            return Again(_soon(page), page.end, also=partial(self._pass, webhook, page.end))
        begun = webhook if webhook.message else self._begin(run, webhook, page.end)
        until = time.monotonic() + LONGEST_RUN
        while begun is not None:
            delivery, failure = self._send(run, begun, page)
            taken = partial(self._end, begun, delivery)
            if failure is not None:
                return self._refused(run, begun, delivery, failure)
            if run.task.tries or not page.more or time.monotonic() > until:
                return Again(_soon(page), begun.until, also=taken)
            page = self._page(msgspec.structs.replace(begun, place=begun.until, message="", until=0))
            if not page.count:
                return Again(_soon(page), begun.until, also=taken)
            begun = self._go_on(run, begun, delivery, page.end)
        return Again()

    def _page(self, webhook: Webhook) -> ChangesPage:
        """What the next message tells, or the one under way. One thread at a time: others of this process that have
        something to compute wait for one of these, and not for all."""
        with self._reading:
            try:
                page = self._page_of(webhook, webhook.place, webhook.until if webhook.message else None)
            except ApiError as error:
                raise Expired(error.error_type.message) from None
        return replace(page, end=webhook.until) if webhook.message else page

    def _send(self, run: Run, webhook: Webhook, page: ChangesPage) -> tuple[Delivery, SentDelivery | None]:
        """The try, and what came of it if the receiver did not take the message."""
        now, settings = self._transactions.clock(), self._transactions.settings
        body = sending.body_of(sending.EXPIRED if _is_notice(webhook) else sending.CHANGES, page.body, now)
        run.check()
        sent = sending.send(webhook, webhook.message, body, settings, now, self._kept)
        reach = webhook.place, webhook.until
        delivery = sending.delivery(webhook, webhook.message, reach, body, sent, now)
        return delivery, None if sent.is_accepted else sent

    def _refused(self, run: Run, webhook: Webhook, delivery: Delivery, sent: SentDelivery) -> Outcome:
        reason = sent.response if sent.status is None else f"status {sent.status}"

        def gone(session: Session) -> None:
            if webhooks.find(session, webhook.id) is not None:
                self._add_to_log(session, delivery)
                self._switch_off(session, webhook.id, GONE, reason)

        def failed(session: Session) -> None:
            is_last = run.task.tries >= len(RETRIES)  # then it is told that it is switched off
            self._note_failure(session, delivery, "" if is_last else reason)

        if sent.status == 410:
            return Done(also=gone)
        raise Failed(reason, sent.retry_after, also=failed)

    def _add_to_log(self, session: Session, delivery: Delivery) -> None:
        webhooks.log(session, delivery, dates.text(self._transactions.clock() - RETENTION))

    def _find(self, id: int) -> Webhook | None:
        with self._transactions.store.read() as session:
            return webhooks.find(session, id)

    def _begin(self, run: Run, webhook: Webhook, until: int) -> Webhook | None:
        """Notes how far a message goes before it is sent, so that no later try of it tells more. None: somebody
        changed the webhook meanwhile."""

        def begin(session: Session) -> Webhook | None:
            if not tasks.is_held(session, run.task):
                raise LeaseLost
            return _noted(session, webhook, until) if webhooks.find(session, webhook.id) == webhook else None

        return run.write(begin)

    def _begin_again(self, run: Run, webhook: Webhook) -> Webhook | None:
        """What changed after its position is not known: the calendar is a copy, or it was off for too long. It goes
        on where changes are known, with a message that says so. None: somebody changed the webhook meanwhile."""
        with self._transactions.store.read() as session:
            bounds = changes.bounds(session, 0, 0)
        start = bounds.known_after
        try:
            self._page(msgspec.structs.replace(webhook, place=start, message="notice", until=start))
        except Expired:
            start = bounds.last

        def begin_again(session: Session) -> Webhook | None:
            if not tasks.is_held(session, run.task):
                raise LeaseLost
            if webhooks.find(session, webhook.id) != webhook:
                return None
            return _noted(session, msgspec.structs.replace(webhook, place=start), start)

        log.warning("the webhook %d goes on with change %d: what was before is not known any more", webhook.id, start)
        return run.write(begin_again)

    def _go_on(self, run: Run, webhook: Webhook, delivery: Delivery, until: int) -> Webhook | None:
        """The same for the message after one that was taken, which is noted with it."""

        def go_on(session: Session) -> Webhook | None:
            if not tasks.is_held(session, run.task):
                raise LeaseLost
            taken = self._note_accepted(webhook, delivery, session)
            return None if taken is None else _noted(session, taken, until)

        return run.write(go_on)

    def _end(self, webhook: Webhook, delivery: Delivery, session: Session) -> None:
        taken = self._note_accepted(webhook, delivery, session)
        if taken is not None:
            webhooks.move(session, taken)

    def _note_accepted(self, webhook: Webhook, delivery: Delivery, session: Session) -> Webhook | None:
        """Adds a try to the log; where the webhook then is, unless somebody changed it meanwhile."""
        found = webhooks.find(session, webhook.id)
        if found is None:
            return None
        self._add_to_log(session, delivery)
        return _moved(found, webhook, webhook.until)

    @staticmethod
    def _pass(webhook: Webhook, until: int, session: Session) -> None:
        """Moves the place past changes of which there is nothing to tell."""
        found = webhooks.find(session, webhook.id)
        passed = None if found is None else _moved(found, webhook, until)
        if passed is not None and passed != found:
            webhooks.move(session, passed)

    def _note_failure(self, session: Session, delivery: Delivery, reason: str) -> None:
        """Administrators are told the reason once for each day that a message is not taken."""
        webhook = webhooks.find(session, delivery.webhook)
        if webhook is None:
            return
        tried = webhooks.tried(session, delivery.webhook, delivery.message)
        self._add_to_log(session, delivery)
        if tried is not None:
            first, last, now = map(dates.from_text, (*tried, delivery.at))
            if reason and (now - first) // DAY > (last - first) // DAY:
                self._notify(session, webhook, tried[0], reason)

    def _abandon(self, session: Session, task: Task) -> None:
        self._switch_off(session, int(task.key), FAILED, task.error)

    def _switch_off(self, session: Session, id: int, problem: str, reason: str) -> None:
        found = webhooks.find(session, id)
        if found is not None and found.active:
            webhooks.update(session, msgspec.structs.replace(found, active=False, problem=problem))
            tried = webhooks.tried(session, id, found.message)
            log.warning("the webhook %d is switched off: %s", id, reason)
            self._notify(session, found, tried[0] if tried else dates.text(self._transactions.clock()), reason)

    def _notify(self, session: Session, webhook: Webhook, since: str, reason: str) -> None:
        work = UnitOfWork(session, SERVICE, self._transactions.clock(), self._transactions.settings)
        notify_administrators(work, webhook.url, since, reason, f"{SCREENS}/{webhook.id}")


def notify_administrators(work: UnitOfWork, address: str, since: str, reason: str, path: str) -> None:
    """Tells those who run the site. `since`: the first failure, in UTC; `path`: the screen that shows the webhook."""
    facts = {"address": address, "since": since, "reason": reason, "path": path}
    for user in users.all_users(work.session):
        if user.role == Role.ADMINISTRATOR.word:
            letters.post(work, "webhook_failed", user.email, facts, user=user)


def _is_notice(webhook: Webhook) -> bool:
    """Whether its message under way tells no changes, but that those before are not known any more."""
    return bool(webhook.message) and webhook.place == webhook.until


def _soon(page: ChangesPage) -> datetime | None:
    """When the next message may leave. A page that others have read before was not the end for as long."""
    return None if page.more else page.at + SPACING


def _moved(found: Webhook, sent: Webhook, until: int) -> Webhook | None:
    """A webhook without a message under way, at the change up to which one went; None: somebody changed it since."""
    is_same = (found.message, found.place) == (sent.message, sent.place)
    return msgspec.structs.replace(found, place=until, message="", until=0) if is_same else None


def _noted(session: Session, webhook: Webhook, until: int) -> Webhook:
    """A webhook with a message under way."""
    begun = msgspec.structs.replace(webhook, message=signing.new_message(), until=until)
    webhooks.move(session, begun)
    return begun
