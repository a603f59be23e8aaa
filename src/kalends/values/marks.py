"""Unicode normalisation, and what makes it slow: long runs of combining marks, which no script needs and over which
it takes quadratic time, and characters that it takes apart for good."""

import itertools
import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
LONGEST_RUN = 30
MOST_DIVIDED = 10_000
PIECE = 10_000  # characters that are looked at together

# These have no combining class themselves, but normalisation takes them apart into marks that have one.
_COMPOSED = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
_DOUBLE = "\u0344\u0f73\u0f75\u0f81"  # those that become two marks
_FIRST_MARK, _AFTER_MARKS = 0x300, 0x1F000
_AFTER_FIRST_PLANE = 0x10000
_FIRST_DIVIDED, _AFTER_DIVIDED = 0x340, 0x2FA20


def normalized(form: Form, text: str) -> str:
    """The text in a normal form of Unicode, in time that grows with its length only. Whatever a client may send is
    normalised by this."""
    return unicodedata.normalize(form, without_long_runs(text))


def without_long_runs(text: str) -> str:
    """Of combining marks that follow one another, no more than any writing needs."""
    if not has_long_run(text):
        return text
    kept: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if is_mark(char) else 0
        if run <= LONGEST_RUN:
            kept.append(char)
    return "".join(kept)


def has_long_run(text: str) -> bool:
    """Whether more combining marks follow one another than any writing needs."""
    if text.isascii():
        return False
    for double in _DOUBLE:
        text = text.replace(double, double + double)
    # In pieces that overlap, so that other threads can run in between.
    return any(_has_long_run(text[at : at + PIECE + LONGEST_RUN]) for at in range(0, len(text), PIECE))


def _has_long_run(piece: str) -> bool:
    if len(piece) <= LONGEST_RUN:  # names need no table of marks, so that commands need none to start
        return False
    marks = _marks()
    # A run that is too long covers one of these places.
    if not any(ord(char) in marks for char in piece[LONGEST_RUN :: LONGEST_RUN + 1]):
        return False
    return b"\1" * (LONGEST_RUN + 1) in bytes(map(marks.__contains__, _codes(piece)))


def _codes(text: str) -> memoryview:
    return memoryview(text.encode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass")).cast("I")


def is_mark(char: str) -> bool:
    """Whether normalisation may have to move the character past its neighbours."""
    return unicodedata.combining(char) != 0 or char in _COMPOSED


def divides_into_many(text: str) -> bool:
    """Whether the text has many characters that NFC takes apart or replaces, whatever stands beside them, or many
    marks of the rare scripts beyond the first plane. Each costs several times as much as others."""
    if text.isascii():
        return False
    beyond = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)  # each of them takes two units
    if beyond > MOST_DIVIDED and sum(map(_rare_marks().__contains__, _codes(text))) > MOST_DIVIDED:
        return True
    left = MOST_DIVIDED
    for run in _divided().finditer(text):
        left -= len(run[0])
        if left < 0:
            return True
    return False


@cache
def _marks() -> frozenset[int]:
    return frozenset(code for code in range(_FIRST_MARK, _AFTER_MARKS) if is_mark(chr(code)))


@cache
def _rare_marks() -> frozenset[int]:
    return frozenset(code for code in _marks() if code >= _AFTER_FIRST_PLANE)


@cache
def _divided() -> re.Pattern[str]:
    divided = [
        code for code in range(_FIRST_DIVIDED, _AFTER_DIVIDED) if unicodedata.normalize("NFC", chr(code)) != chr(code)
    ]
    return re.compile(f"[{ranges(divided)}]+")


def ranges(codes: Iterable[int]) -> str:
    """Codes, in their order, as the ranges of a set of characters in a pattern."""
    found = ""
    for _, group in itertools.groupby(enumerate(codes), lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        found += f"{re.escape(chr(run[0]))}-{re.escape(chr(run[-1]))}"
    return found
