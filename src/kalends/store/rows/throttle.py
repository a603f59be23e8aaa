"""Counters of failed attempts and of requests, as rows that every process of the service shares."""

from kalends.store.engine.store import Session


def blocked_until(session: Session, key: str, latest: str) -> str | None:
    """The time until which a key is blocked by attempts that were made until `latest`."""
    until: str | None = session.value("SELECT blocked_until FROM throttle WHERE key = ? AND at <= ?", (key, latest))
    return until


def count(session: Session, key: str, since: str, latest: str) -> int:
    """The failed attempts between two times."""
    found = session.value("SELECT count FROM throttle WHERE key = ? AND at BETWEEN ? AND ?", (key, since, latest))
    return int(found or 0)


def is_known(session: Session, key: str) -> bool:
    return session.value("SELECT 1 FROM throttle WHERE key = ?", (key,)) is not None


def note(session: Session, key: str, number: int, at: str, until: str) -> None:
    session.run(
        "INSERT INTO throttle (key, count, at, blocked_until) VALUES (?, ?, ?, ?) ON CONFLICT (key)"
        " DO UPDATE SET count = excluded.count, at = excluded.at, blocked_until = excluded.blocked_until",
        (key, number, at, until),
    )


def add(session: Session, key: str, number: int, at: str) -> int:
    """Adds to a counter that starts again at 0 with each new `at`; its new value."""
    return int(
        session.value(
            "INSERT INTO throttle (key, count, at, blocked_until) VALUES (?, ?, ?, '')"
            " ON CONFLICT (key) DO UPDATE SET at = excluded.at,"
            " count = CASE WHEN throttle.at = excluded.at THEN throttle.count ELSE 0 END + excluded.count"
            " RETURNING count",
            (key, number, at),
        )
    )


def forget(session: Session, key: str) -> None:
    session.run("DELETE FROM throttle WHERE key = ?", (key,))


def forget_before(session: Session, at: str) -> None:
    session.run("DELETE FROM throttle WHERE at < ?", (at,))
