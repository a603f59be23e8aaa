"""Everything that is checked, in the order in which it is mended: what others are computed from comes first."""

from collections.abc import Iterator

from kalends.calendar.consistency import fragments
from kalends.calendar.consistency import series as checked_series
from kalends.settings import Settings
from kalends.store.consistency import (
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


def damage(session: Session) -> Iterator[Problem]:
    """What is wrong with the records themselves."""
    yield from references.references(session)
    yield from references.redirects(session)
    yield from references.merges(session)
    yield from references.histories(session)
    yield from categories.tree(session)
    yield from checked_series.all_series(session)
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
