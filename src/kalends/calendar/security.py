"""What the security log has: who signs in, is refused, and may do what from now on. A feature keeps it."""

from datetime import datetime
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork
from kalends.feature import hooks
from kalends.store.rows.records import User
from kalends.values import dates


class SecurityEntry(NamedTuple):
    """One thing that happened to an account or by it. Nothing of it is secret: what was typed is never part of it."""

    what: str
    at: str
    user: int = 0  # 0: nobody who has an account
    name: str = ""
    actor: str = ""  # who did it, where that is somebody else
    address: str = ""
    agent: str = ""
    about: str = ""


def record(
    work: UnitOfWork, what: str, user: User | None = None, *, address: str = "", agent: str = "", about: str = ""
) -> None:
    """In the transaction of what happened."""
    caller = work.caller
    id, name = (caller.user, caller.name) if user is None else (user.id, user.name)
    actor = caller.name if id != caller.user else ""
    entry = SecurityEntry(what, work.now_text, id, name, actor, address, agent, about)
    for hook in hooks("security"):
        hook(work, entry)


def record_refusal(calendar: object, now: datetime, user: User | None, address: str, about: str) -> None:
    """Outside of one: who is refused waits for no writer. A name that nobody has may be a password that was typed in
    the wrong place, so it is left out."""
    id, name = (user.id, user.name) if user else (0, "")
    entry = SecurityEntry("refused", dates.text(now), id, name, "", address, "", about)
    for hook in hooks("security"):
        hook(calendar, entry)
