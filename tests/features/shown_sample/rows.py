"""The rows of cheers."""

from collections.abc import Sequence

from kalends.store.engine.store import Ids, Session


def add(session: Session, id: int, kind: str, record: int, text: str) -> None:
    session.run("INSERT INTO cheer VALUES (?, ?, ?, ?)", (id, kind, record, text))


def count(session: Session) -> int:
    return int(session.value("SELECT count(*) FROM cheer"))


def counts(session: Session, kind: str, ids: Sequence[int]) -> dict[int, int]:
    sql = f"SELECT record, count(*) FROM cheer WHERE kind = ? AND record {session.dialect.in_ids} GROUP BY record"
    return dict(session.all(sql, (kind, Ids(ids))))


def reword(session: Session, text: str) -> None:
    session.run("UPDATE cheer SET text = ?", (text,))


def closing(session: Session, ids: Sequence[int]) -> dict[int, str]:
    return dict(session.all(f"SELECT event, closes FROM cheer_time WHERE event {session.dialect.in_ids}", [Ids(ids)]))


def close_at(session: Session, event: int, closes: str) -> None:
    session.run("INSERT INTO cheer_time VALUES (?, ?)", (event, closes))


def clock_changes(session: Session, now: str) -> tuple[str, str]:
    last = session.value("SELECT max(closes) FROM cheer_time WHERE closes <= ?", (now,))
    following = session.value("SELECT min(closes) FROM cheer_time WHERE closes > ?", (now,))
    return last or "", following or ""
