"""Images as rows; their bytes are in store/files."""

import re
from collections.abc import Iterable

import msgspec

from kalends.store.engine.store import Session, placeholders
from kalends.store.files.media_files import BadFileName, parts_of
from kalends.store.rows.records import POST_TYPES, Media
from kalends.store.rows.tables import Table
from kalends.store.rows.visibility import Visibility
from kalends.values import names

SIZE_SUFFIX = re.compile(r"-[0-9]+x[0-9]+(?=\.[a-z]+$)")
_MEDIA = Table("media", Media)


def find(session: Session, id: int) -> Media | None:
    return _MEDIA.one(session, "id = ?", (id,))


def find_by_source(session: Session, url: str) -> Media | None:
    return _MEDIA.one(session, "source_url = ?", (url,))


def find_many(session: Session, ids: Iterable[int]) -> dict[int, Media]:
    return _MEDIA.by_id(session, list(ids))


def insert(session: Session, media: Media) -> None:
    _MEDIA.insert(session, media)


def find_by_file(session: Session, file: str) -> Media | None:
    """The image of a file, which is the original or one of the sizes."""
    try:
        parts_of(file)
    except BadFileName:  # no image has such a name, and PostgreSQL rejects some of them
        return None
    original = SIZE_SUFFIX.sub("", file)
    return _MEDIA.one(session, "file = ?", (file,)) or _MEDIA.one(session, "file = ?", (original,))


def is_any(session: Session) -> bool:
    return session.one("SELECT 1 FROM media LIMIT 1") is not None


def all_files(session: Session) -> list[str]:
    """The name of every file of every image."""
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
    return "\n".join(map(names.searched, (name, alt)))


def change_author(session: Session, id: int, author: int) -> None:
    session.run("UPDATE media SET author = ? WHERE id = ?", (author, id))


def used_by(session: Session, kind: str, id: int) -> list[int]:
    """The records of a kind that show the image, whoever may read them."""
    return session.column(f"SELECT id FROM {kind} WHERE image = ? ORDER BY id", (id,))


def uses(session: Session, visibility: Visibility, kind: str, id: int, most: int) -> list[int]:
    """Some readable records of a kind that show the image."""
    condition, parameters = visibility.where_readable(kind)
    sql = f"SELECT id FROM {kind} WHERE image = ? AND {condition} ORDER BY id LIMIT ?"
    return session.column(sql, (id, *parameters, most))


def count_uses(session: Session, visibility: Visibility, kind: str, id: int) -> int:
    """How many readable records of a kind show the image."""
    condition, parameters = visibility.where_readable(kind)
    return int(session.value(f"SELECT count(*) FROM {kind} WHERE image = ? AND {condition}", (id, *parameters)))


def is_of_others(session: Session, visibility: Visibility, kind: str, id: int) -> bool:
    """Whether a record of a kind shows the image that the reader may not change."""
    condition, parameters = visibility.where_editable(kind)
    sql = f"SELECT 1 FROM {kind} WHERE image = ? AND NOT {condition} LIMIT 1"
    return session.one(sql, (id, *parameters)) is not None


def is_in_text(session: Session, image: Media) -> bool:
    """Whether the text of a record, or of what later dates of a series get, names the image or one of its sizes."""
    stem = image.file.rpartition(".")[0]
    tables = [(kind, "description") for kind in POST_TYPES] + [("series", "template")]
    contains = session.dialect.contains
    return any(
        session.one(f"SELECT 1 FROM {table} WHERE {contains(column)} LIMIT 1", (stem,)) for table, column in tables
    )


def is_in_visible_text(session: Session, visibility: Visibility, image: Media, trusted_roles: Iterable[str]) -> bool:
    """Whether the text of a readable event shows the image, a masked one's does not. Whoever knows its name can write
    it into a text: only who uploaded the image, or may read everything, shows it by that."""
    readable, parameters = visibility.where_readable("event")
    opened, more = visibility.where_unmasked("event")
    files = [image.file, *(str(size["file"]) for size in image.sizes.values())]
    contains = session.dialect.contains("description")
    roles = list(trusted_roles)
    sql = (
        f"SELECT 1 FROM event WHERE {session.dialect.position}(description, '<img') > 0 "  # as its index has it
        f"AND ({' OR '.join([contains] * len(files))}) AND {readable} AND {opened} AND (author = ? OR author IN "
        f'(SELECT id FROM "user" WHERE role IN ({placeholders(roles)}))) LIMIT 1'
    )
    written = [f"/{file}" for file in files]
    return session.one(sql, (*written, *parameters, *more, image.author, *roles)) is not None


def is_visible(session: Session, visibility: Visibility, id: int) -> bool:
    """Whether a readable record shows the image; a masked event does not."""
    for kind in POST_TYPES:
        condition, parameters = visibility.where_readable(kind)
        if kind == "event":
            opened, more = visibility.where_unmasked(kind)
            condition, parameters = f"{condition} AND {opened}", [*parameters, *more]
        if session.value(f"SELECT 1 FROM {kind} WHERE image = ? AND {condition} LIMIT 1", (id, *parameters)):
            return True
    return False
