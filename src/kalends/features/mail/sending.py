"""Sends the messages of the outbox: each is a task of the background work, tried again for three days.

A message that the server took, and whose row was not changed before the process was killed, is sent again with the
same `Message-ID`. A reminder that comes too late is not sent. Messages of a kind that is gathered are sent at once
the first time; those that follow within its time wait, and go as one with the first of them.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from kalends.calendar import letters
from kalends.calendar.background.task_kinds import Again, Done, Failed, Outcome, Run, TaskKind
from kalends.calendar.transactions import Transactions
from kalends.features.mail import login, messages, outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import rules as following
from kalends.features.mail.gathering import gathered
from kalends.features.mail.messages import Envelope, Letter
from kalends.features.mail.rows import MailMessage
from kalends.features.mail.settings import MailSettings
from kalends.features.mail.smtp import MailConnection, MailReason, NotSent
from kalends.languages import N_
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.values import dates, mail_addresses

TRIED_FOR = timedelta(hours=72)
RETRIES = (30.0, 120.0, 300.0, 900.0, 1800.0, *[3600.0] * 100)  # seconds; more than are used
WITHOUT_SERVER = 600.0  # seconds until the next look, while no server is set up
AT_ONCE = 3

# Writes the letter of a kind, from facts, in a language. The pages know how.
Write = Callable[[str, Mapping[str, Any], str, Settings], Letter]


def sending(calendar: Transactions, write: Write) -> TaskKind:
    """The work of sending, for the table of background work."""

    def run(run: Run) -> Outcome:
        with calendar.store.read() as session:
            message = mail.find(session, int(run.task.key))
            settings = calendar.site_settings.read(session)
            if message is None or message.state != mail.WAITING:
                return Done()
            refuses = mail.refuses(session, message.address)
            is_outdated = following.is_outdated(session, message, calendar.clock())
            letter = letters.kinds().get(message.kind)
            window = letter.gathered if letter is not None else None
            others: Sequence[MailMessage] = ()
            if window is not None:
                now, (first, *others) = calendar.clock(), mail.pending_like(session, message)
                last = mail.last_sent(session, message, dates.text(now))
                if first.id != message.id:  # which is sent with this one, or before it
                    return Again(due=now + window)
                if last and dates.from_text(last) + window > now:
                    return Again(due=dates.from_text(last) + window)
                facts = gathered([message, *others])
                is_outdated = facts is None
                message = message._replace(facts=_with_end(session, facts or {}, [message, *others]))
        if is_outdated:
            return Done(also=lambda session: _forget(session, [message, *others]))
        if refuses:
            return _abandoned(calendar, message, NotSent(MailReason.MARKED, is_final=True))
        try:
            run.check()
            answer = send(message, settings, write)
        except NotSent as failure:
            return _failed(calendar, message, failure)
        at = dates.text(calendar.clock())

        def sent(session: Session) -> None:
            mail.end(session, message.id, mail.SENT, at, answer=answer)
            _forget(session, others)
            following.forget_if_ended(session, message)

        return Done(also=sent)

    return TaskKind(outbox.TASK, N_("Send mail"), run, retries=RETRIES, at_once=AT_ONCE, longest=max(RETRIES))


def _with_end(session: Session, facts: Facts, messages: Sequence[MailMessage]) -> Facts:
    """With the address that ends everything that a message is about."""
    ids = list(dict.fromkeys(one.follow for one in messages if one.follow is not None))
    return {**facts, "end": following.end_path(session, ids)} if ids else facts


def _forget(session: Session, messages: Sequence[MailMessage]) -> None:
    for one in messages:
        mail.delete(session, one.id)


def send(message: MailMessage, settings: Settings, write: Write) -> str:
    """Hands a message over now; the server's answer. Raises NotSent."""
    server = settings.of(MailSettings).mail_server
    if server is None or not settings.base_url:
        raise NotSent(MailReason.NOT_SET_UP)
    sender = messages.sender_of(settings)
    envelope = Envelope(
        message.address,
        sender,
        messages.reply_to_of(settings),
        message.message_id,
        dates.from_text(message.created_utc),
    )
    letter = write(message.kind, message.facts, message.language, settings)
    try:
        built = messages.build(letter, envelope)
    except ValueError:
        # What people have set is mended by them, and the message waits for it.
        is_recipient = not mail_addresses.is_address(message.address)
        raise NotSent(MailReason.HEADER, is_final=is_recipient, marks=is_recipient) from None
    with MailConnection(login.opened(server, settings)) as connection:
        return connection.send(built, sender.address, message.address)


def _failed(calendar: Transactions, message: MailMessage, failure: NotSent) -> Outcome:
    """Tried again, unless that is of no use or was done for long enough."""
    letter = letters.kinds().get(message.kind)
    if failure.is_final or (letter is not None and letter.is_tried_once):
        return _abandoned(calendar, message, failure)
    if calendar.clock() >= dates.from_text(message.created_utc) + TRIED_FOR:
        return _abandoned(calendar, message, NotSent(MailReason.EXPIRED, str(failure), is_final=True))
    # The server's own words may name the address, and what is told here is logged.
    raise Failed(
        failure.reason.value,
        seconds=WITHOUT_SERVER if failure.reason is MailReason.NOT_SET_UP else None,
        also=lambda session: mail.note_try(session, message.id, failure.reason.name, failure.answer),
    )


def _abandoned(calendar: Transactions, message: MailMessage, failure: NotSent) -> Done:
    at = dates.text(calendar.clock())

    def also(session: Session) -> None:
        mail.end(session, message.id, mail.FAILED, at, failure.reason.name, failure.answer)
        if not following.forget_if_ended(session, message) and failure.marks:
            mail.mark(session, message.address, at, failure.answer or failure.reason.value)

    return Done(also=also)
