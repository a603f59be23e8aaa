"""Makes one record of two: all events follow, and the old address leads to the one that stays."""

from kalends.calendar.access import may_merge, require
from kalends.calendar.fragments import rendering
from kalends.calendar.posts import posts, terms
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.errors import OUT_OF_BOUNDS, FieldError, Problems
from kalends.contract.fields import read_update
from kalends.contract.kinds import CATEGORY, EVENT, Kind
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.languages import N_
from kalends.store.rows import events as stored_events
from kalends.store.rows import journal, links, merges, redirects
from kalends.store.rows import posts as stored_posts
from kalends.store.rows import terms as stored_terms
from kalends.store.rows.records import Event

NO_SUCH_RECORD = N_("There is no such record.")


def merge(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    """Merges a record into another of its kind; the number of events that followed."""
    require(may_merge(work.caller), work.caller)
    if old == new:
        _refuse(N_("cannot be the record itself."))
    return _merge_terms(work, kind, old, new) if kind.is_term else _merge_posts(work, kind, old, new)


def moved_to(work: UnitOfWork, kind: Kind, slug: str) -> str | None:
    """The slug of the record that an old address leads to, if the caller can read it."""
    target = redirects.find(work.session, kind.name, slug)
    if target is None:
        return None
    if kind.is_term:
        term = stored_terms.find(work.session, kind.name, target)
        return None if term is None else term.slug
    post = stored_posts.find(work.session, kind.name, target)
    return post.slug if post is not None and work.visibility.can_read(post) else None


def _merge_posts(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    source = posts.writable(work, kind, old)
    kept = stored_posts.find(work.session, kind.name, new)
    if kept is None or kept.status == TRASH or not work.visibility.can_read(kept):
        _refuse(NO_SUCH_RECORD)
    target = posts.writable(work, kind, new)
    count = _relink(work, kind, source.id, target.id)
    _redirect(work, kind, source.id, source.slug, target.id)
    if source.status != TRASH:
        posts.delete(work, kind, source, force=False)
    return count


def _merge_terms(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    source = terms.read(work, kind, old)
    if stored_terms.find(work.session, kind.name, new) is None:
        _refuse(NO_SUCH_RECORD)
    target = terms.read(work, kind, new)
    if kind is CATEGORY and target.id in stored_terms.descendants(work.session, source.id):
        _refuse(N_("cannot be a category below it."))
    for child in stored_terms.children(work.session, source.id) if kind is CATEGORY else []:
        terms.update(work, kind, child.id, read_update(kind.fields, {"parent": target.id}))
    count = _relink(work, kind, source.id, target.id)
    _redirect(work, kind, source.id, source.slug, target.id)
    terms.delete(work, kind, source.id)
    return count


def _relink(work: UnitOfWork, kind: Kind, old: int, new: int) -> int:
    ids = links.events_of(work.session, kind.name, old)
    for id in ids:
        event = stored_posts.find(work.session, EVENT.name, id)
        assert isinstance(event, Event)
        before = links.targets(work.session, kind.name, id)
        after = list(dict.fromkeys(new if target == old else target for target in before))
        event.modified_utc = work.now_text
        event.rev = journal.record(
            work.session, EVENT.name, id, journal.UPDATE, public=event.status == PUBLISH, at=work.now_text
        )
        stored_events.update(work.session, event, {kind.name: after})
        rendering.refresh(work, EVENT.name, event)
    return len(ids)


def _redirect(work: UnitOfWork, kind: Kind, old: int, slug: str, new: int) -> None:
    redirects.follow(work.session, kind.name, old, new)
    redirects.add(work.session, kind.name, slug, new)
    merges.add(work.session, kind.name, old, new)


def _refuse(sentence: str) -> None:
    Problems({"into": FieldError(OUT_OF_BOUNDS, sentence)}).raise_any()
