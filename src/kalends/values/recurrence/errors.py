"""What is wrong with a recurrence: the part of it and the reason, for the client to read."""


class RecurrenceError(ValueError):
    """The recurrence is not accepted. `reason` is a sentence of the catalogs, `values` fills its placeholders;
    `{part}` is the part it speaks of: `FREQ`, `BYDAY`, `UNTIL`, `dates`."""

    def __init__(self, part: str, reason: str, **values: object) -> None:
        self.part = part
        self.reason = reason
        self.values = {"part": part, **values}
        super().__init__(reason.format(**self.values))


class TooManyOccurrences(RecurrenceError):
    """The rule gives more occurrences than a series may have."""
