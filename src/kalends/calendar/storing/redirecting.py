"""What becomes of the address of a record when it gets another slug, or is deleted."""

from collections.abc import Iterable
from itertools import product

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import EVENT, VENUE, Kind
from kalends.contract.statuses import PUBLISH
from kalends.store.rows import links, redirects
from kalends.store.rows.records import Event, Post


def rename(work: UnitOfWork, kind: Kind, changes: Iterable[tuple[Post, Post]]) -> None:
    """Records have other slugs than they had: the addresses that everybody could open lead to them. `changes`: each
    record as it was and as it is."""
    renamed = [(one, new) for one, new in changes if one.slug != new.slug]
    redirects.add_many(work.session, kind.name, {one.slug: new.id for one, new in renamed if was_public(one)})
    for (one, new), tell in product(renamed, hooks.renamed):
        tell(work, kind, one, new)


def was_public(post: Post) -> bool:
    """Whether everybody could open the address of a record, which may be in the trash now."""
    return PUBLISH in (post.status, post.trashed_from)


def end(work: UnitOfWork, event: Event) -> None:
    """Before a public event is deleted for good: its address tells of it."""
    redirects.end(work.session, EVENT.name, event.slug, event.id, instead_of(work, event))


def instead_of(work: UnitOfWork, event: Event) -> redirects.Gone:
    """What the address of a deleted event leads to. Where one with a password takes place is nothing that everybody
    could read."""
    venues = [] if event.password is not None else links.targets(work.session, VENUE.name, event.id)
    return redirects.Gone(event.series, next(iter(venues), None))
