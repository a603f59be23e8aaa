"""Other forms of a word that somebody looks for, by language."""

import pytest

from kalends.values.endings import forms


@pytest.mark.parametrize(
    ("language", "word", "text"),
    [
        ("en", "concerts", "concert"),
        ("en", "parties", "party"),
        ("en", "party", "parties"),
        ("en", "exhibitions", "exhibition"),
        ("en", "dancing", "dance"),
        ("en", "buses", "bus"),
        ("de", "konzerte", "konzert"),
        ("de", "ausstellungen", "ausstellung"),
        ("de", "hauser", "haus"),
        ("fr", "journaux", "journal"),
        ("fr", "ateliers", "atelier"),
        ("es", "canciones", "cancion"),
        ("es", "luces", "luz"),
        ("it", "concerti", "concerto"),
        ("it", "mostre", "mostra"),
        ("nl", "huizen", "huis"),
        ("nl", "concerten", "concert"),
        ("pt_BR", "exposicoes", "exposicao"),
        ("pt_BR", "shows", "show"),
    ],
)
def test_a_word_is_found_with_another_ending(language: str, word: str, text: str) -> None:
    found = forms(word, language)
    assert any(form in text for form in found)
    assert any(form in word for form in found)  # and the word itself


def test_what_is_no_simple_ending_stays() -> None:
    assert forms("organizations", "en") == ("organization",)  # no organs
    assert forms("news", "en") == ("news",)
    assert forms("bus", "en") == ("bus",)
    assert forms("new years", "en") == ("new years",)
    assert forms("2027", "en") == ("2027",)
    assert forms("コンサート", "ja") == ("コンサート",)
    assert forms("x" * 200 + "s", "en") == ("x" * 200 + "s",)
