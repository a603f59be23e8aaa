"""Images as rows; their bytes are in store/files."""

import re
from collections.abc import Iterable

import msgspec

from kalends.store.engine.store import Ids, Session
from kalends.store.files.media_files import BadFileName, parts_of
from kalends.store.rows.records import POST_TYPES, Media, columns, from_row, to_row
from kalends.store.rows.visibility import Visibility
from kalends.values import names

SIZE_SUFFIX = re.compile(r"-[0-9]+x[0-9]+(?=\.[a-z]+$)")
_COLUMNS = ", ".join(columns(Media))


def find(session: Session, id: int) -> Media | None:
    return _one(session, "id = ?", id)


def find_by_source(session: Session, url: str) -> Media | None:
    return _one(session, "source_url = ?", url)


def find_many(session: Session, ids: Iterable[int]) -> dict[int, Media]:
    wanted = list(ids)
    if not wanted:
        return {}
    rows = session.all(f"SELECT {_COLUMNS} FROM media WHERE id {session.dialect.in_ids}", [Ids(wanted)])
    return {row[0]: from_row(Media, row) for row in rows}


def insert(session: Session, media: Media) -> None:
    session.insert("media", to_row(media))


def find_by_file(session: Session, file: str) -> Media | None:
    """The image of a file, which is the original or one of the sizes."""
    try:
        parts_of(file)
    except BadFileName:  # no image has such a name, and PostgreSQL rejects some of them
        return None
    return _one(session, "file = ?", file) or _one(session, "file = ?", SIZE_SUFFIX.sub("", file))


def is_any(session: Session) -> bool:
    return session.one("SELECT 1 FROM media LIMIT 1") is not None


def all_files(session: Session) -> list[str]:
    """The name of every file of every image, also in a store of an earlier version, which has fewer columns."""
    found: list[str] = []
    for file, sizes in session.all("SELECT file, sizes FROM media ORDER BY id"):
        found += [file, *(str(size["file"]) for size in msgspec.json.decode(sizes).values())]
    return found


def delete(session: Session, id: int) -> None:
    session.run("DELETE FROM media WHERE id = ?", (id,))


def describe(session: Session, id: int, alt: str, focus: str, name: str) -> None:
    """`name`: of its file, by which it is found too."""
    session.run(
        "UPDATE media SET alt = ?, focus = ?, sort_name = ? WHERE id = ?", (alt, focus, searched(name, alt), id)
    )


def searched(name: str, alt: str) -> str:
    """What a search of the library looks through, beside the name of the file here."""
    return "\n".join(names.sort_key(text) for text in (name, alt))


def change_author(session: Session, id: int, author: int) -> None:
    session.run("UPDATE media SET author = ? WHERE id = ?", (author, id))


def shown_by(session: Session, kind: str, id: int) -> list[int]:
    """The records of a kind that show the image, whoever may read them."""
    return session.column(f"SELECT id FROM {kind} WHERE image = ? ORDER BY id", (id,))


def is_in_text(session: Session, image: Media) -> bool:
    """Whether the text of a record, or of what later dates of a series get, names the image or one of its sizes."""
    stem = image.file.rpartition(".")[0]
    tables = [(kind, "description") for kind in POST_TYPES] + [("series", "template")]
    contains = session.dialect.contains
    return any(
        session.one(f"SELECT 1 FROM {table} WHERE {contains(column)} LIMIT 1", (stem,)) for table, column in tables
    )


def is_shown(session: Session, visibility: Visibility, id: int) -> bool:
    """Whether a readable record shows the image; a masked event does not."""
    for kind in POST_TYPES:
        condition, parameters = visibility.where_readable(kind)
        if kind == "event":
            opened, more = visibility.where_unmasked(kind)
            condition, parameters = f"{condition} AND {opened}", [*parameters, *more]
        if session.value(f"SELECT 1 FROM {kind} WHERE image = ? AND {condition} LIMIT 1", (id, *parameters)):
            return True
    return False


def _one(session: Session, condition: str, value: object) -> Media | None:
    row = session.one(f"SELECT {_COLUMNS} FROM media WHERE {condition}", (value,))
    return None if row is None else from_row(Media, row)
