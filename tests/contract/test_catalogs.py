"""The sentences of the program and their translations: what is lacking, and whether the same places are filled in.

A sentence without a translation is shown in English. It does not fail the usual run, since who adds a sentence need
not speak nine languages; `make check` and the run before a release (TEST_ALL=1) want every catalog complete.
"""

import importlib.util
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from tests.effort import EVERYTHING
from tests.made_once import made_once

from kalends.languages import LANGUAGES, SOURCE, catalog, translate

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
def marked(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Every marked sentence of the program; collecting them takes seconds."""

    def collect(folder: Path) -> None:
        with (folder / "marked.po").open("wb") as file:
            write_po(file, catalogs.sentences())

    with (made_once(tmp_path_factory, "sentences", collect) / "marked.po").open("rb") as file:
        return read_po(file)


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
    missing, unused = catalogs.missing(language, marked), catalogs.unused(language, marked)
    if (missing or unused) and not EVERYTHING:
        pytest.xfail(f"{len(missing)} sentences without a translation, such as {missing[:1]}; {len(unused)} not used")
    assert (missing, unused) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_a_translation_is_shown_in_english(language: str) -> None:
    assert translate("A sentence of tomorrow, {name}.", language) == "A sentence of tomorrow, {name}."


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
