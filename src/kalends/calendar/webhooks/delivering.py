"""The work for later of webhooks: sends the next message of one, in order, until the receiver takes it."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import msgspec

from kalends.calendar.access import ANONYMOUS, SERVICE, Caller
from kalends.calendar.background.kinds import Again, Done, Failed, Kind, LeaseLost, Outcome, Run
from kalends.calendar.mail import webhook_notices
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.calendar.webhooks import sending, signing
from kalends.calendar.webhooks.sending import Sent
from kalends.contract.errors import ApiError
from kalends.contract.webhooks import EVERYTHING, FAILED, GONE
from kalends.languages import N_
from kalends.store.engine.store import Session
from kalends.store.rows import tasks, webhooks
from kalends.store.rows.tasks import Task
from kalends.store.rows.webhooks import Delivery, Webhook
from kalends.values import dates

log = logging.getLogger("kalends")

KIND = "webhook"
MOST = 100  # changes of a message
MINUTE, HOUR = 60.0, 3600.0
RETRIES = (5.0, MINUTE, 5 * MINUTE, 30 * MINUTE, *(hours * HOUR for hours in (2, 5, 10, 14, 20, 24)))
AT_ONCE = 16  # receivers of one process; a thread each, which mostly waits
TURN = 2.0  # seconds after which others have theirs, while there is more to tell
SPACING = timedelta(seconds=1)  # between two messages, so that many small changes are few messages
KEPT = timedelta(days=30)  # the log
DAY = timedelta(days=1)
SCREENS = "/admin/settings/webhooks"  # where people see them


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """A page of changes as JSON, how many there are in it, and the change up to which it goes."""

    body: bytes
    count: int
    end: int
    more: bool


PageOf = Callable[[Webhook, int, int | None], ChangesPage]  # of the changes after one, up to another or the last


def caller_of(webhook: Webhook) -> Caller:
    """Whose eyes a webhook has."""
    return SERVICE if webhook.sees == EVERYTHING else ANONYMOUS


class Deliveries:
    """Messages to receivers. `page_of` reads changes."""

    def __init__(self, transactions: Transactions, page_of: PageOf) -> None:
        self._transactions = transactions
        self._page_of = page_of
        self._reading = threading.Lock()

    def kind(self) -> Kind:
        return Kind(KIND, N_("Webhooks"), self.run, RETRIES, at_once=AT_ONCE, gave_up=self._give_up)

    def run(self, run: Run) -> Outcome:
        """Sends the next message, if there is something to tell, and those after it while there is more."""
        webhook = self._find(int(run.task.key))
        if webhook is None or not webhook.active:
            return Done()
        page = self._page(webhook)
        if not page.count:  # nothing for this one, or by now told at a newer number
            return Again(self._soon(again=page.more), page.end, also=partial(self._take, webhook, page.end))
        begun = webhook if webhook.message else self._begin(run, webhook, page.end)
        until = time.monotonic() + TURN
        while begun is not None:
            delivery, failure = self._send(run, begun, page)
            taken = partial(self._note_taken, begun, delivery)
            if failure is not None:
                return self._not_taken(run, begun, delivery, failure)
            if run.task.tries or not page.more or time.monotonic() > until:
                return Again(self._soon(again=page.more), begun.until, also=taken)
            page = self._page(msgspec.structs.replace(begun, place=begun.until, message="", until=0))
            if not page.count:
                return Again(self._soon(again=page.more), begun.until, also=taken)
            begun = self._go_on(run, begun, delivery, page.end)
        return Again()

    def _page(self, webhook: Webhook) -> ChangesPage:
        """What the next message tells, or the one under way. One thread at a time: others of this process that have
        something to compute wait for one of these, and not for all."""
        with self._reading:
            try:
                page = self._page_of(webhook, webhook.place, webhook.until if webhook.message else None)
            except ApiError as expired:
                raise Failed(expired.error_type.message) from None
        return replace(page, end=webhook.until) if webhook.message else page

    def _send(self, run: Run, webhook: Webhook, page: ChangesPage) -> tuple[Delivery, Sent | None]:
        """The try, and what came of it if the receiver did not take the message."""
        now, settings = self._transactions.clock(), self._transactions.settings
        body = sending.body_of(sending.CHANGES, page.body, now)
        run.check()
        sent = sending.send(webhook, webhook.message, body, settings, now)
        reach = webhook.place, webhook.until
        delivery = sending.delivery(webhook, webhook.message, reach, body, sent, now)
        return delivery, None if sent.is_taken else sent

    def _not_taken(self, run: Run, webhook: Webhook, delivery: Delivery, sent: Sent) -> Outcome:
        reason = sent.response if sent.status is None else f"status {sent.status}"

        def gone(session: Session) -> None:
            self.log(session, delivery)
            self._switch_off(session, webhook.id, GONE, reason)

        def failed(session: Session) -> None:
            is_last = run.task.tries >= len(RETRIES)  # then it is told that it is switched off
            self._note_failure(session, delivery, "" if is_last else reason)

        if sent.status == 410:
            return Done(also=gone)
        raise Failed(reason, sent.retry_after, also=failed)

    def log(self, session: Session, delivery: Delivery) -> None:
        """Adds a try to the log, if its webhook is still there."""
        if webhooks.find(session, delivery.webhook) is not None:
            webhooks.log(session, delivery, dates.text(self._transactions.clock() - KEPT))

    def _soon(self, *, again: bool) -> datetime | None:
        return None if again else self._transactions.clock() + SPACING

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

    def _go_on(self, run: Run, webhook: Webhook, delivery: Delivery, until: int) -> Webhook | None:
        """The same for the message after one that was taken, which is noted with it."""

        def go_on(session: Session) -> Webhook | None:
            if not tasks.is_held(session, run.task):
                raise LeaseLost
            self._note_taken(webhook, delivery, session)
            found = webhooks.find(session, webhook.id)
            is_same = found is not None and (found.message, found.place) == ("", webhook.until)
            return _noted(session, found, until) if found is not None and is_same else None

        return run.write(go_on)

    def _note_taken(self, webhook: Webhook, delivery: Delivery, session: Session) -> None:
        self.log(session, delivery)
        self._take(webhook, webhook.until, session)

    @staticmethod
    def _take(webhook: Webhook, until: int, session: Session) -> None:
        """Moves the place, unless somebody changed the webhook meanwhile."""
        found = webhooks.find(session, webhook.id)
        is_same = found is not None and (found.message, found.place) == (webhook.message, webhook.place)
        if found is not None and is_same and (until != found.place or found.message):
            webhooks.update(session, msgspec.structs.replace(found, place=until, message="", until=0))

    def _note_failure(self, session: Session, delivery: Delivery, reason: str) -> None:
        """Administrators are told the reason once for each day that a message is not taken."""
        tried = webhooks.tried(session, delivery.webhook, delivery.message)
        self.log(session, delivery)
        webhook = webhooks.find(session, delivery.webhook)
        if tried is not None and webhook is not None:
            first, last, now = map(dates.from_text, (*tried, delivery.at))
            if reason and (now - first) // DAY > (last - first) // DAY:
                self._tell(session, webhook, tried[0], reason)

    def _give_up(self, session: Session, task: Task) -> None:
        self._switch_off(session, int(task.key), FAILED, task.error)

    def _switch_off(self, session: Session, id: int, problem: str, reason: str) -> None:
        found = webhooks.find(session, id)
        if found is not None and found.active:
            webhooks.update(session, msgspec.structs.replace(found, active=False, problem=problem))
            tried = webhooks.tried(session, id, found.message)
            log.warning("the webhook %d is switched off: %s", id, reason)
            self._tell(session, found, tried[0] if tried else dates.text(self._transactions.clock()), reason)

    def _tell(self, session: Session, webhook: Webhook, since: str, reason: str) -> None:
        work = UnitOfWork(session, SERVICE, self._transactions.clock(), self._transactions.settings)
        webhook_notices.tell(work, webhook.url, since, reason, f"{SCREENS}/{webhook.id}")


def _noted(session: Session, webhook: Webhook, until: int) -> Webhook:
    """A webhook with a message under way."""
    begun = msgspec.structs.replace(webhook, message=signing.new_message(), until=until)
    webhooks.update(session, begun)
    return begun
