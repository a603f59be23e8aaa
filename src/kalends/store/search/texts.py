"""The texts of posts for searching, case-folded; the database maintains an index of them."""

from kalends.store.engine.store import Row, Session
from kalends.store.rows.records import Event, Organizer, Post, Venue
from kalends.values import markup, names


def add(session: Session, kind: str, record: Post, row_id: int, visibility_level: int) -> None:
    """Adds the text of a new record."""
    _insert(session, kind, record.id, _row(record, row_id, visibility_level))


def replace(session: Session, kind: str, record: Post, row_id: int, visibility_level: int) -> None:
    """Updates the text of a changed record. The index is written only if text, visibility level or day changed."""
    new = _row(record, row_id, visibility_level)
    old = session.one(
        f"SELECT search_row, year, visibility_level, title, body FROM {kind}_text WHERE rowid = ?", (record.id,)
    )
    if old == new:
        return
    if old is not None:
        erase(session, kind, record.id)
    _insert(session, kind, record.id, new)


def erase(session: Session, kind: str, id: int) -> None:
    session.run(f"DELETE FROM {kind}_text WHERE rowid = ?", (id,))


def _row(record: Post, row_id: int, visibility_level: int) -> Row:
    """The words, and what places them in the index: search row id, year of the start, visibility level."""
    year = record.start_local[:4] if isinstance(record, Event) else ""
    return row_id, year, visibility_level, *words(record)


def _insert(session: Session, kind: str, id: int, row: Row) -> None:
    session.run(
        f"INSERT INTO {kind}_text (rowid, search_row, year, visibility_level, title, body) VALUES (?, ?, ?, ?, ?, ?)",
        (id, *row),
    )


def words(record: Post) -> tuple[str, str]:
    """The text that is searched: the name, and all other fields, separated by line breaks."""
    parts = [markup.text_of(record.excerpt), markup.text_of(record.description), *_lines(record)]
    return names.fold(record.name), names.fold("\n".join(part for part in parts if part))


def _lines(record: Post) -> list[str]:
    match record:
        case Event():
            return []
        case Venue():
            return [
                record.address,
                record.city,
                record.country,
                record.province,
                record.state,
                record.zip,
                record.phone,
                record.website,
                record.stateprovince,
            ]
        case Organizer():
            return [record.phone, record.website, record.email]
        case _:
            raise TypeError(type(record))
