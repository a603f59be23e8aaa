"""Answers to writes as rows, by the digest of the key that the client sent with them."""

from typing import NamedTuple

from kalends.store.engine.store import Session

WHOLE = -1  # of `done`: everything that the request asks for is done


class StoredAnswer(NamedTuple):
    """What was answered. `request` is the digest of the request; `done` of its steps are."""

    request: bytes
    answer: bytes
    done: int


def find(session: Session, id: bytes, since: str) -> StoredAnswer | None:
    """The answer that was stored under a key after a time."""
    row = session.one("SELECT request, answer, done FROM idempotency_key WHERE id = ? AND at > ?", (id, since))
    return None if row is None else StoredAnswer(bytes(row[0]), bytes(row[1]), row[2])


def put(session: Session, id: bytes, stored: StoredAnswer, before: int, at: str, since: str) -> bool:
    """Stores an answer, unless there is one already: whether it is stored. One that is older than `since` counts no
    more, nor does that of the step `before`, from which this request went on."""
    request, answer, done = stored
    return bool(
        session.run(
            "INSERT INTO idempotency_key (id, request, answer, done, at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET request = excluded.request, answer = excluded.answer,"
            " done = excluded.done, at = excluded.at WHERE idempotency_key.at <= ?"
            " OR (idempotency_key.done = ? AND idempotency_key.request = excluded.request)",
            (id, request, answer, done, at, since, before),
        )
    )


def has_old(session: Session, before: str) -> bool:
    """Whether there are answers that were stored before a time."""
    return session.one("SELECT 1 FROM idempotency_key WHERE at <= ? LIMIT 1", (before,)) is not None


def forget_some(session: Session, before: str, most: int) -> int:
    """Forgets some of them; how many."""
    return session.run(
        "DELETE FROM idempotency_key WHERE id IN (SELECT id FROM idempotency_key WHERE at <= ? ORDER BY at LIMIT ?)",
        (before, most),
    )
