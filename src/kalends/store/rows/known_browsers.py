"""Browsers in which somebody has signed in, as rows; only the digest of what a browser is known by is kept."""

from kalends.store.engine.store import Session


def is_known(session: Session, user: int, digest: bytes) -> bool:
    sql = 'SELECT 1 FROM known_browser WHERE "user" = ? AND digest = ?'
    return session.one(sql, (user, digest)) is not None


def remember(session: Session, user: int, digest: bytes, at: str) -> None:
    session.run(
        'INSERT INTO known_browser ("user", digest, used_utc) VALUES (?, ?, ?)'
        ' ON CONFLICT ("user", digest) DO UPDATE SET used_utc = excluded.used_utc',
        (user, digest, at),
    )


def forget_before(session: Session, at: str) -> None:
    session.run("DELETE FROM known_browser WHERE used_utc < ?", (at,))
