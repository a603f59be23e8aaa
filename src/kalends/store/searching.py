"""What a search asks for, and the conditions that find it in the trigram index."""

import re
from dataclasses import dataclass

from kalends.store.conditions import Conditions
from kalends.values import names

PART = re.compile(r'(-?)"([^"]*)"|(\S+)')
SHORTEST_INDEXED = 3


@dataclass(frozen=True, slots=True)
class Search:
    """Words that must occur and words that must not, folded. A quoted phrase is one word."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def parse(text: str) -> Search:
    wanted: list[str] = []
    unwanted: list[str] = []
    for minus, phrase, word in PART.findall(text):
        if not phrase and word.startswith("-") and len(word) > 1:
            minus, word = "-", word[1:]
        folded = names.fold(" ".join((phrase or word).split()))
        if folded:
            (unwanted if minus else wanted).append(folded)
    return Search(tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(unwanted)))


def conditions(kind: str, t: str, search: Search, *, title_only: bool = False) -> Conditions:
    """Every wanted word occurs in the record, and no unwanted one does."""
    found = Conditions()
    if search.wanted:
        inner = Conditions()
        for word in search.wanted:
            _occurs(inner, kind, word, title_only)
        _join_matches(inner, kind, [w for w in search.wanted if _is_indexed(w)], title_only)
        found.add(f"{t}.id IN (SELECT rowid FROM {kind}_text WHERE {inner.where})", *inner.parameters)
    for word in search.unwanted:
        inner = Conditions()
        _occurs(inner, kind, word, title_only)
        _join_matches(inner, kind, [word] if _is_indexed(word) else [], title_only)
        found.add(f"{t}.id NOT IN (SELECT rowid FROM {kind}_text WHERE {inner.where})", *inner.parameters)
    return found


def _is_indexed(word: str) -> bool:
    return len(word) >= SHORTEST_INDEXED


def _occurs(inner: Conditions, kind: str, word: str, title_only: bool) -> None:
    """A word too short for the index is looked for in the text itself."""
    if _is_indexed(word):
        return
    if title_only:
        inner.add("instr(title, ?) > 0", word)
    else:
        inner.add("(instr(title, ?) > 0 OR instr(body, ?) > 0)", word, word)


def _join_matches(inner: Conditions, kind: str, words: list[str], title_only: bool) -> None:
    if words:
        column = "{title} : " if title_only else ""
        query = " AND ".join(column + '"' + word.replace('"', '""') + '"' for word in words)
        inner.add(f"{kind}_text MATCH ?", query)
