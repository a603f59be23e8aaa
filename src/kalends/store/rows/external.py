"""Finds records by where they come from: a source, and the id that the record has there."""

from collections.abc import Sequence

from kalends.store.engine.store import Session, Texts


def id_of(session: Session, kind: str, source: str, external_id: str) -> int | None:
    """The record of a kind with this source and id; an empty id names no record."""
    if not external_id:
        return None
    # The second condition is that of the partial index, which is not used without it.
    id: int | None = session.value(
        f"SELECT id FROM {kind} WHERE external_id = ? AND source = ? AND external_id <> ''", (external_id, source)
    )
    return id


def ids_of(session: Session, kind: str, source: str, external_ids: Sequence[str]) -> dict[str, int]:
    """The records of a kind that have these ids at a source."""
    where = f"external_id {session.dialect.in_texts} AND source = ? AND external_id <> ''"
    return dict(session.all(f"SELECT external_id, id FROM {kind} WHERE {where}", (Texts(external_ids), source)))


def is_of_series(session: Session, series: int, event: int) -> bool:
    """Whether the id of an event is that of its series: no other date of it has one."""
    other = "SELECT 1 FROM event WHERE series = ? AND id <> ? AND external_id <> '' LIMIT 1"
    return session.one(other, (series, event)) is None


def release(session: Session, kind: str, id: int) -> None:
    """Takes its source and its id there from a record, so that another one can have them."""
    session.run(f"UPDATE {kind} SET source = '', external_id = '' WHERE id = ?", (id,))


def exists(session: Session, kind: str, id: int) -> bool:
    """Whether there is a record of this kind and id, in the trash or not."""
    return session.one(f"SELECT 1 FROM {kind} WHERE id = ?", (id,)) is not None
