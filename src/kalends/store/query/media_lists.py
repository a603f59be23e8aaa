"""Lists of images: those that a reader may see."""

from collections.abc import Sequence
from dataclasses import dataclass

from kalends.store.engine.conditions import Conditions
from kalends.store.engine.store import Ids, Session
from kalends.store.rows.records import POST_TYPES
from kalends.store.rows.visibility import Visibility
from kalends.values import names

ORDER_COLUMNS = {
    "date": "created_utc",
    "modified": "created_utc",
    "slug": "file",
    "title": "file",
    "author": "author",
}


@dataclass(frozen=True, slots=True)
class MediaQuery:
    """Which images a list has, and in which order. A filter that is None or empty does not apply."""

    visibility: Visibility
    user: int = 0  # sees the images that they uploaded
    search: str | None = None  # a part of the file name
    words: str | None = None  # a part of the file name, here or as it was uploaded, or of what it shows
    slugs: Sequence[str] | None = None  # file names without folder and extension
    include: Sequence[int] | None = None
    exclude: Sequence[int] = ()
    authors: Sequence[int] | None = None
    not_authors: Sequence[int] = ()
    mime_type: str | None = None
    created_after: str | None = None
    created_before: str | None = None
    only_own: bool = False  # only what the reader may change
    unused: bool = False  # no record shows it
    logo: str = ""  # the file that the site shows, which is in use
    nothing: bool = False
    order: str = "date"
    descending: bool = True


def total(session: Session, query: MediaQuery) -> int:
    found = conditions(session, query)
    return int(session.value(f"SELECT count(*) FROM media m WHERE {found.where}", found.parameters))


def page(session: Session, query: MediaQuery, limit: int, offset: int) -> list[int]:
    found = conditions(session, query)
    direction = "DESC" if query.descending else "ASC"
    column = ORDER_COLUMNS.get(query.order, "id")
    order = f"m.id {direction}" if column == "id" else f"m.{column} {direction}, m.id {direction}"
    return session.column(
        f"SELECT m.id FROM media m WHERE {found.where} ORDER BY {order} LIMIT ? OFFSET ?",
        [*found.parameters, limit, offset],
    )


def conditions(session: Session, query: MediaQuery) -> Conditions:
    found, dialect = Conditions(), session.dialect
    _seen(found, query)
    if query.unused:
        for kind in POST_TYPES:
            found.add(f"NOT EXISTS (SELECT 1 FROM {kind} p WHERE p.image = m.id)")
        # It may be one of the smaller sizes.
        found.add("m.file <> ? AND m.sizes NOT LIKE ? ESCAPE '!'", query.logo, f'%"{_escaped(query.logo)}"%')
    if query.nothing:
        found.add("FALSE")
    if query.search is not None:
        found.add(dialect.contains("m.file"), names.fold(query.search))
    if query.words is not None:
        found.add(
            f"({dialect.contains('m.file')} OR {dialect.contains('m.sort_name')})",
            *(names.fold(query.words), names.sort_key(query.words)),
        )
    if query.slugs is not None:
        # A file name has one form of a slug, and its folder is a year and a month.
        found.add(
            "(" + " OR ".join("m.file LIKE ? ESCAPE '!'" for _ in query.slugs) + ")",
            *(f"____/__/{_escaped(slug)}.%" for slug in query.slugs),
        )
    if query.include is not None:
        found.add(f"m.id {dialect.in_ids}", Ids(query.include))
    if query.exclude:
        found.add(f"m.id {dialect.not_in_ids}", Ids(query.exclude))
    if query.authors is not None:
        found.add(f"m.author {dialect.in_ids}", Ids(query.authors))
    if query.not_authors:
        found.add(f"m.author {dialect.not_in_ids}", Ids(query.not_authors))
    for sql, value in (
        ("m.mime_type = ?", query.mime_type),
        ("m.created_utc > ?", query.created_after),
        ("m.created_utc < ?", query.created_before),
    ):
        if value is not None:
            found.add(sql, value)
    return found


def _seen(found: Conditions, query: MediaQuery) -> None:
    """The rule of `can_see_image` as a condition: a readable record shows it, or the reader uploaded it."""
    if query.visibility.everything:
        return
    seen, parameters = ["m.author = ?"] if query.user else [], [query.user] if query.user else list[object]()
    if not query.only_own:
        for kind in POST_TYPES:
            shown, more = query.visibility.where_readable("p")
            if kind == "event":
                opened, opened_parameters = query.visibility.where_unmasked("p")
                shown, more = f"{shown} AND {opened}", [*more, *opened_parameters]
            seen.append(f"EXISTS (SELECT 1 FROM {kind} p WHERE p.image = m.id AND {shown})")
            parameters += more
    found.add(f"({' OR '.join(seen)})" if seen else "FALSE", *parameters)


def _escaped(text: str) -> str:
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    return text
