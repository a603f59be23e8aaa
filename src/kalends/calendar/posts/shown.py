"""Posts together with what they show to a caller: images, author, links and parent."""

from collections.abc import Sequence
from typing import cast

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.store.rows import bundles
from kalends.store.rows.bundles import Bundle
from kalends.store.rows.records import Event, Post

Shown = tuple[Post, Bundle]


def show(work: UnitOfWork, post: Post, password: bytes | None = None) -> Shown:
    return show_all(work, [post], password)[0]


def show_all(work: UnitOfWork, posts: Sequence[Post], password: bytes | None = None) -> list[Shown]:
    """Posts of one kind. `password` is the digest of an event password that came with the request."""
    if posts and isinstance(posts[0], Event):
        visibility = work.visibility_with(password)
        found = bundles.bundle_events(work.session, visibility, cast(Sequence[Event], posts))
    else:
        found = bundles.bundle_posts(work.session, posts)
    return list(zip(posts, found, strict=True))
