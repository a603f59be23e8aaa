"""Tells the security log, and the person by mail, that ways to sign in were changed."""

from kalends.calendar import letters, security
from kalends.calendar.access import UnitOfWork
from kalends.store.rows.records import User


def notify(work: UnitOfWork, user: User, what: str, about: str = "") -> None:
    security.record(work, what, user, about=about)
    facts = {"name": user.name, "at": work.now_text, "what": what, "about": about}
    letters.post(work, "factors_changed", user.email, facts, user=user)
