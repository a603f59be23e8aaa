"""Runs of combining marks: no script needs long ones, and Unicode normalisation takes quadratic time over them."""

import itertools
import re
import unicodedata
from functools import cache

LONGEST_RUN = 30
PIECE = 10_000  # characters that are looked at together

# These have no combining class themselves, but normalisation takes them apart into marks that have one.
_COMPOSED = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
_DOUBLE = frozenset("\u0344\u0f73\u0f75\u0f81")  # those that become two marks
_FIRST_MARK, _HIGH, _AFTER_MARKS = 0x300, 0x10000, 0x1F000
_MAYBE_HIGH = re.compile(f"[{chr(_HIGH)}-{chr(_AFTER_MARKS)}]")


def has_long_run(text: str) -> bool:
    """Whether more combining marks follow one another than any writing needs."""
    if text.isascii():
        return False
    low, high = _runs()
    pattern = high if _MAYBE_HIGH.search(text) else low
    # In pieces that overlap, so that other threads can run in between.
    return any(_has_long_run(pattern, text[at : at + PIECE + LONGEST_RUN]) for at in range(0, len(text), PIECE))


def _has_long_run(pattern: re.Pattern[str], piece: str) -> bool:
    position = 0
    while run := pattern.match(piece, position):
        if _count(run[1]) > LONGEST_RUN:
            return True
        position = run.end()
    return False


def is_mark(char: str) -> bool:
    """Whether normalisation may have to move the character past its neighbours."""
    return unicodedata.combining(char) != 0 or char in _COMPOSED


def _count(run: str) -> int:
    return len(run) + sum(run.count(char) for char in _DOUBLE)


@cache
def _runs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of runs that may be too long: in texts of the first plane alone, which is quicker, and in all."""
    marks = [code for code in range(_FIRST_MARK, _AFTER_MARKS) if is_mark(chr(code))]
    low = _ranges([code for code in marks if code < _HIGH] + [ord(char) for char in _COMPOSED])
    return _run_of(low), _run_of(low + _ranges([code for code in marks if code >= _HIGH]))


def _run_of(marks: str) -> re.Pattern[str]:
    """The next run that may be too long, with all that is before it: so no mark is tried twice."""
    short = LONGEST_RUN // 2
    return re.compile(f"(?:[^{marks}]++|[{marks}]{{1,{short}}}+(?![{marks}]))*+([{marks}]++)")


def _ranges(codes: list[int]) -> str:
    """The characters as they stand in a pattern: neighbours as a range, since each entry takes time."""
    written = ""
    for _, group in itertools.groupby(enumerate(sorted(set(codes))), lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        written += f"{chr(run[0])}-{chr(run[-1])}"
    return written
