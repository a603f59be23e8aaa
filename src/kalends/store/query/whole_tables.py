"""All records of a kind, in batches, for exports."""

from kalends.store.engine.store import Session
from kalends.store.rows import posts
from kalends.store.rows.records import POST_TYPES, Post, Term, columns, from_row
from kalends.store.rows.visibility import Visibility


def posts_after(session: Session, kind: str, visibility: Visibility, id: int, count: int) -> list[Post]:
    """The next posts after an id that the reader may read."""
    sql, parameters = visibility.where_readable(kind)
    rows = session.all(
        f"SELECT {', '.join(columns(POST_TYPES[kind]))} FROM {kind} WHERE id > ? AND {sql} ORDER BY id LIMIT {count}",
        (id, *parameters),
    )
    return [posts.of_row(session, kind, row) for row in rows]


def terms(session: Session, kind: str) -> list[Term]:
    """All terms; there are few."""
    return [from_row(Term, row) for row in session.all(f"SELECT {', '.join(columns(Term))} FROM {kind} ORDER BY id")]
