"""A problem that a check of a store has found."""

from typing import NamedTuple


class Problem(NamedTuple):
    """Something in the store that is not as it should be; `kind` and `id` name the record."""

    kind: str
    id: int
    sentence: str  # for the people who run the calendar
    repairable: bool = True  # where its check has a repair
