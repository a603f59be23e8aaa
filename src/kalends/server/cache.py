"""Answers kept ready for strangers. A write drops only those that it can change."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from kalends.server.forms import Form
from kalends.store.journal import Change
from kalends.store.ready import Linked

Key = tuple[str, ...]

OVERHEAD = 2000  # bytes that an answer costs besides its body, its key included
RECORD, LINKED = 150, 700  # and each that it depends on


class Depends(NamedTuple):
    """What an answer depends on: single records, any record of some kinds, and the clock."""

    records: frozenset[tuple[str, int]] = frozenset()
    kinds: frozenset[str] = frozenset()
    linked: tuple[Linked, ...] = ()  # what events in it show
    # The local times within which an event must lie, before or after its change, to matter.
    window: tuple[str, str] | None = None
    until: str | None = None  # UTC; None is for ever

    def is_touched_by(self, change: Change) -> bool:
        if (change.kind, change.id) in self.records:
            return True
        if any(linked.names(change.kind, change.id) for linked in self.linked):
            return True
        if change.kind not in self.kinds:
            return False
        if self.window is None or change.low is None or change.high is None:
            return True
        return change.low < self.window[1] and change.high >= self.window[0]


@dataclass(slots=True)
class Answer:
    """A whole answer, ready to be sent."""

    status: str
    plain: Form
    depends: Depends
    route: str = ""  # the template of the address
    last_modified: str = ""
    packed: dict[str, Form] = field(default_factory=dict)  # by their coding, once somebody asked for them
    used: bool = False

    @property
    def size(self) -> int:
        packed = sum([len(form.body) for form in self.packed.values()]) if self.packed else 0
        depends = RECORD * len(self.depends.records) + LINKED * len(self.depends.linked)
        return len(self.plain.body) + packed + depends + OVERHEAD


class AnswerCache:
    """Answers by what was asked. Those leave first that nobody wants again."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.rev = -1  # the last change that was taken into account
        self.hits = self.misses = 0
        self._size = 0
        self._answers: dict[Key, Answer] = {}
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """The bytes that are taken."""
        return self._size

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: Key, now: str) -> Answer | None:
        answer = self._answers.get(key)
        if answer is None or (answer.depends.until is not None and answer.depends.until <= now):
            self.misses += 1
            return None
        answer.used = True
        self.hits += 1
        return answer

    def put(self, key: Key, answer: Answer, rev: int) -> None:
        """Keeps an answer that was made when `rev` was the last change; not if there was one meanwhile."""
        size = answer.size
        if size > self.most_bytes // 4:
            return
        with self._lock:
            if rev != self.rev:
                return
            self._remove(key)
            self._answers[key] = answer
            self._size += size
            while self._size > self.most_bytes:
                self._make_room()

    def pack(self, key: Key, answer: Answer, coding: str, packed: Form) -> None:
        with self._lock:
            if self._answers.get(key) is answer and coding not in answer.packed:
                answer.packed[coding] = packed
                self._size += len(packed.body)

    def catch_up(self, rev: int, changes: Iterable[Change]) -> None:
        """Takes the changes up to `rev` into account."""
        with self._lock:
            if rev <= self.rev:
                return
            for change in changes:
                if change.rev <= self.rev:
                    continue
                for key in [key for key, kept in self._answers.items() if _falls(kept, change)]:
                    self._remove(key)
            self.rev = rev

    def _make_room(self) -> None:
        """The oldest goes, unless somebody wanted it since it was last its turn: so a look-up changes no order."""
        key = next(iter(self._answers))
        answer = self._answers[key]
        if answer.used:
            answer.used = False
            self._answers[key] = self._answers.pop(key)
        else:
            self._remove(key)

    def _remove(self, key: Key) -> None:
        answer = self._answers.pop(key, None)
        if answer is not None:
            self._size -= answer.size


def _falls(answer: Answer, change: Change) -> bool:
    # A user who goes leaves records to another, and any of them may be in any answer.
    return change.kind == "user" or answer.depends.is_touched_by(change)
