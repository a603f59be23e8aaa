"""Several choices in one text, as a value of a field has them."""

SEPARATOR = "|"


class CopiedChoices(str):
    """The choices of another event, which nobody chooses now: they may be no options any more."""


def parts(value: object) -> list[str]:
    """The choices of a value."""
    return [part for part in str(value).split(SEPARATOR) if part]
