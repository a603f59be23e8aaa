"""What old slugs and the ids of merged records mean now, and what there is instead of a deleted event."""

from collections.abc import Sequence
from typing import cast

from kalends.calendar.access import UnitOfWork
from kalends.calendar.storing import redirecting
from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.contract.statuses import TRASH
from kalends.store.rows import merges, posts, redirects, terms
from kalends.store.rows.records import Event, Post, Term
from kalends.store.rows.redirects import Gone
from kalends.store.rows.visibility import Visibility
from kalends.values import names


def find(work: UnitOfWork, visibility: Visibility, kind: Kind, named: int | str) -> Post | Term | None:
    """The record that an old slug leads to, or the one that a record with this id was merged into; None also for one
    that the reader may not know of."""
    if isinstance(named, int):
        target = merges.merged_into(work.session, kind.name, [named]).get(named)
    else:
        target = redirects.find(work.session, kind.name, named)
    if target is None:
        return None
    if kind.is_term:
        return terms.find(work.session, kind.name, target)
    post = posts.find(work.session, kind.name, target)
    return post if post is not None and post.status != TRASH and visibility.can_read(post) else None


def moved_to(work: UnitOfWork, kind: Kind, slug: str) -> str | None:
    """The slug of the record that an old address leads to, if the caller can read it."""
    found = find(work, work.visibility, kind, slug)
    return None if found is None else found.slug


def ids_of_slugs(work: UnitOfWork, kind: Kind, slugs: Sequence[str]) -> list[int]:
    """The ids of the records with these slugs, in their order, whoever may read them: only to be used as a filter. An
    old slug counts where no record has it now."""
    moved = redirects.find_many(work.session, kind.name, slugs)
    if not moved:
        return posts.ids_of_slugs(work.session, kind.name, slugs)
    found = list[int]()
    for slug in slugs:
        live = find_live(work, kind, slug)
        id = live.id if live is not None else moved.get(names.slug_key(slug))
        found += [] if id is None else [id]
    return list(dict.fromkeys(found))


def find_live(work: UnitOfWork, kind: Kind, slug: str) -> Post | Term | None:
    """The record that has a slug now and is not in the trash, whoever may read it."""
    if kind.is_term:
        return terms.find_by_slug(work.session, kind.name, slug)
    post = posts.find_by_slug(work.session, kind.name, slug)
    return post if post is not None and post.status != TRASH else None


def current_ids(work: UnitOfWork, kind: Kind, ids: Sequence[int]) -> list[int]:
    """Some ids, with that of the record that stays in place of each that was merged."""
    stays = merges.merged_into(work.session, kind.name, ids)
    return list(dict.fromkeys(stays.get(id, id) for id in ids))


def gone(work: UnitOfWork, slug: str) -> Gone | None:
    """What else there is, if this was the public address of an event that was deleted, be it to the trash."""
    found = posts.find_by_slug(work.session, EVENT.name, slug)
    if found is None or not redirecting.was_public(found):
        moved = redirects.find(work.session, EVENT.name, slug)
        found = None if moved is None else posts.find(work.session, EVENT.name, moved)
    if found is None:
        known = redirects.gone(work.session, EVENT.name, slug)
        if known is None or known.venue is None:
            return known
        return Gone(known.series, current_ids(work, VENUE, [known.venue])[0])
    if found.status != TRASH or not redirecting.was_public(found):
        return None
    return redirecting.instead_of(work, cast(Event, found))
