"""What makes normalisation slow: which runs of marks are too long, and which characters are taken apart."""

import sys
import unicodedata
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unicodedata import combining

import pytest

from kalends.values import marks, markup, names
from kalends.values.marks import (
    LONGEST_RUN,
    MOST_DIVIDED,
    PIECE,
    divides_into_many,
    has_long_run,
    is_mark,
    normalized,
)

ACUTE = "\u0301"


@pytest.mark.parametrize("before", ["", "a", "é" * 30, "日" * 61])
@pytest.mark.parametrize("after", ["", "a", "日" * 40])
def test_a_run_is_too_long_from_its_thirty_first_mark(before: str, after: str) -> None:
    assert not has_long_run(f"{before}{ACUTE * LONGEST_RUN}{after}")
    assert has_long_run(f"{before}{ACUTE * (LONGEST_RUN + 1)}{after}")


@pytest.mark.parametrize("before", ["", "日" * 7, "日" * 15])
@pytest.mark.parametrize("double", ["\u0344", "\u0f73", "\u0f75", "\u0f81"])
def test_a_mark_that_becomes_two_counts_twice(before: str, double: str) -> None:
    half = LONGEST_RUN // 2
    assert not has_long_run(f"{before}{double * half}a")
    assert has_long_run(f"{before}{double * half}{ACUTE}a")


def test_runs_that_are_divided_do_not_add_up() -> None:
    assert not has_long_run(f"a{ACUTE * LONGEST_RUN}" * 50)


def test_marks_beyond_the_first_plane_count_too() -> None:
    high = "\U0001d165"
    assert not has_long_run(f"a{high * LONGEST_RUN}")
    assert has_long_run(f"a{high * LONGEST_RUN}{ACUTE}")
    assert has_long_run(f"\U0001f600{ACUTE * (LONGEST_RUN + 1)}")


@pytest.mark.parametrize("shift", [0, 1, 15, 30, 31])
def test_a_run_across_two_pieces_is_found(shift: int) -> None:
    assert has_long_run("日" * (PIECE - shift) + ACUTE * (LONGEST_RUN + 1))
    assert not has_long_run("日" * (PIECE - shift) + ACUTE * LONGEST_RUN + "a")


def test_ordinary_texts_have_no_long_run() -> None:
    assert not has_long_run("Zażółć gęślą jaźń ปฏิทิน พี่ שִׁיר הַמַּעֲלוֹת नमस्ते " * 20)


def test_every_character_that_normalisation_can_move_is_a_mark() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        parts = unicodedata.normalize("NFKD", char)
        assert is_mark(char) == all(unicodedata.combining(part) for part in parts), hex(ord(char))
        if is_mark(char):
            assert has_long_run(char * (LONGEST_RUN // len(parts) + 1)), hex(ord(char))
            assert not has_long_run(char * (LONGEST_RUN // len(parts))), hex(ord(char))


@pytest.mark.parametrize("divided", ["\u0344", "\u0f73", "\uf900", "\ufb2c", "\U0001d160", "\U0002fa1d"])
def test_many_characters_that_normalisation_takes_apart_are_found(divided: str) -> None:
    assert not divides_into_many(f"é{divided}" * MOST_DIVIDED)
    assert divides_into_many(f"é{divided}" * (MOST_DIVIDED + 1))


def test_every_character_that_normalisation_takes_apart_counts() -> None:
    divided = [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.normalize("NFC", char) != char]
    assert divides_into_many("".join(divided) * (MOST_DIVIDED // len(divided) + 1))
    assert not divides_into_many("é각e\u0301日" * MOST_DIVIDED)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("text", ["Café Olé", f"e{ACUTE}\u0327" * 40, f"a{ACUTE * LONGEST_RUN}b", "각日\ufb01 plain"])
def test_what_people_write_is_normalised_as_unicode_says(form: Any, text: str) -> None:
    assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize(
    "use", [names.sort_key, names.slugify, names.fold, markup.plain], ids=lambda use: use.__name__
)
@pytest.mark.parametrize("between", ["", "\u200b", "\u00ad"])
def test_nothing_that_normalises_sees_a_long_run_of_marks(
    use: Callable[[str], str], between: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unicode's own function would take quadratic time, and no other thread could run meanwhile. What keeps marks
    apart may be removed before it is called."""
    seen: list[str] = []
    monkeypatch.setattr(
        marks,
        "unicodedata",
        SimpleNamespace(normalize=lambda _, text: seen.append(text) or text, combining=combining),
    )
    use("a" + (f"{ACUTE * 15}\u0327" * 2 + between) * 50 + "b")
    assert seen
    assert not any(has_long_run(text) for text in seen)
