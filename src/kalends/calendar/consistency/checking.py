"""Everything that is checked, in the order in which it is mended: what others are computed from comes first."""

from collections.abc import Iterator

from kalends.calendar.consistency import fragments
from kalends.calendar.consistency import series as checked_series
from kalends.calendar.storing import referring
from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import KIND_OF, ORGANIZER, VENUE
from kalends.settings import Settings
from kalends.store.consistency import (
    brought_twice,
    categories,
    custom_values,
    link_copies,
    references,
    revisions,
    searching,
    times,
    totals,
    waiting,
)
from kalends.store.consistency.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows import links, posts, redirects, series

FORGOTTEN = "forgotten merge"


def damage(session: Session) -> Iterator[Problem]:
    """What is wrong with the records themselves."""
    yield from references.references(session)
    yield from references.redirects(session)
    yield from references.merges(session)
    yield from references.histories(session)
    yield from forgotten_merges(session)
    yield from categories.tree(session)
    yield from checked_series.all_series(session)
    yield from brought_twice.brought_twice(session)
    yield from waiting.overdue(session)


def disagreements(session: Session) -> Iterator[Problem]:
    """What is computed from the records and does not agree with them."""
    yield from times.times(session)
    yield from link_copies.copies(session)
    yield from link_copies.implied(session)
    yield from custom_values.rows(session)
    yield from revisions.changes(session)
    yield from revisions.sequences(session)
    yield from searching.records(session)
    yield from searching.rows_twice(session)
    yield from searching.words(session)
    yield from totals.totals(session)


def problems(session: Session, settings: Settings) -> list[Problem]:
    """Everything that is wrong in a store, as one snapshot shows it."""
    return [*damage(session), *disagreements(session), *fragments.rendered(session, settings)]


def forgotten_merges(session: Session) -> Iterator[Problem]:
    """Records in the trash whose address leads to another one, and which dates have left that their series still
    gives to later ones. Terms are not in the trash: what later dates would get is gone."""
    for kind in (VENUE.name, ORGANIZER.name):
        for old, target in references.with_addresses_of_others(session, kind):
            if _dates_followed(session, kind, old, target):
                sentence = f"The {kind} {old} was merged into the {kind} {target}, but series still have the old one."
                yield Problem(FORGOTTEN, kind, old, sentence)


def remember(work: UnitOfWork, problem: Problem) -> None:
    """Merges once more, with all that was forgotten."""
    old = posts.find(work.session, problem.kind, problem.id)
    target = None if old is None else redirects.find(work.session, problem.kind, old.slug)
    if old is not None and target is not None:
        referring.replace(work, KIND_OF[problem.kind], old.id, target, old.slug)


def _dates_followed(session: Session, kind: str, old: int, target: int) -> bool:
    """Whether a date that has nothing of its own is linked to the other record: a renamed one can have left its
    address to a record that was never merged."""
    for one in series.referring_to(session, kind, old):
        alike = [event.id for event in series.events(session, one.id) if kind not in event.own_fields]
        linked = links.targets_of_many(session, alike)[kind].values()
        if any(target in ids and old not in ids for ids in linked):
            return True
    return False
