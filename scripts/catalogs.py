"""Brings the translation catalogs up to date: collects every marked sentence and merges it into each language.

Translations stay; a sentence that is new is empty, one that is gone is dropped. `--check` changes nothing and
fails when a catalog is incomplete.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from kalends.languages import LANGUAGES, SOURCE

PACKAGE = Path(__file__).parent.parent / "src" / "kalends"
KEYWORDS = {"N_": None, "_": None}
METHODS = [("**.py", "python"), ("pages/templates/**.html", "jinja2")]


def sentences() -> Catalog:
    """Every sentence of the program, without line numbers, which change with every edit."""
    template = Catalog(project="Kalends", charset="utf-8")
    options = {"pages/templates/**.html": {"silent": "false", "newstyle_gettext": "true"}}
    for _file, _line, message, _comments, _context in extract_from_dir(PACKAGE, METHODS, options, KEYWORDS):
        if isinstance(message, str):
            template.add(message)
    return template


def path_of(language: str) -> Path:
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "kalends.po"


def update(language: str, template: Catalog) -> Catalog:
    catalog = Catalog(locale=language, project="Kalends", charset="utf-8")
    known: dict[object, object] = {}
    if path_of(language).exists():
        with path_of(language).open("rb") as file:
            known = {message.id: message.string for message in read_po(file, locale=language)}
    for message in template:
        if message.id:
            catalog.add(message.id, known.get(message.id, ""))
    return catalog


def write(language: str, catalog: Catalog) -> None:
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    with path_of(language).open("wb") as file:
        write_po(file, catalog, width=110, omit_header=True, sort_output=True)


def missing(catalog: Catalog) -> Iterator[str]:
    for message in catalog:
        if message.id and not message.string:
            yield str(message.id)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    template, incomplete = sentences(), 0
    for language in LANGUAGES:
        if language == SOURCE:
            continue
        catalog = update(language, template)
        lacking = list(missing(catalog))
        incomplete += len(lacking)
        print(f"{language}: {len(catalog) - len(lacking)} of {len(catalog)} sentences")
        if not check:
            write(language, catalog)
    return int(check and incomplete > 0)


if __name__ == "__main__":
    sys.exit(main())
