"""The suffixes of words, which are the tokens of the word index: any part of a word is a prefix of one of them.

`festival` has the suffixes festival, estival, stival… and `iva` is in it because `ival` is one. So every word of a
search, however short, is found exactly, without reading the text, by the tokens that begin with it. A token begins
with the year in which the event starts, so a search reads only the years of its window. And tokens that everybody may
find are distinct from those of masked and unlisted events, of which everybody finds the title or nothing.

The tokens are a format on disk: if the code made other ones, deleted texts would leave tokens behind. So the format
has a version, which the store keeps (word_index.py).

A text without spaces has as many suffixes as letters. The few longest texts are not in the index; every search reads
them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

# Increase it with every change of the tokens of any text, or of searched texts (values/names.py): both are then
# made anew.
FORMAT = 3
LONGEST = 20  # bytes: twenty Latin letters, ten Cyrillic, six Chinese
LONGEST_TEXT = 50_000  # bytes of title and body; the schema repeats it
SEPARATOR = re.compile(r"[\x00-\x20\x7f]+")
_ALL_BLANK = bytes.maketrans(bytes([*range(0x20), 0x7F]), b" " * 0x21)  # the separators, each as a blank
INDEXED_BEGINNINGS = (5, 6)  # letters of the tokens of events; the schema repeats it
MASKED, OPEN = 1, 2  # visibility levels of an event
FOR_SOME = "~"  # begins the tokens that not everybody may find; no year does


def token_format() -> int:
    """For SQLite, as a function of every connection."""
    return FORMAT


@lru_cache(2)  # the occurrences of a series have the same text, one after the other; few, as they can be long
def suffixes(year: str, visibility_level: int, title: str, body: str) -> str:
    """The tokens of a text, with spaces between them."""
    if len(title.encode()) + len(body.encode()) > LONGEST_TEXT:
        return ""
    if visibility_level == OPEN:
        return _tokens(year, _suffixes(title, body))
    found = _tokens(FOR_SOME + year, _suffixes(title, body))
    if visibility_level == MASKED:
        found = f"{found} {_tokens(year, _suffixes(title))}"
    return found


@lru_cache(2)
def lost_and_gained(*texts: Any) -> tuple[str, str]:
    """The tokens that a text loses and gains, given as year, visibility level, title and body before and after. Those
    that stay and begin like a lost one are written again: the index also has the beginnings of tokens, which go with
    the lost one."""
    # At blanks only: other characters that separate words in Python are letters of a token.
    before, after = (set(suffixes(*text).split(" ")) - {""} for text in (texts[:4], texts[4:]))
    lost, gained, kept = before - after, after - before, before & after
    shortest = min(INDEXED_BEGINNINGS)  # who has a longer one in common has this one too
    beginnings = {token[:shortest] for token in lost}
    alike = {token for token in kept if token[:shortest] in beginnings}
    return " ".join(lost | alike), " ".join(gained | alike)


def lost(*texts: Any) -> str:
    """For SQLite, as a function of every connection."""
    return lost_and_gained(*texts)[0]


def gained(*texts: Any) -> str:
    return lost_and_gained(*texts)[1]


def _tokens(begin: str, found: set[str]) -> str:
    return begin + f" {begin}".join(found) if found else ""


def _suffixes(*texts: str) -> set[str]:
    found: set[str] = set()
    for word in {word for text in texts for word in _words(text)}:
        found.update(_suffixes_of(word) if len(word) <= LONGEST else _cut_suffixes(word))
    return found


@lru_cache(4096)  # most words of a text are in others too; a few megabytes
def _suffixes_of(word: str) -> tuple[str, ...]:
    if word.isascii():
        return tuple([word[start:] for start in range(len(word))])
    return _cut_suffixes(word)


def _cut_suffixes(word: str) -> tuple[str, ...]:
    return tuple([cut(word[start : start + LONGEST]) for start in range(len(word))])


def _words(text: str) -> list[str]:
    """Split at the separators, in a third of the time of the regular expression; some may be empty."""
    return text.encode().translate(_ALL_BLANK).decode().split(" ")


def cut(suffix: str) -> str:
    if suffix.isascii():
        return suffix[:LONGEST]
    return suffix[:LONGEST].encode()[:LONGEST].decode(errors="ignore")


Forms = tuple[str, ...]  # of a word: the parts of a text of which one will do


def is_exact(words: Iterable[Forms]) -> bool:
    """Whether tokens that begin with these words prove that they occur. Phrases and long words need the text."""
    return all(cut(form) == form and SEPARATOR.search(form) is None for forms in words for form in forms)


def query(words: Sequence[Forms], years: Sequence[str], *, listed: bool, unlisted: bool = False) -> str:
    """The FTS5 query for texts that may contain all these words. `listed`: where everybody finds them; `unlisted`: of
    records that are in nobody's lists."""
    parts = [found for forms in words if all(found := [_parts(form) for form in forms])]
    if not parts:  # only separators
        return ""
    begins = [] if unlisted else [*years]
    if not listed:
        begins += [FOR_SOME + year for year in years]
    return " OR ".join("(" + " AND ".join(_any_of(begin, forms) for forms in parts) + ")" for begin in begins)


def _any_of(begin: str, forms: Sequence[Sequence[tuple[str, str]]]) -> str:
    found = [" AND ".join(_token(begin + part, end) for part, end in parts) for parts in forms]
    return found[0] if len(found) == 1 else f"({' OR '.join(f'({form})' for form in found)})"


def _parts(word: str) -> list[tuple[str, str]]:
    """The words of a phrase. The last may go on in the text; the others end there, as the suffixes of words do."""
    parts = [cut(part) for part in SEPARATOR.split(word) if part]
    return [(part, " *" if at == len(parts) else "") for at, part in enumerate(parts, start=1)]


def _token(token: str, end: str) -> str:
    return '"' + token.replace('"', '""') + '"' + end
