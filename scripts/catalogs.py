"""Brings the translation catalogs up to date: collects every marked sentence and merges it into each language.

Translations stay; a sentence that is new is empty, and shown in English until somebody translates it; one that is
gone is dropped. `--check` changes nothing and fails when a catalog is not complete: `make check` runs it, before
every release.
"""

import argparse
import ast
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from kalends.languages import LANGUAGES, SOURCE

PACKAGE = Path(__file__).parent.parent / "src" / "kalends"
KEYWORDS = {"N_": None, "_": None}
Found = tuple[int, str, str, list[str]]  # the line, the function, the sentence, comments


def marked_in_python(
    file: BinaryIO, keywords: Collection[str], _comments: object, options: object
) -> Iterator[Found]:
    """The marked sentences of a module, from its syntax tree: quicker than from its tokens."""
    text = file.read().decode()
    if not any(f"{keyword}(" in text for keyword in keywords):
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(sentence)), *_]) if name in keywords:
                yield node.lineno, name, sentence, []


METHODS = [("**.py", marked_in_python), ("**.html", "jinja2")]


def sentences() -> Catalog:
    """Every sentence of the program, without line numbers, which change with every edit."""
    template = Catalog(project="Kalends", charset="utf-8")
    options = {"**.html": {"silent": "false", "newstyle_gettext": "true"}}
    for _file, _line, message, _comments, _context in extract_from_dir(PACKAGE, METHODS, options, KEYWORDS):
        if isinstance(message, str):
            template.add(message)
    return template


def path_of(language: str) -> Path:
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "kalends.po"


@cache
def translations(language: str) -> dict[str, str]:
    """What the catalog of a language has, without what is in doubt."""
    if not path_of(language).exists():
        return {}
    with path_of(language).open("rb") as file:
        messages = read_po(file, locale=language)
    return {str(message.id): str(message.string) for message in messages if message.id and not message.fuzzy}


def update(language: str, template: Catalog) -> Catalog:
    catalog = Catalog(locale=language, project="Kalends", charset="utf-8")
    known = translations(language)
    for message in template:
        if message.id:
            catalog.add(message.id, known.get(str(message.id), ""))
    return catalog


def write(language: str, catalog: Catalog) -> None:
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    with path_of(language).open("wb") as file:
        write_po(file, catalog, width=110, omit_header=True, sort_output=True)


def missing(language: str, template: Catalog) -> list[str]:
    """The sentences of the program that this language has no translation of."""
    known = translations(language)
    return sorted(str(message.id) for message in template if message.id and not known.get(str(message.id)))


def unused(language: str, template: Catalog) -> list[str]:
    """The sentences of the catalog that the program no longer has."""
    return sorted(translations(language).keys() - {str(message.id) for message in template})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    template, incomplete = sentences(), 0
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        lacking, surplus = missing(language, template), unused(language, template)
        incomplete += len(lacking) + len(surplus)
        print(f"{language}: {len(template) - len(lacking)} of {len(template)} sentences, {len(surplus)} not used")
        if check:
            for sentence in lacking:
                print(f"  without a translation: {sentence}")
        else:
            write(language, update(language, template))
    return int(check and incomplete > 0)


if __name__ == "__main__":
    sys.exit(main())
