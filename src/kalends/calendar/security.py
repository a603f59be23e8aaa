"""What the security log has: who signs in, is refused, and may do what from now on. A feature keeps it."""

from typing import NamedTuple

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.store.rows.records import User


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
    for tell in hooks.security:
        tell(work, entry)
