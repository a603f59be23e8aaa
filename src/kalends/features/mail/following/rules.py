"""Following by mail without an account: asked for, confirmed by a button, ended by one click, and then forgotten."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from kalends.calendar import letters, signing, throttling
from kalends.calendar.access import UnitOfWork, may_manage_site, require, require_to_read
from kalends.calendar.letters import LetterKind
from kalends.contract.errors import TOO_MANY, ApiError
from kalends.contract.statuses import CANCELLED, POSTPONED
from kalends.features.mail import facts, outbox
from kalends.features.mail import rows as mail
from kalends.features.mail.facts import Facts
from kalends.features.mail.following import rows as follows
from kalends.features.mail.following.rows import DAILY, WEEKLY, Follow
from kalends.features.mail.letters import to_visitors
from kalends.features.mail.rows import MailMessage
from kalends.store.engine.store import Session
from kalends.store.rows import journal, posts, reviews
from kalends.store.rows.records import Event
from kalends.values import dates, mail_addresses

CONFIRM, END, SUBMISSION = "follow-confirm", "follow-end", "submission"  # what keys are signed for
CONFIRM_PATH, END_PATH = "/mail/confirm", "/mail/end"
CONFIRMED_WITHIN = timedelta(days=7)
PERIODS = {DAILY: timedelta(days=1), WEEKLY: timedelta(days=7)}
REMINDERS = (timedelta(days=1), timedelta(hours=1))  # before an event
MOST_PER_HOUR = 20  # of one client
MOST_PER_DAY, MOST_OF_ALL_PER_DAY = 5, 5000  # confirmations to one address, and to all
MOST_FOLLOWED = 50  # by one address
LONGEST_WHAT = 200
LONGEST_KEY = 1000


def count_request(session: Session, client: str, now: datetime) -> None:
    """Counts what a client asks for in this hour."""
    hour = now.replace(minute=0, second=0)
    granted, _ = throttling.consume_requests(session, f"follow {client}", hour, 1, MOST_PER_HOUR)
    if not granted:
        seconds = int((hour + timedelta(hours=1) - now).total_seconds()) + 1
        raise ApiError(TOO_MANY, headers={"Retry-After": str(seconds)}, seconds=seconds)


def ask(
    work: UnitOfWork,
    address: str,
    rhythm: str,
    query: Mapping[str, str],
    what: str,
    path: str,
    *,
    unquoted: str,
    client: str,
    language: str,
    event: int | None = None,
) -> None:
    """Somebody asks for it: the address gets a message, and nothing else before its button was pressed. The answer is
    the same whether it is followed already. `unquoted`: what the message calls it, since anybody can have typed
    `what`. Raises NotAnAddress."""
    checked = mail_addresses.checked(address)
    count_request(work.session, client, work.now)
    known, letter = follows.of_address(work.session, checked), to_visitors.follow_confirm
    encoded = follows.encoded(query)
    same = [one for one in known if (one.rhythm, one.query, one.event) == (rhythm, encoded, event)]
    if len(known) >= MOST_FOLLOWED or any(one.confirmed_utc for one in same) or not letters.is_on(work.settings):
        return
    if outbox.is_enough(work, letter, checked, MOST_PER_DAY):
        return
    if outbox.is_enough(work, letter, "", MOST_OF_ALL_PER_DAY):
        raise ApiError(TOO_MANY, headers={"Retry-After": "3600"}, seconds=3600)
    follow = Follow(
        id=0,
        address=checked,
        language=language,
        rhythm=rhythm,
        query=encoded,
        what=what[:LONGEST_WHAT],
        path=path,
        event=event,
        seen="",
        created_utc=work.now_text,
        confirmed_utc="",
        last_rev=0,
        next_utc=dates.text(work.now + CONFIRMED_WITHIN),
    )
    id = same[0].id if same else follows.insert(work.session, follow)
    key = key_of(work.session, CONFIRM, id)
    facts = {"rhythm": rhythm, "what": unquoted[:LONGEST_WHAT], "path": f"{CONFIRM_PATH}?key={key}"}
    outbox.put(work, letter, checked, language, facts, follow=id)


def key_of(session: Session, purpose: str, *ids: int) -> str:
    """A message can be about several of those that an address follows, and so is its key."""
    letter, written = "s" if purpose == SUBMISSION else "f", ".".join(map(str, ids))
    return f"{letter}{written}-{signing.sign(session, purpose, written)[:40]}"


def ids_of(work: UnitOfWork, purpose: str, key: str) -> list[int]:
    """What a key is for; nothing for one that we have not made."""
    written = key[1:].partition("-")[0].split(".")
    if len(key) > LONGEST_KEY or not all(re.fullmatch(r"[0-9]{1,15}", number) for number in written):
        return []
    ids = [int(number) for number in written]
    return ids if signing.is_same(key_of(work.session, purpose, *ids), key) else []


def find(work: UnitOfWork, purpose: str, key: str) -> Follow | None:
    """What a link is about, the first of several; anybody may ask who has it."""
    found = (follows.find(work.session, id) for id in ids_of(work, purpose, key))
    return next((follow for follow in found if follow is not None), None)


def confirm(work: UnitOfWork, key: str) -> Follow | None:
    """It begins. Pressed again, nothing changes."""
    follow = find(work, CONFIRM, key)
    if follow is None:
        return None
    if not follow.confirmed_utc:
        mail.unmark(work.session, follow.address)
        _begin(work, follow)
    return follows.find(work.session, follow.id)


def _begin(work: UnitOfWork, follow: Follow) -> None:
    seen = ""
    if follow.event is None:
        next_utc = dates.text(work.now + PERIODS[follow.rhythm])
    else:
        found = posts.find(work.session, "event", follow.event)
        event = found if isinstance(found, Event) else None
        next_utc = work.now_text if event is None else next_of_event(event, work.now)
        known = {} if event is None else facts.seen(work.session, [event])
        seen = known.get(follow.event, facts.GONE)
    rev = journal.last_rev(work.session)
    follows.confirm(work.session, follow.id, work.now_text, rev, next_utc, seen)


def next_of_event(event: Event, now: datetime) -> str:
    """When a follower of an event is reminded next; after that, when it is over."""
    start = dates.from_text(event.start_utc)
    moments = [dates.text(start - before) for before in REMINDERS if start - before > now]
    return min(moments, default=event.end_utc)


def takes_place(event: Event, now: datetime) -> bool:
    """Whether to remind of an event: everybody can see it, it takes place when it says, and it is not over."""
    return (
        facts.is_public(event)
        and event.event_status not in (CANCELLED, POSTPONED)
        and event.end_utc > dates.text(now)
    )


def is_outdated(session: Session, message: MailMessage, now: datetime) -> bool:
    """Whether a message is a reminder of what is over by now, does not take place, or does so at another time; or if
    the next reminder is due."""
    if message.kind != to_visitors.reminder.name:
        return False
    event, follow = posts.find(session, "event", message.event or 0), follows.find(session, message.follow or 0)
    if follow is None or not isinstance(event, Event) or not takes_place(event, now):
        return True
    return event.start_utc != message.facts["event"]["start_utc"] or follow.next_utc <= dates.text(now)


def change_rhythm(work: UnitOfWork, key: str, rhythm: str) -> Follow | None:
    """A list is told of more or less often from now on; what is followed then, whose key is that of its end."""
    follow = find(work, END, key)
    if follow is None or not follow.confirmed_utc or follow.rhythm not in PERIODS or rhythm not in PERIODS:
        return follow
    if rhythm != follow.rhythm:
        follow = follow._replace(rhythm=rhythm, next_utc=dates.text(work.now + PERIODS[rhythm]))
        follows.set_rhythm(work.session, follow.id, rhythm, follow.next_utc)
    return follow


def end(work: UnitOfWork, key: str) -> bool:
    """Ends what a message was about, and forgets the address with all messages that went there. False if it has ended
    before."""
    ended = [follow for id in ids_of(work, END, key) if (follow := follows.find(work.session, id)) is not None]
    for follow in ended:
        forget(work.session, follow)
    return bool(ended)


def forget(session: Session, follow: Follow) -> None:
    follows.delete(session, follow.id)
    mail.forget_follow(session, follow.id)
    if not follows.of_address(session, follow.address):
        mail.unmark(session, follow.address)


def end_with(work: UnitOfWork, follow: Follow, letter: LetterKind, facts: Facts) -> None:
    """What was followed is gone: a last message is sent, and then forgotten with the address (`sending.py`)."""
    follows.delete(work.session, follow.id)
    mail.forget_ended(work.session, follow.id)
    outbox.put(work, letter, follow.address, follow.language, facts, follow=follow.id, event=follow.event)


def forget_if_ended(session: Session, message: MailMessage) -> bool:
    """Deletes a message about something that is no longer followed, after it was sent or given up, and with the last
    one what is noted of its address."""
    if message.follow is None or follows.find(session, message.follow) is not None:
        return False
    mail.delete(session, message.id)
    if not follows.of_address(session, message.address):
        mail.unmark(session, message.address)
    return True


def end_path(session: Session, ids: Sequence[int]) -> str:
    return f"{END_PATH}?key={key_of(session, END, *ids)}"


# Who sent an event by the public form


def confirm_sender(work: UnitOfWork, key: str) -> bool:
    events = ids_of(work, SUBMISSION, key)
    if not reviews.senders(work.session, events):
        return False
    reviews.confirm_sender(work.session, events[0], work.now_text)
    return True


def has_sender(work: UnitOfWork, key: str) -> bool:
    return bool(reviews.senders(work.session, ids_of(work, SUBMISSION, key)))


# On request, for those who run the site


def stored_of(work: UnitOfWork, address: str) -> dict[str, Any]:
    """Everything that is kept of an address without an account. Raises NotAnAddress."""
    require_to_read(may_manage_site(work.caller), work.caller)
    checked = mail_addresses.checked(address, also_local=True)
    return {
        "address": checked,
        "follows": [one._asdict() for one in follows.of_address(work.session, checked)],
        "messages": [one._asdict() | {"facts": {}} for one in mail.to_address(work.session, checked)],
        "submissions": [
            {"event": event, **sender._asdict()} for event, sender in reviews.of_address(work.session, checked)
        ],
    }


def forget_address(work: UnitOfWork, address: str) -> None:
    """Deletes all of it. Raises NotAnAddress."""
    require(may_manage_site(work.caller), work.caller)
    checked = mail_addresses.checked(address, also_local=True)
    for follow in follows.of_address(work.session, checked):
        follows.delete(work.session, follow.id)
    mail.forget_address(work.session, checked)
    for event, _ in reviews.of_address(work.session, checked):
        reviews.forget_sender(work.session, event)
