"""Puts messages into the transaction of their cause, and shows people who run the site what became of them."""

import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from kalends.calendar import letters
from kalends.calendar.access import UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.letters import Facts, LetterKind
from kalends.features.mail import rows as mail
from kalends.features.mail.letters import to_accounts
from kalends.features.mail.messages import host_of
from kalends.features.mail.rows import MailMessage, Refusing
from kalends.store.rows import tasks
from kalends.store.rows.records import User
from kalends.values import dates, mail_addresses

TASK = "mail"
RETENTION = timedelta(days=30)  # messages that were sent or given up
MOST_SHOWN = 50


def post_letter(
    work: UnitOfWork,
    kind: str,
    address: str,
    facts: Facts | Callable[[], Facts],
    *,
    user: User | None,
    most_per_day: int | None,
    despite_refusal: bool,
) -> bool:
    """The hook: see calendar/letters.py."""
    if despite_refusal:
        mail.unmark(work.session, address)
    if not letters.is_on(work.settings):
        return False
    letter = letters.kinds()[kind]
    if user is not None and letter.switch and not wants(user, letter):
        return False
    if most_per_day is not None and is_enough(work, letter, address, most_per_day):
        return False
    language, id = (user.language, user.id) if user is not None else ("", None)
    put(work, letter, address, language, facts() if callable(facts) else facts, user=id)
    return True


def wants(user: User, letter: LetterKind) -> bool:
    return bool(user.email) and not user.disabled and letter.name not in user.mail_off.split()


def is_enough(work: UnitOfWork, letter: LetterKind, address: str, most_per_day: int) -> bool:
    """Whether an address, or with an empty one all of them together, had so many letters of a kind within a day."""
    since = dates.text(work.now - timedelta(days=1))
    return mail.count_lately(work.session, letter.name, address, since) >= most_per_day


def put(
    work: UnitOfWork,
    letter: LetterKind,
    address: str,
    language: str,
    facts: Facts,
    *,
    user: int | None = None,
    follow: int | None = None,
    event: int | None = None,
) -> int:
    """Adds a message, which is sent once this transaction is committed; its number. Nothing happens where no mail is
    set up."""
    if not address or not letters.is_on(work.settings):
        return 0
    message_id = f"<{secrets.token_hex(16)}@{host_of(work.settings)}>"
    chosen = language or work.settings.language
    message = mail.MailMessage(
        0, message_id, letter.name, address, chosen, facts, user, follow, event, mail.WAITING, work.now_text
    )
    id = mail.insert(work.session, message)
    # Who waits for a link to sign in with does not wait for news to thousands.
    tasks.add(work.session, TASK, str(id), work.now_text if letter.is_for_many else tasks.FIRST)
    return id


class MailState(NamedTuple):
    """What the admin shows of mail."""

    queued: int
    sent: Sequence[MailMessage]
    failing: Sequence[MailMessage]
    refusing: Sequence[Refusing]


def state(work: UnitOfWork) -> MailState:
    require_to_read(may_manage_site(work.caller), work.caller)
    return MailState(
        queued=mail.count_by_state(work.session).get(mail.WAITING, 0),
        sent=mail.latest(work.session, mail.SENT, MOST_SHOWN),
        failing=mail.failing(work.session, MOST_SHOWN),
        refusing=mail.refusing(work.session, MOST_SHOWN),
    )


def send_test(work: UnitOfWork, address: str) -> int:
    """The number of the message. Raises NotAnAddress."""
    require(may_manage_site(work.caller), work.caller)
    return put(
        work, to_accounts.test, mail_addresses.checked(address, also_local=True), "", {}, user=work.caller.user
    )


def find_test(work: UnitOfWork, id: int) -> MailMessage | None:
    """A test that was sent, and what became of it; None once that is forgotten."""
    require_to_read(may_manage_site(work.caller), work.caller)
    found = mail.find(work.session, id)
    return found if found is not None and found.kind == to_accounts.test.name else None


def accept_again(work: UnitOfWork, address: str) -> None:
    """An address that refused messages gets them again."""
    require(may_manage_site(work.caller), work.caller)
    mail.unmark(work.session, address)
