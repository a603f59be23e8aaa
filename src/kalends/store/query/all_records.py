"""All records of a kind in batches, for exports; and the slugs of all public pages in parts, for sitemaps."""

from kalends.store.engine.store import Session
from kalends.store.query.record_filters import has_public_events
from kalends.store.rows import posts
from kalends.store.rows.records import POST_TYPES, Post, Term, from_row, selection
from kalends.store.rows.visibility import Visibility, not_hidden

PART = 2_000  # ids in a part, so at most as many slugs: one costs about as much as a page


def address_parts(session: Session, visibility: Visibility, kind: str) -> list[tuple[int, str | None]]:
    """Each part that is not empty, and the time of its last change in UTC. Terms have no such time."""
    changed = "max(t.modified_utc)" if _is_post(kind) else "NULL"
    where, parameters = _visible(visibility, kind)
    sql = f"SELECT t.id / {PART}, {changed} FROM {kind} t WHERE {where} GROUP BY 1 ORDER BY 1"
    return [(row[0], row[1]) for row in session.all(sql, parameters)]


def addresses(session: Session, visibility: Visibility, kind: str, part: int) -> list[tuple[str, str | None]]:
    """The slug of every record in a part, and the time of its last change."""
    changed = "t.modified_utc" if _is_post(kind) else "NULL"
    where, parameters = _visible(visibility, kind)
    sql = f"SELECT t.slug, {changed} FROM {kind} t WHERE t.id >= ? AND t.id < ? AND {where} ORDER BY t.id"
    return [(row[0], row[1]) for row in session.all(sql, [part * PART, (part + 1) * PART, *parameters])]


def _is_post(kind: str) -> bool:
    return kind in POST_TYPES


def _visible(visibility: Visibility, kind: str) -> tuple[str, list[object]]:
    """What may be read without masking, and terms of public events. An event that is hidden from listings has a page,
    but no link to it."""
    if not _is_post(kind):
        return has_public_events(kind, "t.id", visibility), []
    where, parameters = visibility.where_readable("t")
    if kind != "event":
        return where, parameters
    opened, more = visibility.where_unmasked("t")
    return f"{where} AND {opened} AND {not_hidden('t')}", [*parameters, *more]


def posts_after(session: Session, kind: str, visibility: Visibility, id: int, count: int) -> list[Post]:
    """The next posts after an id that the reader may read."""
    sql, parameters = visibility.where_readable(kind)
    rows = session.all(
        f"SELECT {selection(POST_TYPES[kind], kind)} FROM {kind} WHERE id > ? AND {sql} ORDER BY id LIMIT {count}",
        (id, *parameters),
    )
    return [posts.of_row(session, kind, row) for row in rows]


def terms(session: Session, kind: str) -> list[Term]:
    """All terms; there are few."""
    return [from_row(Term, row) for row in session.all(f"SELECT {selection(Term, kind)} FROM {kind} ORDER BY id")]
