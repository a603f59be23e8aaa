"""Every sentence of the program has its translation in every language, with the same places to fill in."""

import importlib.util
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from kalends.languages import LANGUAGES, SOURCE, catalog

SCRIPT = Path(__file__).parents[2] / "scripts" / "catalogs.py"
OTHERS = [language for language in LANGUAGES if language != SOURCE]


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("catalogs", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


catalogs = load()


@pytest.fixture(scope="module")
def marked() -> Catalog:
    """Every marked sentence of the program; collecting them takes seconds."""
    found: Catalog = catalogs.sentences()
    return found


@pytest.fixture(scope="module")
def sentences(marked: Catalog) -> list[str]:
    return sorted(str(message.id) for message in marked if message.id)


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_there_are_nine_languages_and_many_sentences(sentences: list[str]) -> None:
    assert LANGUAGES == ("en", "de", "es", "fr", "it", "nl", "pt_BR", "ja", "ar")
    assert len(sentences) > 250


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated(language: str, marked: Catalog) -> None:
    assert list(catalogs.missing(catalogs.update(language, marked))) == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_catalog_has_these_sentences_only_and_none_in_doubt(language: str, sentences: list[str]) -> None:
    with catalogs.path_of(language).open("rb") as file:
        messages = [message for message in read_po(file, locale=language) if message.id]
    assert sorted(str(message.id) for message in messages) == sentences
    assert [message.id for message in messages if message.fuzzy] == []


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_the_same_places(language: str, sentences: list[str]) -> None:
    found = catalog(language)
    assert {
        sentence: found[sentence]
        for sentence in sentences
        if sentence in found and placeholders(sentence) != placeholders(found[sentence])
    } == {}


@pytest.mark.parametrize("language", OTHERS)
def test_translations_are_not_the_english(language: str, sentences: list[str]) -> None:
    """Some words are the same in two languages, whole sentences are not."""
    found = catalog(language)
    same = [sentence for sentence in sentences if sentence.count(" ") > 3 and found.get(sentence) == sentence]
    assert same == []
