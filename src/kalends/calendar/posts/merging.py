"""Makes one record of two: all events follow, and the old address leads to the one that stays."""

from kalends.calendar.access import Caller, may_merge, require
from kalends.calendar.posts import posts, terms
from kalends.calendar.storing import redirecting, referring
from kalends.calendar.transactions import Transactions
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.kinds import CATEGORY, Kind
from kalends.contract.statuses import TRASH
from kalends.languages import N_
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Post, Term

NO_SUCH_RECORD = N_("There is no such record.")


def merge(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    """Merges a record into another of its kind; the number of events that followed."""
    source, target = _checked(work, kind, old, new)
    if isinstance(source, Term):
        return _merge_terms(work, kind, source, target.id)
    # An address that nobody could open leads nowhere: it would tell the name.
    slug = source.slug if redirecting.was_public(source) else None
    count = referring.replace(work, kind, source.id, target.id, slug)
    if source.status != TRASH:
        posts.delete(work, kind, source, force=False)
    return count


def move_some(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    """Ahead of a merge of many events, a transaction for some of them; how many, 0 when the merge itself can take the
    rest. Both records are there until then, so a merge that ends in between has only to be repeated."""
    source, target = _checked(work, kind, old, new)
    return referring.relink_some(work, kind, source.id, target.id)


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


def _merge_terms(work: UnitOfWork, kind: Kind, source: Term, target: int) -> int:
    if kind is CATEGORY:
        terms.adopt(work, stored_terms.children(work.session, source.id), target)
    count = referring.replace(work, kind, source.id, target, source.slug)
    terms.delete(work, kind, source.id)
    return count


def _refuse(sentence: str) -> None:
    Problems({"into": FieldError(OUT_OF_BOUNDS, sentence)}).raise_any()


def merge_in_steps(calendar: Transactions, caller: Caller, kind: Kind, old: int, new: int) -> int:
    """Makes one record of two; the number of events that followed. Many of them do so in steps, between which other
    writers have their turn, and readers find some events at each record."""
    return calendar.write_in_steps(caller, move_some, merge, kind, old, new)
