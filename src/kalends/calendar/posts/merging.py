"""Makes one record of two: all events follow, and the old address leads to the one that stays."""

from typing import NoReturn

import msgspec

from kalends import hooks
from kalends.calendar.access import Caller, UnitOfWork, may_merge, require
from kalends.calendar.background import long_work
from kalends.calendar.background.long_work import LongWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.posts import posts, terms
from kalends.calendar.storing import redirecting, referring
from kalends.calendar.storing.referring import ReferencesBefore
from kalends.calendar.transactions import Transactions
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import read_update
from kalends.contract.kinds import CATEGORY, KIND_OF, Kind
from kalends.contract.statuses import DRAFT, TRASH
from kalends.languages import N_
from kalends.store.rows import history, journal, merges
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Post, Term

NO_SUCH_RECORD = N_("There is no such record.")
AT_ONCE = 100  # events that go back together


class Merge(msgspec.Struct):
    """Of a record into another of its kind. Both are there until all events have followed."""

    kind: str
    old: int
    new: int
    count: int = 0  # of events that followed
    first: int = 0  # the first change


class RememberedMerge(msgspec.Struct):
    """What takes a merge back: its changes from the first to the last one, of which the history has what they
    replaced; what followed beside events; and whether the record that went was in the trash before."""

    first: int
    last: int
    followed: ReferencesBefore
    was_trashed: bool


class MergeUndoing(msgspec.Struct):
    """A merge that is taken back, and how far that is."""

    kind: str
    old: int
    new: int
    first: int = 0  # the change from which on events go back
    last: int = 0
    left: list[str] = []  # names of events that were linked to something else since


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
    work.session.cause = history.cause_of(MERGE.name, merge.kind, merge.old, merge.new)
    merge.first = merge.first or journal.last_rev(work.session) + 1
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
        _tell_features(work, kind, merge)
        terms.delete(work, kind, source.id)
        return merge.count
    # An address that nobody could open leads nowhere: it would tell the name.
    slug = source.slug if redirecting.was_public(source) else None
    followed, was_trashed = referring.replace(work, kind, source.id, target.id, slug), source.status == TRASH
    _tell_features(work, kind, merge)
    if not was_trashed:
        posts.delete(work, kind, source, force=False)
    remembered = RememberedMerge(merge.first, journal.last_rev(work.session), followed, was_trashed)
    merges.remember(work.session, kind.name, source.id, msgspec.json.encode(remembered).decode())
    return merge.count


def _tell_features(work: UnitOfWork, kind: Kind, merge: Merge) -> None:
    for tell in hooks.merged:
        tell(work, kind, merge.old, merge.new)


def undo_in_parts(calendar: Transactions, caller: Caller, kind: Kind, old: int, new: int) -> list[str]:
    """Takes a merge back: the record is there again, with the events that are linked as the merge left them. The
    names of the others."""
    return long_work.perform(calendar, caller, UNDO, MergeUndoing(kind.name, old, new))


def _undo_part(work: UnitOfWork, undoing: MergeUndoing, until: Deadline) -> bool:
    kind = KIND_OF[undoing.kind]
    require(may_merge(work.caller), work.caller)
    work.session.cause = history.cause_of(UNDO.name, undoing.kind, undoing.old, undoing.new)
    if not undoing.first:
        _restore(work, kind, undoing)
    while undoing.first <= undoing.last:
        found, last = history.linked_before(
            work.session, kind.name, undoing.old, (undoing.first, undoing.last), AT_ONCE
        )
        undoing.left += referring.link_again(work, kind, found, undoing.old, undoing.new)
        undoing.first = last + 1 if last else undoing.last + 1
        if until.is_over:
            break
    return undoing.first <= undoing.last


def _restore(work: UnitOfWork, kind: Kind, undoing: MergeUndoing) -> None:
    """The record itself, and all but its events."""
    text = merges.remembered(work.session, kind.name, undoing.old, undoing.new)
    post = stored_posts.find(work.session, kind.name, undoing.old) if text else None
    if post is None or post.status != TRASH:
        _refuse(N_("cannot be taken back any more."))
    remembered = msgspec.json.decode(text, type=RememberedMerge)
    undoing.first, undoing.last = remembered.first, remembered.last
    if remembered.was_trashed:
        referring.undo_merge(work, kind, post.id, post.slug)
    else:
        posts.update(work, kind, post.id, read_update(kind.fields, {"status": post.trashed_from or DRAFT}))
    referring.put_back(work, kind, undoing.old, undoing.new, remembered.followed)


UNDO = LongWork(
    "unmerge",
    N_("Undo of a merge"),
    MergeUndoing,
    _undo_part,
    lambda work, undoing: undoing.left,
    key=lambda undoing: f"{undoing.kind}/{undoing.old}",
)
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


def _refuse(sentence: str) -> NoReturn:
    Problems({"into": FieldError(OUT_OF_BOUNDS, sentence)}).raise_any()
    raise AssertionError
