"""What a source has and this calendar has no place for: its names are told with how often they occurred.

Nothing is lost in silence: whatever a source brings is carried, follows from what is carried, or is named here.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from kalends.features.importing.records.messages import ImportMessage
from kalends.languages import N_

MOST_NAMES = 200  # which are told; anybody can invent names
LONGEST_NAME = 80
NOTHING: tuple[object, ...] = (None, "", [], {}, (), False, 0, "0", "no", "0.0")
OTHERS = "…"


def found_in(values: Mapping[str, object], carried: Collection[str], prefix: str = "") -> list[str]:
    """The names of what a record has and nobody carries; what is empty is nothing."""
    return [f"{prefix}{name}" for name, value in values.items() if name not in carried and value not in NOTHING]


class Losses:
    """Names with the number of records that had them."""

    def __init__(self) -> None:
        self.counts = Counter[tuple[str, str]]()  # by kind, and the name at the source

    def add(self, kind: str, names: Iterable[str], count: int = 1) -> None:
        for name in dict.fromkeys(names):
            key = kind, " ".join(str(name).split())[:LONGEST_NAME]
            if key not in self.counts and len(self.counts) >= MOST_NAMES:
                key = kind, OTHERS
            self.counts[key] += count

    def as_json(self) -> list[dict[str, object]]:
        return [{"kind": kind, "field": name, "count": count} for (kind, name), count in self._ordered()]

    def messages(self) -> list[ImportMessage]:
        """One sentence for each name, the commonest first."""
        sentence = N_("not carried: {field}, of {count} records ({kind})")
        return [
            ImportMessage(sentence, field=name, count=count, kind=kind) for (kind, name), count in self._ordered()
        ]

    def _ordered(self) -> list[tuple[tuple[str, str], int]]:
        return sorted(self.counts.items(), key=lambda found: (-found[1], found[0]))
