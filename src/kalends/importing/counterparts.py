"""Finds the record here that a record of a source stands for."""

from collections.abc import Mapping, Sequence

import msgspec

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.statuses import TRASH
from kalends.importing.record import Record
from kalends.importing.resolving import Resolver
from kalends.importing.values import LINKED_KINDS
from kalends.store.rows import links, merges, posts, redirects, series, terms
from kalends.store.rows.records import Companion, Event, Post, Term
from kalends.values import dates, markup, names

DISTINCTIVE = ("email", "address", "city", "stateprovince", "zip", "country")  # for venues and organizers


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
        by_name = terms.find_by_name(work.session, kind.name, name) if record.is_named else None
        sibling = None if record.is_named else terms.find_sibling(work.session, kind.name, parent, name)
        return by_name or sibling or _merged_term(work, kind, name)
    if record.is_named:
        found = posts.find_named(work.session, kind.name, name, work.visibility)
        same = _same([post for post in found if post.status != TRASH], record)
        return same or _merged_post(work, kind, [post for post in found if post.status == TRASH], record)
    return None


def _merged_term(work: UnitOfWork, kind: Kind, name: str) -> Term | None:
    """The term that one of this name was merged into: nothing is left of it but its address."""
    target = redirects.find(work.session, kind.name, names.slugify(name))
    is_merge = target is not None and target in merges.every(work.session, kind.name).values()
    return terms.find(work.session, kind.name, target) if target is not None and is_merge else None


def _merged_post(work: UnitOfWork, kind: Kind, trashed: Sequence[Post], record: Record) -> Post | None:
    """The record that the one of this name was merged into."""
    merged = merges.merged_into(work.session, kind.name, [post.id for post in trashed])
    same = _same([post for post in trashed if post.id in merged], record)
    return None if same is None else posts.find(work.session, kind.name, merged[same.id])


def _same(candidates: Sequence[Post], record: Record) -> Post | None:
    """The one of the same name that is at the same place, or has the same e-mail address. What only one of the two
    sides tells makes no difference, unless the source tells everything, or the record here waits for a public event:
    that would tell more of it than the source does."""
    there = _distinction(record.fields)
    told = [(post, _distinction(msgspec.structs.asdict(post))) for post in candidates]
    same = [post for post, here in told if here == there]
    if not same and not record.is_exact:
        known = [(post, here) for post, here in told if not (isinstance(post, Companion) and post.waiting)]
        same = [post for post, here in known if here.startswith(there) or there.startswith(here)]
    return same[0] if same else None


def _distinction(fields: Mapping[str, object]) -> str:
    return names.slugify(" ".join(str(fields[name]) for name in DISTINCTIVE if fields.get(name)))


def occurrence(work: UnitOfWork, resolver: Resolver, record: Record) -> Event | None:
    """The event here that a changed occurrence of a series is to become."""
    assert record.occurrence is not None
    ref, start = record.occurrence
    id = resolver.id_of(work.session, EVENT.name, ref)
    first = None if id is None else posts.find(work.session, EVENT.name, id)
    if not isinstance(first, Event) or first.series is None:
        return None
    return next(iter(series.events_at(work.session, first.series, dates.text(start))), None)


def links_of(work: UnitOfWork, record: Record, here: Post | Term) -> dict[str, list[int]]:
    """What an event here is linked to, by the names of the fields."""
    if record.kind is not EVENT or not record.links:
        return {}
    found = links.all_targets(work.session, here.id)
    return {name: found[kind.name] for name, kind in LINKED_KINDS.items()}
