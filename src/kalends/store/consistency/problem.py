"""A problem that a check of a store has found."""

from typing import NamedTuple


class Problem(NamedTuple):
    """Something in the store that is not as it should be. `check` names the check, which decides how it is mended;
    `kind` and `id` the record."""

    check: str
    kind: str
    id: int
    sentence: str  # for the people who run the calendar
    repairable: bool = True
