"""The journal as the history of the site shows it: rows of what changed, and what they replaced."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Conditions, Ids, Session
from kalends.store.rows import history, journal
from kalends.store.rows.history import GATHERED, LAST_REV, SERIES, Version


class JournalChange(NamedTuple):
    """A row of the journal. `cause`: what it is part of, as the words of `cause_of`; `series`: that of the event."""

    rev: int
    kind: str
    id: int
    action: str
    at: str
    actor: int
    cause: str = ""
    series: int | None = None


def changes(
    session: Session,
    most: int,
    *,
    before: int = LAST_REV,
    since: int = 0,
    actor: int | None = None,
    kinds: Sequence[str] = (),
) -> list[JournalChange]:
    """Changes of records and people, newest first. `before`, `since`: only those between two of them."""
    of_its_dates = f"NOT (j.kind = '{SERIES}' AND j.action = '{journal.CREATE}')"  # which have rows of their own
    found = Conditions(
        ["j.rev < ?", "j.rev >= ?", "j.kind <> ?", "j.action <> ?", of_its_dates],
        [before, since, GATHERED, journal.SHOW],
    )
    if actor is not None:
        found.add("j.actor = ?", actor)
    if kinds:
        found.add_in("j.kind", kinds)
    rows = session.all(
        "SELECT j.rev, j.kind, j.id, j.action, j.at, j.actor, j.cause,"
        f" CASE j.kind WHEN '{SERIES}' THEN j.id ELSE e.series END"
        " FROM journal j LEFT JOIN event e ON j.kind = 'event' AND e.id = j.id"
        f" WHERE {found.where} ORDER BY j.rev DESC LIMIT ?",
        [*found.parameters, most],
    )
    return [JournalChange(*row) for row in rows]


def first_since(session: Session, at: str) -> int:
    """The first change at a time or after it: changes are numbered in the order of their times."""
    first, end = 0, int(session.value("SELECT coalesce(max(rev), 0) FROM journal")) + 1
    while first < end:
        middle = (first + end) // 2
        row = session.one("SELECT rev, at FROM journal WHERE rev >= ? ORDER BY rev LIMIT 1", (middle,))
        if row is not None and row[1] < at:
            first = row[0] + 1
        else:
            end = middle
    return first


def with_revs(session: Session, revs: Sequence[int]) -> dict[int, Version]:
    """What some changes replaced, by their numbers."""
    if not revs:
        return {}
    return {version.rev: version for version in history.read(session, f"v.rev {session.dialect.in_ids}", [Ids(revs)])}


def rule_changes(session: Session, since: int, until: int) -> list[tuple[int, int]]:
    """Changes of the rules of series: their numbers, and those of the series."""
    sql = "SELECT rev, id FROM version WHERE rev >= ? AND rev <= ? AND kind = ? AND data LIKE ?"
    return session.all(sql, (since, until, SERIES, history.OF_RULES))
