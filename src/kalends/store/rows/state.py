"""What every change, and the first read after one, asks of the calendar as a whole: each in one query."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Row, Session
from kalends.store.rows import custom_values, journal, site
from kalends.store.rows.journal import LastChange
from kalends.store.rows.records import POST_TYPES


class Facts(NamedTuple):
    """When the next post becomes public by the clock alone, and facts about the site as they are stored."""

    due: str | None
    settings: str | None
    custom_fields: str | None


class State(NamedTuple):
    """The same with the identity of the store, the number of the newest change, and number and time of the newest
    that an anonymous reader could notice."""

    facts: Facts
    epoch: str
    rev: int
    public: int
    changed: LastChange | None


def facts(session: Session) -> Facts:
    return Facts(*session.all(_FACTS)[0])


def read(session: Session) -> State:
    rows: Sequence[Row] = session.all(_STATE)
    *found, epoch, rev, public, _ = rows[0]
    newest = [] if public is None else [row[-1] for row in rows]
    return State(Facts(*found), epoch, rev, public or 0, journal.last_of(newest))


_DUE = "SELECT min(date_utc) FROM ({}) AS due".format(
    " UNION ALL ".join(f"SELECT min(date_utc) AS date_utc FROM {kind} WHERE status = 'future'" for kind in POST_TYPES)
)
_FACTS = f"SELECT ({_DUE}), " + ", ".join(
    f"(SELECT value FROM site WHERE key = '{key}')" for key in (site.SETTINGS, custom_values.KEY)
)
_STATE = (
    f"{_FACTS}, (SELECT id FROM epoch), (SELECT coalesce(max(rev), 0) FROM journal), newest.rev, newest.at"
    " FROM (SELECT 1 AS one) AS this LEFT JOIN"
    " (SELECT rev, at FROM journal WHERE public = 1 ORDER BY rev DESC LIMIT 2) AS newest ON TRUE"
    " ORDER BY newest.rev DESC"
)
