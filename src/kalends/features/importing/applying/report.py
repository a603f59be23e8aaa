"""What an import did, or would do: one outcome for each record, and counts of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kalends.contract.kinds import KINDS, VENUE, Kind
from kalends.contract.three_way_merge import unit_of
from kalends.features.exporting.fields import fields_of
from kalends.features.importing.matching import merging
from kalends.features.importing.records.losses import Losses
from kalends.features.importing.records.messages import ImportMessage
from kalends.features.importing.records.record import Record
from kalends.languages import N_
from kalends.store.rows.records import Post, Term
from kalends.values import markup

CREATED, UPDATED, UNCHANGED, DELETED = "created", "updated", "unchanged", "deleted"
CONFLICT, SKIPPED = "conflict", "skipped"
ACTIONS = (CREATED, UPDATED, UNCHANGED, DELETED, CONFLICT, SKIPPED)
MOST_KEPT = 1000
LONGEST_SHOWN = 60  # of a value
LONGEST_PLACE = 200


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """What became of one record. `details` are reasons, changed fields, and what was left out."""

    action: str
    kind: str
    name: str
    where: str
    details: Sequence[str] = ()
    start: str = ""  # of an event, as the source has it
    venue: str = ""
    external_id: str = ""
    all_day: bool = False
    understood: Sequence[str] = ()  # what was taken for something that does not stand there, as an empty date

    def as_json(self, write: Callable[[str], object] = str) -> dict[str, Any]:
        """`write`: how sentences are written."""
        written = {"where": write(self.where), "details": [write(detail) for detail in self.details]}
        return {"action": self.action, "kind": self.kind, "name": str(self.name)} | written


@dataclass
class Report:
    """Counts by action and kind, and the outcomes that somebody should look at."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    remarkable: list[RecordOutcome] = field(default_factory=list)
    omitted: int = 0  # outcomes beyond the first thousand
    remarks: list[str] = field(default_factory=list)
    losses: Losses = field(default_factory=Losses)

    def add(self, outcome: RecordOutcome) -> None:
        self.counts[outcome.action, outcome.kind] += 1
        if is_remarkable(outcome):
            if len(self.remarkable) < MOST_KEPT:
                self.remarkable.append(outcome)
            else:
                self.omitted += 1

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
            "records": [outcome.as_json(write) for outcome in self.remarkable],
            "left_out": self.omitted,
            "remarks": [write(remark) for remark in self.remarks],
            "losses": self.losses.as_json(),
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


def is_remarkable(outcome: RecordOutcome) -> bool:
    """Whether somebody should look at it."""
    return outcome.action in (CONFLICT, SKIPPED) or (bool(outcome.details) and outcome.action != UPDATED)


def outcome(action: str, record: Record, details: Sequence[str] = ()) -> RecordOutcome:
    # What a row of a table is known by without a title is a number of ours.
    name = markup.plain(record.name[:500]) or (record.where if record.cells else record.ref.external_id)
    messages = list(dict.fromkeys([*details, *record.notes]))
    venues = [one.name for one in record.named if one.kind is VENUE and one.ref in record.links.get("venue", ())]
    start = str(record.fields.get("start_date", ""))[:LONGEST_SHOWN]
    place = ", ".join(venues)[:LONGEST_PLACE]
    all_day = bool(record.fields.get("all_day"))
    return RecordOutcome(
        *(action, record.kind.name, name, record.where, messages, start, place),
        external_id=record.ref.external_id,
        all_day=all_day,
        understood=record.understood,
    )


def details_of(
    record: Record, here: Post | Term, recurrence: str, changed: Sequence[str], conflicts: Sequence[str]
) -> list[ImportMessage]:
    """The changed fields, and both values of each that is in conflict. `recurrence`: how the event here repeats."""
    details = [ImportMessage(N_("changed: {fields}"), fields=_labels(record.kind, changed))] if changed else []
    mine = fields_of(here) | {merging.RECURRENCE: recurrence}
    for unit in conflicts:
        names = [name for name in record.fields if unit_of(name) == unit] or [unit]
        for name in names:
            own, value = _shortened(mine.get(name)), _shortened(record.fields.get(name))
            if value != own or len(names) == 1:
                sentence = N_("{field}: here {own}, there {value}")
                details.append(ImportMessage(sentence, field=label_of(record.kind, name), own=own, value=value))
    return details


def label_of(kind: Kind, name: str) -> str:
    """What people call a field."""
    label = next((field.label for field in kind.fields if field.name == name), "")
    label = label or (N_("Repeats") if name in (merging.RECURRENCE, merging.SERIES) else "")
    return ImportMessage(label) if label else name


def _labels(kind: Kind, names: Sequence[str]) -> ImportMessage:
    labels = {f"field_{place}": label_of(kind, name) for place, name in enumerate(names)}
    return ImportMessage(", ".join(f"{{{place}}}" for place in labels), **labels)


def _shortened(value: object) -> str:
    if value is None:  # a link, which has no short form
        return ImportMessage(N_("another value"))
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
