"""The endings of words, which are the tokens of the word index: any part of a word begins one of them.

`festival` has the endings festival, estival, stival… and `iva` is in it because `ival` is one. So every word of a
search, however short, is found exactly and without a look at the text, by the tokens that begin with it. The tokens
carry the year that an event starts in, so that a search reads no more of the index than its window of time has.
"""

import re
from collections.abc import Sequence

LONGEST = 20  # bytes: twenty Latin letters, ten Cyrillic, six Chinese
SEPARATOR = re.compile(r"[\x00-\x20\x7f]+")


def endings(year: str, title: str, body: str) -> str:
    """The tokens of a text, with spaces between them."""
    words = {*SEPARATOR.split(title), *SEPARATOR.split(body)}
    tokens = {cut(word[start : start + LONGEST]) for word in words for start in range(len(word))}
    return " ".join([year + token for token in tokens])


def cut(ending: str) -> str:
    if ending.isascii():
        return ending[:LONGEST]
    return ending[:LONGEST].encode()[:LONGEST].decode(errors="ignore")


def are_enough(word: str) -> bool:
    """A token that begins with this word proves that it occurs; a phrase or a longer word must be looked for."""
    return cut(word) == word and SEPARATOR.search(word) is None


def query(words: Sequence[str], years: Sequence[str]) -> str:
    """What to ask FTS5 for the texts that may have all of these words."""
    parts = [cut(part) for word in words for part in SEPARATOR.split(word) if part]
    return " OR ".join("(" + " AND ".join(_beginning(year + part) for part in parts) + ")" for year in years)


def _beginning(token: str) -> str:
    return '"' + token.replace('"', '""') + '" *'
