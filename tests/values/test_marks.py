"""Runs of combining marks: which are too long, and which characters are marks."""

import sys
import unicodedata

import pytest

from kalends.values.marks import LONGEST_RUN, has_long_run, is_mark

ACUTE = "\u0301"


@pytest.mark.parametrize("before", ["", "a", "é" * 30, "日" * 61])
@pytest.mark.parametrize("after", ["", "a", "日" * 40])
def test_a_run_is_too_long_from_its_thirty_first_mark(before: str, after: str) -> None:
    assert not has_long_run(f"{before}{ACUTE * LONGEST_RUN}{after}")
    assert has_long_run(f"{before}{ACUTE * (LONGEST_RUN + 1)}{after}")


def test_runs_that_are_divided_do_not_add_up() -> None:
    assert not has_long_run(f"a{ACUTE * LONGEST_RUN}" * 50)


def test_ordinary_texts_have_no_long_run() -> None:
    assert not has_long_run("Zażółć gęślą jaźń ปฏิทิน พี่ שִׁיר הַמַּעֲלוֹת नमस्ते " * 20)


def test_every_character_that_normalisation_can_move_is_a_mark() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        parts = unicodedata.normalize("NFKD", char)
        assert is_mark(char) == all(unicodedata.combining(part) for part in parts), hex(ord(char))
