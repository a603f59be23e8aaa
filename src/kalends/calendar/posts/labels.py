"""Names of records by their ids, the closest ones to a misspelt name, and the categories as a tree, for forms and
advice: of records that the caller can read."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

import msgspec

from kalends.calendar.access import UnitOfWork
from kalends.contract.kinds import CATEGORY, POSTS, TERMS, Kind
from kalends.contract.kinds.terms import DEEPEST
from kalends.contract.statuses import PUBLISH, TRASH
from kalends.store.query import named_records
from kalends.store.query import term_lists as term_queries
from kalends.store.query.named_records import Candidate
from kalends.store.rows import posts, terms
from kalends.store.rows.records import Post, Term
from kalends.values import distinctions, names, trees

POST_KINDS = frozenset(kind.name for kind in POSTS)
MOST_SUGGESTED, MOST_COMPARED = 3, 100
LONGEST_COMPARED = 60  # comparing costs the product of both lengths
LEAST_ALIKE = 0.6
NEARLY_THE_SAME = 0.88  # another name that is probably a slip
LONGEST_NAME = 1000


class Namesake(NamedTuple):
    """A record that somebody may mean. `is_same`: but for case and accents it has the name that was written."""

    id: int
    name: str
    detail: str  # where it is
    is_same: bool
    is_settled: (
        bool  # public or the caller's own: nothing of somebody else becomes public with an event that names it
    )
    fields: Mapping[str, str]


class Branch(NamedTuple):
    """A category, and how deep it stands in the tree."""

    term: Term
    depth: int


def names_of(work: UnitOfWork, kind: str, ids: Sequence[int]) -> dict[str, str]:
    """The names of those records that the caller can read."""
    if kind in POST_KINDS:
        found = posts.find_many(work.session, kind, ids)
        return {str(id): post.name for id, post in found.items() if work.visibility.can_read(post)}
    return {str(id): term.name for id, term in terms.find_many(work.session, kind, ids).items()}


def unknown_terms(work: UnitOfWork, names: Sequence[str]) -> list[str]:
    """Those of these names that no category and no tag has, neither as its name nor as its slug."""
    return [
        name
        for name in names
        if not any(
            find(work.session, kind.name, name) for kind in TERMS for find in (terms.find_by_slug, terms.find_by_name)
        )
    ]


def category_tree(work: UnitOfWork) -> list[Branch]:
    """Every category, each below its parent, by name. Readers are shown those that a public event has."""
    found = terms.every(work.session, CATEGORY.name)
    if work.visibility.is_public:
        shown = term_queries.with_public_events(work.session, CATEGORY.name, work.visibility)
        found = [term for term in found if term.id in shown]
    return [Branch(term, depth) for term, depth in trees.depth_first(found)]


def category_choices(work: UnitOfWork) -> list[tuple[int, str]]:
    """The same for a field that offers them: ids, and names that show how deep each stands."""
    return [(branch.term.id, "– " * min(branch.depth, DEEPEST) + branch.term.name) for branch in category_tree(work)]


def term_slugs(work: UnitOfWork, kind: Kind, written: str) -> list[str]:
    """The slugs of the closest categories or tags."""
    return [slug for _, slug, _ in _closest_terms(work, kind, written)]


def term_names(work: UnitOfWork, kind: Kind, written: str) -> list[str]:
    """The names of the closest categories or tags."""
    return [name for _, _, name in _closest_terms(work, kind, written)]


def named_ids(work: UnitOfWork, kind: str, written: str) -> list[str]:
    """The closest venues or organizers, each with its id."""
    found = named_records.closest_posts(work.session, kind, work.visibility, names.slugify(written))
    return [f"{name} ({id})" for id, _, name in _closest(written, found)]


def namesakes(work: UnitOfWork, kind: str, written: str) -> list[Namesake]:
    """The venues or organizers that somebody may mean who writes a name for a new one."""
    assert kind in POST_KINDS
    name = written[:LONGEST_NAME]
    same = [post for post in posts.find_folded(work.session, kind, name, work.visibility) if post.status != TRASH]
    if same:
        return [
            _namesake(work, post, is_same=True) for post in sorted(same, key=lambda post: post.status != PUBLISH)
        ][:5]
    slug = names.slugify(name)
    candidates = named_records.closest_posts(work.session, kind, work.visibility, slug) if slug else []
    close = _closest(name, candidates, NEARLY_THE_SAME, most=MOST_COMPARED)
    meant = [id for id, _, other in close if not distinctions.are_two(name, other)][:MOST_SUGGESTED]
    found = posts.find_many(work.session, kind, meant)
    return [_namesake(work, post, is_same=False) for post in found.values()]


def last_country(work: UnitOfWork) -> str:
    """The country of the last venue that has one; empty without any."""
    return named_records.last_country(work.session, work.visibility)


def _namesake(work: UnitOfWork, post: Post, *, is_same: bool) -> Namesake:
    fields = {name: value for name, value in msgspec.structs.asdict(post).items() if isinstance(value, str)}
    detail = ", ".join(filter(None, (fields.get(name) for name in ("address", "city"))))
    is_settled = post.status == PUBLISH or post.author == work.caller.user
    return Namesake(post.id, post.name, detail, is_same, is_settled, fields)


def _closest_terms(work: UnitOfWork, kind: Kind, written: str) -> list[Candidate]:
    return _closest(
        written, named_records.closest_terms(work.session, kind.name, work.visibility, names.slugify(written))
    )


def _closest(
    written: str, candidates: Sequence[Candidate], least: float = LEAST_ALIKE, most: int = MOST_SUGGESTED
) -> list[Candidate]:
    by_slug = {slug[:LONGEST_COMPARED]: candidate for candidate in candidates for slug in [candidate[1]]}
    wanted = names.slugify(written)[:LONGEST_COMPARED]
    return [by_slug[slug] for slug in get_close_matches(wanted, by_slug, most, least)]
