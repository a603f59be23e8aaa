"""The rows of wishes and mottos."""

from collections.abc import Mapping, Sequence

import msgspec

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


def store_wishes(session: Session, event: int, wishes: Mapping[str, object] | None) -> None:
    if not wishes:
        session.run("DELETE FROM event_wishes WHERE event = ?", (event,))
        return
    session.run(
        "INSERT INTO event_wishes (event, wishes, seats) VALUES (?, ?, ?)"
        " ON CONFLICT (event) DO UPDATE SET wishes = excluded.wishes, seats = excluded.seats",
        (event, msgspec.json.encode(wishes).decode(), wishes.get("seats")),
    )


def seats(session: Session) -> dict[int, int | None]:
    return dict(session.all("SELECT event, seats FROM event_wishes"))


def take(session: Session, event: int, taken: int) -> None:
    session.run("UPDATE event_wishes SET taken = ? WHERE event = ?", (taken, event))


def taken(session: Session, events: Sequence[int]) -> dict[int, int]:
    """How many seats of some events are taken."""
    return dict(
        session.all(f"SELECT event, taken FROM event_wishes WHERE event {session.dialect.in_ids}", [Ids(events)])
    )


def store_motto(session: Session, kind: str, record: int, motto: str) -> None:
    session.run(
        f"INSERT INTO {kind}_motto VALUES (?, ?) ON CONFLICT ({kind}) DO UPDATE SET motto = excluded.motto",
        (record, motto),
    )
