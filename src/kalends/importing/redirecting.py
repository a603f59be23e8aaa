"""What leads to a record in another calendar leads to it here: old addresses, and what was merged into it."""

from collections.abc import Iterable

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import Kind
from kalends.importing.record import Redirection, Ref
from kalends.importing.resolving import Resolver
from kalends.store.rows import imports, merges, posts, redirects, sequence, terms
from kalends.store.rows.imports import Imported


def apply(work: UnitOfWork, resolver: Resolver, found: Iterable[Redirection]) -> None:
    """Adds what does not lead anywhere here yet. What is a record of its own here stays one."""
    for one in found:
        target = resolver.id_of(work.session, one.kind.name, one.target)
        if target is None:
            continue
        if one.slug and not _is_taken(work, one.kind, one.slug):
            redirects.add(work.session, one.kind.name, one.slug, target)
        if one.merged is not None and not _is_known(work, resolver, one.kind, one.merged):
            _merge(work, one.kind, one.merged, target)


def _is_taken(work: UnitOfWork, kind: Kind, slug: str) -> bool:
    if redirects.find(work.session, kind.name, slug) is not None:
        return True
    if kind.is_term:
        return terms.find_by_slug(work.session, kind.name, slug) is not None
    return posts.id_of_slug(work.session, kind.name, slug) is not None


def _is_known(work: UnitOfWork, resolver: Resolver, kind: Kind, ref: Ref) -> bool:
    remembered = imports.find(work.session, ref.source, kind.name, ref.external_id)
    return remembered is not None or resolver.id_of(work.session, kind.name, ref) is not None


def _merge(work: UnitOfWork, kind: Kind, ref: Ref, target: int) -> None:
    """The merged record itself did not come along. A number stands for it, which no record will have."""
    number = sequence.next_number(work.session, "term" if kind.is_term else "post")
    imports.put_many(work.session, [Imported(ref.source, kind.name, ref.external_id, number, 0, "", "")])
    merges.add(work.session, kind.name, number, target)
