"""What imports know of a record here: digests of its fields as they are, and what an undo makes of them."""

from collections.abc import Container

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import KIND_OF
from kalends.contract.kinds.events import LINKED_KINDS
from kalends.features.importing import rows as imports
from kalends.features.importing.applying import series
from kalends.features.importing.matching import merging
from kalends.features.importing.matching.identities import find
from kalends.features.importing.matching.merging import LOCKED, NEVER_APPLIED, Digests, Memory, RememberedDigests
from kalends.store.rows import links
from kalends.store.rows.records import Event, Post, Term


def digests_here(work: UnitOfWork, here: Post | Term, units: Container[str]) -> Digests:
    """Of what is here, as an import makes them."""
    linked = {}
    if isinstance(here, Event):
        found = links.all_targets(work.session, here.id)
        linked = {name: found[kind.name] for name, kind in LINKED_KINDS.items()}
    return merging.ours(here, units, linked, series.text_of(work, here))


def every_digest(work: UnitOfWork, kind: str, id: int) -> Digests:
    """Of all that is here of a record."""
    here = find(work.session, KIND_OF[kind], id)
    if here is None:
        return {}
    own = {unit for field in KIND_OF[kind].fields if (unit := field.merge_unit)}
    units = own | {"image", "parent", "post_parent", "password"}
    is_first = isinstance(here, Event) and here.series is not None and not here.post_parent
    return digests_here(work, here, units | {merging.RECURRENCE} if is_first else units - {merging.RECURRENCE})


def expect_again(work: UnitOfWork, run: int, kind: str, id: int, left: Digests, *, of_series: bool = False) -> None:
    """After a record became what it was before a run of an import, which had `left` it otherwise: what the import had
    brought, it brings again, and what is here now is nobody's change. `of_series`: so may be the series of an event.
    What the run was the first to know is forgotten with it."""
    now = every_digest(work, kind, id)
    known = imports.of_record(work.session, kind, id)
    for one in (one for one in known if one.run != run):
        memory = _expecting(merging.decode(one.digests), left, now, of_series=of_series)
        imports.put_many(work.session, [one._replace(digests=merging.encode(memory))])


def _expecting(memory: Memory, left: Digests, now: Digests, *, of_series: bool) -> Memory:
    if not memory:  # it was gone there
        return {unit: RememberedDigests(NEVER_APPLIED, digest) for unit, digest in now.items()}
    found = dict(memory)
    for unit, known in memory.items():
        if unit == merging.SERIES:
            found[unit] = RememberedDigests(NEVER_APPLIED, "") if of_series else known
        elif known.ours != LOCKED and known.ours == left.get(unit) != now.get(unit, ""):
            found[unit] = RememberedDigests(NEVER_APPLIED, now.get(unit, ""))
    return found


def expect_series_again(work: UnitOfWork, id: int) -> None:
    """The same for the rule of a series of a site, which has a row of its own."""
    known = imports.of_record(work.session, merging.SERIES, id)
    imports.put_many(work.session, [one._replace(digests="") for one in known])
