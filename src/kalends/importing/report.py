"""What an import did, or would do: one outcome for each record, and counts of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kalends.contract.kinds import KINDS

CREATED, UPDATED, UNCHANGED, DELETED = "created", "updated", "unchanged", "deleted"
CONFLICT, SKIPPED = "conflict", "skipped"
ACTIONS = (CREATED, UPDATED, UNCHANGED, DELETED, CONFLICT, SKIPPED)
MOST_KEPT = 1000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one record. `details` are reasons, changed fields, and what was left out."""

    action: str
    kind: str
    name: str
    where: str
    details: Sequence[str] = ()


@dataclass
class Report:
    """Counts by action and kind, and the outcomes that somebody should look at."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    remarkable: list[Outcome] = field(default_factory=list)
    left_out: int = 0  # outcomes beyond the first thousand
    remarks: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.action, outcome.kind] += 1
        if outcome.action in (CONFLICT, SKIPPED) or (outcome.details and outcome.action == CREATED):
            if len(self.remarkable) < MOST_KEPT:
                self.remarkable.append(outcome)
            else:
                self.left_out += 1

    def total(self, action: str) -> int:
        return sum(count for (found, _), count in self.counts.items() if found == action)

    @property
    def is_complete(self) -> bool:
        """Everything that the source has is here as it is there."""
        return not self.total(SKIPPED) and not self.total(CONFLICT)

    def as_json(self, write: Callable[[str], object] = str) -> dict[str, object]:
        """For a download or a script. `write`: how sentences are written."""
        return {
            "counts": {
                action: {kind.plural: count for kind in KINDS if (count := self.counts[action, kind.name])}
                for action in ACTIONS
            },
            "records": [
                {
                    "action": outcome.action,
                    "kind": outcome.kind,
                    "name": outcome.name,
                    "where": write(outcome.where),
                    "details": [write(detail) for detail in outcome.details],
                }
                for outcome in self.remarkable
            ],
            "left_out": self.left_out,
            "remarks": [write(remark) for remark in self.remarks],
        }

    def sentences(self) -> list[str]:
        """`12 created: 10 events, 2 venues`, for each action that happened."""
        found = []
        for action in ACTIONS:
            kinds = [
                f"{count} {kind.name if count == 1 else kind.plural}"
                for kind in KINDS
                if (count := self.counts[action, kind.name])
            ]
            if kinds:
                found.append(f"{self.total(action)} {action}: {', '.join(kinds)}")
        return found or ["nothing to import"]
