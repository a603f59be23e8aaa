"""The languages of the interface: which one a reader wants, and every sentence in it."""

import re
from functools import cache
from importlib.resources import files

from babel.messages.pofile import read_po

LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt_BR", "ja", "ar")
SOURCE = "en"
RIGHT_TO_LEFT = frozenset({"ar"})
LONGEST_HEADER = 1000
LONGEST_TAG = 100

_RANGE = re.compile(r"([A-Za-z*]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:\s*+;\s*+q=([01](?:\.[0-9]{0,3})?))?")


def N_(text: str) -> str:
    """Marks a sentence for the translation catalogs."""
    return text


def tag(language: str) -> str:
    """A language as headers and pages write it: `pt-BR`."""
    return language.replace("_", "-")


def known(written: str) -> str | None:
    """The language that a tag such as `de-AT` or `pt` leads to."""
    if len(written) > LONGEST_TAG:
        return None
    wanted = written.strip().replace("_", "-").lower()
    by_tag = {tag(language).lower(): language for language in LANGUAGES}
    while wanted:
        if wanted in by_tag:
            return by_tag[wanted]
        wanted = wanted.rpartition("-")[0]
    # A bare language stands for its only region.
    base = written.strip().replace("_", "-").lower().partition("-")[0]
    return next((language for language in LANGUAGES if language.partition("_")[0] == base), None)


def choose(asked: str | None, accepted: str | None, default: str) -> str:
    """The language of an answer: `lang`, else the best of Accept-Language, else the site's."""
    if asked:
        return known(asked) or default
    if not accepted or len(accepted) > LONGEST_HEADER:
        return default
    ranges: list[tuple[float, int, str]] = []
    for position, part in enumerate(accepted.split(",")):
        match = _RANGE.fullmatch(part.strip())
        if match:
            ranges.append((-float(match[2] or 1), position, match[1]))
    for weight, _, written in sorted(ranges):
        if weight == 0:
            continue
        found = default if written == "*" else known(written)
        if found is not None:
            return found
    return default


def translate(sentence: str, language: str) -> str:
    """The sentence in a language, or itself where no translation is known."""
    return sentence if language == SOURCE else catalog(language).get(sentence) or sentence


@cache
def catalog(language: str) -> dict[str, str]:
    """Every sentence of a language, by its English."""
    path = files("kalends") / "locale" / language / "LC_MESSAGES" / "kalends.po"
    if not path.is_file():
        return {}
    with path.open("rb") as file:
        messages = read_po(file, locale=language)
    return {
        str(message.id): str(message.string)
        for message in messages
        if message.id and message.string and not message.fuzzy
    }
