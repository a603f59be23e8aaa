"""Which records that events are linked to have a word in their names: a search finds their events, too."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract.kinds import COMPANIONS, TERMS, VENUE
from kalends.store.engine.store import Session
from kalends.store.rows import terms
from kalends.store.rows.visibility import Visibility
from kalends.store.search import parsing
from kalends.store.search.parsing import Search
from kalends.values import relevance, search_text

# Where a word of a search can stand, beside descriptions, which tell of much else.
COLUMNS: dict[str, tuple[str, ...]] = {kind.name: ("name",) for kind in COMPANIONS}
COLUMNS[VENUE.name] += ("address", "city", "state", "province", "stateprovince", "zip", "country")
SHORT = 2  # Latin letters: a word of so few is a name, or the part of nearly every one


def everywhere(session: Session, visibility: Visibility, search: Search) -> Search:
    """A search that finds its words also in the names of what events are linked to, as far as a reader knows them."""
    named = {word: _with_word(session, visibility, word) for word in (*search.wanted, *search.unwanted)}
    return replace(search, named={word: records for word, records in named.items() if records})


def _with_word(session: Session, visibility: Visibility, word: str) -> list[tuple[str, Sequence[int]]]:
    found = []
    for kind, columns in COLUMNS.items():
        readable, parameters = visibility.where_readable("p")
        has_word = parsing.conditions(session, kind, "p", Search((word,), ()))
        rows = session.all(
            f"SELECT p.id, {', '.join(f'p.{column}' for column in columns)} FROM {kind} p"
            f" WHERE p.status <> 'trash' AND {readable} AND {has_word.where} ORDER BY p.id",
            [*parameters, *has_word.parameters],
        )
        found.append((kind, [id for id, *texts in rows if _has(word, "\n".join(map(search_text.plain, texts)))]))
    for kind in [kind.name for kind in TERMS]:
        condition = session.dialect.contains("words")
        rows = session.all(f"SELECT id, words FROM {kind} WHERE {condition} ORDER BY id", (word,))
        found.append((kind, [id for id, words in rows if _has(word, terms.name_of(words))]))
    return [(kind, ids) for kind, ids in found if ids]


def _has(word: str, text: str) -> bool:
    form = relevance.form(word, text)
    return form == relevance.WHOLE if len(word) <= SHORT and word.isascii() else form != relevance.NOWHERE
