"""The security log as rows."""

import msgspec

from kalends.store.engine.store import Session
from kalends.store.rows import tables
from kalends.store.rows.tables import Table


class SecurityEvent(msgspec.Struct, kw_only=True):
    """One line of the log: `name` is whom it is about, `actor` who did it if that is somebody else."""

    id: int = 0
    what: str
    at: str
    user: int
    name: str
    actor: str
    address: str
    agent: str
    about: str
    times: int = 1


_EVENTS = Table("security_event", SecurityEvent)


def insert(session: Session, event: SecurityEvent) -> None:
    """A new line gets the next number."""
    event.id = tables.next_number(session, "security_event")
    _EVENTS.insert(session, event)


def page(session: Session, what: str, name: str, before: int, most: int) -> list[SecurityEvent]:
    """The newest first: those before a number, of a kind and about a person where these are given."""
    conditions = [("id < ?", before)] * bool(before) + [("what = ?", what)] * bool(what)
    conditions += [("(name = ? OR actor = ?)", name), ("", name)] * bool(name)
    words = " AND ".join([condition for condition, _ in conditions if condition] or ["TRUE"])
    return _EVENTS.all(session, f"{words} ORDER BY id DESC LIMIT ?", [*(value for _, value in conditions), most])


def forget(session: Session, before: str, what: str, newest: int, most: int) -> int:
    """Forgets lines of before a time, and all but the newest of one kind; how many, which is `most` at most."""
    old = session.column("SELECT id FROM security_event WHERE at < ? LIMIT ?", (before, most))
    sql = "SELECT id FROM security_event WHERE what = ? ORDER BY id DESC LIMIT ? OFFSET ?"
    old = old or session.column(sql, (what, most, newest))
    session.run_many("DELETE FROM security_event WHERE id = ?", [(id,) for id in old])
    return len(old)
