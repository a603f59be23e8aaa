"""Records with everything they show: an event with its venues, organizers, terms and all their images."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from kalends.store.engine.store import Ids, Session
from kalends.store.query.visibility import Visibility
from kalends.store.rows import links, media, posts, terms
from kalends.store.rows.records import Event, Media, Organizer, Post, Term, Venue
from kalends.values import names


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a record shows besides itself, already limited to what the reader may see."""

    venues: Sequence[Venue] = ()
    organizers: Sequence[Organizer] = ()
    categories: Sequence[Term] = ()
    tags: Sequence[Term] = ()
    images: dict[int, Media] = field(default_factory=dict)
    masked: bool = False
    parent: int = 0  # the event that an event belongs to, if it may be seen
    # Everything that the record is linked to, seen or not, as (kind, id).
    linked: Sequence[tuple[str, int]] = ()


def bundle_events(session: Session, visibility: Visibility, events: Sequence[Event]) -> list[Bundle]:
    """One bundle an event, with a fixed number of queries for all of them."""
    ids = [event.id for event in events if visibility.can_unmask(event)]
    linked = links.targets_of_many(session, ids)
    wanted = {kind: {target for found in by_event.values() for target in found} for kind, by_event in linked.items()}
    venues = posts.find_many(session, "venue", wanted["venue"])
    organizers = posts.find_many(session, "organizer", wanted["organizer"])
    categories = terms.find_many(session, "category", wanted["category"])
    tags = terms.find_many(session, "tag", wanted["tag"])
    images = images_of(session, [*events, *venues.values(), *organizers.values()])
    parents = visible_ids(session, visibility, {event.post_parent for event in events if event.post_parent})
    bundles = []
    for event in events:
        parent = event.post_parent if event.post_parent in parents else 0
        above = [("event", event.post_parent)] if event.post_parent else []
        if not visibility.can_unmask(event):
            bundles.append(Bundle(masked=True, parent=parent, linked=above))
            continue
        bundles.append(
            Bundle(
                venues=cast(list[Venue], _readable(visibility, venues, linked["venue"][event.id])),
                organizers=cast(list[Organizer], _readable(visibility, organizers, linked["organizer"][event.id])),
                categories=_by_name(categories, linked["category"][event.id]),
                tags=_by_name(tags, linked["tag"][event.id]),
                images=images,
                parent=parent,
                linked=above + [(kind, target) for kind in links.LINKED for target in linked[kind][event.id]],
            )
        )
    return bundles


def bundle_posts(session: Session, found: Sequence[Post]) -> list[Bundle]:
    """Venues and organizers show only their images."""
    images = images_of(session, found)
    return [Bundle(images=images) for _ in found]


def images_of(session: Session, found: Iterable[Post]) -> dict[int, Media]:
    return media.find_many(session, {post.image for post in found if post.image is not None})


def visible_ids(session: Session, visibility: Visibility, ids: Collection[int]) -> set[int]:
    """Which of these events may be read."""
    if not ids:
        return set()
    sql, parameters = visibility.where_readable("e")
    return set(
        session.column(
            f"SELECT e.id FROM event e WHERE e.id {session.dialect.in_ids} AND {sql}", [Ids(ids), *parameters]
        )
    )


def _readable(visibility: Visibility, known: dict[int, Post], ids: Sequence[int]) -> list[Post]:
    return [known[id] for id in ids if id in known and visibility.can_read(known[id])]


def _by_name(known: dict[int, Term], ids: Sequence[int]) -> list[Term]:
    return sorted((known[id] for id in ids if id in known), key=lambda term: (names.sort_key(term.name), term.id))
