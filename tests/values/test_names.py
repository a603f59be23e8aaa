"""Slugs, sort keys and case folding."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kalends.values.names import LONGEST, fold, numbered, slug_key, slugify, sort_key

ANY_TEXT = st.text(st.characters() | st.characters(categories=["Cs", "Mn", "Mc"]))


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Jazz Night", "jazz-night"),
        ("  --Food & Drink!  ", "food-drink"),
        ("don't", "don-t"),
        ("v_obj new", "v-obj-new"),
        ("S 2027-03-10T09:00", "s-2027-03-10t09-00"),
        ("Café Crème", "cafe-creme"),
        ("Straße STRAẞE", "strasse-strasse"),
        ("Øl i Łódź", "ol-i-lodz"),
        ("Ærø Đà Þór œuvre", "aero-da-thor-oeuvre"),
        ("İstanbul ılık", "istanbul-ilik"),
        ("Việt Nam", "viet-nam"),
        ("x̂ without a composed form", "x-without-a-composed-form"),
        ("ﬁnal ｆｕｌｌ m² ①", "final-full-m2-1"),
        ("soft\u00adhyphen", "softhyphen"),
        ("🎉", ""),
        ("🎉 party 1️⃣", "party-1"),
        ("", ""),
        ("\u0301\u3099", ""),
    ],
)
def test_latin_is_folded_and_everything_else_is_one_hyphen(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("ガンダム 展", "ガンダム-展"),
        ("Йога и Ёлка", "йога-и-ёлка"),
        ("हिन्दी संगीत", "हिन्दी-संगीत"),
        ("مهرجان الموسيقى", "مهرجان-الموسيقى"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("Ελληνική Μουσική", "ελληνική-μουσική"),
        ("한국어", "한국어"),
        ("音楽祭２０２７", "音楽祭2027"),
        ("ดนตรีน้ำ", "ดนตรีน้ำ"),
        ("עִבְרִית", "עִבְרִית"),
        ("தமிழ்", "தமிழ்"),
        ("ශ්\u200dරී ලංකා", "ශ්රී-ලංකා"),
    ],
)
def test_other_scripts_keep_their_letters_and_marks(text: str, slug: str) -> None:
    assert slugify(text) == unicodedata.normalize("NFC", slug)
    assert slugify(unicodedata.normalize("NFD", text)) == unicodedata.normalize("NFC", slug)


def test_a_slug_is_cut_at_200_characters() -> None:
    assert slugify("a" * 300) == "a" * LONGEST
    assert slugify("a" * 199 + " b") == "a" * 199
    assert slugify("a" * 198 + "हि") == "a" * 198 + "हि"


def test_a_slug_is_not_cut_between_a_letter_and_its_mark() -> None:
    assert slugify("a" * 199 + "हि") == "a" * 199


@pytest.mark.parametrize(
    ("slug", "n", "name"),
    [
        ("jazz", 2, "jazz-2"),
        ("a" * 200, 2, "a" * 198 + "-2"),
        ("a" * 197 + "-bb", 13, "a" * 197 + "-13"),
        ("", 2, "2"),
    ],
)
def test_namesakes_are_numbered_within_the_limit(slug: str, n: int, name: str) -> None:
    assert numbered(slug, n) == name


@pytest.mark.parametrize(("one", "other"), [("Ab", "aB"), ("ЙОГА", "йога"), ("e\u0301", "É"), ("ΟΣ", "οσ")])
def test_slugs_are_found_without_regard_to_case(one: str, other: str) -> None:
    assert slug_key(one) == slug_key(other)


def test_names_are_ordered_without_regard_to_case_and_accents() -> None:
    names = [
        "Zebra",
        "épée",
        "Eel",
        "łyk",
        "Ärger",
        "apple",
        "Éclair",
        "mango",
        "Øre",
        "oak",
        "Straße",
        "strand",
    ]
    assert sorted(names, key=sort_key) == [
        *(
            "apple",
            "Ärger",
            "Éclair",
            "Eel",
            "épée",
            "łyk",
            "mango",
            "oak",
            "Øre",
            "strand",
            "Straße",
            "Zebra",
        )
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "CAFE\u0301"),
        (" a  b\n", "A B"),
        ("İ", "i"),
        ("ＡＢＣ", "abc"),
        ("Łódź", "lodz"),
        ("a\x01b", "ab"),
    ],
)
def test_names_that_differ_in_writing_only_share_their_place(one: str, other: str) -> None:
    assert sort_key(one) == sort_key(other)


def test_indian_vowel_signs_are_letters_in_order() -> None:
    assert sort_key("का") != sort_key("कि")


@pytest.mark.parametrize(
    ("needle", "text"),
    [
        ("TRUMPET", "Loud trumpets"),
        ("straße", "HAUPTSTRASSE 1"),
        ("МОСК", "москва"),
        ("CAFÉ", "cafe\u0301 noir"),
        ("音楽", "夏の音楽祭"),
        ("ὀδυσσεύς", "Ο ὈΔΥΣΣΕΎΣ"),
    ],
)
def test_search_finds_in_any_script_whatever_the_case(needle: str, text: str) -> None:
    assert fold(needle) in fold(text)


@given(ANY_TEXT)
def test_a_slug_is_its_own_slug(text: str) -> None:
    slug = slugify(text)
    assert slugify(slug) == slug
    assert len(slug) <= LONGEST
    assert slug == slug.strip("-")
    assert "--" not in slug
    assert all(c == "-" or c.isalnum() or unicodedata.category(c) in ("Mn", "Mc") for c in slug)


@given(ANY_TEXT, st.integers(2, 10**6))
def test_a_namesake_differs_and_fits(text: str, n: int) -> None:
    slug = slugify(text)
    assert numbered(slug, n) != slug
    assert len(numbered(slug, n)) <= LONGEST
    assert slugify(numbered(slug, n)) == numbered(slug, n)


@given(ANY_TEXT)
def test_keys_can_be_stored(text: str) -> None:
    for key in (slug_key(text), sort_key(text), fold(text)):
        assert "\x00" not in key
        key.encode()
    assert len(sort_key(text)) <= LONGEST
    assert sort_key(sort_key(text)) == sort_key(text)
    assert fold(fold(text)) == fold(text)
