"""What is public by the clock before its status is stored.

Publishing is a write, and a read never waits for one. So a read that finds something due while another writer holds
the lock begins with `find`, and sees these records as they will be stored: `Session.due` has their ids, by which they
are read (posts.py, series.py) and found by lists (`Visibility.due`).
"""

from collections.abc import Sequence

from kalends.store.engine.store import Session
from kalends.store.rows import posts, series, unpublished_links
from kalends.store.rows.records import POST_TYPES, Companion, Post
from kalends.store.rows.visibility import UNPUBLISHED_STATUSES

DUE = "status = 'future' AND date_utc <= ?"


def find(session: Session, now: str) -> frozenset[int]:
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
    shown = (
        [posts.find(session, kind, id) for kind, id in unpublished_links.shown_by(session, events)] if events else []
    )
    return [one.id for one in shown if one is not None and _becomes_public(one, now)]


def _becomes_public(post: Post, now: str) -> bool:
    return isinstance(post, Companion) and post.status in UNPUBLISHED_STATUSES and post.date_utc <= now
