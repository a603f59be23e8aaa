"""Records with all they show: an event with what it is linked to, and their images."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from kalends.contract.kinds import COMPANIONS, TERMS
from kalends.store.engine.store import Ids, Session
from kalends.store.rows import links, media, posts, series, terms
from kalends.store.rows.records import Bundle as Bundle
from kalends.store.rows.records import Companion, Event, Media, Post, Term
from kalends.store.rows.visibility import Visibility
from kalends.values import names

KnownTargets = Mapping[int, Mapping[str, Sequence[int]]]  # what events are linked to, by their ids and by kind


def bundle_events(
    session: Session,
    visibility: Visibility,
    events: Sequence[Event],
    linked: KnownTargets | None = None,
    kinds: Sequence[str] = links.LINKED,
) -> list[Bundle]:
    """One bundle per event, by a fixed number of queries. `linked`: what they are linked to, where it is known; else
    `kinds` are those of the linked records that are wanted."""
    if linked is not None and all(_is_alone(event, linked[event.id]) for event in events):
        return [Bundle() for _ in events]
    ids = [event.id for event in events if visibility.can_unmask(event)]
    targets = links.targets_of_many(session, ids, kinds) if linked is None else links.by_kind(ids, linked)
    wanted = {kind: {target for ids in by_event.values() for target in ids} for kind, by_event in targets.items()}
    companions = {kind.name: posts.find_many(session, kind.name, wanted[kind.name]) for kind in COMPANIONS}
    named = {kind.name: terms.find_many(session, kind.name, wanted[kind.name]) for kind in TERMS}
    images = images_of(session, [*events, *(one for known in companions.values() for one in known.values())])
    parents = visible_ids(session, visibility, {event.post_parent for event in events if event.post_parent})
    known_series = series.find_many(session, {event.series for event in events if event.series})
    # Most have the title of their series; that of another might be one that the reader must not know.
    names_of = {id: found.template.event.name for id, found in known_series.items()}
    for id in {event.series for event in events if event.series and event.name != names_of[event.series]}:
        known_series[id] = series.as_read(session, visibility, known_series[id])
    bundles = []
    for event in events:
        own_series = known_series.get(event.series or 0)
        parent = event.post_parent if event.post_parent in parents else 0
        above = [("event", event.post_parent)] if event.post_parent else []
        if not visibility.can_unmask(event):
            bundles.append(Bundle(masked=True, parent=parent, series=own_series, references=above))
            continue
        shown: dict[str, Sequence[Any]] = {
            kind: _readable(visibility, event, known, targets[kind][event.id]) for kind, known in companions.items()
        }
        shown |= {kind: _by_name(known, targets[kind][event.id]) for kind, known in named.items()}
        bundles.append(
            Bundle(
                linked=shown,
                images=images,
                parent=parent,
                series=own_series,
                references=above + [(kind, target) for kind in links.LINKED for target in targets[kind][event.id]],
            )
        )
    return bundles


def _is_alone(event: Event, targets: Mapping[str, Sequence[int]]) -> bool:
    """Whether it has nothing that may be hidden from somebody."""
    stands_alone = event.image is None and event.series is None and event.password is None and not event.post_parent
    return stands_alone and not any(targets.values())


def bundle_posts(session: Session, found: Sequence[Post]) -> list[Bundle]:
    """What comes with events shows only its images."""
    images = images_of(session, found)
    return [Bundle(images=images) for _ in found]


def images_of(session: Session, found: Iterable[Post]) -> dict[int, Media]:
    ids = {post.image for post in found if post.image is not None}
    return media.find_many(session, ids) if ids else {}


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


def _readable(visibility: Visibility, event: Event, known: dict[int, Post], ids: Sequence[int]) -> list[Post]:
    found = [known[id] for id in ids if id in known]
    return [one for one in found if isinstance(one, Companion) and visibility.can_read_with(event, one)]


def _by_name(known: dict[int, Term], ids: Sequence[int]) -> list[Term]:
    return sorted((known[id] for id in ids if id in known), key=lambda term: (names.sort_key(term.name), term.id))
