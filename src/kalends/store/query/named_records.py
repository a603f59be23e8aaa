"""Records by what somebody wrote of their names: candidates for a misspelt one, and those that a search finds events
by, as they are linked to what has a word in its name."""

from collections.abc import Sequence
from dataclasses import replace

from kalends.contract.kinds import COMPANIONS, TERMS, VENUE
from kalends.store.engine.store import Session
from kalends.store.query.record_filters import has_public_events
from kalends.store.rows import terms
from kalends.store.rows.visibility import Visibility
from kalends.store.search import parsing
from kalends.store.search.parsing import Search
from kalends.values import names, relevance

# Candidates for a misspelt name: a bounded number of records, those with the same first letter first.

SAME_LETTER = 300
ANY_LETTER = 200

Candidate = tuple[int, str, str]  # id, slug, name


def closest_terms(session: Session, kind: str, visibility: Visibility, name: str) -> list[Candidate]:
    """Categories or tags; only editors are told of those that no public event has."""
    shown = "TRUE" if visibility.everything else has_public_events(kind, "near.id", visibility)
    return _candidates(session, kind, name, shown, [])


def closest_posts(session: Session, kind: str, visibility: Visibility, name: str) -> list[Candidate]:
    """Venues or organizers that the reader may read."""
    sql, parameters = visibility.where_readable("near")
    return _candidates(session, kind, name, f"near.status <> 'trash' AND {sql}", parameters)


def _candidates(session: Session, kind: str, name: str, visible: str, parameters: list[object]) -> list[Candidate]:
    """The limits are inside the subquery, so that records the reader may not read do not make it slower."""
    first = names.slug_key(name)[:1]
    candidates: dict[int, Candidate] = {}
    for condition, bounds, most in (
        ("slug_key >= ? AND slug_key < ?", [first, f"{first}\U0010ffff"], SAME_LETTER),
        ("TRUE", [], ANY_LETTER),
    ):
        rows = session.all(
            f"SELECT near.id, near.slug, near.name FROM (SELECT * FROM {kind} WHERE {condition}"
            f" ORDER BY slug_key LIMIT {most}) near WHERE {visible}",
            [*bounds, *parameters],
        )
        candidates |= {row[0]: (row[0], row[1], row[2]) for row in rows}
    return list(candidates.values())


# Where a word of a search can stand, beside descriptions, which tell of much else.
COLUMNS: dict[str, tuple[str, ...]] = {kind.name: ("name",) for kind in COMPANIONS}
COLUMNS[VENUE.name] += ("address", "city", "state", "province", "stateprovince", "zip", "country")
SHORT = 2  # Latin letters: a word of so few is a name, or the part of nearly every one


def everywhere(session: Session, visibility: Visibility, search: Search) -> Search:
    """A search that finds its words also in the names of what events are linked to, as far as a reader knows them."""
    words = (*search.wanted, *search.unwanted)
    named = {
        word: [found for form in forms for found in _with_word(session, visibility, form)]
        for word, forms in zip(words, search.forms_of(words), strict=True)
    }
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
        found.append((kind, [id for id, *texts in rows if _has(word, "\n".join(map(names.searched, texts)))]))
    for kind in [kind.name for kind in TERMS]:
        condition = session.dialect.contains("words")
        rows = session.all(f"SELECT id, words FROM {kind} WHERE {condition} ORDER BY id", (word,))
        found.append((kind, [id for id, words in rows if _has(word, terms.name_of(words))]))
    return [(kind, ids) for kind, ids in found if ids]


def _has(word: str, text: str) -> bool:
    form = relevance.form(word, text)
    return form == relevance.WHOLE if len(word) <= SHORT and word.isascii() else form != relevance.NOWHERE


def last_country(session: Session, visibility: Visibility) -> str:
    sql, parameters = visibility.where_readable("p")
    some = f"SELECT p.country FROM venue p WHERE p.country <> '' AND p.status <> 'trash' AND {sql}"
    return str(session.value(f"{some} ORDER BY p.id DESC LIMIT 1", parameters) or "")
