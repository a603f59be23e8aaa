"""The rows of wishes."""

from kalends.store.engine.store import Session


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
