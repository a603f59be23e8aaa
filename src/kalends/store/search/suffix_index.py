"""The endings of words, which are the tokens of the word index: any part of a word begins one of them.

`festival` has the endings festival, estival, stival… and `iva` is in it because `ival` is one. So every word of a
search, however short, is found exactly and without a look at the text, by the tokens that begin with it. The tokens
carry the year that an event starts in, so that a search reads no more of the index than its window of time has. And
they tell what everybody finds, which is the title of a masked event and nothing of an unlisted one, from what only
some do.

The tokens are a format on disk: with other tokens, what is deleted or renamed would leave some behind. So their
format has a number, which the store keeps (store/word_index.py).

A text without spaces has as many endings as letters. The longest texts, of which there are few, are not in the index
but looked through by every search.
"""

import re
from collections.abc import Iterable, Sequence

# The number of the format. Whatever changes the tokens of any text takes the next one, and the index is rebuilt.
FORMAT = 1
LONGEST = 20  # bytes: twenty Latin letters, ten Cyrillic, six Chinese
LONGEST_TEXT = 50_000  # bytes of title and body; the migrations say it too
SEPARATOR = re.compile(r"[\x00-\x20\x7f]+")
_ALL_BLANK = bytes.maketrans(bytes([*range(0x20), 0x7F]), b" " * 0x21)  # the separators, each as a blank
MASKED, OPEN = 1, 2  # the visibility_level of an event
FOR_SOME = "~"  # begins the tokens of what not everybody finds; no year does


def suffixes(year: str, visibility_level: int, title: str, body: str) -> str:
    """The tokens of a text, with spaces between them."""
    if len(title.encode()) + len(body.encode()) > LONGEST_TEXT:
        return ""
    if visibility_level == OPEN:
        return _tokens(year, _endings(title, body))
    found = _tokens(FOR_SOME + year, _endings(title, body))
    if visibility_level == MASKED:
        found = f"{found} {_tokens(year, _endings(title))}"
    return found


def _tokens(begin: str, found: set[str]) -> str:
    return begin + f" {begin}".join(found) if found else ""


def _endings(*texts: str) -> set[str]:
    words = {word for text in texts for word in _words(text)}
    found: set[str] = set()
    uncommon = []
    for word in words:
        if len(word) > LONGEST or not word.isascii():
            uncommon.append(word)
            continue
        while word and word not in found:  # an ending that is there already brought its own endings with it
            found.add(word)
            word = word[1:]
    found.update(cut(word[start : start + LONGEST]) for word in uncommon for start in range(len(word)))
    return found


def _words(text: str) -> list[str]:
    """As the separator divides it, in about a third of the time; some may be empty."""
    return text.encode().translate(_ALL_BLANK).decode().split(" ")


def cut(ending: str) -> str:
    if ending.isascii():
        return ending[:LONGEST]
    return ending[:LONGEST].encode()[:LONGEST].decode(errors="ignore")


def is_exact(words: Iterable[str]) -> bool:
    """Tokens that begin with these words prove that they occur; a phrase or a longer word must be looked for."""
    return all(cut(word) == word and SEPARATOR.search(word) is None for word in words)


def query(words: Sequence[str], years: Sequence[str], *, listed: bool) -> str:
    """What to ask FTS5 for the texts that may have all of these words. `listed`: where everybody finds them."""
    parts = [cut(part) for word in words for part in SEPARATOR.split(word) if part]
    if not parts:  # nothing but what stands between words
        return ""
    begins = years if listed else [*years, *[FOR_SOME + year for year in years]]
    return " OR ".join("(" + " AND ".join(_beginning(begin + part) for part in parts) + ")" for begin in begins)


def _beginning(token: str) -> str:
    return '"' + token.replace('"', '""') + '" *'
