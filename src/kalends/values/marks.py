"""Runs of combining marks: no script needs long ones, and Unicode normalisation takes quadratic time over them."""

import unicodedata

LONGEST_RUN = 30

# These have no combining class themselves, but normalisation takes them apart into marks that have one.
_COMPOSED = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")


def has_long_run(text: str) -> bool:
    """Whether more combining marks follow one another than any writing needs."""
    if text.isascii():
        return False
    # A run that is too long covers one of these positions, so only these are checked.
    sampled = range(LONGEST_RUN, len(text), LONGEST_RUN + 1)
    return any(is_mark(text[at]) and _is_long_around(text, at) for at in sampled)


def is_mark(char: str) -> bool:
    """Whether normalisation may have to move the character past its neighbours."""
    return unicodedata.combining(char) != 0 or char in _COMPOSED


def _is_long_around(text: str, at: int) -> bool:
    first = last = at
    while first > 0 and last - first < LONGEST_RUN and is_mark(text[first - 1]):
        first -= 1
    while last + 1 < len(text) and last - first < LONGEST_RUN and is_mark(text[last + 1]):
        last += 1
    return last - first >= LONGEST_RUN
