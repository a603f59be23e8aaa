"""The SQL conditions of a list: the one builder, which turns each filter of a `ListQuery` into a condition."""

from collections.abc import Iterator, Sequence

import msgspec

from kalends.store.engine.store import Condition, Conditions, Dialect, Ids, Session, Texts, placeholders
from kalends.store.query import row_filters
from kalends.store.query.list_query import EVENT, MEDIA, TERMS, CustomCondition, ListQuery
from kalends.store.query.record_filters import companion_conditions, image_conditions, term_conditions
from kalends.store.query.word_filters import words_found, words_in_text
from kalends.store.rows.visibility import not_hidden
from kalends.store.search.parsing import Search

# An event that was in everybody's lists before it went to the trash: a sync feed reports that it is gone, and nothing
# else of it. Changes made in the trash are not public, so its last change must be a public one.
PUBLIC_BEFORE_TRASH = (
    f"e.visibility_level = 0 AND e.status = 'trash' AND e.trashed_from = 'publish' AND {not_hidden('e')}"
    " AND EXISTS (SELECT 1 FROM journal j WHERE j.rev = e.rev AND j.public = 1)"
)


def conditions(session: Session, query: ListQuery) -> Conditions:
    """The conditions of a query on a record of its kind, which SQL calls `query.alias`."""
    if query.kind == EVENT:
        return _event_conditions(session, query, "")
    found = Conditions()
    _common(found, query, session.dialect)
    if query.kind in TERMS:
        term_conditions(found, query, session.dialect)
    elif query.kind == MEDIA:
        image_conditions(found, query, session.dialect)
    else:
        companion_conditions(session, found, query)
    return found


def _common(found: Conditions, query: ListQuery, dialect: Dialect) -> None:
    """What can be asked of records of every kind."""
    t = query.alias
    if query.include is not None:
        found.add(f"{row_filters.id_of(query, dialect)} {dialect.in_ids}", Ids(query.include))
    if query.exclude:
        found.add(f"{t}.id {dialect.not_in_ids}", Ids(query.exclude))
    for one in query.among:
        found.add(
            f"{row_filters.id_of(query, dialect)} {'IN' if one.wanted else 'NOT IN'} ({one.ids})", *one.parameters
        )
    if query.authors is not None and len(query.authors) == 1:  # in the order of the index
        found.add(f"{t}.author = ?", query.authors[0])
    elif query.authors is not None:
        found.add(f"{t}.author {dialect.in_ids}", Ids(query.authors))
    if query.not_authors:
        found.add(f"{t}.author {dialect.not_in_ids}", Ids(query.not_authors))
    if query.sources is not None:
        found.add_in(f"{t}.source", query.sources)
    if query.external_id is not None:  # the second half is the condition of the partial index
        found.add(f"{t}.external_id = ? AND {t}.external_id <> ''", query.external_id)
    published = "created_utc" if query.kind == MEDIA else "date_utc"
    for condition, moment in (
        (f"{published} >", query.published_after),
        (f"{published} <", query.published_before),
        ("modified_utc >", query.modified_after),
        ("modified_utc <", query.modified_before),
    ):
        if moment is not None and query.kind not in TERMS:
            found.add(f"{t}.{condition} ?", moment)
    if query.only_editable and query.kind != MEDIA:
        found.add_condition(query.visibility.where_editable(t))


def listed_conditions(query: ListQuery) -> Conditions:
    """Those of the events that everybody's list of the same time has; an index has all of its columns."""
    conditions = query.window.conditions("e").with_condition("e.visibility_level > 0")
    return conditions.with_condition("e.series IS NULL") if query.single else conditions


def unlisted_conditions(session: Session, query: ListQuery) -> Conditions:
    """Those of the query's events that everybody's list of the same filters leaves out: they are few. A masked event
    is in everybody's lists, except for those of what it is linked to."""
    level = "< 2" if query.linked else "= 0"
    return _event_conditions(session, query, level).with_condition(f"e.visibility_level {level}")


def unlisted_hint(session: Session, query: ListQuery) -> str:
    """The index of events that are in nobody's lists; those that are linked to something are found by their links."""
    is_all = not query.linked and query.search is None and query.include is None and query.authors is None
    return session.dialect.index_hint("event_unlisted") if is_all else ""


def _event_conditions(session: Session, query: ListQuery, link_level: str) -> Conditions:
    """`link_level`: a condition on the visibility level of links, which repeat that of their event."""
    found = Conditions()
    if query.include is None:
        found.extend(query.window.conditions("e"))
    if query.trashed_since is not None:
        found.add(PUBLIC_BEFORE_TRASH)
        found.add("e.modified_utc >= ?", query.trashed_since)
    elif query.is_public_listing:
        found.add("e.visibility_level > 0")  # published and not hidden; a column of the window's index
    else:
        _readable(found, query)
    _common(found, query, session.dialect)
    # The second half is the condition of the partial index, which is not used without it.
    if query.parents is not None and len(query.parents) == 1:
        found.add("e.post_parent = ? AND e.post_parent > 0", query.parents[0])
    elif query.parents is not None:
        found.add(f"e.post_parent {session.dialect.in_ids} AND e.post_parent > 0", Ids(query.parents))
    if query.series is not None and len(query.series) == 1:
        found.add("e.series = ?", query.series[0])
    elif query.series is not None:
        found.add(f"e.series {session.dialect.in_ids} AND e.series IS NOT NULL", Ids(query.series))
    if query.single:
        found.add("e.series IS NULL")
    for name, wanted in query.by_row.items():
        found.add_condition(row_filters.condition(query, session.dialect, name, wanted))
    if query.filters_masked_fields:
        found.add_condition(query.visibility.where_unmasked("e"))
        _masked_fields(found, query, session.dialect, link_level)
    if query.search is not None:
        found.extend(words_found(session, query, query.search))
    return found


def _readable(conditions: Conditions, query: ListQuery) -> None:
    for sql, parameters in _reading_rules(query):
        # What is in everybody's lists meets all of these, and the indexes tell so without the row itself.
        by_level = query.has_published and query.authors is None and sql != "TRUE"
        conditions.add(f"(e.visibility_level > 0 OR {sql})" if by_level else sql, *parameters)


def _reading_rules(query: ListQuery) -> Iterator[Condition]:
    yield query.visibility.where_readable("e")
    if query.include is None:
        yield query.visibility.where_listed("e") if query.show_hidden else (not_hidden("e"), [])
    if query.statuses is None:
        yield "e.status <> 'trash'", []
    else:
        yield f"{query.visibility.status('e')} IN ({placeholders(query.statuses)})", [*query.statuses]


def _masked_fields(conditions: Conditions, query: ListQuery, dialect: Dialect, link_level: str) -> None:
    for kind, ids in query.linked.items():
        _linked(conditions, query, dialect, kind, ids, link_level)
    for kind, ids in query.not_linked.items():
        direct = f"l.position IS NOT NULL AND l.target {dialect.in_ids}"
        conditions.add(f"e.id NOT IN (SELECT l.event FROM event_{kind} l WHERE {direct})", Ids(ids))
    if query.near is not None:
        _linked(conditions, query, dialect, "venue", query.near)
    for kind, ids in query.also_linked:
        _linked(conditions, query, dialect, kind, ids)
    for custom in query.custom:
        _custom(conditions, query, dialect, custom)
    if query.costs is not None:
        conditions.add(f"e.cost {dialect.in_texts}", Texts(query.costs))


def _linked(
    conditions: Conditions, query: ListQuery, dialect: Dialect, kind: str, ids: Sequence[int], level: str = ""
) -> None:
    """Linked to any of these."""
    inner = Conditions()
    inner.add(f"l.target {dialect.in_ids}", Ids(ids))
    if level:
        inner.add(f"l.visibility_level {level}")
    if query.directly:
        inner.add("l.position IS NOT NULL")
    _with_row(conditions, query, dialect, f"event_{kind}", inner)


def _custom(conditions: Conditions, query: ListQuery, dialect: Dialect, wanted: CustomCondition) -> None:
    """With these values of a custom field."""
    inner, column = Conditions(), "l.number" if wanted.is_number else "l.value"
    inner.add("l.field = ?", wanted.field)
    if wanted.low is None and wanted.high is None:
        inner.add_in(column, wanted.values)
    for sign, bound in ((">=", wanted.low), ("<=", wanted.high)):
        if bound is not None:
            inner.add(f"{column} {sign} ?", bound)
    _with_row(conditions, query, dialect, "event_custom", inner)


def _with_row(conditions: Conditions, query: ListQuery, dialect: Dialect, table: str, inner: Conditions) -> None:
    """With such a row `l`. Links and custom values copy start and visibility level, so only those of the window are
    read."""
    if query.include is None:
        inner.extend(query.window.start_bounds("l"))
        if query.visibility.is_public and query.trashed_since is None:
            inner.add("l.visibility_level = 2")
    found = f"SELECT l.event FROM {table} l WHERE {inner.where}"
    conditions.add(f"{row_filters.id_of(query, dialect)} IN ({found})", *inner.parameters)


def without_word_index(session: Session, query: ListQuery, search: Search) -> Conditions:
    """The same conditions for a few events, whose texts are read."""
    found = conditions(session, msgspec.structs.replace(query, search=None))
    found.extend(words_in_text(session, query, search))
    return found
