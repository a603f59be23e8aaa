"""Finds the record here that a record of a source stands for."""

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import TRASH
from kalends.importing.record import Record
from kalends.importing.resolving import Resolver
from kalends.importing.values import LINKED_KINDS
from kalends.store.rows import links, posts, series, terms
from kalends.store.rows.records import Event, Post, Term
from kalends.values import dates, markup


def find(work: UnitOfWork, kind: Kind, id: int) -> Post | Term | None:
    return terms.find(work.session, kind.name, id) if kind.is_term else posts.find(work.session, kind.name, id)


def counterpart(work: UnitOfWork, resolver: Resolver, record: Record, parent: int) -> Post | Term | None:
    """A record that is here already without having been imported: through the interface, from this calendar's own
    export, or under the same name."""
    kind = record.kind
    id = resolver.counterpart(work.session, kind.name, record.ref)
    if id is not None:
        return find(work, kind, id)
    name = markup.plain(record.name[:2000])
    if kind.is_term:
        return terms.find_sibling(work.session, kind.name, parent, name)
    if record.is_named:
        for post in posts.find_named(work.session, kind.name, name, work.visibility):
            if post.status != TRASH:
                return post
    return None


def occurrence(work: UnitOfWork, resolver: Resolver, record: Record) -> Event | None:
    """The event here that a changed occurrence of a series is to become."""
    assert record.occurrence is not None
    ref, start = record.occurrence
    id = resolver.id_of(work.session, EVENT.name, ref)
    first = None if id is None else posts.find(work.session, EVENT.name, id)
    if not isinstance(first, Event) or first.series is None:
        return None
    events = series.events(work.session, first.series)
    return next((event for event in events if event.original_start == dates.text(start)), None)


def links_of(work: UnitOfWork, record: Record, here: Post | Term) -> dict[str, list[int]]:
    """What an event here is linked to, by the names of the fields."""
    if record.kind is not EVENT or not record.links:
        return {}
    found = links.all_targets(work.session, here.id)
    return {name: found[kind.name] for name, kind in LINKED_KINDS.items()}
