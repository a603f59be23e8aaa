"""Facts about the site itself, by key."""

from kalends.store.engine.store import Session

SETTINGS = "settings"  # the key of a JSON object of texts, as a person would write them


def read(session: Session, key: str) -> str | None:
    value: str | None = session.value("SELECT value FROM site WHERE key = ?", (key,))
    return value


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
