"""The languages of the interface: which one a request asks for, and the translation of sentences."""

import re
from functools import cache, lru_cache
from importlib.resources import files

from babel import Locale, localedata
from babel.messages.pofile import read_po

# Each language by its own name, for the language menu.
OWN_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
    "pt_BR": "Português (Brasil)",
    "ja": "日本語",
    "ar": "العربية",
}
LANGUAGES = tuple(OWN_NAMES)
SOURCE = "en"
RIGHT_TO_LEFT = frozenset({"ar"})
LONGEST_HEADER = 1000
LONGEST_TAG = 100

_RANGE = re.compile(r"([A-Za-z*]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:\s*+;\s*+q=([01](?:\.[0-9]{0,3})?))?")


def N_(sentence: str) -> str:
    """Marks a sentence for the translation catalogs; it is translated where it leaves the service."""
    return sentence


def tag(language: str) -> str:
    """A language as headers and pages write it: `pt-BR`."""
    return language.replace("_", "-")


def known(written: str) -> str | None:
    """The language that a tag such as `de-AT` or `pt` leads to."""
    return None if len(written) > LONGEST_TAG else _known(written)


@lru_cache(256)
def _known(written: str) -> str | None:
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
    return choose_with_region(asked, accepted, default)[0]


def choose_with_region(asked: str | None, accepted: str | None, default: str) -> tuple[str, str]:
    """The language of an answer and the region of its reader, such as `GB`; "" where none is named."""
    accepted_language, accepted_region = _best_accepted(accepted, default)
    if not asked:
        return accepted_language, accepted_region
    language = known(asked) or default
    return language, region_of(asked, language) or (accepted_region if language == accepted_language else "")


def region_of(written: str, language: str) -> str:
    """The region in a tag such as `de-AT`, where the language is known to have habits of its own there."""
    parts = written.strip().replace("_", "-").split("-")[1:]
    region = next((part.upper() for part in parts if len(part) == 2 and part.isascii() and part.isalpha()), "")
    return region if region and localedata.exists(f"{language}_{region}") else ""


def _best_accepted(accepted: str | None, default: str) -> tuple[str, str]:
    if not accepted or len(accepted) > LONGEST_HEADER:
        return default, ""
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
            return found, region_of(written, found)
    return default, ""


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


@cache
def regional_locale(language: str, region: str) -> Locale:
    """A language as it is written in a region; without one, or with one that has no habits of its own, as usual."""
    name = f"{language}_{region}"
    return Locale.parse(name if region and localedata.exists(name) else language)
