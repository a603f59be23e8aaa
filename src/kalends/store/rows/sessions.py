"""Sessions of browsers as rows."""

from kalends.store.engine.store import Session
from kalends.store.rows import tables, users
from kalends.store.rows.records import BrowserSession, User
from kalends.store.rows.tables import Table

# Browsers in which somebody has signed in, as rows; only the digest of what a browser is known by is kept.


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


_SESSIONS = Table("session", BrowserSession)


def insert(session: Session, row: BrowserSession) -> None:
    """A new session gets the next number."""
    row.id = tables.next_number(session, "session")
    _SESSIONS.insert(session, row)


def find_with_user(session: Session, digest: bytes) -> tuple[BrowserSession, User] | None:
    return users.with_user(session, _SESSIONS, digest)


def of_user(session: Session, user: int, now: str, latest: str) -> list[BrowserSession]:
    """Those that are valid, the last used first. `latest`: until when one can last."""
    condition = '"user" = ? AND expires_utc > ? AND expires_utc <= ? ORDER BY used_utc DESC, id DESC'
    return _SESSIONS.all(session, condition, (user, now, latest))


def last_uses(session: Session) -> dict[int, str]:
    """When each user was last seen in a browser, as far as a session of theirs is there."""
    return dict(session.all('SELECT "user", max(used_utc) FROM session GROUP BY "user"'))


def note_use(session: Session, id: int, at: str) -> None:
    session.run("UPDATE session SET used_utc = ? WHERE id = ? AND used_utc < ?", (at, id, at))


def end(session: Session, user: int, id: int) -> None:
    """Ends one session of a user."""
    session.run('DELETE FROM session WHERE "user" = ? AND id = ?', (user, id))


def end_all(session: Session, user: int, but: int = 0) -> None:
    session.run('DELETE FROM session WHERE "user" = ? AND id <> ?', (user, but))


def keep_newest(session: Session, user: int, most: int) -> None:
    """Ends all sessions of a user but so many, those that were used last."""
    newest = 'SELECT id FROM session WHERE "user" = ? ORDER BY used_utc DESC, id DESC LIMIT ?'
    session.run(f'DELETE FROM session WHERE "user" = ? AND id NOT IN ({newest})', (user, user, most))


def forget_expired(session: Session, now: str, latest: str) -> None:
    session.run("DELETE FROM session WHERE expires_utc <= ? OR expires_utc > ?", (now, latest))
