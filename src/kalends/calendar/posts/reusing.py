"""Which venue or organizer that is there already stands for one that is sent with an event."""

import msgspec

from kalends.calendar.posts.apply_fields import apply
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import Problems
from kalends.contract.fields import Values
from kalends.contract.kinds import Kind
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.store.rows import posts
from kalends.store.rows.records import POST_TYPES, Companion, Post

# What a record has besides that which somebody has written.
KEPT = ("id", "author", "status", "date_utc", "modified_utc", "rev", "slug", "source", "external_id", "waiting")


def equal_record(work: UnitOfWork, kind: Kind, values: Values, *, publishes: bool) -> Post | None:
    """A record visible to the caller that already has every value that was sent. A public one comes before others.
    `publishes`: the event would make it public, which it does with nothing that somebody else has written besides."""
    found = posts.find_named(work.session, kind.name, str(values[kind.name_field]), work.visibility)
    for post in sorted(found, key=lambda post: post.status != PUBLISH):
        if post.status == TRASH or (publishes and _tells_more(work, kind, post, values)):
            continue
        changed = msgspec.structs.replace(post)
        apply(work, kind, changed, values, Problems())
        if changed == post and values.get("slug") in (None, "", post.slug):
            return post
    return None


def _tells_more(work: UnitOfWork, kind: Kind, post: Post, values: Values) -> bool:
    """Whether something that waits for a public event is neither the caller's nor sent as a whole."""
    if not isinstance(post, Companion) or not post.waiting or post.author == work.caller.user:
        return False
    kept = {name: getattr(post, name) for name in KEPT}
    sent = POST_TYPES[kind.name](**kept)
    apply(work, kind, sent, values, Problems())
    return msgspec.structs.replace(sent, **kept) != post
