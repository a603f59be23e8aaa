"""The one merge of three states: what a record was for two who changed it, and what each of them made of it, by the
units of the contract. What only one side changed is taken, and what both changed to something else is a conflict.

The editor merges what two people typed, imports and sources what is there with what is here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from kalends.contract.kinds import KINDS

UNITS = {field.name: field.merge_unit for kind in KINDS for field in kind.fields}


def unit_of(name: str) -> str:
    """Fields of one unit are merged together; one that a site has defined is one of its own."""
    return UNITS.get(name, name)


class Side(NamedTuple):
    """One of the two: units as it knew them, and as it has them now. What is empty may be left out."""

    before: Mapping[str, object]
    now: Mapping[str, object]

    def has_changed(self, unit: str) -> bool:
        return self.before.get(unit, "") != self.now.get(unit, "")


class Merged(NamedTuple):
    """Units to be taken from the other side, and those that both have changed."""

    taken: list[str]
    conflicts: list[str]


def merge(
    units: Iterable[str],
    theirs: Side,
    ours: Side,
    is_same: Callable[[str], bool] | None = None,
    *,
    theirs_win: bool = False,
) -> Merged:
    """`is_same`: whether both sides mean the same, where it takes more to know than their values; `theirs_win`: what
    we have changed is given up."""
    same = is_same or (lambda unit: ours.now.get(unit, "") == theirs.now.get(unit, ""))
    merged = Merged([], [])
    for unit in units:
        if not theirs.has_changed(unit) and not (theirs_win and ours.has_changed(unit)):
            continue
        is_taken = theirs_win or not ours.has_changed(unit) or same(unit)
        (merged.taken if is_taken else merged.conflicts).append(unit)
    return merged
