"""What the reads of one process remember between requests."""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Memory:
    """One object of each kind, made when it is first asked for. It never decides what a read finds."""

    def __init__(self) -> None:
        self._objects: dict[type[Any], Any] = {}

    def of(self, kind: type[T], make: Callable[[], T] | None = None) -> T:
        found = self._objects.get(kind)
        if found is None:  # of two threads that make one, the first one's is used
            found = self._objects.setdefault(kind, (make or kind)())
        return found  # type: ignore[no-any-return]
