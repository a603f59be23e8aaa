"""Every place that refers to a record, and what becomes of it when the record is merged, deleted or brought back.

An event refers to venues, organizers, terms, an image, a parent and an author; a venue and an organizer to an image
and an author; the template of a series to all that its later dates will refer to; an old address and a merge to the
record that stays. Whatever deletes or merges a record calls this module, so that no place is forgotten.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec

from kalends import hooks
from kalends.calendar.access import UnitOfWork
from kalends.calendar.deadline import Deadline
from kalends.calendar.storing import batches, first_publication, rendering
from kalends.contract.kinds import EVENT, POSTS, Kind
from kalends.store.engine.store import Session
from kalends.store.rows import events, fragments, links, media, merges, posts, redirects, series, users
from kalends.store.rows.events import EventChange
from kalends.store.rows.records import Companion, Event, Post

SERIES = "series"


class ReferencesBefore(msgspec.Struct):
    """What led to a record or named it, beside its events, before it was merged into another one."""

    series: dict[int, list[int]]  # what each gave to its later dates
    slugs: list[str]
    merged: list[int]


def replace(work: UnitOfWork, kind: Kind, old: int, new: int, old_slug: str | None) -> ReferencesBefore:
    """After `relink`, lets everything else that is linked to a record be linked to another one of its kind: what
    series give to their later dates, old addresses, and what still names the old one. `old_slug`: None if its
    address is to lead nowhere."""
    followed = ReferencesBefore(
        {one.id: one.template.links[kind.name] for one in series.referring_to(work.session, kind.name, old)},
        redirects.leading_to(work.session, kind.name, old),
        merges.of_target(work.session, kind.name, old),
    )
    _relink_series(work, kind, followed.series, old, new)
    redirects.follow(work.session, kind.name, old, new)
    if old_slug is not None:
        redirects.add(work.session, kind.name, old_slug, new)
    merges.add(work.session, kind.name, old, new)
    return followed


def put_back(work: UnitOfWork, kind: Kind, old: int, new: int, followed: ReferencesBefore) -> None:
    """After a merge is taken back: what had followed, and is as the merge left it, leads to the old record again."""
    known = series.find_many(work.session, followed.series)
    for id, before in followed.series.items():
        if id in known and known[id].template.links[kind.name] == replaced(before, old, new):
            known[id].template.links[kind.name] = before
            series.update(work.session, known[id])
    redirects.lead_back(work.session, kind.name, followed.slugs, new, old)
    for id, target in merges.merged_into(work.session, kind.name, followed.merged).items():
        if target == new:
            merges.add(work.session, kind.name, id, old)


def _relink_series(work: UnitOfWork, kind: Kind, ids: Iterable[int], old: int, new: int) -> None:
    for one in series.find_many(work.session, [*ids]).values():
        one.template.links[kind.name] = replaced(one.template.links[kind.name], old, new)
        series.update(work.session, one)


def relink(work: UnitOfWork, kind: Kind, old: int, new: int, until: Deadline) -> tuple[int, bool]:
    """Links events of a record to another one of its kind; how many, and whether there are more."""
    found, done = links.events_of(work.session, kind.name, old), 0
    for ids in until.slices(found, partial(events.texts_of, work.session)):
        _relink(work, kind, ids, old, new)
        done += len(ids)
    return done, done < len(found)


def forget(work: UnitOfWork, kind: Kind, id: int) -> None:
    """Before a record is deleted for good: nothing refers to it any more. Rows of links go with the record itself."""
    if kind is EVENT:
        events.leave_parent(work.session, id)
    else:
        for one in series.referring_to(work.session, kind.name, id):
            one.template.links[kind.name] = [target for target in one.template.links[kind.name] if target != id]
            series.update(work.session, one)
    redirects.forget(work.session, kind.name, id)
    merges.forget(work.session, kind.name, id)
    for tell in hooks.deleted:
        tell(work, kind, id)


def forget_image(work: UnitOfWork, id: int, until: Deadline) -> bool:
    """Before an image is deleted: takes it from what shows it; whether there is more. Series come first: no further
    dates show it."""
    for kind, shown in _showing_image(work.session, id):
        done, texts = 0, partial(events.texts_of, work.session) if kind == EVENT.name else None
        for ids in until.slices(shown, texts):
            _forget_image(work, kind, ids)
            done += len(ids)
        if done < len(shown):
            return True
    return False


def shows_image(session: Session, id: int) -> bool:
    """Whether a record shows an image, or a later date of a series will, whoever may read them."""
    return any(shown for _, shown in _showing_image(session, id))


def is_image_used_by_others(work: UnitOfWork, id: int) -> bool:
    """Whether a record shows an image, or a later date of a series will, that the caller may not change."""
    visibility = work.visibility
    return any(media.is_of_others(work.session, visibility, kind.name, id) for kind in POSTS) or any(
        not visibility.can_edit(one.template.event) for one in series.referring_to(work.session, series.MEDIA, id)
    )


def _showing_image(session: Session, id: int) -> list[tuple[str, list[int]]]:
    """What shows an image: series, which give it to their later dates, and records of each kind."""
    found = [(SERIES, series.ids_referring_to(session, series.MEDIA, id))]
    return found + [(kind.name, media.used_by(session, kind.name, id)) for kind in POSTS]


def _forget_image(work: UnitOfWork, kind: str, ids: Sequence[int]) -> None:
    """Takes the image from some records of a kind."""
    if kind == SERIES:
        for one in series.find_many(work.session, ids).values():
            one.template.event.image = None
            series.update(work.session, one)
        return
    found = posts.find_many(work.session, kind, ids).values()
    batches.update(work, [EventChange(one, msgspec.structs.replace(one, image=None)) for one in _events(found)])
    for post in found:
        if isinstance(post, Companion):
            after = msgspec.structs.replace(post, image=None, modified_utc=work.now_text)
            first_publication.store(work, kind, post, after)


def undo_merge(work: UnitOfWork, kind: Kind, id: int, slug: str) -> None:
    """After a record came back from the trash: if it had been merged, it stands for itself again."""
    merges.undo(work.session, kind.name, id)
    redirects.remove(work.session, kind.name, slug)


def hand_over_events(work: UnitOfWork, user: int, successor: int, until: Deadline) -> bool:
    """Makes somebody else the author of events of a user, the dates of a series together; whether there are more."""
    session = work.session
    found, done = users.single_events_of(session, user), 0
    with _without_versions(session):
        for ids in until.slices(found):
            rendering.defer(work, ids)
            users.hand_over_events(session, ids, successor, work.now_text)
            done += len(ids)
        if done < len(found):
            return True
        for series_id in users.series_with_events_of(session, user):
            if done and until.is_over:
                return True
            ids = users.dates_of(session, user, series_id)
            rendering.defer(work, ids)
            users.hand_over_events(session, ids, successor, work.now_text)
            users.hand_over_series(session, series_id, user, successor)
            done += len(ids)
    return False


def hand_over(work: UnitOfWork, user: int, successor: int) -> None:
    """The same of all else, templates of series and images among it. Every record has changed, but its history does
    not begin a new version."""
    fragments.drop_owned(work.session, user)
    with _without_versions(work.session):
        users.hand_over(work.session, user, successor, work.now_text)


@contextmanager
def _without_versions(session: Session) -> Iterator[None]:
    """While records change in what is no part of their history."""
    keeps_history, session.keeps_history = session.keeps_history, False
    try:
        yield
    finally:
        session.keeps_history = keeps_history


def _relink(work: UnitOfWork, kind: Kind, ids: Sequence[int], old: int, new: int) -> None:
    linked = links.targets_of_many(work.session, ids)[kind.name]
    batches.update(
        work,
        [
            EventChange(event, msgspec.structs.replace(event), {kind.name: replaced(linked[event.id], old, new)})
            for event in _events(posts.find_many(work.session, EVENT.name, ids).values())
        ],
    )


def link_again(work: UnitOfWork, kind: Kind, wanted: Mapping[int, Sequence[int]], old: int, new: int) -> list[str]:
    """Links events to what they were linked to before a merge, by their ids; the names of those that were linked to
    something else since, which stay."""
    found = _events(posts.find_many(work.session, EVENT.name, wanted).values())
    linked = links.targets_of_many(work.session, [event.id for event in found])[kind.name]
    changes, left = [], []
    for event in found:
        before = list(wanted[event.id])
        if linked[event.id] == replaced(before, old, new):
            changes.append(EventChange(event, msgspec.structs.replace(event), {kind.name: before}))
        elif linked[event.id] != before:
            left.append(event.name)
    batches.update(work, changes)
    return left


def replaced(ids: Sequence[int], old: int, new: int) -> list[int]:
    return list(dict.fromkeys(new if id == old else id for id in ids))


def _events(found: Iterable[Post]) -> list[Event]:
    return sorted((post for post in found if isinstance(post, Event)), key=lambda event: event.id)
