"""The table of checks: what is looked at, and what computes it anew. What needs judgement is only told."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from kalends.calendar.access import UnitOfWork
from kalends.features.consistency import fragments, renewing, series
from kalends.features.consistency.store import derived_data, references, revisions, searching
from kalends.features.consistency.store import derived_data as waiting
from kalends.features.consistency.store.problem import Problem
from kalends.settings import Settings
from kalends.store.engine.store import Session
from kalends.store.rows import merges
from kalends.store.search import word_index

Find = Callable[[Session], Iterator[Problem]]
Repair = Callable[[UnitOfWork, Problem], None]


class Check(NamedTuple):
    """`repair` computes anew what is derived from records, or removes a reference to what is not there. Without one,
    people have to judge."""

    name: str
    find: Find
    repair: Repair | None = None


# In the order in which they are repaired: what others are computed from comes first.
CHECKS = (
    Check("references", references.others),
    Check("images", references.images, renewing.without_image),
    Check("parents", references.parents, renewing.without_parent),
    Check("links", references.linked, lambda work, one: references.forget_links(work.session, one.kind, one.id)),
    Check(
        "old addresses",
        references.redirects,
        lambda work, one: references.forget_redirects(work.session, one.kind, one.id),
    ),
    Check("merges", references.merges, lambda work, one: merges.forget(work.session, one.kind, one.id)),
    Check(
        "versions", references.histories, lambda work, one: references.forget_versions(work.session, one.kind, one.id)
    ),
    Check("tree of categories", derived_data.tree),
    Check("dates of series", series.dates_of_series),
    Check("authors of series", series.template_authors),
    Check("first dates", series.first_dates, series.name_first),
    Check("templates of series", series.templates, series.renew_template),
    Check("venues and organizers that wait", waiting.overdue),
    Check("times", derived_data.times, renewing.rewrite),
    Check("copies", derived_data.copies, renewing.rewrite),
    Check("categories above", derived_data.implied, renewing.rewrite),
    Check("custom values", derived_data.rows, renewing.rewrite),
    Check("changes", revisions.changes, renewing.rewrite),
    Check(
        "changes of series",
        revisions.series_changes,
        lambda work, one: revisions.note_last_change(work.session, one.id),
    ),
    Check("sequences", revisions.sequences, lambda work, one: revisions.take_up(work.session, one.kind, one.id)),
    Check("free numbers", revisions.gaps, lambda work, one: revisions.close_gap(work.session, one.kind, one.id)),
    Check("texts and keys", searching.records, renewing.rewrite),
    Check("rows of the word index", searching.rows_twice, renewing.rewrite),
    Check("words", searching.words, lambda work, one: word_index.mark_for_rebuild(work.session, one.kind)),
    Check("totals", derived_data.totals, lambda work, one: derived_data.recount(work.session, one.kind, one.id)),
)


def checks(settings: Settings) -> tuple[Check, ...]:
    """All of them. What readers are shown depends on the settings."""
    return (*CHECKS, Check("shown", lambda session: fragments.rendered(session, settings), renewing.render))


def problems(session: Session, settings: Settings) -> dict[str, list[Problem]]:
    """Everything that is wrong in a store, as one snapshot shows it, by the names of the checks."""
    found = {check.name: list(dict.fromkeys(check.find(session))) for check in checks(settings)}
    return {name: some for name, some in found.items() if some}
