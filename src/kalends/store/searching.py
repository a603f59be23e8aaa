"""What a search asks for, and the conditions that find it in the trigram index."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store.conditions import Conditions
from kalends.store.database import Session
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


def conditions(session: Session, kind: str, t: str, search: Search, *, title_only: bool = False) -> Conditions:
    """Every wanted word occurs in the record, and no unwanted one does."""
    found = Conditions()
    if search.wanted:
        _add(session, found, kind, t, search.wanted, title_only, "")
    for word in search.unwanted:
        _add(session, found, kind, t, (word,), title_only, "NOT ")
    return found


def _add(
    session: Session, found: Conditions, kind: str, t: str, words: Sequence[str], title_only: bool, negation: str
) -> None:
    inner = Conditions()
    for word in words:
        _occurs(inner, word, title_only)
    indexed = [word for word in words if _is_indexed(word)]
    if indexed:
        match, parameters = session.matching(kind, indexed, title_only=title_only)
        inner.add(match, *parameters)
        sql = f"{t}.id {negation}IN (SELECT rowid FROM {kind}_text WHERE {inner.where})"
    else:  # without the index, only the texts of what every other condition leaves are looked through
        sql = f"{negation}EXISTS (SELECT 1 FROM {kind}_text WHERE {kind}_text.rowid = {t}.id AND {inner.where})"
    found.add(sql, *inner.parameters)


def _is_indexed(word: str) -> bool:
    return len(word) >= SHORTEST_INDEXED


def _occurs(inner: Conditions, word: str, title_only: bool) -> None:
    """A word too short for the index is looked for in the text itself."""
    if _is_indexed(word):
        return
    if title_only:
        inner.add("instr(title, ?) > 0", word)
    else:
        inner.add("(instr(title, ?) > 0 OR instr(body, ?) > 0)", word, word)
