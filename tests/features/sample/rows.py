"""The rows of wishes."""

from collections.abc import Sequence

from kalends.store.engine.store import Ids, Session


def add(session: Session, id: int, kind: str, record: int, slug: str, user: int, text: str) -> None:
    session.run("INSERT INTO wish VALUES (?, ?, ?, ?, ?, ?)", (id, kind, record, slug, user, text))


def all_of(session: Session) -> list[tuple[str, int, str, int, str]]:
    return session.all('SELECT kind, record, slug, "user", text FROM wish ORDER BY id')


def move(session: Session, kind: str, old: int, new: int) -> None:
    session.run("UPDATE wish SET record = ? WHERE kind = ? AND record = ?", (new, kind, old))


def rename(session: Session, kind: str, record: int, slug: str) -> None:
    session.run("UPDATE wish SET slug = ? WHERE kind = ? AND record = ?", (slug, kind, record))


def forget(session: Session, kind: str, record: int) -> None:
    session.run("DELETE FROM wish WHERE kind = ? AND record = ?", (kind, record))


def forget_empty(session: Session) -> None:
    session.run("DELETE FROM wish WHERE text = ''")


def hand_over(session: Session, user: int, heir: int) -> None:
    session.run('UPDATE wish SET "user" = ? WHERE "user" = ?', (heir, user))


def count(session: Session) -> int:
    return int(session.value("SELECT count(*) FROM wish"))


def counts(session: Session, kind: str, ids: Sequence[int]) -> dict[int, int]:
    sql = f"SELECT record, count(*) FROM wish WHERE kind = ? AND record {session.dialect.in_ids} GROUP BY record"
    return dict(session.all(sql, (kind, Ids(ids))))


def reword(session: Session, text: str) -> None:
    session.run("UPDATE wish SET text = ?", (text,))


def closing(session: Session, ids: Sequence[int]) -> dict[int, str]:
    return dict(session.all(f"SELECT event, closes FROM wish_time WHERE event {session.dialect.in_ids}", [Ids(ids)]))


def close_at(session: Session, event: int, closes: str) -> None:
    session.run("INSERT INTO wish_time VALUES (?, ?)", (event, closes))


def clock_changes(session: Session, now: str) -> tuple[str, str]:
    last = session.value("SELECT max(closes) FROM wish_time WHERE closes <= ?", (now,))
    following = session.value("SELECT min(closes) FROM wish_time WHERE closes > ?", (now,))
    return last or "", following or ""
