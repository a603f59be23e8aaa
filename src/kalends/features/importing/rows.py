"""What imports remember: the record of each identity at a source."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from kalends.contract.kinds import POSTS, TERMS
from kalends.store.engine.store import Ids, Session, Texts
from kalends.store.rows.tables import Table

BATCH = 500


class Imported(NamedTuple):
    """A record of a source. `digests` are those of its fields, empty when it is gone at the source; `parent` is the
    external id of a parent that was not there yet; `run` was the first to know it, 0 if that cannot be undone."""

    source: str
    kind: str
    external_id: str
    id: int
    old_id: int
    digests: str
    parent: str
    run: int = 0


_RECORDS = Table("import_record", Imported)


def find_many(session: Session, source: str, kind: str, external_ids: Sequence[str]) -> dict[str, Imported]:
    """What is remembered of these records, by their external ids."""
    condition = f"source = ? AND kind = ? AND external_id {session.dialect.in_texts}"
    found = _RECORDS.all(session, condition, (source, kind, Texts(external_ids)))
    return {one.external_id: one for one in found}


def find(session: Session, source: str, kind: str, external_id: str) -> Imported | None:
    return find_many(session, source, kind, [external_id]).get(external_id)


def put_many(session: Session, rows: Iterable[Imported]) -> None:
    session.run_many(
        f"INSERT INTO import_record ({_RECORDS.columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (source, kind, external_id) DO UPDATE SET id = excluded.id, old_id = excluded.old_id,"
        " digests = excluded.digests, parent = excluded.parent",
        list(rows),
    )


def forget(session: Session, source: str, kind: str, external_id: str) -> None:
    """As if a record of a source had never been imported."""
    session.run(
        "DELETE FROM import_record WHERE source = ? AND kind = ? AND external_id = ?", (source, kind, external_id)
    )


def forget_record(session: Session, kind: str, id: int) -> None:
    """As if nothing that was imported stood for a record."""
    session.run("DELETE FROM import_record WHERE kind = ? AND id = ?", (kind, id))


def of_record(session: Session, kind: str, id: int) -> list[Imported]:
    """What is remembered of a record here, by the sources that have it."""
    return _RECORDS.all(session, "kind = ? AND id = ?", (kind, id))


def confirm(session: Session, run: int, kind: str, id: int) -> None:
    """A record stays known, although the run that was the first to know it is undone."""
    session.run("UPDATE import_record SET run = 0 WHERE kind = ? AND id = ? AND run = ?", (kind, id, run))


def forget_run(session: Session, run: int, most: int) -> bool:
    """Forgets some of what a run was the first to know; whether there is more."""
    some = "SELECT source, kind, external_id FROM import_record WHERE run = ? AND run > 0 LIMIT ?"
    rows = session.all(some, (run, most))
    session.run_many("DELETE FROM import_record WHERE source = ? AND kind = ? AND external_id = ?", rows)
    return len(rows) == most


def is_known(session: Session, source: str, kind: str, id: int) -> bool:
    """Whether a record of this source stands for a record here."""
    sql = "SELECT 1 FROM import_record WHERE source = ? AND kind = ? AND id = ?"
    return session.one(sql, (source, kind, id)) is not None


def identities(session: Session, kind: str, ids: Collection[int]) -> dict[int, tuple[str, str]]:
    """A source and an id there for each of some records that came from one."""
    rows = session.all(
        f"SELECT id, min(source), min(external_id) FROM import_record WHERE kind = ? AND id {session.dialect.in_ids}"
        " GROUP BY id HAVING count(*) = 1",
        (kind, Ids(ids)),
    )
    return {id: (source, external_id) for id, source, external_id in rows}


def with_parent(session: Session, source: str) -> list[Imported]:
    """Records of a source whose parent was not there when they were imported."""
    return _RECORDS.all(session, "source = ? AND parent <> '' ORDER BY kind, external_id", (source,))


def present_at(session: Session, source: str) -> Iterator[Imported]:
    """Every record that the source had when it was last read, in batches; events before what they are linked to."""
    for kind in [kind.name for kind in (*POSTS, *reversed(TERMS))]:
        last = ""
        while True:
            condition = "source = ? AND kind = ? AND external_id > ? AND digests <> '' ORDER BY external_id LIMIT ?"
            found = _RECORDS.all(session, condition, (source, kind, last, BATCH))
            yield from found
            if len(found) < BATCH:
                break
            last = found[-1].external_id


def of_old_id(session: Session, old_id: int) -> list[tuple[str, int]]:
    """The records, as kind and id, that had this number in another calendar; the last ones first."""
    sql = "SELECT kind, id FROM import_record WHERE old_id = ? AND old_id > 0 ORDER BY id DESC LIMIT 50"
    return [(kind, id) for kind, id in session.all(sql, (old_id,))]
