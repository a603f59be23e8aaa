"""What administrators do with webhooks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.admission import FETCH, WORKER
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import ApiError, FieldError, Problems
from kalends.contract.kinds import KIND_OF
from kalends.features.webhooks import delivering, sending, signing
from kalends.features.webhooks import rows as webhooks
from kalends.features.webhooks.contract import NO_RECORDS, PUBLIC
from kalends.features.webhooks.delivering import KIND, PageOf
from kalends.features.webhooks.errors import BAD_WEBHOOK, NO_DELIVERY, NO_WEBHOOK
from kalends.features.webhooks.rows import Delivery, Webhook
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.rows import journal, tasks
from kalends.store.rows.tasks import Task
from kalends.values import dates

MOST = 100  # webhooks of a calendar
# What another message would tell: one that is under way begins anew.
TELLING = ("kinds", "sees", "include", "place")

Values = Mapping[str, object]


class WebhookState(NamedTuple):
    """A webhook and its work: tries that failed, the last error, the next try."""

    webhook: Webhook
    task: Task | None


def everyone(work: UnitOfWork) -> list[Webhook]:
    require_to_read(may_manage_site(work.caller), work.caller)
    return webhooks.everyone(work.session)


def states(work: UnitOfWork) -> list[WebhookState]:
    return [WebhookState(webhook, tasks.find(work.session, KIND, str(webhook.id))) for webhook in everyone(work)]


def find(work: UnitOfWork, id: int) -> Webhook:
    require_to_read(may_manage_site(work.caller), work.caller)
    found = webhooks.find(work.session, id)
    if found is None:
        raise ApiError(NO_WEBHOOK)
    return found


def state(work: UnitOfWork, id: int) -> WebhookState:
    return WebhookState(find(work, id), tasks.find(work.session, KIND, str(id)))


def deliveries(work: UnitOfWork, id: int, most: int, before: int | None = None) -> Sequence[Delivery]:
    find(work, id)
    return webhooks.deliveries(work.session, id, most, before)


def check(caller: Caller, values: Values, settings: Settings) -> None:
    """Refuses what cannot be, before a transaction begins: names are looked up."""
    require(may_manage_site(caller), caller)
    if not settings.base_url:
        problem = N_("webhooks need the setting base_url, with which their links begin")
        raise ApiError(BAD_WEBHOOK, reason=FieldError("", problem))
    if "url" in values:
        try:
            with WORKER.released(FETCH):
                sending.check(str(values["url"]), settings)
        except FieldError as invalid:
            raise Problems({"url": invalid}).error() from None


def create(work: UnitOfWork, values: Values, position: int | None) -> Webhook:
    """A new webhook, which begins at a place in the journal, or at its end."""
    require(may_manage_site(work.caller), work.caller)
    if len(webhooks.everyone(work.session)) >= MOST:
        raise ApiError(BAD_WEBHOOK, reason=FieldError("", N_("there are {maximum} webhooks already"), maximum=MOST))
    webhook = Webhook(
        url="",
        kinds=",".join(KIND_OF),
        sees=PUBLIC,
        include=NO_RECORDS,
        secret=signing.new_secret(),
        place=journal.last_rev(work.session) if position is None else position,
        created_utc=work.now_text,
    )
    webhook = _with(webhook, values)
    webhooks.insert(work.session, webhook)
    _follow(work, webhook)
    return webhook


def update(work: UnitOfWork, id: int, values: Values, position: int | None = None) -> Webhook:
    """One that is switched on goes on where it stopped."""
    require(may_manage_site(work.caller), work.caller)
    before = find(work, id)
    webhook = _with(before, values)
    if position is not None:
        webhook.place = position
    if any(getattr(webhook, name) != getattr(before, name) for name in TELLING):
        webhook.message, webhook.until = "", 0
    if webhook.active and not before.active:
        webhook.problem = ""
    webhooks.update(work.session, webhook)
    if any(getattr(webhook, name) != getattr(before, name) for name in (*TELLING, "active", "url")):
        _follow(work, webhook)
    return webhook


def delete(work: UnitOfWork, id: int) -> Webhook:
    require(may_manage_site(work.caller), work.caller)
    webhook = find(work, id)
    webhooks.delete(work.session, id)
    tasks.remove(work.session, KIND, str(id))
    return webhook


def rotate(work: UnitOfWork, id: int) -> Webhook:
    """Makes a new secret; for a day the old one signs too."""
    require(may_manage_site(work.caller), work.caller)
    webhook = find(work, id)
    webhook.old_secret, webhook.old_until_utc = webhook.secret, dates.text(work.now + signing.BOTH_SIGN)
    webhook.secret = signing.new_secret()
    webhooks.update(work.session, webhook)
    return webhook


def test(transactions: Transactions, caller: Caller, id: int, page_of: PageOf) -> Delivery:
    """Sends a message without changes at once, and tells what came back."""
    require(may_manage_site(caller), caller)
    webhook = transactions.read_latest(caller, find, id)
    check(caller, {}, transactions.settings)
    reach = webhook.place, webhook.place
    page = page_of(webhook, *reach).body
    return _send_now(transactions, webhook, signing.new_message(), reach, sending.TEST, page)


def resend(transactions: Transactions, caller: Caller, id: int, n: int, page_of: PageOf) -> Delivery:
    """Sends a message again at once, under the same id, as far as it is still so. If it is the one that the receiver
    did not take yet, and it does now, the next one follows."""
    require(may_manage_site(caller), caller)
    webhook = transactions.read_latest(caller, find, id)
    check(caller, {}, transactions.settings)
    with transactions.store.read() as session:
        before = webhooks.find_delivery(session, id, n)
    if before is None:
        raise ApiError(NO_DELIVERY)
    reach = before.since, before.until
    types = (sending.CHANGES, sending.TEST, sending.EXPIRED)
    type_ = next((one for one in types if before.sent.startswith(f'{{"type":"{one}"')), sending.CHANGES)
    page = page_of(webhook, *reach).body
    return _send_now(transactions, webhook, before.message, reach, type_, page)


def _send_now(
    transactions: Transactions,
    webhook: Webhook,
    message: str,
    reach: tuple[int, int],
    type_: str,
    page: bytes,
) -> Delivery:
    now = transactions.clock()
    body = sending.body_of(type_, page, now)
    transactions.before_network_wait()
    with WORKER.released(FETCH):
        sent = sending.send(webhook, message, body, transactions.settings, now)
    delivery = sending.delivery(webhook, message, reach, body, sent, now)
    with transactions.store.write() as session:
        found = webhooks.find(session, webhook.id)
        if found is None:
            raise ApiError(NO_WEBHOOK)
        delivery = webhooks.log(session, delivery, dates.text(now - delivering.RETENTION))
        if sent.is_accepted and found.message == message:
            found.place, found.message, found.until = found.until, "", 0
            webhooks.update(session, found)
            if found.active:
                tasks.add(session, KIND, str(found.id), dates.text(now), rev=found.place)
    return delivery


def _with(webhook: Webhook, values: Values) -> Webhook:
    known = {name: value for name, value in values.items() if name in Webhook.__struct_fields__}
    if isinstance(kinds := known.get("kinds"), list):
        known["kinds"] = ",".join(kind for kind in KIND_OF if kind in kinds)
    return msgspec.structs.replace(webhook, **known)


def _follow(work: UnitOfWork, webhook: Webhook) -> None:
    """From now on its work is done, or not any more."""
    if webhook.active:
        # With a message under way it does not wait for a change.
        after = None if webhook.message else webhook.place
        tasks.add(work.session, KIND, str(webhook.id), work.now_text, rev=after)
    else:
        tasks.remove(work.session, KIND, str(webhook.id))
