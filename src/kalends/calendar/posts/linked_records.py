"""Posts together with what they show to a caller: images, author, links and parent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from kalends.calendar.access import may_edit
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.store.rows import bundles
from kalends.store.rows.bundles import Bundle, KnownTargets
from kalends.store.rows.links import LINKED
from kalends.store.rows.records import Event, Post
from kalends.values.custom_fields import filled

Shown = tuple[Post, Bundle]


def show(work: UnitOfWork, post: Post, password: bytes | None = None) -> Shown:
    return show_all(work, [post], password)[0]


def show_new(work: UnitOfWork, posts: Sequence[Post]) -> list[Shown]:
    """Posts of one kind that this transaction has stored as new ones, and has not changed since."""
    linked = work.new_links
    return show_all(work, posts, linked=linked if all(post.id in linked for post in posts) else None)


def show_all(
    work: UnitOfWork,
    posts: Sequence[Post],
    password: bytes | None = None,
    *,
    linked: KnownTargets | None = None,
    kinds: Sequence[str] = LINKED,
) -> list[Shown]:
    """Posts of one kind. `password` is the digest of an event password that came with the request; `linked` says what
    the events are linked to, where that is known; `kinds` are those of the linked records that are wanted."""
    if posts and isinstance(posts[0], Event):
        visibility = work.visibility_with(password)
        events = cast(Sequence[Event], posts)
        found = bundles.bundle_events(work.session, visibility, events, linked, kinds)
        if work.settings.custom_fields:
            found = [_with_custom(work, *one) for one in zip(events, found, strict=True)]
    else:
        found = bundles.bundle_posts(work.session, posts)
    return list(zip(posts, found, strict=True))


def _with_custom(work: UnitOfWork, event: Event, bundle: Bundle) -> Bundle:
    """With its values of the custom fields that the caller may read; a masked event shows none."""
    if bundle.masked or not event.custom_fields:
        return bundle
    defined = work.settings.custom_fields
    fields = defined.fields if may_edit(work.caller, event) else defined.public()
    return replace(bundle, custom=filled(fields, event.custom_fields))
