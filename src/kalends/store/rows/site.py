"""Facts about the site itself, by key."""

from collections.abc import Sequence

from kalends.store.engine.conditions import placeholders
from kalends.store.engine.store import Session


def read(session: Session, key: str) -> str | None:
    value: str | None = session.value("SELECT value FROM site WHERE key = ?", (key,))
    return value


def read_some(session: Session, keys: Sequence[str]) -> dict[str, str]:
    """Those of some facts that are there, by one query."""
    return dict(session.all(f"SELECT key, value FROM site WHERE key IN ({placeholders(keys)})", [*keys]))


def write_once(session: Session, key: str, value: str) -> None:
    """Keeps a value unless there is one already."""
    session.run("INSERT INTO site (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", (key, value))


def write(session: Session, key: str, value: str) -> None:
    session.run(
        "INSERT INTO site (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def forget(session: Session, key: str) -> None:
    session.run("DELETE FROM site WHERE key = ?", (key,))
