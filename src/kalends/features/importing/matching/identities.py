"""Which records here the records of a source stand for: by what was imported, by name, and by what leads to them."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import EVENT, Kind
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.contract.statuses import TRASH
from kalends.features.importing import rows as imports
from kalends.features.importing.records.record import Record, Redirection, Ref
from kalends.features.importing.rows import Imported
from kalends.store.engine.store import Session
from kalends.store.rows import external, links, merges, posts, redirects, series, tables, terms
from kalends.store.rows.records import Companion, Event, Post, Term
from kalends.values import dates, markup, names

MOST_KEPT = 50_000


class Resolver:
    """Identities at a source as ids here. What was found is kept, since many events have the same venues."""

    def __init__(self, site_id: str) -> None:
        self._site_id = site_id
        self._known: dict[tuple[str, Ref], int] = {}
        self._absent: set[tuple[str, Ref]] = set()  # of this transaction

    def id_of(self, session: Session, kind: str, ref: Ref) -> int | None:
        """The record that this identity stands for; None if it was not imported, or is deleted."""
        known = self._known.get((kind, ref))
        if known is not None:
            return known
        candidates: tuple[Callable[[], int | None], ...] = (
            lambda: _imported(session, kind, ref),
            lambda: external.id_of(session, kind, *ref),
            lambda: self._exported_from_here(ref),
        )
        for find in candidates:
            id = after_merge(session, kind, find())
            if id is not None and external.exists(session, kind, id):
                self.keep(kind, ref, id)
                return id
        return None

    def look_for(self, session: Session, refs: Mapping[tuple[str, str], Sequence[str]]) -> None:
        """Learns which records of these kinds and sources are not here at all, so that nobody asks for each."""
        self._absent.clear()
        for (kind, source), external_ids in refs.items():
            found = external.ids_of(session, kind, source, external_ids)
            self._absent |= {(kind, Ref(source, id)) for id in external_ids if id not in found}

    def is_absent(self, kind: str, ref: Ref) -> bool:
        """Whether no record has this identity, as far as was looked for."""
        return (kind, ref) in self._absent

    def counterpart(self, session: Session, kind: str, ref: Ref) -> int | None:
        """The record that has this identity without having been imported."""
        if ref.source != self._site_id:
            return (
                None if self.is_absent(kind, ref) else after_merge(session, kind, external.id_of(session, kind, *ref))
            )
        return self.id_of(session, kind, ref)

    def keep(self, kind: str, ref: Ref, id: int) -> None:
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        self._known[kind, ref] = id
        self._absent.discard((kind, ref))

    def forget(self) -> None:
        """After a transaction that was rolled back."""
        self._known.clear()

    def _exported_from_here(self, ref: Ref) -> int | None:
        """A record that comes back to the calendar that it was exported from."""
        return (ref.number or None) if ref.source == self._site_id else None


def after_merge(session: Session, kind: str, id: int | None) -> int | None:
    """The record itself, or the one that it was merged into."""
    if id is None or kind == EVENT.name:
        return id
    return merges.merged_into(session, kind, [id]).get(id, id)


def _imported(session: Session, kind: str, ref: Ref) -> int | None:
    found = imports.find(session, ref.source, kind, ref.external_id)
    return None if found is None else found.id


def former_ids(work: UnitOfWork, id: int) -> list[tuple[str, int]]:
    """The records, as kind and id, that had a number in another calendar; the last first."""
    return imports.of_old_id(work.session, id)


DISTINCTIVE = ("email", "address", "city", "stateprovince", "zip", "country")  # for venues and organizers


def find(session: Session, kind: Kind, id: int) -> Post | Term | None:
    return terms.find(session, kind.name, id) if kind.is_term else posts.find(session, kind.name, id)


def counterpart(work: UnitOfWork, resolver: Resolver, record: Record, parent: int) -> Post | Term | None:
    """A record that is here already without having been imported: through the interface, from this calendar's own
    export, or under the same name."""
    kind = record.kind
    id = resolver.counterpart(work.session, kind.name, record.ref)
    if id is not None:
        return find(work.session, kind, id)
    name = markup.plain(record.name[:2000])
    if kind.is_term:
        by_name = terms.find_by_name(work.session, kind.name, name) if record.is_named else None
        sibling = None if record.is_named else terms.find_sibling(work.session, kind.name, parent, name)
        return by_name or sibling or _merged_term(work, kind, name)
    if record.is_named:
        found = posts.find_folded(work.session, kind.name, name, work.visibility)
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
    described = [(post, _distinction(msgspec.structs.asdict(post))) for post in candidates]
    same = [post for post, here in described if here == there]
    if not same and not record.is_exact:
        known = [(post, here) for post, here in described if not (isinstance(post, Companion) and post.waiting)]
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


def redirect(
    work: UnitOfWork, resolver: Resolver, found: Iterable[Redirection], remember: Callable[[Imported], None]
) -> None:
    """What leads to a record in another calendar leads to it here: old addresses, and what was merged into it. Adds
    what does not lead anywhere here yet. What is a record of its own here stays one. `remember`: stores what to know
    of a record of the source."""
    for one in found:
        target = resolver.id_of(work.session, one.kind.name, one.target)
        if target is None:
            continue
        if one.slug and not _is_used(work, one.kind, one.slug):
            redirects.add(work.session, one.kind.name, one.slug, target)
        if one.merged is not None and not _is_known(work, resolver, one.kind, one.merged):
            _merge(work, one.kind, one.merged, target, remember)


def _is_used(work: UnitOfWork, kind: Kind, slug: str) -> bool:
    if redirects.find(work.session, kind.name, slug) is not None:
        return True
    if kind.is_term:
        return terms.find_by_slug(work.session, kind.name, slug) is not None
    return posts.id_of_slug(work.session, kind.name, slug) is not None


def _is_known(work: UnitOfWork, resolver: Resolver, kind: Kind, ref: Ref) -> bool:
    remembered = imports.find(work.session, ref.source, kind.name, ref.external_id)
    return remembered is not None or resolver.id_of(work.session, kind.name, ref) is not None


def _merge(work: UnitOfWork, kind: Kind, ref: Ref, target: int, remember: Callable[[Imported], None]) -> None:
    """The merged record itself did not come along. A number stands for it, which no record will have."""
    number = tables.next_number(work.session, "term" if kind.is_term else "post")
    remember(Imported(ref.source, kind.name, ref.external_id, number, 0, "", ""))
    merges.add(work.session, kind.name, number, target)
