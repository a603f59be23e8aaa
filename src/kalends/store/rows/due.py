"""What is public by the clock before its status is stored.

Publishing is a write, and a read never waits for one. So a read that finds something due while another writer holds
the lock begins with `find`, and sees these records as they will be stored: `Session.due` has their ids, by which they
are read (posts.py, series.py) and found by lists (`Visibility.due`).
"""

from collections.abc import Iterable

from kalends.store.engine.store import Session
from kalends.store.rows import posts, series, waiting
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post
from kalends.store.rows.visibility import UNPUBLISHED_STATUSES


def find(session: Session, now: str) -> frozenset[int]:
    """The ids of the posts and series that are due, and of what becomes public with them; all have numbers of one
    sequence."""
    found = {kind: posts.due(session, kind, now) for kind in POST_TYPES}
    events = [post for post in found["event"] if isinstance(post, Event)]
    return frozenset(
        (
            *(post.id for due in found.values() for post in due),
            *_series(session, events, now),
            *_shown_by(session, events, now),
        )
    )


def _series(session: Session, events: Iterable[Event], now: str) -> list[int]:
    known = series.find_many(session, {event.series for event in events if event.series})
    return [id for id, one in known.items() if one.status == "future" and one.template.event.date_utc <= now]


def _shown_by(session: Session, events: Iterable[Event], now: str) -> list[int]:
    """Venues and organizers that wait for one of these events."""
    ids = [event.id for event in events if event.password is None]
    shown = [posts.find(session, kind, id) for kind, id in waiting.shown_by(session, ids)] if ids else []
    return [one.id for one in shown if one is not None and _becomes_public(one, now)]


def _becomes_public(post: Post, now: str) -> bool:
    return isinstance(post, Companion) and post.status in UNPUBLISHED_STATUSES and post.date_utc <= now
