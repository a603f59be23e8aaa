"""Events, venues and organizers as rows: one set of queries for the three tables."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from kalends.store.engine.store import Ids, Row, Session, Texts, placeholders
from kalends.store.rows import search_rows
from kalends.store.rows.records import POST_TYPES, Companion, Event, Post, from_row, selection, to_row
from kalends.store.rows.visibility import PUBLIC, Visibility
from kalends.values import dates, names


def find(session: Session, kind: str, id: int) -> Post | None:
    return _one(session, kind, "id = ?", id)


def find_by_slug(session: Session, kind: str, slug: str) -> Post | None:
    return _one(session, kind, "slug_key = ?", names.slug_key(slug))


def id_of_slug(session: Session, kind: str, slug: str) -> int | None:
    id: int | None = session.value(f"SELECT id FROM {kind} WHERE slug_key = ?", (names.slug_key(slug),))
    return id


def ids_of_slugs(session: Session, kind: str, slugs: Iterable[str]) -> list[int]:
    """The ids of records or terms with these slugs, in their order."""
    keys = list(dict.fromkeys(names.slug_key(slug) for slug in slugs))
    named = f"SELECT slug_key, id FROM {kind} WHERE slug_key {session.dialect.in_texts}"
    by_key: dict[str, int] = dict(session.all(named, [Texts(keys)])) if keys else {}
    return [by_key[key] for key in keys if key in by_key]


def find_many(session: Session, kind: str, ids: Iterable[int]) -> dict[int, Post]:
    wanted = list(ids)
    if not wanted:
        return {}
    rows = session.all(f"SELECT {_columns(kind)} FROM {kind} WHERE id {session.dialect.in_ids}", [Ids(wanted)])
    return {row[0]: of_row(session, kind, row) for row in rows}


def find_named(session: Session, kind: str, name: str, visibility: Visibility) -> list[Post]:
    """Readable records of exactly this name, oldest first."""
    sql, parameters = visibility.where_readable(kind)
    rows = session.all(
        f"SELECT {_columns(kind)} FROM {kind} WHERE sort_name = ? AND name = ? AND {sql} ORDER BY id LIMIT 50",
        (names.sort_key(name), name, *parameters),
    )
    return [of_row(session, kind, row) for row in rows]


def find_folded(session: Session, kind: str, name: str, visibility: Visibility) -> list[Post]:
    """Readable records of this name, without regard to case and accents; those of exactly this name first."""
    sql, parameters = visibility.where_readable(kind)
    rows = session.all(
        f"SELECT {_columns(kind)} FROM {kind} WHERE sort_name = ? AND {sql} ORDER BY id LIMIT 50",
        (names.sort_key(name), *parameters),
    )
    found = sorted((of_row(session, kind, row) for row in rows), key=lambda post: post.name != name)
    # The key has only the beginning of a long name.
    return found if len(name) < names.LONGEST else [post for post in found if post.name == name]


def insert(session: Session, kind: str, record: Companion) -> None:
    """Writes a new venue or organizer."""
    row = row_of(record)
    session.run(_insert_statement(kind, tuple(row)), [*row.values()])
    search_rows.add(session, kind, record)


def update(session: Session, kind: str, record: Companion) -> None:
    """Writes a changed venue or organizer."""
    row = row_of(record)
    session.run(_update_statement(kind, tuple(row)), [*row.values(), record.id])
    search_rows.replace(session, kind, record)


@cache
def _insert_statement(kind: str, names: tuple[str, ...]) -> str:
    return f"INSERT INTO {kind} ({', '.join(names)}) VALUES ({placeholders(names)})"


@cache
def _update_statement(kind: str, names: tuple[str, ...]) -> str:
    return f"UPDATE {kind} SET {', '.join(f'{name} = ?' for name in names)} WHERE id = ?"


def delete(session: Session, kind: str, id: int) -> None:
    session.run(f"DELETE FROM {kind} WHERE id = ?", (id,))
    search_rows.erase(session, kind, id)


def free_slug(session: Session, kind: str, wanted: str, except_id: int) -> str:
    """The slug itself, or with the first number that is free: `-2`, `-3`…"""

    def is_used(slug: str) -> bool:
        found = session.value(f"SELECT id FROM {kind} WHERE slug_key = ?", (names.slug_key(slug),))
        return found is not None and found != except_id

    if not is_used(wanted):
        return wanted
    # Exponential, then binary search: a thousand events of one title must not take a thousand queries.
    low, high = 1, 2
    while is_used(names.numbered(wanted, high)):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_used(names.numbered(wanted, middle)) else (low, middle)
    return names.numbered(wanted, high)


def due(session: Session, kind: str, now: str, most: int) -> list[Post]:
    """The first posts whose publication date has come."""
    wanted = "status = 'future' AND date_utc <= ? ORDER BY date_utc, id LIMIT ?"
    rows = session.all(f"SELECT {_columns(kind)} FROM {kind} WHERE {wanted}", (now, most))
    return [from_row(POST_TYPES[kind], row) for row in rows]


def _one(session: Session, kind: str, condition: str, value: object) -> Post | None:
    row = session.one(f"SELECT {_columns(kind)} FROM {kind} WHERE {condition}", (value,))
    return None if row is None else of_row(session, kind, row)


def of_row(session: Session, kind: str, row: Row) -> Post:
    """A post from its columns. One that is due has the status that it gets."""
    post = from_row(POST_TYPES[kind], row)
    if post.id in session.due:
        post.status = PUBLIC
        if isinstance(post, Companion):
            post.waiting = False
    return post


@cache
def _columns(kind: str) -> str:
    return selection(POST_TYPES[kind], kind)


def row_of(record: Post) -> dict[str, Any]:
    """The columns of a record, with those that only serve search and order."""
    row = to_row(record)
    row["slug_key"] = names.slug_key(record.slug)
    row["sort_name"] = names.sort_key(record.name)
    if isinstance(record, Event):
        row["span"] = span(record.start_local, record.end_local)
    return row


def span(start_local: str, end_local: str) -> int:
    """The number of binary digits of the length in days: 0 within a day, 1 for one day, 2 for two or three…"""
    days = (dates.from_text(end_local).date() - dates.from_text(start_local).date()).days
    return max(days, 0).bit_length()
