"""The one writer of new single events: that of a request, those of a batch, those of an import. Several are stored
together: a statement takes all of them, which is several times as fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kalends.calendar.storing import batches
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import EVENT
from kalends.store.rows import event_batches, posts, sequence
from kalends.store.rows.records import Event
from kalends.values import names

Targets = Mapping[str, Sequence[int]]


@dataclass(slots=True)
class NewEvent:
    """An event that is ready to be stored, but for its id and its slug."""

    event: Event
    targets: Targets
    wanted_slug: str = ""
    wanted_id: int = 0


def store(work: UnitOfWork, new: Sequence[NewEvent]) -> None:
    """Gives the events ids and slugs, and stores them."""
    rev = None
    if any(one.wanted_id for one in new):
        for one in new:
            one.event.id = sequence.take(work.session, "post", one.wanted_id)
    elif len(new) == 1:
        new[0].event.id, rev = sequence.next_of_each(work.session, "post", "rev")
    else:
        batches.take_ids(work, [one.event for one in new])
    _name(work, new)
    batches.insert_each(work, [(one.event, one.targets) for one in new], rev)


def _name(work: UnitOfWork, new: Sequence[NewEvent]) -> None:
    """Slugs that are unique among these events and those that are stored."""
    wanted = [one.wanted_slug or names.slugify(one.event.name) or EVENT.name for one in new]
    if len(new) == 1:
        new[0].event.slug = posts.free_slug(work.session, EVENT.name, wanted[0], 0)
        return
    taken = event_batches.taken_slugs(work.session, [names.slug_key(slug) for slug in wanted]) if wanted else set()
    numbers: dict[str, int] = {}
    for one, slug in zip(new, wanted, strict=True):
        found = slug
        if names.slug_key(slug) in taken and slug not in numbers:
            free = posts.free_slug(work.session, EVENT.name, slug, 0)
            numbers[slug] = int(free.rpartition("-")[2]) if free != slug else 2
        while names.slug_key(found) in taken or (found != slug and _is_stored(work, found)):
            found = names.numbered(slug, numbers[slug])
            numbers[slug] += 1
        taken.add(names.slug_key(found))
        one.event.slug = found


def _is_stored(work: UnitOfWork, slug: str) -> bool:
    return posts.id_of_slug(work.session, EVENT.name, slug) is not None
