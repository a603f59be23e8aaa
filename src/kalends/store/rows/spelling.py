"""The words that titles and names have, and of those the nearest to one that is misspelt."""

import re
from collections.abc import Iterable

from kalends.store.engine.store import Session
from kalends.values import names

SHORTEST, LONGEST = 4, 30  # letters of a word that may be misspelt
CANDIDATES = 40  # words with the most trigrams in common
MOST = 5
WRITTEN = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")


def add(session: Session, titles: Iterable[str]) -> None:
    """Adds the words of titles or names of any record."""
    found: dict[str, str] = {}
    for title in dict.fromkeys(titles):
        for written in WRITTEN.findall(title):
            for part in (written, *re.split("[-]", written)) if "-" in written else (written,):
                word = names.searched(part)
                if SHORTEST <= len(word) <= LONGEST and " " not in word:
                    found.setdefault(word, part.lower() if part.isupper() else part)
    session.run_many("INSERT INTO word (word, written) VALUES (?, ?) ON CONFLICT DO NOTHING", sorted(found.items()))


def nearest(session: Session, word: str) -> list[tuple[str, str]]:
    """The words that differ from one by a few letters, as they are searched and written, the nearest first. They may
    be those of records that a reader does not see."""
    if not SHORTEST <= len(word) <= LONGEST or " " in word:
        return []
    if session.dialect.has_suffix_index:
        padded = f"  {word} ".replace('"', "")
        trigrams = dict.fromkeys(padded[start : start + 3] for start in range(len(padded) - 2))
        rows = session.all(
            f"SELECT word, written FROM word_trigrams WHERE word_trigrams MATCH ? ORDER BY rank LIMIT {CANDIDATES}",
            (" OR ".join(f'"{trigram}"' for trigram in trigrams),),
        )
    else:
        rows = session.all(
            "SELECT word, written FROM word WHERE word % ? ORDER BY similarity(word, ?) DESC, word LIMIT ?",
            (word, word, CANDIDATES),
        )
    most = 1 if len(word) <= SHORTEST else 2
    near = sorted((distance(word, other), other, written) for other, written in rows if other != word)
    return [(other, written) for letters, other, written in near if letters <= most][:MOST]


def distance(one: str, other: str) -> int:
    """How many letters have to be added, left out, replaced or exchanged with their neighbour."""
    before, last = list[int](), list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        current = [row]
        for column, wanted in enumerate(other, start=1):
            best = min(last[column] + 1, current[-1] + 1, last[column - 1] + (letter != wanted))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == wanted:
                best = min(best, before[column - 2] + 1)
            current.append(best)
        before, last = last, current
    return last[-1]
