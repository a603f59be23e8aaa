"""Puts messages into the transaction of their cause, and shows people who run the site what became of them."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from kalends.calendar.access import may_manage_site, require, require_to_read
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.features.mail import letter_kinds as kinds
from kalends.features.mail import rows as mail
from kalends.features.mail.messages import host_of
from kalends.features.mail.rows import Message, Refusing
from kalends.settings import Settings
from kalends.store.rows import tasks
from kalends.values import mail_addresses

TASK = "mail"
KEPT = timedelta(days=30)  # messages that were sent or given up
MOST_SHOWN = 50


def is_on(settings: Settings) -> bool:
    """Whether mail is sent: links in it need the site's own address."""
    return settings.mail_server is not None and bool(settings.base_url)


def put(
    work: UnitOfWork,
    kind: str,
    address: str,
    language: str,
    facts: Mapping[str, Any],
    *,
    user: int | None = None,
    follow: int | None = None,
    event: int | None = None,
) -> None:
    """Adds a message, which is sent once this transaction is committed. Nothing happens where no mail is set up."""
    if not address or not is_on(work.settings):
        return
    message_id = f"<{secrets.token_hex(16)}@{host_of(work.settings)}>"
    chosen = language or work.settings.language
    message = mail.Message(
        0, message_id, kind, address, chosen, facts, user, follow, event, mail.WAITING, work.now_text
    )
    id = mail.insert(work.session, message)
    # Who waits for a link to sign in with does not wait for news to thousands.
    tasks.add(work.session, TASK, str(id), work.now_text if kind in kinds.TO_MANY else tasks.FIRST)


class State(NamedTuple):
    """What the admin shows of mail."""

    waiting: int
    sent: Sequence[Message]
    failing: Sequence[Message]
    refusing: Sequence[Refusing]


def state(work: UnitOfWork) -> State:
    require_to_read(may_manage_site(work.caller), work.caller)
    return State(
        waiting=mail.count_by_state(work.session).get(mail.WAITING, 0),
        sent=mail.latest(work.session, mail.SENT, MOST_SHOWN),
        failing=mail.failing(work.session, MOST_SHOWN),
        refusing=mail.refusing(work.session, MOST_SHOWN),
    )


def send_test(work: UnitOfWork, address: str) -> None:
    """Raises NotAnAddress."""
    require(may_manage_site(work.caller), work.caller)
    put(work, kinds.TEST, mail_addresses.checked(address, also_local=True), "", {}, user=work.caller.user)


def accept_again(work: UnitOfWork, address: str) -> None:
    """An address that refused messages gets them again."""
    require(may_manage_site(work.caller), work.caller)
    mail.unmark(work.session, address)
