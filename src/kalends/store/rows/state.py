"""What every change, and the first read after one, asks of the calendar as a whole: each in one query."""

from collections.abc import Sequence
from typing import NamedTuple

from kalends.store.engine.store import Row, Session
from kalends.store.rows import custom_values, journal, links, posts, series, site
from kalends.store.rows.journal import LastChange
from kalends.store.rows.records import POST_TYPES, Companion, Post
from kalends.store.rows.visibility import UNPUBLISHED_STATUSES

# What is public by the clock before its status is stored. Publishing is a write, and a read never waits for one.

DUE = "status = 'future' AND date_utc <= ?"


def due_ids(session: Session, now: str) -> frozenset[int]:
    """The ids of the posts and series that are due, and of what becomes public with them; all have numbers of one
    sequence."""
    events = session.all(f"SELECT id, series, password IS NULL FROM event WHERE {DUE}", (now,))
    others = [
        id
        for kind in POST_TYPES
        if kind != "event"
        for id in session.column(f"SELECT id FROM {kind} WHERE {DUE}", (now,))
    ]
    return frozenset(
        (
            *(id for id, _, _ in events),
            *others,
            *_series(session, {series for _, series, _ in events if series}, now),
            *_shown_by(session, [id for id, _, is_open in events if is_open], now),
        )
    )


def _series(session: Session, ids: set[int], now: str) -> list[int]:
    known = series.find_many(session, ids)
    return [id for id, one in known.items() if one.status == "future" and one.template.event.date_utc <= now]


def _shown_by(session: Session, events: Sequence[int], now: str) -> list[int]:
    """Venues and organizers that wait for one of these events."""
    shown = [posts.find(session, kind, id) for kind, id in links.shown_by(session, events)] if events else []
    return [one.id for one in shown if one is not None and _becomes_public(one, now)]


def _becomes_public(post: Post, now: str) -> bool:
    return isinstance(post, Companion) and post.status in UNPUBLISHED_STATUSES and post.date_utc <= now


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
