"""The conditions that events have the words of a search, by the word index or in their texts."""

from collections.abc import Sequence
from functools import partial

from kalends.store.engine.store import Condition, Conditions, Dialect, Ids, Session
from kalends.store.query.list_query import ListQuery, Window
from kalends.store.rows import search_rows
from kalends.store.search import parsing
from kalends.store.search.parsing import Search
from kalends.store.search.word_matches import SearchScope


def words_found(session: Session, query: ListQuery, search: Search) -> Conditions:
    """The event has the words. One that is in the name of what it is linked to may be missing in its text."""
    scope = search_scope(session, query)
    alone = search.only(*([word for word in words if word not in search.named] for words in search.words))
    found = parsing.conditions(session, "event", "e", alone, opened(query), scope)
    # The column by which the word index finds events.
    key = "search_row" if session.dialect.has_suffix_index else "id"
    for sign, word in _named_words(search, "IN", "NOT IN"):
        text = parsing.conditions(session, "event", "t", search.only([word]), opened(query, "t"), scope)
        linked, parameters = _linked_to_any(session.dialect, query, search.named[word], f"t.{key}")
        sql = f"SELECT t.{key} FROM event t WHERE {text.where} UNION ALL {linked}"
        found.add(f"e.{key} {sign} ({sql})", *text.parameters, *parameters)
    return found


def _named_words(search: Search, *signs: str) -> list[tuple[str, str]]:
    """The words that are in names, each with the sign of wanted or of unwanted ones."""
    pairs = zip(signs, search.words, strict=True)
    return [(sign, word) for sign, words in pairs for word in words if word in search.named]


def _linked_to_any(
    dialect: Dialect, query: ListQuery, records: Sequence[tuple[str, Sequence[int]]], column: str
) -> Condition:
    """A query for the events `t` that show the reader any of these records."""
    queries, parameters = list[str](), list[object]()
    for kind, ids in records:
        inner = Conditions()
        inner.add(f"l.target {dialect.in_ids}", Ids(ids))
        if query.include is None:
            inner.extend(query.window.start_bounds("l"))
        if query.is_public_listing:
            inner.add("l.visibility_level = 2")
        else:
            inner.add_condition(query.visibility.where_unmasked("t"))
        source = f"event_{kind} l {dialect.ordered_join} event t ON t.id = l.event"
        queries.append(f"SELECT {column} FROM {source} WHERE {inner.where}")
        parameters += inner.parameters
    return " UNION ALL ".join(queries), parameters


def opened(query: ListQuery, t: str = "e") -> Condition:
    """The condition that the reader sees all fields of an event."""
    # In a public listing the visibility level says the same, and the index has it.
    return (f"{t}.visibility_level = 2", []) if query.is_public_listing else query.visibility.where_unmasked(t)


def words_in_text(session: Session, query: ListQuery, search: Search) -> Conditions:
    """The condition that the text of an event `e` has the words, as far as the query's reader may read it."""
    dialect = session.dialect
    alone = search.only(*([word for word in words if word not in search.named] for words in search.words))
    found = parsing.text_conditions(dialect, alone, opened(query))
    for sign, word in _named_words(search, "", "NOT "):
        text = parsing.text_conditions(dialect, search.only([word]), opened(query))
        linked, parameters = _linked_to_any(dialect, query, search.named[word], "t.id")
        found.add(f"{sign}({text.where} OR e.id IN ({linked}))", *text.parameters, *parameters)
    return found


def search_scope(session: Session, query: ListQuery) -> SearchScope:
    """The part of the word index that can have the query's events."""
    if query.include is not None:
        return SearchScope(partial(Window().years, session))
    return SearchScope(
        partial(query.window.years, session),
        search_rows.between(session, *query.window.starts()),
        unlisted=not query.has_published,
        listed=query.is_public_listing,
    )
