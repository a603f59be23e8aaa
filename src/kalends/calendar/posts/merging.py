"""Makes one record of two: all events follow, and the old address leads to the one that stays."""

import msgspec

from kalends.calendar.access import Caller, UnitOfWork, may_merge, require
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts import posts, terms
from kalends.calendar.storing import redirecting, referring
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.kinds import CATEGORY, KIND_OF, Kind
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Post, Term

NO_SUCH_RECORD = N_("There is no such record.")


class Merge(msgspec.Struct):
    """Of a record into another of its kind. Both are there until all events have followed."""

    kind: str
    old: int
    new: int
    count: int = 0  # of events that followed


def merge_in_parts(calendar: Transactions, caller: Caller, kind: Kind, old: int, new: int) -> int:
    """Makes one record of two; the number of events that followed. Of many, readers find some at each record until
    all have."""
    return long_work.perform(calendar, caller, MERGE, Merge(kind.name, old, new))


def merge(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    """The same in one transaction."""
    return long_work.whole(work, MERGE, Merge(kind.name, old, new))


def _part(work: UnitOfWork, merge: Merge, until: Deadline) -> bool:
    kind = KIND_OF[merge.kind]
    source, target = _checked(work, kind, merge.old, merge.new)
    count, is_more = referring.relink(work, kind, source.id, target.id, until)
    merge.count += count
    return is_more


def _end(work: UnitOfWork, merge: Merge) -> int:
    kind = KIND_OF[merge.kind]
    source, target = _checked(work, kind, merge.old, merge.new)
    if isinstance(source, Term):
        if kind is CATEGORY:
            terms.adopt(work, stored_terms.children(work.session, source.id), target.id)
        referring.replace(work, kind, source.id, target.id, source.slug)
        terms.delete(work, kind, source.id)
        return merge.count
    # An address that nobody could open leads nowhere: it would tell the name.
    slug = source.slug if redirecting.was_public(source) else None
    referring.replace(work, kind, source.id, target.id, slug)
    if source.status != TRASH:
        posts.delete(work, kind, source, force=False)
    return merge.count


MERGE = LongWork("merge", N_("Merge"), Merge, _part, _end, key=lambda merge: f"{merge.kind}/{merge.old}")


def _checked(work: UnitOfWork, kind: Kind, old: int, new: int) -> tuple[Post | Term, Post | Term]:
    """The record that goes and the one that stays, if they can be merged."""
    require(may_merge(work.caller), work.caller)
    if old == new:
        _refuse(N_("cannot be the record itself."))
    return _checked_terms(work, kind, old, new) if kind.is_term else _checked_posts(work, kind, old, new)


def _checked_posts(work: UnitOfWork, kind: Kind, old: int, new: int) -> tuple[Post, Post]:
    source = posts.writable(work, kind, old)
    kept = stored_posts.find(work.session, kind.name, new)
    if kept is None or kept.status == TRASH or not work.visibility.can_read(kept):
        _refuse(NO_SUCH_RECORD)
    return source, posts.writable(work, kind, new)


def _checked_terms(work: UnitOfWork, kind: Kind, old: int, new: int) -> tuple[Term, Term]:
    source = terms.read(work, kind, old)
    if stored_terms.find(work.session, kind.name, new) is None:
        _refuse(NO_SUCH_RECORD)
    target = terms.read(work, kind, new)
    if kind is CATEGORY:
        if target.id in stored_terms.descendants(work.session, source.id):
            _refuse(N_("cannot be a category below it."))
        if (levels := stored_terms.height(work.session, source.id) - 1) > 0:
            terms.require_depth(work, "into", target.id, levels)
        terms.require_new_names(work, stored_terms.children(work.session, source.id), target.id)
    return source, target


def _refuse(sentence: str) -> None:
    Problems({"into": FieldError(OUT_OF_BOUNDS, sentence)}).raise_any()
