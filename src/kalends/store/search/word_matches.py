"""Which texts contain some words: the subqueries by which each database's word index finds them."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from kalends.store.engine import suffix_index
from kalends.store.engine.store import Conditions, Session
from kalends.store.engine.suffix_index import LONGEST_TEXT, MASKED, OPEN, Forms
from kalends.store.rows.search_rows import Ranges
from kalends.store.search import word_index

ANY_YEAR = ("",)  # the year of records that have none
SHORTEST_TRIGRAMS = 3  # letters of a word that PostgreSQL's index finds
ESCAPED = str.maketrans({letter: f"\\{letter}" for letter in "\\%_"})  # special characters of LIKE


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The part of the word index that can have the records of a query. It only saves work: an index may also return
    records outside of it."""

    years: Callable[[], Sequence[str]] = lambda: ANY_YEAR  # called only if the index is partitioned by years
    row_ids: Ranges | None = None  # of events
    unlisted: bool = False  # only records that are in nobody's lists
    listed: bool = False  # as everybody finds records: none that are unlisted, masked ones only by their titles


@dataclass(frozen=True, slots=True)
class WordMatches:
    """A subquery for the records whose texts contain some words; `key` is the column that it returns. It misses none.
    `exact`: each of them contains all the words. `listed`: it returns only what everybody finds."""

    key: str
    sql: str
    parameters: list[Any]
    exact: bool
    listed: bool


def any_of(condition: str, count: int) -> str:
    """That a condition with one parameter is met by any of so many."""
    return condition if count == 1 else f"({' OR '.join([condition] * count)})"


def matches(session: Session, kind: str, words: Sequence[Forms], scope: SearchScope) -> WordMatches | None:
    """The records of a kind whose texts contain all these words, each in one of its forms; None if the word index
    cannot tell."""
    find = _by_suffixes if session.dialect.has_suffix_index else _by_trigrams
    return find(session, kind, words, scope)


def listed_row_ids(session: Session, words: Sequence[Forms], scope: SearchScope) -> list[int] | None:
    """The search row ids of the events in which everybody finds all these words, in no order; None if the word index
    alone cannot tell."""
    if not session.dialect.has_suffix_index or scope.row_ids is None:
        return None
    found = _by_suffixes(session, "event", words, scope)
    if found is None or not found.exact:
        return None
    # Fetching one JSON text takes a fraction of the time of as many rows.
    text = session.value(f"SELECT json_group_array(search_row) FROM ({found.sql})", found.parameters)
    return msgspec.json.decode(text, type=list[int])


def _by_suffixes(session: Session, kind: str, words: Sequence[Forms], scope: SearchScope) -> WordMatches | None:
    """By the suffixes of words; the texts that are too long for that index are read."""
    if not word_index.is_complete(session, kind):
        return None
    query = suffix_index.query(words, scope.years(), listed=scope.listed, unlisted=scope.unlisted)
    if not query:
        return None
    sql, parameters = list[str](), list[object]()
    for rows in [None] if scope.row_ids is None else scope.row_ids:
        indexed, long = Conditions(), Conditions()
        indexed.add(f"{kind}_words MATCH ?", query)
        long.add(f"length(CAST(title AS BLOB)) + length(CAST(body AS BLOB)) > {LONGEST_TEXT}")
        if rows is not None:
            indexed.add("rowid >= ? AND rowid < ?", *rows)
            long.add("search_row >= ? AND search_row < ?", *rows)
        if scope.listed:
            long.add("visibility_level > 0")
        for forms in words:
            in_title, in_body = (any_of(f"instr({column}, ?) > 0", len(forms)) for column in ("title", "body"))
            body = f"visibility_level = {OPEN} AND {in_body}" if scope.listed else in_body
            long.add(f"({in_title} OR {body})", *forms, *forms)
        sql += [
            f"SELECT rowid AS search_row FROM {kind}_words WHERE {indexed.where}",
            f"SELECT search_row FROM {kind}_text INDEXED BY {kind}_text_long WHERE {long.where}",
        ]
        parameters += indexed.parameters + long.parameters
    key = "search_row" if kind == "event" else "id"
    return WordMatches(key, " UNION ALL ".join(sql), parameters, suffix_index.is_exact(words), scope.listed)


def _by_trigrams(session: Session, kind: str, words: Sequence[Forms], scope: SearchScope) -> WordMatches | None:
    indexed = [forms for forms in words if min(map(len, forms)) >= SHORTEST_TRIGRAMS]
    if not indexed:
        return None
    found, titles = Conditions(), Conditions()
    for forms in indexed:
        # Must be the expression of the index.
        has_part = any_of("title || chr(10) || body LIKE ?", len(forms))
        found.add(has_part, *("%" + form.translate(ESCAPED) + "%" for form in forms))
        titles.add(any_of(session.dialect.contains("title"), len(forms)), *forms)
    if scope.row_ids is not None:
        # With both indexes only the texts of the window are read.
        ranges = " OR ".join("search_row >= ? AND search_row < ?" for _ in scope.row_ids)
        found.add(f"({ranges})", *itertools.chain.from_iterable(scope.row_ids))
    if scope.unlisted:
        found.add("visibility_level = 0")
    if scope.listed:
        found.add(
            f"(visibility_level = {OPEN} OR visibility_level = {MASKED} AND {titles.where})", *titles.parameters
        )
    sql = f"SELECT rowid FROM {kind}_text WHERE {found.where}"
    return WordMatches("id", sql, found.parameters, exact=len(indexed) == len(words), listed=scope.listed)
