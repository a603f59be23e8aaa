"""The words of posts, folded for search without regard to case; the database keeps an index of them."""

from kalends.store.database import Session
from kalends.store.endings import OPEN
from kalends.store.records import Event, Organizer, Post, Venue
from kalends.values import markup, names


def write(session: Session, kind: str, record: Post) -> None:
    """Keeps the words of a record; the index is only touched when they changed, or who finds them, or the day."""
    new = (*_where(session, record), *words(record))
    old = session.one(f"SELECT slot, year, reach, title, body FROM {kind}_text WHERE rowid = ?", (record.id,))
    if old == new:
        return
    if old is not None:
        erase(session, kind, record.id)
    session.run(
        f"INSERT INTO {kind}_text (rowid, slot, year, reach, title, body) VALUES (?, ?, ?, ?, ?, ?)",
        (record.id, *new),
    )


def erase(session: Session, kind: str, id: int) -> None:
    session.run(f"DELETE FROM {kind}_text WHERE rowid = ?", (id,))


def _where(session: Session, record: Post) -> tuple[int, str, int]:
    """Where in the index the words of a record are: its slot, the year that an event starts in, its reach."""
    if not isinstance(record, Event):
        return record.id, "", OPEN
    slot, reach = session.all("SELECT slot, reach FROM event WHERE id = ?", (record.id,))[0]
    return slot, record.start_local[:4], reach


def words(record: Post) -> tuple[str, str]:
    """What a search looks at: the name, and all other text. Line breaks keep the fields apart."""
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
