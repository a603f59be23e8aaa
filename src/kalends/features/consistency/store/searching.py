"""Whether what serves search and order agrees with the records: texts, keys, row ids and the word index."""

from collections.abc import Iterator
from typing import Any

from kalends.features.consistency.store.problem import Problem
from kalends.store.engine.store import Session
from kalends.store.rows import posts, search_rows, terms
from kalends.store.rows.records import POST_TYPES, Event, Post, Term, from_row, selection
from kalends.store.search import word_index
from kalends.values import names

AT_ONCE = 500


def records(session: Session) -> Iterator[Problem]:
    """Records whose keys, row ids or texts are not those that the record has."""
    for kind, type_ in POST_TYPES.items():
        more = ["slug_key", "sort_name"]
        more += ["span", "search_row", "visibility_level"] if type_ is Event else []
        for row in _rows(session, kind, [selection(type_, kind), *more]):
            record = from_row(type_, row[: -len(more)])
            yield from _post(session, kind, record, dict(zip(more, row[-len(more) :], strict=True)))
        yield from _texts(session, kind)
    for kind in ("category", "tag"):
        for row in _rows(session, kind, [selection(Term, kind), "slug_key", "sort_name", "name_key", "words"]):
            term = from_row(Term, row[:-4])
            keys = names.slug_key(term.slug), names.sort_key(term.name), terms.name_key(term.name)
            if row[-4:] != (*keys, terms.words(term.name, term.slug)):
                yield Problem(kind, term.id, f"The {kind} {term.id} cannot be found by its name.")


def rows_twice(session: Session) -> Iterator[Problem]:
    """Events with one row id in the word index, and texts of records that are not there."""
    for row_id in session.column("SELECT search_row FROM event GROUP BY search_row HAVING count(*) > 1"):
        for id in session.column("SELECT id FROM event WHERE search_row = ? ORDER BY id", (row_id,))[1:]:
            yield Problem("event", id, f"The event {id} shares its row in the word index.", repairable=False)
    for kind in POST_TYPES:
        for id in session.column(
            f"SELECT t.rowid FROM {kind}_text t LEFT JOIN {kind} r ON r.id = t.rowid WHERE r.id IS NULL ORDER BY 1"
        ):
            yield Problem(kind, id, f"Search finds the {kind} {id}, which does not exist.")


def words(session: Session) -> Iterator[Problem]:
    """Texts of which the word index has other words. While it is rebuilt there is nothing to compare."""
    if not session.has_table("event_words"):  # PostgreSQL maintains its index itself
        return
    for kind in POST_TYPES:
        if not word_index.is_complete(session, kind):
            continue
        found = word_index.measured(session, kind)
        for row_id, tokens in word_index.tokens(session, kind):
            if found.pop(row_id, (0, 0)) != (len(tokens), sum(len(token.encode()) for token in tokens)):
                yield Problem(
                    kind, row_id, f"The word index has other words of a text ({kind}) than there are in it."
                )
        for row_id in found:
            yield Problem(kind, row_id, f"The word index has words of a text ({kind}) that does not exist.")


def _post(session: Session, kind: str, record: Post, found: dict[str, Any]) -> Iterator[Problem]:
    right = posts.row_of(record)
    if any(found[name] != right[name] for name in found if name in right):
        yield Problem(kind, record.id, f"The {kind} {record.id} cannot be found by its name or its length.")
    if isinstance(record, Event) and search_rows.day_of(found["search_row"]) != search_rows.day_number(
        record.start_local
    ):
        yield Problem(kind, record.id, f"Search has the event {record.id} on another day.")


def _texts(session: Session, kind: str) -> Iterator[Problem]:
    type_, last = POST_TYPES[kind], 0
    place = "r.search_row, substr(r.start_local, 1, 4), r.visibility_level" if kind == "event" else "r.id, '', 2"
    names_ = selection(type_, "r", "r.")
    while rows := session.all(
        f"SELECT {names_}, {place}, t.search_row, t.year, t.visibility_level, t.title, t.body FROM {kind} r"
        f" LEFT JOIN {kind}_text t ON t.rowid = r.id WHERE r.id > ? ORDER BY r.id LIMIT {AT_ONCE}",
        (last,),
    ):
        for row in rows:
            record = from_row(type_, row[:-8])
            if row[-5:] != (*row[-8:-5], *search_rows.words(record, search_rows.searched_keys(session, [record]))):
                yield Problem(kind, record.id, f"Search has another text of the {kind} {record.id}.")
        last = rows[-1][0]


def _rows(session: Session, kind: str, wanted: list[str]) -> Iterator[tuple[Any, ...]]:
    last = 0
    while rows := session.all(
        f"SELECT {', '.join(wanted)} FROM {kind} WHERE id > ? ORDER BY id LIMIT {AT_ONCE}", (last,)
    ):
        yield from rows
        last = rows[-1][0]
