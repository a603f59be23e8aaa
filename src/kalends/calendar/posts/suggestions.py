"""The closest names to a misspelt one, among records that the caller can read."""

from collections.abc import Sequence
from difflib import get_close_matches

from kalends.calendar.unit_of_work import UnitOfWork
from kalends.contract.kinds import Kind
from kalends.store.query import closest
from kalends.store.query.closest import Candidate
from kalends.values import names

MOST = 3
LONGEST_COMPARED = 60  # comparing costs the product of both lengths
LEAST_ALIKE = 0.6


def term_slugs(work: UnitOfWork, kind: Kind, written: str) -> list[str]:
    """The slugs of the closest categories or tags."""
    return [slug for _, slug, _ in _closest_terms(work, kind, written)]


def term_names(work: UnitOfWork, kind: Kind, written: str) -> list[str]:
    """The names of the closest categories or tags."""
    return [name for _, _, name in _closest_terms(work, kind, written)]


def named_ids(work: UnitOfWork, kind: str, written: str) -> list[str]:
    """The closest venues or organizers, each with its id."""
    found = closest.posts(work.session, kind, work.visibility, names.slugify(written))
    return [f"{name} ({id})" for id, _, name in _closest(written, found)]


def _closest_terms(work: UnitOfWork, kind: Kind, written: str) -> list[Candidate]:
    return _closest(written, closest.terms(work.session, kind.name, work.visibility, names.slugify(written)))


def _closest(written: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    by_slug = {slug[:LONGEST_COMPARED]: candidate for candidate in candidates for slug in [candidate[1]]}
    wanted = names.slugify(written)[:LONGEST_COMPARED]
    return [by_slug[slug] for slug in get_close_matches(wanted, by_slug, MOST, LEAST_ALIKE)]
