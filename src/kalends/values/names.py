"""Slugs, and the keys by which names are found and sorted."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from kalends.values.marks import is_mark, normalized, without_long_runs

LONGEST = 200
PIECE = 10_000  # characters that are normalized at once
CONTEXT = 4  # characters that may become one: a syllable of Hangul has three

# Latin letters that Unicode does not take apart into a letter and an accent.
_LATIN_TABLE = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
    | {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "ŧ": "t"}
)

# Soft hyphens and joiners stand inside a word without dividing it.
_INVISIBLE = re.compile("[\u00ad\u200d\u2060\ufeff]")

# Lone surrogates and NUL fit in no store. They turn into a character that no name has.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
UNSTORABLE = "\ufffd"

# An iota below a letter, the one mark that becomes a letter when its case is folded: its place must be known before.
_IOTA_BELOW = re.compile("[\u0345\u1f80-\u1faf\u1fb2-\u1fb7\u1fbc\u1fc2-\u1fc7\u1fcc\u1ff2-\u1ff7\u1ffc]")

_ASCII_WORDS = re.compile("[0-9a-z]+")

_VIRAMA = 9


def slugify(text: str) -> str:
    """The slug of a title or name; "" when no letter or digit is in it."""
    if text.isascii():
        return _cut("-".join(_ASCII_WORDS.findall(text.lower())), LONGEST)
    letters = normalized("NFC", _INVISIBLE.sub("", text).lower())
    return _cut(_hyphenated(normalized("NFC", _fold_latin(letters))), LONGEST)


def numbered(slug: str, n: int) -> str:
    """The slug's nth namesake: `jazz-2`."""
    return with_ending(slug, f"-{n}")


def with_ending(slug: str, ending: str) -> str:
    """A slug and more. The stem gives way where the two together are too long."""
    return (_cut(slug, LONGEST - len(ending)) + ending).lstrip("-")


def slug_key(slug: str) -> str:
    """What two slugs that differ in case only have in common."""
    return fold(slug)


def sort_key(name: str) -> str:
    """The place of a name in order: compared by code points, it ignores case and accents on every store."""
    if name.isascii() and name.isprintable():
        return " ".join(name.lower().split())[:LONGEST].rstrip()
    # Case first and last: some compatibility forms hide a capital, some capitals hide an accent.
    apart = normalized("NFKD", _storable(name).casefold()).casefold()
    bare = "".join(c for c in apart if unicodedata.combining(c) in (0, _VIRAMA)).translate(_LATIN_TABLE)
    shown = "".join(c for c in bare if c.isspace() or unicodedata.category(c) != "Cc")
    return " ".join(shown.split())[:LONGEST].rstrip()


def fold(text: str) -> str:
    """Text made comparable without regard to case, in any script; a part folds to a part of the whole."""
    if text.isascii():
        return _storable(text.lower())
    return "".join([_fold_piece(piece) for piece in pieces(text)])


def _fold_piece(text: str) -> str:
    if _IOTA_BELOW.search(text):
        text = normalized("NFD", text)
    return normalized("NFC", text.casefold())


def pieces(text: str) -> Iterator[str]:
    """A text that any store can have, in pieces that normalisation changes alone as it does together. Between two of
    them, another thread can run; in one call, some characters take a microsecond each."""
    text, start = without_long_runs(_storable(text)), 0
    while start < len(text):
        end = start + PIECE
        while end < len(text) and not _is_boundary(text[end - CONTEXT : end], text[end]):
            end += 1
        yield text[start:end]
        start = end


def _is_boundary(before: str, after: str) -> bool:
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", after)
    return not is_mark(after) and apart == unicodedata.normalize("NFC", before + after)


def _storable(text: str) -> str:
    return _UNSTORABLE.sub(UNSTORABLE, text)


def _fold_latin(text: str) -> str:
    """Latin letters without their accents; an accent on a letter of another script belongs to that letter."""
    folded: list[str] = []
    after_latin = False
    for char in text:
        if unicodedata.combining(char) and after_latin:
            continue
        plain = char if char.isascii() else _latin(char)
        folded.append(plain)
        after_latin = plain.isascii()
    return "".join(folded)


@lru_cache(maxsize=4096)
def _latin(char: str) -> str:
    """A letter, ligature or digit in its plain Latin writing, or the character itself if it has none."""
    apart = unicodedata.normalize("NFKD", char).lower()
    plain = "".join(c for c in apart if not unicodedata.combining(c)).translate(_LATIN_TABLE)
    return plain if plain and plain.isascii() else char


def _hyphenated(text: str) -> str:
    written: list[str] = []
    inside = False
    for char in text:
        # A mark belongs to the letter before it; without one it is no part of a word.
        kept = char.isalnum() or (inside and _is_mark(char) and not written[-1].isascii())
        if kept:
            if written and not inside:
                written.append("-")
            written.append(char)
        inside = kept or (inside and _is_mark(char))
    return "".join(written)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Mc")


def _cut(slug: str, longest: int) -> str:
    if len(slug) > longest:
        end = longest
        while end and _is_mark(slug[end]):
            end -= 1
        # A "letter" of marks alone is longer than any script writes: cut through it.
        slug = slug[: end or longest]
    return slug.rstrip("-")
