"""Many records as JSON, each as its own address would answer the caller; a masked event as lists show it."""

from collections.abc import Callable, Sequence

import msgspec

from kalends.calendar.lists.fragments import FragmentReader, GatheredFragments
from kalends.calendar.posts.shown import show_all
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT, KIND_OF, Kind
from kalends.present import json as representation
from kalends.present import prerendered
from kalends.present.addresses import Addresses
from kalends.present.render_context import RenderContext
from kalends.store.query import terms as term_queries
from kalends.store.rows import posts, terms

_encode = msgspec.json.encode


def renderer(
    work: UnitOfWork, context: RenderContext, reader: FragmentReader | None
) -> Callable[[str, Sequence[int]], dict[int, bytes]]:
    """What makes the JSON of records that the caller can read: from fragments where there is a reader of them."""

    def render(kind_name: str, ids: Sequence[int]) -> dict[int, bytes]:
        kind = KIND_OF[kind_name]
        gathered = reader.read_many(work, kind, ids) if reader is not None else None
        if gathered is not None:
            return dict(zip(ids, _joined(kind, gathered, context.addresses), strict=True))
        return _rendered(work, kind, ids, context)

    return render


def _rendered(work: UnitOfWork, kind: Kind, ids: Sequence[int], context: RenderContext) -> dict[int, bytes]:
    if kind.is_term:
        counts = term_queries.counts(work.session, kind.name, work.visibility, ids)
        found = terms.find_many(work.session, kind.name, ids)
        return {id: _encode(representation.term(kind, found[id], counts[id], context)) for id in ids}
    known = posts.find_many(work.session, kind.name, ids)
    return {
        post.id: _encode(representation.post(post, bundle, context, single=True))
        for post, bundle in show_all(work, [known[id] for id in ids])
    }


def _joined(kind: Kind, gathered: GatheredFragments, addresses: Addresses) -> list[bytes]:
    if kind.is_term:
        counted = zip(gathered.found, gathered.counts, strict=True)
        return [prerendered.term(fragment, count, addresses) for fragment, count in counted]
    if kind is not EVENT:
        return [prerendered.venue_or_organizer(fragment, addresses) for fragment in gathered.found]
    embedded = prerendered.embedded_fragments(gathered.parts, addresses)
    return [
        prerendered.event(event, fragment.detail, embedded, gathered.parents, gathered.custom_fields)
        if fragment.detail
        else prerendered.events([event], embedded, gathered.parents, gathered.custom_fields)[1:-1]  # masked
        for event, fragment in zip(gathered.events, gathered.found, strict=True)
    ]
