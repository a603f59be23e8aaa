"""Whether the categories are a tree, without a circle and not too deep."""

from collections.abc import Iterator, Mapping

from kalends.contract.terms import DEEPEST
from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session


def tree(session: Session) -> Iterator[Problem]:
    """Categories that are above themselves, and those that are too far down."""
    parents: dict[int, int] = dict(session.all("SELECT id, parent FROM category ORDER BY id"))
    for id in parents:
        above = lineage(parents, id)
        if id in above:
            yield Problem("category", id, f"The category {id} is above itself.")
        elif len(above) >= DEEPEST:
            yield Problem("category", id, f"The category {id} is more than {DEEPEST} levels deep.")


def lineage(parents: Mapping[int, int], id: int) -> list[int]:
    """The ancestors of a category, the nearest first; in a circle each of them once."""
    found: dict[int, None] = {}
    above = parents.get(id, 0)
    while above and above not in found:
        found[above] = None
        above = parents.get(above, 0)
    return list(found)
