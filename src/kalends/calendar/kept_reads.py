"""What reads keep in memory for the next ones. All of it belongs to one public revision of the calendar; the next one
drops it all."""

from collections.abc import Hashable

State = tuple[int, int, str]  # of the calendar: `Revision.state`
Found = dict[Hashable, object]


class KeptReads:
    """What anonymous readers see, by keys of the operations that have found it."""

    def __init__(self) -> None:
        self._kept: tuple[State, Found] = ((0, -1, ""), {})

    def at(self, state: State) -> Found:
        """What was found at this state. A read that sees an older one keeps what it finds for itself."""
        known, found = self._kept
        if state == known:
            return found
        found = {}
        if state > known:
            self._kept = state, found
        return found
