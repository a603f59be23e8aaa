"""Many records as JSON, each as its own address would answer the caller; a masked event as lists show it."""

from collections.abc import Callable, Sequence

import msgspec

from kalends.calendar.lists import joined_fragments
from kalends.calendar.lists.joined_fragments import FragmentReader
from kalends.calendar.posts.linked_records import show_all
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import KIND_OF, Kind
from kalends.present import json as representation
from kalends.present.addresses import RenderContext
from kalends.store.query import term_lists as term_queries
from kalends.store.rows import posts, terms

_encode = msgspec.json.encode


def renderer(
    work: UnitOfWork, context: RenderContext, reader: FragmentReader | None
) -> Callable[[str, Sequence[int]], list[bytes]]:
    """What makes the JSON of records that the caller can read: from fragments where there is a reader of them."""

    def render(kind_name: str, ids: Sequence[int]) -> list[bytes]:
        kind = KIND_OF[kind_name]
        gathered = reader.read_many(work, kind, ids) if reader is not None else None
        if gathered is not None:
            return joined_fragments.alone(kind, gathered, context.addresses)
        return _rendered(work, kind, ids, context)

    return render


def _rendered(work: UnitOfWork, kind: Kind, ids: Sequence[int], context: RenderContext) -> list[bytes]:
    if kind.is_term:
        counts = term_queries.counts(work.session, kind.name, work.visibility, ids)
        found = terms.find_many(work.session, kind.name, ids)
        return [_encode(representation.term(kind, found[id], counts[id], context)) for id in ids]
    known = posts.find_many(work.session, kind.name, ids)
    shown = show_all(work, [known[id] for id in ids])
    return [_encode(representation.post(post, bundle, context, single=True)) for post, bundle in shown]
