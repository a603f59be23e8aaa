"""Texts as they are searched: the rules hold for every part of a text, and places lead back to it."""

from hypothesis import assume, given
from hypothesis import strategies as st

from kalends.values import names
from kalends.values.names import searched, searched_with_positions

LETTERS = "aAzéÉßøŁıİΣςάЁй'’´`&@+# -–_.,;\"1²½漢か한🎉\t\x00\ufffd"
TEXTS = st.text(LETTERS, max_size=12)


@given(text=TEXTS, start=st.integers(0, 12), length=st.integers(0, 12))
def test_a_part_of_a_text_is_a_part_of_the_plain_text(text: str, start: int, length: int) -> None:
    part = text[start : start + length]
    assume(" &" not in part and "& " not in part)  # R & B is a word, and no part of *for & beginners*
    assert searched(part) in searched(text)


@given(text=TEXTS)
def test_what_is_plain_stays_and_what_earlier_versions_stored_becomes_it(text: str) -> None:
    assert searched(searched(text)) == searched(text) == searched(names.fold(text))
    assert searched(text) == " ".join(searched(text).split())
    assert searched(text.upper().lower()) == searched(text.lower())


@given(text=TEXTS)
def test_places_lead_back_to_the_text(text: str) -> None:
    found, places = searched_with_positions(text)
    assert found.strip(" ") == searched(text)
    assert len(found) == len(places)
    assert places == sorted(places)
    for letter, place in zip(found, places, strict=True):
        assert letter == " " or letter in searched(text[place]) or letter in "&@+#"
