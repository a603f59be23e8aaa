"""Walks over records that are below one another, however deep they are."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Protocol, TypeVar


class Node(Protocol):
    """A record of a tree: its id, and that of the record above it, 0 at the top."""

    @property
    def id(self) -> int: ...

    @property
    def parent(self) -> int: ...


N = TypeVar("N", bound=Node)


def depth_first(nodes: Sequence[N]) -> Iterator[tuple[N, int]]:
    """Every record after the one above it, with its depth. Those whose parent is none of them are at the top, and
    those of a circle, which should not be, come last."""
    if not any(node.parent for node in nodes):  # as venues and tags are
        yield from zip(nodes, repeat(0))
        return
    known = {node.id for node in nodes}
    below: dict[int, list[N]] = {}
    for node in nodes:
        below.setdefault(node.parent if node.parent in known else 0, []).append(node)
    seen: set[int] = set()
    for start in (*below.get(0, ()), *nodes):
        waiting = [(start, 0)]
        while waiting:
            node, depth = waiting.pop()
            if node.id not in seen:
                seen.add(node.id)
                yield node, depth
                waiting += [(child, depth + 1) for child in reversed(below.get(node.id, ()))]
