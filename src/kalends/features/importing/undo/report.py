"""What came of undoing an import: how many records went and came back, and which stay, each with its reason."""

import msgspec

from kalends.languages import N_

EDITED = N_("it was changed after the import")
SERIES_EDITED = N_("dates of this series were changed after the import")
USED = N_("something else uses it")
NO_VERSION = N_("what it was before the import is no longer kept")
HAD_PASSWORD = N_("it had a password, which is not kept")
DELETED = N_("the import deleted it for good")
FAILED = N_("it could not be undone; the log of the server says why")
MOST_KEPT = 1000


class Unchanged(msgspec.Struct, frozen=True):
    """A record that stays as it is, and why."""

    kind: str
    id: int
    name: str
    reason: str


class UndoReport(msgspec.Struct):
    """What came of undoing an import: how many records are gone and are what they were, by kind; which stay."""

    removed: dict[str, int] = {}
    restored: dict[str, int] = {}
    unchanged: list[Unchanged] = []
    omitted: int = 0  # of `kept`, beyond the first thousand
    total: int = 0

    def count(self, counts: dict[str, int], kind: str, number: int = 1) -> None:
        if number:
            counts[kind] = counts.get(kind, 0) + number

    def keep(self, kind: str, id: int, name: str, reason: str) -> None:
        if any((one.kind, one.id) == (kind, id) for one in self.unchanged):
            return
        if len(self.unchanged) < MOST_KEPT:
            self.unchanged.append(Unchanged(kind, id, name, reason))
        else:
            self.omitted += 1
